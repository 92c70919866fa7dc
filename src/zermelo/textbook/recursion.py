"""Room for deep recursion: the handouts' algorithms call themselves once a ply, and games can be long."""

import sys
from contextlib import suppress
from types import TracebackType
from typing import Final

from zermelo.errors import BadGame

MAX_PLIES: Final = 250_000
"""A line of play longer than this is said never to end. Frames of Python functions are on the heap (since 3.11), so a
high limit costs memory only when it is used. Python has one limit for the whole process."""


class deep_recursion:  # noqa: N801 - a context manager reads as a phrase
    """Raise Python's recursion limit within a ``with`` block, and put it back after.

    Raises
    ------
    BadGame
        The recursion went past `MAX_PLIES`: the game has no end along that line.
    """

    def __enter__(self) -> None:
        self._before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(self._before, MAX_PLIES))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(RecursionError):  # the caller is itself deeper than the old limit, so the new one stays
            sys.setrecursionlimit(self._before)
        if isinstance(error, RecursionError):
            raise BadGame(
                f"A line of play went on for about {MAX_PLIES:,} plies; "
                "the textbook searches need games that end, or a depth limit."
            ) from None
