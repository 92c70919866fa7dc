"""What only some systems have is asked for where it is used, and there is something to do without it."""

import ast
import os
import sys
from pathlib import Path

import pytest

import zermelo
from zermelo.solver.local.memory import memory_now, peak_memory_mb, peak_of_system
from zermelo.solver.table.stores import Folder

SOURCE = Path(zermelo.__file__).parent
POSIX = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"}
FUNCTIONS = {"fork", "getuid", "killpg", "pread", "setitimer", "setsid", "sysconf", "waitpid"}
GUARDED = {
    "check/inspector.py": "it asks for setitimer first",
    "classroom/python_file.py": "it asks for killpg first",
    "cluster/memory.py": "only on Linux",
    "compiled/sealed.py": "it asks for getuid first",
    "protocol/process.py": "programs run on Linux and macOS only, and a message says so",
    "protocol/server.py": "AttributeError has an answer",
    "protocol/supervisor.py": "programs run on Linux and macOS only",
    "solver/local/memory.py": "only after a file of Linux was read",
    "solver/table/stores.py": "it asks for pread first",
}
"""Modules that call functions which Windows lacks, and why they run there all the same."""


def test_no_module_needs_posix_to_be_imported():
    needed = [
        f"{path.relative_to(SOURCE)}: {name}"
        for path in sorted(SOURCE.rglob("*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        if name in POSIX
    ]
    assert needed == []


def test_functions_that_windows_lacks_are_guarded():
    using = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in FUNCTIONS
        if isinstance(node.value, ast.Name) and node.value.id in ("os", "signal")
    }
    assert using == set(GUARDED)


def test_memory_without_the_module_resource(monkeypatch: pytest.MonkeyPatch):
    assert peak_of_system() > 1 << 20
    monkeypatch.setitem(sys.modules, "resource", None)
    assert peak_of_system() == 0
    assert peak_memory_mb() >= 0
    assert memory_now() >= 0


def test_pieces_of_files_without_pread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "letters").write_bytes(b"abcdefgh")
    assert Folder(str(tmp_path)).piece("letters", 2, 5) == b"cde"
    monkeypatch.delattr(os, "pread")
    assert Folder(str(tmp_path)).piece("letters", 2, 5) == b"cde"
