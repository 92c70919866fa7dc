"""How to end a textbook search from outside: its rules check in every state whether it has been stopped."""

from dataclasses import replace
from math import inf
from time import perf_counter

from zermelo.game import Game, State
from zermelo.result import SearchCounts


class Stopped(Exception):
    """A search was told to stop, or has reached its limit."""


class Watch:
    """Ends a textbook search, whose code knows nothing of it: search with its `rules`.

    Parameters
    ----------
    nodes, seconds
        Where the search ends by itself; None for nowhere.

    Attributes
    ----------
    counts
        What the search counts; hand it to the search.
    """

    def __init__(self, nodes: int | None = None, seconds: float | None = None) -> None:
        self.counts = SearchCounts()
        self._nodes = inf if nodes is None else nodes
        self._asked = 0
        self._is_stopped = False
        self.begin(seconds)

    def begin(self, seconds: float | None) -> None:
        """Start the clock."""
        self._deadline = inf if seconds is None else perf_counter() + seconds

    def rules(self, game: Game) -> Game:
        """Return the same game, whose IS-TERMINAL, which every search asks in every state, raises `Stopped` in time."""

        def is_terminal(state: State) -> bool:
            self.check()
            return game.is_terminal(state)

        return replace(game, is_terminal=is_terminal)

    def check(self) -> None:
        """Raise `Stopped` if the search is to end; the clock is read once in 128 calls."""
        self._asked += 1
        is_late = self._asked & 127 == 0 and perf_counter() > self._deadline
        if self._is_stopped or is_late or self.counts.nodes > self._nodes:
            raise Stopped

    def stop(self) -> None:
        """End the search at its next state, from another thread."""
        self._is_stopped = True
