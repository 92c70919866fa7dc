"""Where shards are kept: a folder that all nodes see, or any place that fsspec reaches, such as a bucket.

Whatever is written is there whole, under its name, or not at all. An array's checksum is kept apart from it, and
looked at whenever the array is read.
"""

import os
import re
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from zermelo.errors import TableError
from zermelo.files import name_of_temporary, unlink, write_whole

_TRIAL: Final = ".trial"
_OURS: Final = re.compile(r"tier-.*\.parquet|manifest\.json|\.trial")
"""Files of a table."""


class Part(NamedTuple):
    """An array in a store; in JSON a list of the three."""

    name: str
    size: int
    """Items."""
    crc32: int
    """Parts live as long as the solve; against damage by chance that is enough, and twice as quick as SHA-256."""


class Store:
    """Files under names with slashes, below one place.

    Parameters
    ----------
    place
        A path, or a URL of fsspec's such as ``s3://bucket/tables``.
    """

    def __init__(self, place: str) -> None:
        self.place = place

    @property
    def path(self) -> Path | None:
        """The folder on this machine; None for a URL."""
        return None

    def read(self, name: str) -> bytearray:
        """The content of a file; FileNotFoundError where there is none."""
        raise NotImplementedError

    def write(self, name: str, content: Any) -> None:
        """Write a file; it is there for good when this returns."""
        raise NotImplementedError

    def names(self, folder: str) -> list[str]:
        """The names of all files below a folder, sorted."""
        raise NotImplementedError

    def delete(self, name: str) -> None:
        """Delete a file, or a folder with all that is in it, if it is there."""
        raise NotImplementedError

    def tidy(self) -> None:
        """Delete what a process that was killed has half written of a table, and of trials."""
        self.delete(_TRIAL)

    def size(self, name: str) -> int:
        """Bytes of a file; FileNotFoundError where there is none."""
        raise NotImplementedError

    def piece(self, name: str, begin: int, end: int) -> bytes:
        """What stands in a file from one place up to another, as far as there is any; errors as `size`."""
        raise NotImplementedError

    def write_array(self, name: str, array: Any) -> Part:
        """Write the items of an array."""
        content = np.ascontiguousarray(array).view(np.uint8).data
        self.write(name, content)
        return Part(name, len(array), zlib.crc32(content))

    def read_array(self, part: Part, dtype: Any) -> Any:
        """The items of an array, checked.

        Raises
        ------
        TableError
            The file is missing, or is not what was written.
        """
        try:
            content = self.read(part.name)
        except FileNotFoundError:
            raise TableError(f"{self.place}/{part.name} is missing; delete {self.place} and solve again.") from None
        if zlib.crc32(content) != part.crc32:
            raise TableError(f"{self.place}/{part.name} is damaged; delete {self.place} and solve again.")
        return np.frombuffer(content, dtype=dtype)

    def read_arrays(self, parts: list[Part], dtype: Any) -> Any:
        """Several arrays as one."""
        arrays = [self.read_array(part, dtype) for part in parts]
        return arrays[0] if len(arrays) == 1 else np.concatenate([np.empty(0, dtype=dtype), *arrays])

    def check(self) -> None:
        """Try whether files can be written, read and deleted.

        Raises
        ------
        TableError
            They cannot.
        """
        with said(self.place):
            self.write(_TRIAL, b"zermelo")
            self.read(_TRIAL)
            self.delete(_TRIAL)


class Folder(Store):
    """A folder of this machine, or one that all nodes share."""

    @property
    def path(self) -> Path:
        """The folder on this machine."""
        return Path(self.place)

    def read(self, name: str) -> bytearray:
        """The content of a file."""
        path = self.path / name
        content = bytearray(path.stat().st_size)
        with path.open("rb", buffering=0) as file:
            view = memoryview(content)
            while view and (count := file.readinto(view)):
                view = view[count:]
        return content

    def write(self, name: str, content: Any) -> None:
        """Write a file."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)

    def names(self, folder: str) -> list[str]:
        """The names of all files below a folder, sorted."""
        root = self.path
        found = (path for path in (root / folder).rglob("*") if path.is_file() and not path.name.startswith("."))
        return sorted(path.relative_to(root).as_posix() for path in found)

    def delete(self, name: str) -> None:
        """Delete a file, or a folder with all that is in it, if it is there."""
        path = self.path / name
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            unlink(path)

    def tidy(self) -> None:
        """Delete what a process that was killed has half written."""
        super().tidy()
        for path in sorted(self.path.iterdir()):
            if _OURS.fullmatch(name_of_temporary(path.name) or ""):
                unlink(path)

    def size(self, name: str) -> int:
        """Bytes of a file."""
        return (self.path / name).stat().st_size

    def piece(self, name: str, begin: int, end: int) -> bytes:
        """What stands in a file from one place up to another."""
        handle = os.open(f"{self.place}/{name}", os.O_RDONLY)
        try:
            return os.pread(handle, end - begin, begin)
        finally:
            os.close(handle)


class Bucket(Store):
    """What a URL names, through fsspec; settings such as credentials are those of its environment."""

    def __init__(self, place: str) -> None:
        super().__init__(place.rstrip("/"))
        try:
            import fsspec
        except ImportError:
            raise TableError(
                f"{place} is a URL, and fsspec is not installed; pip install 'zermelo[cluster]', "
                "and what fsspec wants for that kind of URL."
            ) from None
        try:
            self._system, self._root = fsspec.url_to_fs(self.place, use_listings_cache=False)
        except (ImportError, ValueError) as error:
            raise TableError(f"{place} cannot be reached: {str(error).rstrip('.')}.") from None

    def read(self, name: str) -> bytearray:
        """The content of a file."""
        return bytearray(self._system.cat_file(self._full(name)))

    def write(self, name: str, content: Any) -> None:
        """Write a file."""
        self._system.pipe_file(self._full(name), bytes(content))

    def names(self, folder: str) -> list[str]:
        """The names of all files below a folder, sorted."""
        found = self._system.find(self._full(folder))
        return sorted(name[len(self._root) :].lstrip("/") for name in found)

    def delete(self, name: str) -> None:
        """Delete a file, or a folder with all that is in it, if it is there."""
        for found in self._system.find(self._full(name)):
            self._system.rm_file(found)

    def size(self, name: str) -> int:
        """Bytes of a file."""
        return int(self._system.size(self._full(name)))

    def piece(self, name: str, begin: int, end: int) -> bytes:
        """What stands in a file from one place up to another."""
        return bytes(self._system.cat_file(self._full(name), start=begin, end=end))

    def _full(self, name: str) -> str:
        return f"{self._root}/{name}"


def is_url(place: str) -> bool:
    """Whether a place is a URL, and no path."""
    return "://" in place


def store_at(place: str) -> Store:
    """The store at a path or URL.

    Raises
    ------
    TableError
        A URL cannot be reached.
    """
    return Bucket(place) if is_url(place) else Folder(os.path.abspath(place))  # noqa: PTH100 - the name may be a link


@contextmanager
def said(place: str) -> Iterator[None]:
    """What keeps a place from being used, as a sentence."""
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
