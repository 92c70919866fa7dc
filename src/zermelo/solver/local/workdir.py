"""The folder of a solve on one machine: files become durable together, when the journal asks for it."""

from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any, Final

from zermelo.files import put, sync, sync_folder
from zermelo.solver.table.stores import Folder

_THREADS: Final = 8
"""Files that are brought to the disk at the same time: a disk is as quick with several as with one."""


class WorkFolder(Folder):
    """A folder to which this process alone writes.

    To bring a file to the disk may take as long as to solve ten thousand positions. Files that are deleted before the
    journal names them, such as runs that are merged soon, are never brought there.
    """

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self._unsettled: set[str] = set()
        self._lock = Lock()

    def write_soon(self, name: str, content: Any) -> None:
        """Write a file that is durable after the next `settle`."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            put(file, content)
        with self._lock:
            self._unsettled.add(name)

    def settle(self, unneeded: Collection[str] = ()) -> None:
        """Bring all files to the disk that were written since the last time, but for those that nobody needs."""
        with self._lock:
            written = set(self._unsettled)
        paths = [self.path / name for name in sorted(written.difference(unneeded))]
        self.sync_all(paths)
        for folder in sorted({path.parent for path in paths}):
            sync_folder(folder)
        with self._lock:
            self._unsettled -= written

    def sync_all(self, paths: list[Path]) -> None:
        """Bring some files to the disk."""
        if paths:
            with ThreadPoolExecutor(min(_THREADS, len(paths))) as pool:
                list(pool.map(sync_file, paths))


def sync_file(path: Path) -> None:
    """Bring a file to the disk."""
    with path.open("rb") as file:
        sync(file)
