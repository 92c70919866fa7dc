"""The objects that a server keeps for good, which Python's garbage collector need not look at again.

A full collection looks at all objects, and meanwhile no click is answered. Numba, compiled games and packages leave
so many that this takes a quarter of a second. So they are set aside (`gc.freeze`) whenever a game has been compiled.
"""

import gc
from typing import Final

QUIET_SECONDS: Final = 30
"""Seconds without a connection after which nothing of a visitor's page is in use."""


class Heap:
    """Sets objects aside; those of visitors who were there then are looked at again when all have left."""

    def __init__(self) -> None:
        self._quiet = 0
        self._holds_visitors = False

    def settle(self) -> None:
        """Set all objects aside that are in use now; free those that were set aside before and are garbage by now."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._holds_visitors = True

    def look(self, connections: int) -> None:
        """Settle once more after the last visitor has left; the server calls this once a second."""
        self._quiet = 0 if connections else self._quiet + 1
        if self._holds_visitors and self._quiet >= QUIET_SECONDS:
            self.settle()
            self._holds_visitors = False
