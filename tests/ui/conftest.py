"""The program as a person starts it: in this process with captured output, or as a process of its own."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pexpect
import pytest

from running import PATIENCE, interruptible
from zermelo.ui import cli

PLAIN = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "NO_COLOR", "COLUMNS")}
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PROMPT = r"or help[^\n]{0,12}: "


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
            timeout=PATIENCE,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


class Terminal:
    """The program on a pseudo-terminal, and what it has printed, escape codes taken out."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        with interruptible():
            self.child = pexpect.spawn(
                sys.executable,
                ["-m", "zermelo", *arguments],
                cwd=str(folder),
                env=PLAIN | {"TERM": "xterm"},  # type: ignore[arg-type]
                encoding="utf-8",
                codec_errors="replace",
                timeout=PATIENCE,
                dimensions=(50, 200),
            )
        self.raw = ""

    def until(self, *patterns: str) -> int:
        """Wait for one of the patterns; return the index of the one found."""
        found = self.child.expect(list(patterns))
        self.raw += self.child.before + self.child.after
        return found

    def say(self, text: str, until: str = PROMPT) -> str:
        """Type a line; return what is printed up to the next prompt."""
        self.child.sendline(text)
        start = len(self.raw)
        self.until(until)
        return self.plain(self.raw[start:])

    def end(self) -> int:
        """Wait for the end; return the exit status."""
        self.child.expect(pexpect.EOF)
        self.raw += self.child.before
        self.child.close()
        return self.child.exitstatus if self.child.exitstatus is not None else -self.child.signalstatus

    def interrupt(self) -> int:
        """Press Ctrl-C, once, when the program waits; return the exit status.

        Python does not look at a signal that arrives after `input` has shown its prompt and before it waits for a key.
        """
        asleep, deadline = 0, time.monotonic() + PATIENCE
        while asleep < 3 and time.monotonic() < deadline:
            asleep = asleep + 1 if self._sleeps() else 0
            time.sleep(0.05)
        self.child.sendintr()
        return self.end()

    def _sleeps(self) -> bool:
        """Whether the program's first thread sleeps; where the system does not tell, it is taken to."""
        try:
            return Path(f"/proc/{self.child.pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"
        except OSError:
            return True

    @staticmethod
    def plain(text: str) -> str:
        return ESCAPE.sub("", text).replace("\r", "")

    @property
    def text(self) -> str:
        return self.plain(self.raw)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Start the program on a pseudo-terminal, in an empty folder."""
    started: list[Terminal] = []

    def start(*arguments: str) -> Terminal:
        started.append(Terminal(tmp_path, *arguments))
        return started[-1]

    yield start
    for one in started:
        one.child.close(force=True)
