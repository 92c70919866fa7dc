"""Files that are believed only if this user wrote them, whole, under the very name that they have now.

A sealed file begins with a checksum of its name and its content, which is verified before anything else looks at the
content. It lies in a folder that nobody else can enter. A file that fails is as good as none.
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
"""How the names of files begin that are being written, or were when their process died."""
_OLD: Final = 3600.0
"""Seconds after which an unfinished file is taken for one that nobody will finish."""


def private_folder(folder: Path) -> None:
    """Make a folder that only this user can enter, whatever the umask; one that is there is made so.

    Raises
    ------
    OSError
        It cannot be made, belongs to another user, or is no folder.
    """
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    kind = folder.lstat()
    if not stat.S_ISDIR(kind.st_mode):
        raise NotADirectoryError(f"{folder} is no folder")
    if not _is_ours(kind):
        raise PermissionError(f"{folder} belongs to another user")
    if _is_open(kind):
        folder.chmod(0o700)


def read_sealed(path: Path) -> bytes | None:
    """The content of a sealed file; None where there is none, or where it is damaged, or not this user's."""
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
    """Write a sealed file whole or not at all, and see that it is on the disk.

    Raises
    ------
    OSError
        The folder is not this user's, or the disk is full or cannot be written to.
    """
    private_folder(path.parent)
    _sweep(path.parent)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=UNFINISHED)  # whose mode is 0600
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
    """The files that are being written in a folder, or never were finished."""
    return folder.glob(f"{UNFINISHED}*")


def _seal(path: Path, content: bytes) -> bytes:
    name = f"{path.parent.name}/{path.name}".encode()
    return _MARK + hashlib.sha256(len(name).to_bytes(8, "big") + name + content).digest()


def _is_private(kind: os.stat_result) -> bool:
    return stat.S_ISDIR(kind.st_mode) and _is_ours(kind) and not _is_open(kind)


def _is_ours(kind: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or kind.st_uid == os.getuid()


def _is_open(kind: os.stat_result) -> bool:
    """Whether others than the owner can do anything with it, where the system knows of owners."""
    return hasattr(os, "getuid") and bool(kind.st_mode & 0o077)


def _sweep(folder: Path) -> None:
    """Delete what processes that died left behind."""
    for file in unfinished(folder):
        with contextlib.suppress(OSError):
            if time.time() - file.stat().st_mtime > _OLD:
                file.unlink()


def _sync_folder(folder: Path) -> None:
    """See that a new name is on the disk, where folders can be synchronised."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
