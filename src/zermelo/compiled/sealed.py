"""Sealed files: they are read only if this user wrote them, they are whole, and they still have their first names.

A *sealed file* begins with a checksum of its name and its content. The checksum is verified before anything else reads
the content. The file lies in a folder that nobody else can enter. A file that fails any of these checks counts as
absent.
"""

import contextlib
import hashlib
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_MARK: Final = b"zermelo sealed 1\n"
_SEAL: Final = len(_MARK) + hashlib.sha256().digest_size
UNFINISHED: Final = ".unfinished-"
"""The prefix of files that a process is writing, or was writing when it died."""
_OLD: Final = 3600.0
"""Seconds after which an unfinished file counts as abandoned."""


def private_folder(folder: Path) -> None:
    """Make a folder that only this user can enter, whatever the umask; close an existing one to others.

    Raises
    ------
    OSError
        The folder cannot be made, belongs to another user, or is not a folder.
    """
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    kind = folder.lstat()
    if not stat.S_ISDIR(kind.st_mode):
        raise NotADirectoryError(f"{folder} is not a folder")
    if not _is_ours(kind):
        raise PermissionError(f"{folder} belongs to another user")
    if _is_open(kind):
        folder.chmod(0o700)


def read_sealed(path: Path) -> bytes | None:
    """Return the content of a sealed file; None if the file is absent, damaged or another user's."""
    try:
        if not _is_private(path.parent.lstat()):
            return None
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        try:
            kind = os.fstat(handle)
            if not stat.S_ISREG(kind.st_mode) or not _is_ours(kind):
                return None
            with os.fdopen(handle, "rb", closefd=False) as file:
                whole = file.read()
        finally:
            os.close(handle)
    except OSError:
        return None
    content = whole[_SEAL:]
    return content if whole[:_SEAL] == _seal(path, content) else None


def write_sealed(path: Path, content: bytes) -> None:
    """Write a sealed file, completely or not at all, and wait until it is on the disk.

    Raises
    ------
    OSError
        The folder is not this user's, or the disk is full or cannot be written to.
    """
    private_folder(path.parent)
    _sweep(path.parent)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=UNFINISHED)  # its mode is 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_seal(path, content) + content)
            file.flush()
            os.fsync(handle)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def unfinished(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder that a process is writing, or was writing when it died."""
    return folder.glob(f"{UNFINISHED}*")


def _seal(path: Path, content: bytes) -> bytes:
    """Return the first bytes of a sealed file: a mark, and the checksum of its name and content."""
    name = f"{path.parent.name}/{path.name}".encode()
    return _MARK + hashlib.sha256(len(name).to_bytes(8, "big") + name + content).digest()


def _is_private(kind: os.stat_result) -> bool:
    return stat.S_ISDIR(kind.st_mode) and _is_ours(kind) and not _is_open(kind)


def _is_ours(kind: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or kind.st_uid == os.getuid()


def _is_open(kind: os.stat_result) -> bool:
    """Return whether anybody but the owner has access; False on systems without owners."""
    return hasattr(os, "getuid") and bool(kind.st_mode & 0o077)


def _sweep(folder: Path) -> None:
    """Delete the abandoned files of processes that died."""
    for file in unfinished(folder):
        with contextlib.suppress(OSError):
            if time.time() - file.stat().st_mtime > _OLD:
                file.unlink()


def _sync_folder(folder: Path) -> None:
    """Wait until a new file name is on the disk, on systems that can synchronise folders."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
