"""The program as a person starts it: in this process with captured output, or as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from zermelo.ui import cli

PLAIN = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "NO_COLOR", "COLUMNS")}


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


@pytest.fixture
def zermelo(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Ran]:
    """Run a command line in this process, from an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path) -> Ran:
        monkeypatch.setattr(sys, "argv", ["zermelo", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            cli.main()
        captured = capsys.readouterr()
        return Ran(int(left.value.code or 0), captured.out, captured.err)

    return run


@pytest.fixture
def refusal(zermelo: Callable[..., Ran]) -> Callable[..., str]:
    """Run a command line that must be refused: the one sentence on standard error."""

    def run(*arguments: str | Path) -> str:
        ran = zermelo(*arguments)
        assert (ran.status, ran.out) == (1, "")
        assert ran.err.startswith("zermelo: ")
        assert ran.err.endswith((".\n", "?\n"))
        assert ran.err.count("\n") == 1
        return ran.err

    return run


@pytest.fixture
def process(tmp_path: Path) -> Callable[..., Ran]:
    """Run a command line as a process of its own, piped, from an empty folder."""

    def run(*arguments: str | Path, lines: str | bytes = b"", **environment: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "zermelo", *map(str, arguments)],
            input=lines.encode() if isinstance(lines, str) else lines,
            capture_output=True,
            cwd=tmp_path,
            env=PLAIN | environment,
            check=False,
            timeout=60,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
