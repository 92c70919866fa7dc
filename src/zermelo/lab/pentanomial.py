"""Results of games played in pairs, and what they say of the players' strength.

A match plays each opening twice, with sides exchanged. The two games of a pair are not independent, since an opening
may favor one side; so statistics count pairs, not games. A pair brings the first player 0, 1/2, 1, 3/2 or 2 points. A
*pentanomial* result holds how many pairs brought each of these sums:

    LL, LD+DL, LW+DD+WL, DW+WD, WW

A *score* is points a game, from 0 to 1; the five kinds of pair score 0, 1/4, 1/2, 3/4 and 1. The derivation of each
formula, with its sources, is in ``docs/explanation/statistics.md``.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import BadParameter

Floats = NDArray[np.float64]
SCORES: Final[Floats] = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""Points a game of each kind of pair."""
LEAST_COUNT: Final = 1e-3
"""Replaces a count of zero. Otherwise a match without a single loss would claim an unlimited strength."""
LEAST_SCORE: Final = 1e-3
"""Scores nearer to 0 or 1 than this count as this far away, since 0 and 1 have no finite Elo."""
NORMALIZED_SCALE: Final = 800 / math.log(10)
"""Normalized Elo of a player whose mean score is above one half by one standard deviation of a game.

With this scale both kinds of Elo agree for evenly matched players who never draw.
"""
DEVIATIONS: Final = NormalDist().inv_cdf(0.975)
"""Half of a 95 % interval, in standard errors."""


class EloEstimate(NamedTuple):
    """How much stronger the first player is than the second."""

    elo: float
    half_width: float
    """Half of the 95 % interval."""
    los: float
    """Likelihood of superiority: the probability that the first player is the stronger one."""


def elo(counts: Sequence[float]) -> EloEstimate:
    """Estimate the logistic Elo difference from a pentanomial result.

    Parameters
    ----------
    counts
        Five numbers of pairs: LL, LD+DL, LW+DD+WL, DW+WD, WW.

    Returns
    -------
    EloEstimate
        Elo, half of its 95 % interval, and the likelihood of superiority.

    Raises
    ------
    BadParameter
        There are not five counts, or one is negative or not finite.

    Examples
    --------
    >>> elo([12, 40, 96, 38, 14])
    EloEstimate(elo=1.737..., half_width=22.999..., los=0.558...)
    """
    pairs, _, mean, deviation = _measured(counts)
    error = deviation / math.sqrt(pairs)
    upper, lower = elo_of_score(mean + DEVIATIONS * error), elo_of_score(mean - DEVIATIONS * error)
    los = 0.5 * math.erfc((0.5 - mean) / (error * math.sqrt(2)))
    return EloEstimate(elo_of_score(mean), (upper - lower) / 2, los)


def normalized_elo(counts: Sequence[float]) -> tuple[float, float]:
    """Estimate normalized Elo from a pentanomial result: the score above one half, in units of a game's noise.

    A test needs a number of games that depends on normalized Elo alone, whatever the share of draws.

    Parameters
    ----------
    counts
        As in `elo`.

    Returns
    -------
    tuple of float
        Normalized Elo, and half of its 95 % interval.
    """
    pairs, shares, mean, deviation = _measured(counts)
    # The mean of two independent games has half the variance of one game.
    scale = NORMALIZED_SCALE / math.sqrt(2)
    excess = (mean - 0.5) / deviation
    return scale * excess, scale * DEVIATIONS * excess_error(shares, mean, deviation) / math.sqrt(pairs)


def _measured(counts: Sequence[float]) -> tuple[float, Floats, float, float]:
    """The number of pairs, the share of each kind, the mean score and its standard deviation; errors as `shares_of`."""
    pairs, shares = shares_of(np.array(counts, dtype=np.float64))
    mean, deviation = moments(shares)
    return float(pairs), shares, float(mean), float(deviation)


def excess_error(shares: Floats, mean: float, deviation: float) -> float:
    """The standard error, for a single pair, of the excess score ``(mean - 1/2) / deviation``, by the delta method."""
    # Influence of one pair on the quotient: that of the mean, less that of the deviation.
    standard = (SCORES - mean) / deviation
    influence = standard - (mean - 0.5) / deviation * (standard**2 - 1) / 2
    return math.sqrt(float(shares @ influence**2))


def pair_kind(points: float) -> int:
    """The place, among the five counts, of a pair of games that brought the first player so many points."""
    return round(2 * points)


def elo_of_score(score: float) -> float:
    """The logistic Elo difference at which a player is expected to score that many points a game."""
    inside = min(max(score, LEAST_SCORE), 1 - LEAST_SCORE)
    return 400 * math.log10(inside / (1 - inside))


def score_of_elo(difference: float) -> float:
    """The expected score of a player who is stronger by that many Elo."""
    return 1 / (1 + 10 ** (-difference / 400))


def shares_of(counts: Floats) -> tuple[Floats, Floats]:
    """The number of pairs and the share of each kind, with counts of zero replaced by `LEAST_COUNT`.

    Sums run along the last axis, here and in `moments`, so that many results can be dealt with at once.

    Raises
    ------
    BadParameter
        There are not five counts, or one is negative or not finite.
    """
    if counts.shape[-1] != len(SCORES) or not np.isfinite(counts).all() or (counts < 0).any():
        raise BadParameter(
            f"The counts of pairs are {counts.tolist()}; they must be five numbers of at least 0: "
            "LL, LD+DL, LW+DD+WL, DW+WD, WW."
        )
    some = np.where(counts == 0, LEAST_COUNT, counts)
    pairs = some.sum(axis=-1)
    return pairs, some / pairs[..., None]


def moments(shares: Floats) -> tuple[Floats, Floats]:
    """The mean and the standard deviation of a pair's score."""
    mean = (shares * SCORES).sum(axis=-1)
    deviation = np.sqrt((shares * (SCORES - mean[..., None]) ** 2).sum(axis=-1))
    return mean, deviation
