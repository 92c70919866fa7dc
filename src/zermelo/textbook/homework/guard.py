"""What a student's process must not do: import or read zermelo's own searches, start programs, use the network.

A finder of modules refuses imports, and an audit hook (PEP 578), which cannot be removed again, refuses the rest. This
is no sandbox: a file can call the operating system through ``ctypes``.
"""

import os
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

ALLOWED: Final = {
    *("errors", "lazy", "files", "bits", "words", "vectors", "board", "source", "references", "members", "fingerprint"),
    *("result", "contract", "weights", "notation", "parameters", "game", "display", "grid", "games", "registry"),
}
"""The modules and packages of zermelo that a student may import: what rules need, and no search."""
_PROCESSES: Final = {
    *("os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.startfile"),
    *("pty.spawn", "subprocess.Popen"),
}
_HARMLESS: Final = {"socket.__new__", "socket.gethostname"}
"""Events of sockets that send nothing."""
_HOME: Final = str(Path(__file__).resolve().parents[2]) + os.sep


class Refused(ImportError):
    """What the student's file tried is refused."""


def guard(folder: Path, report: Callable[[str], None]) -> None:
    """Refuse from now on what a student's process must not do.

    Parameters
    ----------
    folder
        Where the student's files lie.
    report
        Receives a sentence for each thing that is refused, at once, since the file may catch the error.
    """
    harness = [name for name in sys.modules if not _is_allowed(name)]
    readable = {_real(str(getattr(sys.modules[name], "__file__", None))) for name in (*harness, "__main__")}
    for name in harness:
        del sys.modules[name]  # an import of what is loaded already would not be reported

    def refuse(what: str) -> NoReturn:
        sentence = f"{_place(folder, sys._getframe(1))} {what}."
        report(sentence)
        raise Refused(sentence)

    def hear(event: str, arguments: tuple[object, ...]) -> None:
        what = refusal(event, arguments, readable)
        if what is not None:
            refuse(what)

    sys.meta_path.insert(0, _Finder(refuse))
    sys.addaudithook(hear)


class _Finder:
    """Finds no module, and refuses those that may not be imported."""

    def __init__(self, refuse: Callable[[str], NoReturn]) -> None:
        self._refuse = refuse

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Refuse a module, or leave it to the next finder."""
        if not _is_allowed(name):
            self._refuse(f"imports {name}, which belongs to zermelo's own searches")


def refusal(event: str, arguments: tuple[object, ...], readable: Collection[str] = ()) -> str | None:
    """What is refused about an event, as the end of a sentence; None if nothing is.

    ``readable`` are files of this process that tracebacks read.
    """
    if event == "open" and isinstance(arguments[0], str | bytes):
        path = _real(arguments[0])
        if path.startswith(_HOME) and path not in readable and not _is_allowed_file(path):
            return f"reads zermelo/{path.removeprefix(_HOME)}, which belongs to zermelo's own searches"
    if event in _PROCESSES:
        return "starts another process"
    return "uses the network" if event.startswith("socket.") and event not in _HARMLESS else None


def _real(path: str | bytes) -> str:
    return os.path.realpath(os.fsdecode(path))


def _is_allowed(module: str) -> bool:
    package, _, rest = module.partition(".")
    return package != "zermelo" or not rest or rest.partition(".")[0] in ALLOWED


def _is_allowed_file(path: str) -> bool:
    first = path.removeprefix(_HOME).partition(os.sep)[0]
    return first in ("__init__.py", "__pycache__") or first.removesuffix(".py") in ALLOWED


def _place(folder: Path, frame: FrameType | None) -> str:
    """The line of the student's file that is running."""
    while frame is not None:
        source = Path(frame.f_code.co_filename)
        if source.is_absolute() and source.parent == folder:
            return f"{source.name}, line {frame.f_lineno},"
        frame = frame.f_back
    return "The file"
