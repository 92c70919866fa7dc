"""How far the compiler is with a game: Numba tells of each kernel, and most kernels are the engine's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from zermelo.game import Game

KERNELS: Final = 192
"""Kernels that are compiled for the first game of a process: 192 for kalah, 193 for tictactoe."""
KERNELS_LATER: Final = 122
"""Kernels for a later game, which shares some with the games before: 122 for nim after kalah."""
MOST: Final = 0.95
"""The share that is shown until the compiler is done, since games differ in their number of kernels."""


class CompilerProgress:
    """Counts the kernels of the game that is being compiled; one at a time."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._done, self._expected = 0, KERNELS

    def share(self, game: Game) -> float | None:
        """Return how much of ``game`` is compiled, from 0 to 1; None if it is not being compiled now."""
        return min(MOST, self._done / self._expected) if game is self._game else None

    @contextmanager
    def watch(self, game: Game) -> Iterator[None]:
        """Count while ``game`` is compiled in this block."""
        from numba.core import event  # Numba takes half a second to import

        progress = self

        class Counter(event.Listener):  # type: ignore[misc] # Numba has no types
            def on_start(self, event: Any) -> None:
                pass

            def on_end(self, event: Any) -> None:
                progress._done += 1

        self._game, self._done = game, 0
        counter = Counter()
        event.register("numba:compile", counter)
        try:
            yield
        finally:
            event.unregister("numba:compile", counter)
            self._game = None
            if self._done:
                self._expected = KERNELS_LATER
