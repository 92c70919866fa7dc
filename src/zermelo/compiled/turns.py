"""Letting one process compile a kernel while others that need the same kernel wait for its file.

Workers of a cluster, tests in parallel and two commands in two terminals often need the same kernels at the same
moment. Without a lock each of them would compile all of them.
"""

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from zermelo.compiled.sealed import UNFINISHED, private_folder

PATIENCE: Final = 60.0
"""Seconds after which a process stops waiting for another one, and compiles the kernel itself."""
_PAUSE: Final = 0.02
"""Seconds between two attempts to take a lock."""
_making: Final[set[Path]] = set()
"""The files that this process is making. A kernel that calls itself asks for its own file while it is compiled."""


@contextlib.contextmanager
def one_at_a_time(file: Path | None) -> Iterator[None]:
    """Hold the lock of a file while this process makes it; other processes of this user wait for the lock.

    If the file exists, there is nothing to wait for. The lock is a file beside it. Its name is that of an unfinished
    file, so that it is counted and deleted like one. If a process dies, the system releases its lock. Where no lock is
    possible (the folder cannot be written to, or the system has no ``flock``), the block runs without one.

    Parameters
    ----------
    file
        The file in which the code will be kept; None if it will not be kept.
    """
    if file is None or file.exists() or file in _making:
        yield
        return
    handle = _take(lock_of(file))
    _making.add(file)
    try:
        yield
    finally:
        _making.discard(file)
        if handle is not None:
            _release(handle, lock_of(file))


def lock_of(file: Path) -> Path:
    """Return the lock of a file. It exists while a process makes the file, and stays if that process dies."""
    return file.with_name(f"{UNFINISHED}{file.name}.lock")


def _take(lock: Path) -> int | None:
    """Wait for a lock, and return its handle; None if there are no locks here or the wait was too long."""
    if sys.platform == "win32":
        return None
    import fcntl

    try:
        private_folder(lock.parent)
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError:
        return None
    deadline = time.monotonic() + PATIENCE
    try:
        while time.monotonic() < deadline:
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return handle
            time.sleep(_PAUSE)
    except BaseException as error:  # Ctrl-C while it waits, or a file system without locks
        os.close(handle)
        if isinstance(error, OSError):
            return None
        raise
    os.close(handle)
    return None


def _release(handle: int, lock: Path) -> None:
    """Release a lock, even if a forked child of this process holds the same handle."""
    if sys.platform == "win32":
        return
    import fcntl

    lock.unlink(missing_ok=True)
    fcntl.flock(handle, fcntl.LOCK_UN)
    os.close(handle)
