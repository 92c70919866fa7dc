"""Faults at every file operation in turn: the process dies there, or the power fails, or the operation fails."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest

from zermelo import files
from zermelo.solver.local import workdir
from zermelo.solver.table import stores

OPERATIONS = ("put", "sync", "sync_folder", "rename", "unlink")
Kind = Literal["killed", "power cut", "failed", "interrupted"]


class Killed(BaseException):
    """The process has died: from here on, none of its file operations has an effect."""


class Disk:
    """Counts the file operations of `zermelo.files`, and makes one of them fail.

    Parameters
    ----------
    at
        At which, counted from 0 on.
    kind
        ``killed``: every further operation raises, too, so that nothing can clean up. ``power cut``: besides, what was
        written and not synced is gone, and so are new names in folders that were not synced. ``failed``: this
        operation alone raises an error of the disk. ``interrupted``: it alone raises what Ctrl-C does.
    """

    def __init__(self, at: int = -1, kind: Kind = "killed") -> None:
        self.at, self.kind = at, kind
        self.done: list[str] = []
        self.volatile: set[Path] = set()
        """Files whose content is not yet on the disk."""
        self.unlisted: set[Path] = set()
        """Files whose names are not yet on the disk."""

    def put(self, file: Any, content: Any) -> None:
        self.volatile.add(Path(file.name))
        self.unlisted.add(Path(file.name))
        self.stop("put", lambda: _REAL["put"](file, memoryview(content).cast("B")[: len(content) // 2]))
        _REAL["put"](file, content)

    def sync(self, file: Any) -> None:
        self.stop("sync")
        file.flush()  # no waiting for the real disk: this one remembers what is on it
        self.volatile.discard(Path(file.name))

    def sync_folder(self, folder: Path) -> None:
        self.stop("sync_folder")
        self.unlisted = {path for path in self.unlisted if path.parent != folder}

    def rename(self, path: Path, target: Path) -> None:
        self.stop("rename")
        if not target.exists():
            self.unlisted.add(target)
        _REAL["rename"](path, target)
        if path in self.volatile:
            self.volatile.add(target)

    def unlink(self, path: Path) -> None:
        self.stop("unlink")
        _REAL["unlink"](path)

    def stop(self, name: str, before: Callable[[], None] = lambda: None) -> None:
        """Count an operation; raise if it is its turn."""
        number = len(self.done)
        self.done.append(name)
        if self.at < 0 or number < self.at:
            return
        if number == self.at:
            before()
            if self.kind == "power cut":
                self._lose()
            if self.kind == "failed":
                raise OSError(28 if name in ("put", "sync") else 5, "No space left on device")
            if self.kind == "interrupted":
                raise KeyboardInterrupt
        if self.kind in ("killed", "power cut"):
            raise Killed

    def _lose(self) -> None:
        for path in self.volatile:
            if path.exists():
                path.write_bytes(b"")
        for path in self.unlisted:
            path.unlink(missing_ok=True)


_REAL: dict[str, Callable[..., None]] = {name: getattr(files, name) for name in OPERATIONS}


@contextmanager
def disk(at: int = -1, kind: Kind = "killed") -> Iterator[Disk]:
    """Send everything that a solve writes through a disk that counts; yield the disk."""
    counted = Disk(at, kind)
    with pytest.MonkeyPatch.context() as patch:
        for module in (files, stores, workdir):
            for name in OPERATIONS:
                if hasattr(module, name):
                    patch.setattr(module, name, getattr(counted, name))
        yield counted


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, hidden ones too; folders count as empty files."""
    return {
        str(path.relative_to(folder)): b"" if path.is_dir() else path.read_bytes() for path in sorted(folder.rglob("*"))
    }
