"""Stores, which keep the files of a table: a folder, or a place that fsspec can reach, such as a bucket.

A file in a store is complete or not there at all. An array is compressed (`zermelo.solver.table.packed`). The checksum
of its file is kept apart from the file, and every read compares it.
"""

import os
import re
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import TableError
from zermelo.files import name_of_temporary, unlink, write_whole
from zermelo.solver.table.packed import packed, unpacked
from zermelo.solver.table.sealed import sum_of

Content: TypeAlias = bytes | bytearray | memoryview
"""The content of a file, or a piece of it."""
Item = TypeVar("Item", bound=np.generic)
"""The type of an array's items."""
_TRIAL: Final = ".trial"
"""The file that `Store.check` writes."""
_OURS: Final = re.compile(r"tier-.*\.parquet|manifest\.json|\.trial")
"""The names of the files that a solve writes outside of its work folder."""
_WORK: Final = re.compile(r"work/(plan\.json|journal/\d+\.json|[^/]*\.(keys|codes|edges))")
"""The names of the files of an unfinished solve."""


class Part(NamedTuple):
    """An array in a store. In JSON it is a list of the three fields."""

    name: str
    size: int
    """The number of items."""
    sum: str
    """The checksum of the file's bytes; see `zermelo.solver.table.sealed.sum_of`."""


class Store:
    """Files below one place. Their names may have slashes.

    Parameters
    ----------
    place
        A path, or a URL for fsspec such as ``s3://bucket/tables``.
    """

    def __init__(self, place: str) -> None:
        self.place = place

    @property
    def path(self) -> Path | None:
        """The folder as a path; None for a URL."""
        return None

    def read(self, name: str) -> bytearray:
        """Return the content of a file.

        Raises
        ------
        FileNotFoundError
            There is no such file.
        """
        raise NotImplementedError

    def write(self, name: str, content: Content) -> None:
        """Write a file. When this returns, the file survives a crash."""
        raise NotImplementedError

    def names(self, folder: str) -> list[str]:
        """Return the names of all files below a folder, sorted."""
        raise NotImplementedError

    def delete(self, name: str) -> None:
        """Delete a file, or a folder with all its files; do nothing if there is none."""
        raise NotImplementedError

    def tidy(self) -> None:
        """Delete the incomplete files of a process that was killed, and those of `check`."""
        self.delete(_TRIAL)

    def size(self, name: str) -> int:
        """Return the size of a file in bytes; raise FileNotFoundError as `read` does."""
        raise NotImplementedError

    def piece(self, name: str, begin: int, end: int) -> bytes:
        """Return the bytes of a file from ``begin`` to ``end``, or to the end of the file; errors as in `read`."""
        raise NotImplementedError

    def write_soon(self, name: str, content: Content) -> None:
        """Write a file. It survives a crash after the next `settle`."""
        self.write(name, content)

    def settle(self, unneeded: Collection[str] = ()) -> None:
        """Wait until the files of `write_soon` survive a crash, except for the ``unneeded`` ones."""

    def is_own(self, name: str) -> bool:
        """Return whether a file below ``work`` has a name that a solve gives to its files."""
        return _WORK.fullmatch(name) is not None

    def write_array(self, name: str, array: NDArray[Item]) -> Part:
        """Write the items of an array as `write_soon` does, and return its entry for `read_array`.

        An array of int64 must hold ascending keys, none of them negative; see `zermelo.solver.table.packed`.
        """
        content = packed(array)
        self.write_soon(name, content)
        return Part(name, len(array), sum_of(np.frombuffer(content, np.uint8)))

    def read_array(self, part: Part, dtype: type[Item]) -> NDArray[Item]:
        """Return the items of an array. The checksum of the file is compared before anything is decoded.

        Raises
        ------
        TableError
            The file is missing or damaged.
        """
        try:
            content = self.read(part.name)
        except FileNotFoundError:
            raise self.damaged(part.name, "is missing") from None
        if sum_of(np.frombuffer(content, np.uint8)) != part.sum:
            raise self.damaged(part.name)
        try:
            return unpacked(content, part.size, dtype)
        except ValueError as error:
            raise self.damaged(part.name, f"cannot be read, because {error}") from None

    def damaged(self, name: str, what: str = "is damaged") -> TableError:
        """Return the error to raise if a file of an unfinished solve is not what was written."""
        return TableError(
            f"{self.place}/{name} {what}; delete the folder {self.place}/work to solve from the beginning."
        )

    def check(self) -> None:
        """Write, read and delete a file, to see whether the store works.

        Raises
        ------
        TableError
            One of the three fails.
        """
        with place_errors(self.place):
            self.write(_TRIAL, b"zermelo")
            self.read(_TRIAL)
            self.delete(_TRIAL)


