"""The generalized sequential probability ratio test: play until the result is clear, and no longer.

The test compares two hypotheses: the first player is stronger by ``elo0``, or by ``elo1``. After each pair of games it
computes the log-likelihood ratio (*LLR*) of the second hypothesis over the first. It accepts ``elo1`` when the LLR
reaches the upper bound, and ``elo0`` when it reaches the lower one. The unknown shares of the five kinds of pair are
those that make the result most likely under each hypothesis.

Sources: A. Wald, *Sequential Analysis*, 1947; M. Van den Bergh, *A practical introduction to the GSPRT* and *Comments
on normalized Elo*, 2021. ``docs/explanation/statistics.md`` derives what is used here.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from zermelo.errors import BadParameter
from zermelo.lab.pentanomial import NORMALIZED_SCALE, SCORES, Floats, moments, score_of_elo, shares_of

Model = Literal["logistic", "normalized"]
Verdict = Literal["accept", "reject"]
MODELS: Final[tuple[Model, ...]] = ("logistic", "normalized")
_LEAST_TILT: Final = 1e-9
_BEYOND: Final = 0.5826
_STEPS: Final = 200
_ROUNDING: Final = 1e-12
"""A Newton step by no more than this share of the root is the last: its error is the square of that."""
_ROUNDS: Final = 10
_ENOUGH: Final = 1e-9
"""Shares that change by no more than this are final."""


def llr(counts: Sequence[float], elo0: float, elo1: float, model: Model = "logistic") -> float:
    """The log-likelihood ratio of two hypotheses about the strength of the first player.

    Parameters
    ----------
    counts
        Five numbers of pairs: LL, LD+DL, LW+DD+WL, DW+WD, WW.
    elo0, elo1
        The Elo difference that each hypothesis claims.
    model
        What kind of Elo they are: ``logistic`` or ``normalized``.

    Returns
    -------
    float
        The natural logarithm of the ratio; above 0 where ``elo1`` explains the result better.

    Raises
    ------
    BadParameter
        The counts, the model or the hypotheses are not as above.

    Examples
    --------
    >>> round(llr([12, 40, 96, 58, 24], 0, 10), 3)
    1.946
    """
    return float(llrs(np.array([counts], dtype=np.float64), elo0, elo1, model)[0])


def llrs(counts: Floats, elo0: float, elo1: float, model: Model) -> Floats:
    """As `llr`, of many results at once: a row of counts each."""
    pairs, shares = shares_of(counts)
    ratios: Floats = pairs * (shares * _steps(shares, elo0, elo1, model)).sum(axis=-1)
    return ratios


def _steps(shares: Floats, elo0: float, elo1: float, model: Model) -> Floats:
    """By how much a pair of each kind moves the LLR; errors as `llr`."""
    under0, under1 = likeliest(shares, elo0, model), likeliest(shares, elo1, model)
    steps: Floats = np.log(under1 / under0)
    return steps


def likeliest(shares: Floats, difference: float, model: Model) -> Floats:
    """Of all distributions in which the first player is stronger by that much, the one that explains the shares best.

    Raises
    ------
    BadParameter
        There is no such model, or no result agrees with that difference.
    """
    if model not in MODELS:
        raise BadParameter(f"There is no model {model!r}; it must be 'logistic' or 'normalized'.")
    if not math.isfinite(difference):
        raise BadParameter(f"A hypothesis is {difference} Elo; it must be a finite number.")
    if model == "logistic":
        return likeliest_with_mean(shares, score_of_elo(difference))
    return likeliest_with_excess(shares, difference / NORMALIZED_SCALE * math.sqrt(2))


def likeliest_with_mean(shares: Floats, mean: float) -> Floats:
    """Of all distributions with that mean score, the one under which the observed shares are most likely.

    By Lagrange multipliers it is ``shares / (1 + x * (SCORES - mean))`` for the ``x`` that makes it a distribution
    with this mean (A. Owen, *Empirical Likelihood*, 2001).
    """
    return _tilted(shares, SCORES - mean)


def likeliest_with_excess(shares: Floats, excess: float) -> Floats:
    """As `likeliest_with_mean`, for a given excess score ``(mean - 1/2) / deviation``.

    The condition is not linear in the distribution, so it is made linear around the latest approximation, some times
    (M. Van den Bergh, 2021). The first approximation is the uniform distribution.
    """
    fitted = np.full(shares.shape, 1 / len(SCORES))
    for _ in range(_ROUNDS):
        mean, deviation = moments(fitted)
        latest = fitted
        mean, deviation = mean[..., None], deviation[..., None]
        slope = 0.5 * excess * deviation * (1 + ((mean - SCORES) / deviation) ** 2)
        fitted = _tilted(shares, SCORES - 0.5 - slope)
        if np.abs(fitted - latest).max() < _ENOUGH:
            break
    return fitted


def _tilted(shares: Floats, deviations: Floats) -> Floats:
    """The distribution nearest to the shares under which the deviations have the mean 0.

    It is ``shares / (1 + x * deviations)``, where ``x`` solves ``sum(shares * deviations / (1 + x * deviations)) = 0``.
    That sum falls from plus to minus infinity between its two poles. Newton's method finds the root; a step that would
    leave the interval known to hold it is replaced by a halving of the interval. Sums run along the last axis, so that
    many results can be dealt with at once.
    """
    least, most = deviations.min(axis=-1), deviations.max(axis=-1)
    if not ((least < 0) & (most > 0)).all():
        raise BadParameter("No result of a match agrees with a hypothesis so far from 0 Elo; give smaller numbers.")
    low, high = -1 / most, -1 / least
    # One array for each kind of pair: NumPy adds long arrays quicker than short rows.
    parts = np.ascontiguousarray(np.moveaxis(shares, -1, 0))
    moved = np.ascontiguousarray(np.moveaxis(np.broadcast_to(deviations, shares.shape), -1, 0))
    root = np.zeros_like(parts[0])
    for _ in range(_STEPS):
        slopes = moved / (1 + root * moved)
        total = (parts * slopes).sum(axis=0)
        low, high = np.where(total > 0, root, low), np.where(total > 0, high, root)
        better = root + total / (parts * slopes**2).sum(axis=0)
        better = np.where((low < better) & (better < high), better, (low + high) / 2)
        change, root = np.abs(better - root), better
        if (change <= _ROUNDING * np.abs(root)).all():
            break
    fitted: Floats = shares / (1 + root[..., None] * deviations)
    return fitted


@dataclass(frozen=True)
class Sprt:
    """A test of ``elo1`` against ``elo0``.

    Parameters
    ----------
    elo0, elo1
        The hypotheses, ``elo0 < elo1``.
    alpha, beta
        How often the test may accept ``elo1`` where ``elo0`` is true, and the other way round.
    model
        What kind of Elo they are.

    Raises
    ------
    BadParameter
        One of them is out of range.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"
    lower: float = field(init=False)
    """The LLR at which ``elo0`` is accepted."""
    upper: float = field(init=False)
    """The LLR at which ``elo1`` is accepted."""

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise BadParameter(f"elo0 is {self.elo0} and elo1 {self.elo1}; elo0 must be the smaller one.")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise BadParameter(f"{name} is {rate}; it must be more than 0 and less than 0.5.")
        llr([1, 1, 1, 1, 1], self.elo0, self.elo1, self.model)  # a hypothesis that no result agrees with is refused now
        object.__setattr__(self, "lower", math.log(self.beta / (1 - self.alpha)))
        object.__setattr__(self, "upper", math.log((1 - self.beta) / self.alpha))

    def llr(self, counts: Sequence[float]) -> float:
        """The log-likelihood ratio of a pentanomial result, as `zermelo.lab.llr`."""
        return llr(counts, self.elo0, self.elo1, self.model)

    def llrs(self, counts: Floats) -> Floats:
        """As `llr`, of many results at once: a row of counts each."""
        return llrs(counts, self.elo0, self.elo1, self.model)

    def verdict(self, counts: Sequence[float]) -> Verdict | None:
        """Whether the result accepts or rejects ``elo1``; None while the match has to go on."""
        ratio = self.llr(counts)
        return "accept" if ratio >= self.upper else "reject" if ratio <= self.lower else None

    def acceptance(self, shares: Sequence[float]) -> float:
        """About how often the test accepts ``elo1`` where the five kinds of pair have these probabilities.

        The approximation is that of `expected_pairs`.
        """
        drift, variance, lower, upper = self._motion(shares)
        return exit_chance(2 * drift / variance, lower, upper)

    def expected_pairs(self, shares: Sequence[float]) -> float:
        """About how many pairs the test takes where the five kinds of pair have these probabilities.

        The LLR is near a Brownian motion; this is the mean time until one with the same drift and variance leaves the
        interval between the bounds (Wald, 1947). The LLR moves in steps and ends beyond a bound by 0.583 standard
        deviations of a step on average (D. Siegmund, *Sequential Analysis*, 1985), so the bounds are moved apart.
        """
        drift, variance, lower, upper = self._motion(shares)
        if abs(2 * drift / variance) < _LEAST_TILT:
            return -lower * upper / variance
        chance = exit_chance(2 * drift / variance, lower, upper)
        return (chance * upper + (1 - chance) * lower) / drift

    def _motion(self, shares: Sequence[float]) -> tuple[float, float, float, float]:
        """The drift and the variance of a step of the LLR, and the bounds, moved apart."""
        _, true = shares_of(np.array(shares, dtype=np.float64))
        steps = _steps(true, self.elo0, self.elo1, self.model)
        drift = float(true @ steps)
        variance = float(true @ (steps - drift) ** 2)
        beyond = _BEYOND * math.sqrt(variance)
        return drift, variance, self.lower - beyond, self.upper + beyond


def exit_chance(tilt: float, lower: float, upper: float) -> float:
    """The chance that a Brownian motion from 0 reaches ``upper`` before ``lower``.

    ``tilt`` is twice its drift divided by its variance. ``exp(-tilt * position)`` has a constant mean, which gives the
    chance; the two forms below are equal, and neither overflows where it is used.
    """
    width = upper - lower
    if abs(tilt) < _LEAST_TILT:
        return -lower / width
    if tilt > 0:
        return math.expm1(tilt * lower) / math.expm1(-tilt * width)
    return math.exp(tilt * upper) * math.expm1(-tilt * lower) / math.expm1(tilt * width)
