"""A lock that is free in the child of a fork, where no search of the parent is running."""

import os
import threading
from typing import Final
from weakref import WeakSet


class ForkLock:
    """A lock for ``with``; see `threading.Lock`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        _locks.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        if self._lock.locked():  # not in a child that was forked within the block
            self._lock.release()

    def renew(self) -> None:
        """Free the lock, whoever holds it."""
        self._lock = threading.Lock()


_locks: Final[WeakSet[ForkLock]] = WeakSet()


def _renew_all() -> None:
    for lock in _locks:
        lock.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