class Folder(Store):
    """A folder of this machine, or one that all machines share."""

    @property
    def path(self) -> Path:
        """The folder as a path."""
        return Path(self.place)

    def read(self, name: str) -> bytearray:
        """Return the content of a file."""
        path = self.path / name
        content = bytearray(path.stat().st_size)
        with path.open("rb", buffering=0) as file:
            view = memoryview(content)
            while view and (count := file.readinto(view)):
                view = view[count:]
        return content

    def write(self, name: str, content: Content) -> None:
        """Write a file."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)

    def names(self, folder: str) -> list[str]:
        """Return the names of all files below a folder, sorted."""
        root = self.path
        found = (path for path in (root / folder).rglob("*") if path.is_file() and not path.name.startswith("."))
        return sorted(path.relative_to(root).as_posix() for path in found)

    def delete(self, name: str) -> None:
        """Delete a file, or a folder with all its files; do nothing if there is none."""
        path = self.path / name
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            unlink(path)

    def tidy(self) -> None:
        """Delete the incomplete files of a process that was killed."""
        super().tidy()
        for path in sorted(self.path.iterdir()):
            if _OURS.fullmatch(name_of_temporary(path.name) or ""):
                unlink(path)

    def size(self, name: str) -> int:
        """Return the size of a file in bytes."""
        return (self.path / name).stat().st_size

    def piece(self, name: str, begin: int, end: int) -> bytes:
        """Return the bytes of a file from ``begin`` to ``end``."""
        if not hasattr(os, "pread"):  # Windows
            with (self.path / name).open("rb") as file:
                file.seek(begin)
                return file.read(end - begin)
        handle = os.open(f"{self.place}/{name}", os.O_RDONLY)
        try:
            return os.pread(handle, end - begin, begin)
        finally:
            os.close(handle)


class Bucket(Store):
    """A place with a URL, through fsspec. Its settings, such as credentials, come from the environment."""

    def __init__(self, place: str) -> None:
        super().__init__(place.rstrip("/"))
        try:
            import fsspec
        except ImportError:
            raise TableError(
                f"{place} is a URL, and fsspec is not installed; pip install 'zermelo[cluster]', "
                "and the package that fsspec needs for that kind of URL."
            ) from None
        try:
            self._system, self._root = fsspec.url_to_fs(self.place, use_listings_cache=False)
        except (ImportError, ValueError) as error:
            raise TableError(f"{place} cannot be reached: {str(error).rstrip('.')}.") from None

    def read(self, name: str) -> bytearray:
        """Return the content of a file."""
        return bytearray(self._system.cat_file(self._full(name)))

    def write(self, name: str, content: Content) -> None:
        """Write a file."""
        self._system.pipe_file(self._full(name), bytes(content))

    def names(self, folder: str) -> list[str]:
        """Return the names of all files below a folder, sorted."""
        found = self._system.find(self._full(folder))
        return sorted(name[len(self._root) :].lstrip("/") for name in found)

    def delete(self, name: str) -> None:
        """Delete a file, or a folder with all its files; do nothing if there is none."""
        for found in self._system.find(self._full(name)):
            self._system.rm_file(found)

    def size(self, name: str) -> int:
        """Return the size of a file in bytes."""
        return int(self._system.size(self._full(name)))

    def piece(self, name: str, begin: int, end: int) -> bytes:
        """Return the bytes of a file from ``begin`` to ``end``."""
        return bytes(self._system.cat_file(self._full(name), start=begin, end=end))

    def _full(self, name: str) -> str:
        return f"{self._root}/{name}"


def is_url(place: str) -> bool:
    """Return whether a place is a URL, and not a path."""
    return "://" in place


def store_at(place: str) -> Store:
    """Return the store at a path or URL.

    Raises
    ------
    TableError
        A URL cannot be reached.
    """
    return Bucket(place) if is_url(place) else Folder(os.path.abspath(place))  # noqa: PTH100 - the name may be a link


@contextmanager
def place_errors(place: str) -> Iterator[None]:
    """Turn errors of the file system or of the network into `TableError`, whose sentence names the place."""
    try:
        yield
    except PermissionError as error:
        raise TableError(f"{place} cannot be used: no permission ({_first_line(error)}).") from None
    except FileNotFoundError as error:
        raise TableError(f"{place} cannot be used: it does not exist ({_first_line(error)}).") from None
    except OSError as error:
        raise TableError(f"{place} cannot be used: {_first_line(error)}.") from None
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in ("botocore", "aiobotocore", "aiohttp"):
            raise
        raise TableError(f"{place} cannot be used: {_first_line(error)}.") from None


def _first_line(error: Exception) -> str:
    text = getattr(error, "strerror", None) or str(error)
    return text.splitlines()[0].rstrip(".") if text else type(error).__name__
