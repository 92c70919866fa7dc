"""``zermelo doctor``, ``--version``, and completion in a shell."""

import importlib
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import pytest

from zermelo.ui import installation

NAMES = ["python", "numpy", "numba", "pyarrow", "typer", "rich", "compiler", "cache"]
NAMES += ["web", "cluster", "chess", "plot", "programs", "games"]


def test_an_installation_that_works(zermelo: Callable[..., Any]):
    ran = zermelo("doctor")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.endswith("zermelo works.\n")
    record = json.loads(zermelo("doctor", "--json").out)
    assert record["works"] is True
    assert [one["name"] for one in record["findings"]] == NAMES
    assert not any(one["status"] == "broken" for one in record["findings"])


def test_a_package_that_cannot_be_imported_is_broken(zermelo: Callable[..., Any], monkeypatch: pytest.MonkeyPatch):
    def load(name: str) -> ModuleType:
        if name == "numba":
            raise ImportError("llvmlite is missing")
        return importlib.import_module(name)

    monkeypatch.setattr(installation, "import_module", load)
    ran = zermelo("doctor")
    assert ran.status == 1
    assert "BROKEN  numba     ImportError: llvmlite is missing\n" in ran.out
    assert "Install it again: pip install --force-reinstall numba." in ran.out
    assert "compiler" not in ran.out
    assert ran.out.endswith("To be repaired: numba.\n")


def test_a_cache_that_cannot_be_written_is_broken(
    zermelo: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "file" / "cache"))
    ran = zermelo("doctor")
    assert ran.status == 1
    assert "Set ZERMELO_CACHE_DIR to a folder that can be written" in ran.out
    assert ran.out.endswith("To be repaired: cache.\n")


def test_what_is_optional_may_be_absent(zermelo: Callable[..., Any], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(installation, "installed", lambda package: None if package in ("ray", "chess") else "1.0")
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    ran = zermelo("doctor")
    assert ran.status == 0
    for advice in ("pip install 'zermelo[cluster]'.", "pip install 'zermelo[chess]'.", "NUMBA_DISABLE_JIT is set"):
        assert advice in ran.out
    assert zermelo("--version").out.splitlines()[2] == (
        "extras: web (nicegui 1.0), plot (matplotlib 1.0); not installed: cluster, chess"
    )


def test_a_shell_completes_commands_options_and_games(process: Callable[..., Any]):
    for words, found in (
        ("sol", "solve"),
        ("grade --grad", "--gradescope"),
        ("search tic", "tictactoe"),
        ("play tic", "tictactoe"),
    ):
        line = f"zermelo {words}"
        ran = process(COMP_WORDS=line, COMP_CWORD=str(len(words.split())), _ZERMELO_COMPLETE="complete_bash")
        assert (ran.status, ran.out.split()) == (0, [found])
    # Without a name, Typer looks for the shell around it, which a test may not have; the variable makes it take a name.
    shown = process("--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert "complete -o default -F _zermelo_completion zermelo" in shown.out
