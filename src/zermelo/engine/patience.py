"""When a search that plays under a clock has thought long enough: less long where its choice is settled.

A search spends about its *optimum* of time. It spends less if the best action has been the same for several iterations
and took most of the nodes, and more if the best action has just changed. R. Hyatt (1984, "Using time wisely") describes
why a fixed share wastes time; the shares of nodes are those that Stockfish calls effort.
"""

from typing import Final

from zermelo.engine.deepening import Iteration

SETTLED: Final = 8
"""After that many iterations with the same best action a choice is as settled as it can be."""
_LONGEST: Final = 1.5
_SHORTEST: Final = 0.55
"""The factors of the optimum for a best action that is new, and for one that is settled."""
_NEXT: Final = 0.85
"""No iteration begins after that part of the time, since most would not end in time. With 0.6, games at 2+0.02 s ended
with a quarter of the time unused."""


class Patience:
    """Decides after each iteration whether another one is worth its time.

    Parameters
    ----------
    optimum
        Seconds to spend on average; None to go on up to the limits.
    """

    def __init__(self, optimum: float | None) -> None:
        self._optimum = optimum
        self._best: object = None
        self._same = 0

    def is_over(self, found: Iteration, choices: int, effort: float, seconds: float) -> bool:
        """Return whether to stop.

        Parameters
        ----------
        found
            The iteration that has just ended.
        choices
            The number of actions at the root; for a single one no search is worth its time.
        effort
            The share of the iteration's nodes that the best action took, from 0 to 1.
        seconds
            Since the search began.
        """
        if self._optimum is None:
            return False
        self._same = self._same + 1 if found.variation[0] == self._best else 0
        self._best = found.variation[0]
        settled = min(self._same, SETTLED) / SETTLED
        factor = _LONGEST - (_LONGEST - _SHORTEST) * settled
        factor *= 1.5 - effort
        return choices == 1 or seconds >= _NEXT * factor * self._optimum
