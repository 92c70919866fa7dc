"""The value along a game: how high each position stands in the plot, and the scale beside it.

In games that count points, the scale is in points. In games of wins, draws and losses, a proven win stands the higher
the nearer its end is, as in the visual history of GamesmanUni, and estimates stand near the middle.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from zermelo.game import Game
from zermelo.ui.web.analysis import Analysis
from zermelo.ui.web.judging import height, sign
from zermelo.ui.web.sitting import Sitting

FARTHEST: Final = 0.3
"""The height of the most remote win that is known; estimates stand below it."""
_LEAST_FAR: Final = 4
"""Plies that the scale of distances has at least."""
_ESTIMATES: Final = 0.3
"""The share of their usual height that estimates have beside distances."""


class History(NamedTuple):
    """The heights, from -1 to 1, by the number of moves; the scale as heights with words; and what it counts."""

    heights: dict[int, float]
    ticks: tuple[tuple[float, str], ...]
    unit: str


def history(sitting: Sitting) -> History:
    """Return the heights of the positions whose value is known, the end included, and their scale."""
    game, states = sitting.game, sitting.match.states
    found = {
        ply: one for ply, one in sitting.analyses.items() if ply < len(states) and not game.is_terminal(states[ply])
    }
    end = game.utility(states[-1]) if game.is_terminal(states[-1]) else None
    if game.outcomes == "margin":
        return _points(found, len(states) - 1, end)
    distances = [one.remoteness for one in found.values() if _is_near(one) and one.remoteness is not None]
    if not distances:
        heights = {ply: height(game, one) for ply, one in found.items()}
        if end is not None:
            heights[len(states) - 1] = float(sign(end))
        return History(heights, ((1.0, "wins"), (0.0, "even"), (-1.0, "wins")), "")
    return _distances(game, found, max(_LEAST_FAR, *distances), len(states) - 1, end)


def _points(found: Mapping[int, Analysis], last: int, end: int | None) -> History:
    """Return the history of a game that counts points."""
    values = {ply: one.value for ply, one in found.items()}
    if end is not None:
        values[last] = end
    most = max([1, *(abs(value) for value in values.values())])
    heights = {ply: value / most for ply, value in values.items()}
    return History(heights, ((1.0, f"+{most}"), (0.0, "0"), (-1.0, f"+{most}")), "points")


def _is_near(one: Analysis) -> bool:
    """Whether a position is a proven win whose distance is known."""
    return one.is_decided and one.value != 0 and one.remoteness is not None


def _distances(game: Game, found: Mapping[int, Analysis], far: int, last: int, end: int | None) -> History:
    """Return the history of a game whose wins are shown by their distance."""

    def at(remoteness: float) -> float:
        return 1 - (1 - FARTHEST) * remoteness / far

    heights = {}
    for ply, one in found.items():
        if one.is_decided:  # a win of unknown distance stands as if it were far
            heights[ply] = sign(one.value) * at(far if one.remoteness is None else one.remoteness)
        else:
            heights[ply] = _ESTIMATES * height(game, one)
    if end is not None:
        heights[last] = float(sign(end))
    marks = [(at(remoteness), str(remoteness)) for remoteness in (0, far // 2, far)]
    return History(heights, (*marks, (0.0, "even"), *((-y, said) for y, said in marks)), "plies to the end")
