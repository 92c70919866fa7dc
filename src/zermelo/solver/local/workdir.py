"""The folder of a solve on one machine: its files become durable together, when the journal asks for it."""

from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any, Final

from zermelo.files import put, sync, sync_folder
from zermelo.solver.table.stores import Folder

_THREADS: Final = 8
"""Files that are synchronised with the disk at the same time: a disk takes no longer for several than for one."""


class WorkFolder(Folder):
    """A folder to which only this process writes.

    Synchronising a file with the disk may take as long as solving ten thousand positions. This folder never does it for
    files that are deleted before the journal names them, such as runs that are soon merged.

    Parameters
    ----------
    place
        The path of the folder.
    """

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self._unsettled: set[str] = set()
        """The names of files that are written and not yet durable."""
        self._lock = Lock()

    def write_soon(self, name: str, content: Any) -> None:
        """Write a file. It survives a crash after the next `settle`."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            put(file, content)
        with self._lock:
            self._unsettled.add(name)

    def settle(self, unneeded: Collection[str] = ()) -> None:
        """Make all files durable that were written since the last call, except for the ``unneeded`` ones."""
        with self._lock:
            written = set(self._unsettled)
        paths = [self.path / name for name in sorted(written.difference(unneeded))]
        self.sync_all(paths)
        for folder in sorted({path.parent for path in paths}):
            sync_folder(folder)
        with self._lock:
            self._unsettled -= written

    def sync_all(self, paths: list[Path]) -> None:
        """Synchronise some files with the disk, several at a time."""
        if paths:
            with ThreadPoolExecutor(min(_THREADS, len(paths))) as pool:
                list(pool.map(sync_file, paths))


def sync_file(path: Path) -> None:
    """Synchronise a file with the disk."""
    with path.open("rb") as file:
        sync(file)
