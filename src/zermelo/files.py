"""Files are written whole or not at all, and are on the disk before a function returns.

Every step that may fail, or that may be the last of a killed process, is one of the short functions at the end: `put`,
`sync`, `sync_folder`, `rename` and `unlink`. Tests make each of them fail in turn.
"""

import errno
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_LONGEST: Final = 200
"""The most bytes of a name that a temporary name repeats: file systems have room for 255."""
_TEMPORARY: Final = re.compile(r"\.(?P<name>.*)\.[0-9a-f]{8}\.part")


def write_whole(path: Path, content: "ReadableBuffer") -> None:
    """Write ``content`` to ``path``; as `whole`."""
    with whole(path) as file:
        put(file, content)


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which is ``path`` once the block ends without an error: on the disk, in one step.

    The content goes to a temporary file beside it, which is flushed to disk and renamed. A crash leaves the old file or
    the new one, never a part. A symbolic link stays, and the file that it leads to is written. A file that is there
    keeps its mode; a new one has the mode that the umask leaves. Into a pipe or a terminal the content goes directly.

    Raises
    ------
    OSError
        The folder does not exist, or cannot be written to; or ``path`` is a block device or a socket.
    """
    there = _status(path)
    if there is not None and not stat.S_ISREG(there.st_mode):
        if not (stat.S_ISCHR(there.st_mode) or stat.S_ISFIFO(there.st_mode)):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        with path.open("wb") as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    temporary = target.with_name(temporary_name(target.name))
    try:
        with temporary.open("xb") as file:
            yield file
            sync(file)
        if there is not None:
            temporary.chmod(stat.S_IMODE(there.st_mode))
        rename(temporary, target)
    except BaseException:
        unlink(temporary)
        raise
    sync_folder(target.parent)


def _status(path: Path) -> os.stat_result | None:
    """The status of what a path leads to; None if there is nothing yet."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def temporary_name(name: str) -> str:
    """A new name, in the folder of ``name``, for a file that is not complete yet."""
    short = name.encode()[:_LONGEST].decode(errors="ignore")
    return f".{short}.{secrets.token_hex(4)}.part"


def name_of_temporary(name: str) -> str | None:
    """The final name of a temporary file; None if ``name`` is not the name of one."""
    found = _TEMPORARY.fullmatch(name)
    return None if found is None else found["name"]


def put(file: BinaryIO, content: "ReadableBuffer") -> None:
    """Write bytes, or an object that has a buffer of bytes."""
    file.write(content)


def sync(file: BinaryIO) -> None:
    """Wait until what was written to a file is on the disk."""
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk: what was created, renamed and deleted."""
    if os.name == "nt":  # folders cannot be opened there
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def rename(path: Path, target: Path) -> None:
    """Give a file another name, in one step; a file of that name is replaced."""
    path.replace(target)


def unlink(path: Path) -> None:
    """Delete a file, if it is there."""
    path.unlink(missing_ok=True)
