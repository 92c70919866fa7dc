"""Finding the numbers of an EVAL by regression: P. Österlund, "Texel's Tuning Method" (2014).

EVAL, as the exponent of a logistic curve, tells the share of points that MAX is expected to get. Good numbers are those
with which it tells best what became of many positions. EVAL may depend on its numbers in any way: how it changes with
each of them is measured, the change is taken to be linear, and the best step is found by Gauss and Newton's method.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.learn.weighing import Asking, Ints

Floats = NDArray[np.float64]
STIFFNESS: Final = 1e-3
"""How much a number's distance from where it began counts, as a share of what the positions say about it."""
PULL: Final = 20.0
"""So many positions, in each of which the number counts as much as on average, pull it to where it began."""
_STEPS: Final = 8
"""The most steps of the numbers; EVAL is taken to be linear in each."""
_SHARES: Final = (1.0, 0.5, 0.25, 0.125)
"""How much of a step is tried, where more of it does not help: EVAL need not be linear."""
_ITERATIONS: Final = 8
"""Iterations of a step."""
_ENTRIES: Final = 30_000_000
"""The most entries of the matrix that says how much each number counts in each position."""


@dataclass(frozen=True)
class Curve:
    """What share of the points MAX is expected to get, by the value of a position."""

    scale: float
    """The value with which odds are 10 to 1; in games of margins, the greatest margin."""
    margin: bool = False
    """Whether the share is a linear function of the value, as in games in which the margin counts."""

    def expected(self, values: Floats) -> Floats:
        """Return the share of points for each value."""
        if self.margin:
            return np.clip(0.5 + values / (2 * self.scale), 0.0, 1.0)
        return np.asarray(1 / (1 + 10.0 ** np.clip(-values / self.scale, -30, 30)))

    def slopes(self, values: Floats) -> Floats:
        """Return how fast the share grows with each value."""
        if self.margin:
            return np.full(len(values), 0.5 / self.scale)
        shares = self.expected(values)
        return np.asarray(np.log(10) / self.scale * shares * (1 - shares))


def fitted_curve(scores: Floats, results: Floats, most: int) -> Curve:
    """Return the curve by which the search's scores tell the results best; ``most`` is the value of a win."""
    scales = np.geomspace(most / 1000, 4 * most, 60)
    return min((Curve(float(scale)) for scale in scales), key=lambda curve: error(curve, scores, results))


def error(curve: Curve, values: Floats, targets: Floats) -> float:
    """Return the mean squared difference between the expected shares and the targets."""
    return float(((curve.expected(values) - targets) ** 2).mean())


def fit(ask: Asking, begin: Ints, targets: Floats, curve: Curve) -> Ints:
    """Return whole numbers with which EVAL tells the targets better than with ``begin``, or ``begin`` itself."""
    numbers = begin
    least = error(curve, ask(numbers), targets)
    for _ in range(_STEPS):
        values = ask(numbers)
        changes = np.stack([_change(ask, numbers, place) for place in range(len(numbers))], axis=1)
        step = _step(values, changes, numbers - begin, targets, curve)
        before = numbers
        for share in _SHARES:
            proposed = np.rint(before + share * step).astype(np.int64)
            found = error(curve, ask(proposed), targets)
            if found < least:
                numbers, least = proposed, found
                break
        else:
            break
    return _polished(ask, numbers, targets, curve, least)


def _change(ask: Asking, numbers: Ints, place: int) -> NDArray[np.float32]:
    """Return by how much EVAL of each position grows with a number, for each 1 that this grows."""
    step = max(1, abs(int(numbers[place])) // 8)
    above, below = numbers.copy(), numbers.copy()
    above[place] += step
    below[place] -= step
    return ((ask(above) - ask(below)) / (2 * step)).astype(np.float32)


def _step(values: Floats, changes: NDArray[np.float32], moved: Ints, targets: Floats, curve: Curve) -> Floats:
    """Return by how much the numbers should grow, if EVAL is linear in them and they have ``moved`` so far."""
    step = np.zeros(changes.shape[1])
    for _ in range(_ITERATIONS):
        now = values + changes @ step
        slopes = curve.slopes(now)
        weighted = changes * slopes[:, None]
        matrix = (weighted.T @ weighted).astype(float)
        firmness = np.diag(matrix) * (STIFFNESS + PULL / len(values))
        firmness[np.diag(matrix) <= 0] = 1.0  # nothing is known of this number, so it stays
        gradient = weighted.T @ (curve.expected(now) - targets) + firmness * (moved + step)
        step = step - np.linalg.solve(matrix + np.diag(firmness), gradient)
    return np.asarray(step)


def _polished(ask: Asking, numbers: Ints, targets: Floats, curve: Curve, least: float) -> Ints:
    """Return the numbers after single steps of 1, as long as these help; rounding may have cost something."""
    for place in range(len(numbers)):
        for step in (1, -1):
            other = numbers.copy()
            other[place] += step
            found = error(curve, ask(other), targets)
            if found < least:
                numbers, least = other, found
                break
    return numbers


def rows_to_use(count: int, numbers: int) -> int:
    """Return how many of the latest positions a regression uses."""
    return min(count, max(2000, _ENTRIES // max(1, numbers)))


def within(ask: Asking, numbers: Sequence[int], begin: Ints, most: float) -> Ints:
    """Return the numbers, made smaller together if EVAL grows larger with them than ``most`` and than it was."""
    highest, before = (float(np.abs(ask(np.asarray(one, dtype=np.int64))).max()) for one in (numbers, begin))
    limit = max(most, before)
    found = np.asarray(numbers, dtype=np.int64)
    return found if highest <= limit else np.rint(found * (limit / highest)).astype(np.int64)
