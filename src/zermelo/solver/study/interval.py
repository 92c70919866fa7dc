"""How far the estimated sizes of tiers may be from the true ones.

An estimate goes from tier to tier (`zermelo.solver.study.tiers`), and so do its errors. They are drawn many times, and
each time carried on by the rules of the estimate. There are three:

1. *Trend.* Where few moves meet, the trend of the tiers before decides. How far it is off is told by the counted tiers
   of the same game, and by what was measured in other games, since it fits counted tiers better than later ones. A part
   of the error lasts from tier to tier.
2. *Chance.* Few meetings tell a share less surely than many.
3. *Lean.* Samples lean towards positions that many moves lead to, and the moves from these meet more often than others.
   All three replicas lean alike, so their spread does not show it. The more positions each sampled one stands for, the
   more they lean.

Where a draw has more positions in a tier than the samples stood for, moves from it stand for more, too, and meet more
often in the next tier, whose share is then smaller. So errors do not grow without end where many moves meet.

Not every constant below can be derived. They were fitted to thirty games that were counted whole, and then tried on
others: ``python benchmarks/solving.py --tasks intervals``.
"""

from collections.abc import Sequence
from math import log
from typing import Final, NamedTuple, TypeVar

import numpy as np

from zermelo.solver.study.meetings import Floats

Number = TypeVar("Number", float, Floats)
DAMPING: Final = 0.85
"""The factor by which a change of the share's logarithm shrinks in two tiers."""
DRAWS: Final = 2000
"""How often errors are drawn."""
ENDS: Final = (0.025, 0.975)
"""The quantiles of the draws that are the ends of the interval."""
LEAN: Final = 0.03
"""How much more often moves of samples that lean meet, as a logarithm: the mean over games, multiplied by the logarithm
of how many positions each sampled one stands for."""
LEAN_VARIES: Final = 0.09
"""The standard deviation over games of the same number."""
LEANING: Final = 5
"""After so many sampled tiers, samples lean as much as they ever do."""
OFF: Final = 0.3
"""How far trends are off in other games: a standard deviation of the share's logarithm."""
OTHER_TIERS: Final = 3
"""What was measured in other games counts for as many tiers as these."""
FITTED: Final = 6
"""How many of the last counted tiers tell how far the trend is off."""
CERTAIN: Final = 0.06
"""The standard deviation of a share's logarithm if very many moves meet."""

GROWTH_OFF: Final = 0.5
"""The error of the extrapolated growth of meetings, as a part of it: a standard deviation. It was tried on six games of
the shelf without their tiers."""
FLATTEST: Final = 0.02
"""If the logarithm of meetings seems to grow less from level to level, its error is taken from this growth."""
DEVIATIONS: Final = 1.96
"""The half width of a 95 % interval, in standard deviations."""
FARTHEST: Final = 100.0
"""Logarithms of errors are not larger, so that no number is too large."""


class Told(NamedTuple):
    """What the samples tell of a tier that was not counted."""

    share: float
    """How many positions there are for each move, by the meetings alone."""
    variance: float
    """The variance of the logarithm of this share, by chance; inf if hardly any moves met."""
    stands_for: float
    """How many positions each position stands for that was expanded in the tier before."""


class Draws(NamedTuple):
    """What the tiers may be; arrays of shape (DRAWS, tiers)."""

    sizes: Floats
    """True positions divided by estimated ones."""
    shares: Floats
    """The logarithms of the true shares."""


def trend(third: Number, second: Number, last: Number) -> Number:
    """Return the logarithm of a tier's share that those of the three tiers before make likely; it may exceed 0.

    The trend leaves odd and even tiers apart, since the moves of the two players may differ. It is the share of two
    tiers before, changed as that of the last tier differed from the third one before.
    """
    return second + DAMPING * (last - third)


def drawn(shares: Floats, told: Sequence[Told]) -> Draws:
    """Draw what the tiers may be.

    Parameters
    ----------
    shares
        The logarithms of the estimated shares of all tiers, of shape (tiers,).
    told
        What samples tell of the last tiers; those before were counted.
    """
    chooser = np.random.default_rng(0)
    counted = len(shares) - len(told)
    off = _off(shares[:counted])
    lasting, lean = off * chooser.standard_normal(DRAWS), LEAN + LEAN_VARIES * chooser.standard_normal(DRAWS)
    sizes, found = np.zeros((len(shares), DRAWS)), np.tile(shares[:, np.newaxis], (1, DRAWS))
    for number, (share, variance, stands_for) in enumerate(told):
        tier = counted + number
        before = sizes[tier - 1] if tier else sizes[0]
        leaning = lean * log(stands_for) * min(1.0, (number + 1) / LEANING)
        middle = -np.log1p((1 / share - 1) * np.exp(before - leaning))
        spread = variance + CERTAIN**2
        if tier < 3:
            spread = min(spread, 1.0)
        else:
            expected = np.minimum(0.0, trend(found[tier - 3], found[tier - 2], found[tier - 1]) + lasting)
            trust = 1 / (1 + spread / off**2)
            middle = expected + trust * (middle - expected)
            spread = 1 / (1 / spread + 1 / off**2)
        draw = np.minimum(0.0, middle + spread**0.5 * chooser.standard_normal(DRAWS))
        # Nothing is uncertain where each position was expanded and stands for itself.
        found[tier] = shares[tier] + (1 - 1 / stands_for) * (draw - shares[tier])
        sizes[tier] = np.clip(before + found[tier] - shares[tier], -FARTHEST, FARTHEST)
    return Draws(np.exp(sizes.T), found.T)


def _off(shares: Floats) -> float:
    """Return how far the trend is off, as a standard deviation, given the logarithms of the counted tiers' shares."""
    expected = np.minimum(0.0, trend(shares[:-3], shares[1:-2], shares[2:-1]))
    errors = (shares[3:] - expected)[-FITTED:]
    return float(((errors @ errors + OTHER_TIERS * OFF**2) / (len(errors) + OTHER_TIERS)) ** 0.5)


def extrapolated(stored: Sequence[float], growth: Sequence[float]) -> tuple[float, float]:
    """Return the ends of the interval of all positions of levels whose meetings were extrapolated.

    Parameters
    ----------
    stored
        The estimated positions of each level.
    growth
        How much larger the logarithm of the meetings is taken to be there than in the first of these levels.
    """
    sizes = np.array(stored)
    grown = np.maximum(growth, FLATTEST * np.arange(len(sizes)))
    errors = np.minimum(DEVIATIONS * GROWTH_OFF * np.cumsum(grown), FARTHEST)
    return float(sizes @ np.exp(-errors)), float(sizes @ np.exp(errors))
