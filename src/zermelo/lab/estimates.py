"""Estimates with 95 % intervals: shares, means and ratios.

Observations that belong together, such as the moves of one game, are no independent evidence. So the functions take
*groups*: equal numbers mark observations of one group, and only groups count as independent.
"""

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from zermelo.lab.pentanomial import DEVIATIONS, Floats


class Estimate(NamedTuple):
    """A measured number, and the ends of its 95 % interval."""

    value: float
    low: float
    high: float

    def text(self, format_spec: str = ".3g") -> str:
        """The estimate with its interval: ``0.25 [0.2, 0.31]``."""
        return f"{self.value:{format_spec}} [{self.low:{format_spec}}, {self.high:{format_spec}}]"

    def percent(self, digits: int = 1) -> str:
        """A share with its interval: ``25.0 % [20.0, 31.0]``."""
        value, low, high = (f"{100 * number:.{digits}f}" for number in self)
        return f"{value} % [{low}, {high}]"


NOTHING: Final = Estimate(math.nan, math.nan, math.nan)
"""The estimate that no observations give."""


def share(successes: float, count: float) -> Estimate:
    """Estimate a probability from independent observations, with the score interval of E. Wilson (1927).

    Unlike the interval of a mean, it stays within 0 and 1, and it has a width even where all observations agree.
    """
    if count == 0:
        return NOTHING
    found, square = successes / count, DEVIATIONS**2
    middle = (found + square / (2 * count)) / (1 + square / count)
    half = DEVIATIONS / (1 + square / count) * math.sqrt(found * (1 - found) / count + square / (4 * count**2))
    return Estimate(found, max(0.0, min(found, middle - half)), min(1.0, max(found, middle + half)))


def grouped_share(hits: Sequence[float], groups: Sequence[int]) -> Estimate:
    """Estimate a probability from observations in groups, each of them 0 or 1.

    The interval is that of `share` for the *effective* number of observations: so many independent ones would vary as
    much as these do (E. Korn and B. Graubard, 1998).
    """
    found = np.asarray(hits, dtype=np.float64)
    if len(found) == 0:
        return NOTHING
    mean = float(found.mean())
    variance = grouped_variance(found, groups)
    alone = mean * (1 - mean) / len(found)
    effective = len(found) if variance <= alone or alone == 0 else len(found) * alone / variance
    return share(mean * effective, effective)


def grouped_mean(values: Sequence[float], groups: Sequence[int] | None = None) -> Estimate:
    """Estimate a mean from observations in groups, with the interval of Student's distribution.

    Each observation is a group of its own if ``groups`` is None. Where there is one group only, the interval has no
    ends that mean anything, and they are not a number.
    """
    found = np.asarray(values, dtype=np.float64)
    if len(found) == 0:
        return NOTHING
    marks = range(len(found)) if groups is None else groups
    count, mean = len(set(marks)), float(found.mean())
    if count < 2:
        return Estimate(mean, math.nan, math.nan)
    half = student(count - 1) * math.sqrt(grouped_variance(found, marks))
    return Estimate(mean, mean - half, mean + half)


def grouped_points(points: Sequence[float], groups: Sequence[int]) -> Estimate:
    """Estimate the mean of numbers from 0 to 1, such as points a game, from observations in groups.

    If all groups have the same mean, an interval from their spread would have no width. Then the interval allows for
    the groups that may differ although none was seen: as many of them as `share` allows, as far off as they can be.
    """
    found = grouped_mean(points, groups)
    if found.high > found.low:
        return Estimate(found.value, max(0.0, found.low), min(1.0, found.high))
    count = len(set(groups))
    unseen = 1 - share(count, count).low
    return Estimate(found.value, found.value * (1 - unseen), found.value + (1 - found.value) * unseen)


def ratio(factors: Sequence[float]) -> Estimate:
    """Estimate a typical factor: the geometric mean, with an interval from the spread of the logarithms."""
    logarithms = grouped_mean([math.log(factor) for factor in factors])
    return Estimate(*(math.exp(one) for one in logarithms))


def grouped_variance(values: Floats, groups: Sequence[int]) -> float:
    """The variance of the mean of observations in groups, by linearization: groups may differ in size."""
    _, places = np.unique(np.asarray(groups), return_inverse=True)
    count = int(places.max()) + 1
    if count < 2:
        return math.nan
    sums = np.bincount(places, weights=values - values.mean(), minlength=count)
    return float(count / (count - 1) * (sums**2).sum()) / len(values) ** 2


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's distribution with so many degrees of freedom.

    The expansion by R. Fisher and E. Cornish (1960) is exact to 1 % from three degrees on; fewer have closed forms.
    """
    if freedom == 1:
        return math.tan(math.pi * 0.475)
    if freedom == 2:
        return 0.95 * math.sqrt(2 / (1 - 0.95**2))
    z, n = DEVIATIONS, float(freedom)
    terms = (
        z,
        (z**3 + z) / (4 * n),
        (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2),
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3),
    )
    return sum(terms)


def finite(record: Any) -> Any:
    """Return plain values with None in the place of each number that JSON does not have, such as infinity."""
    if isinstance(record, dict):
        return {name: finite(value) for name, value in record.items()}
    if isinstance(record, list):
        return [finite(value) for value in record]
    return None if isinstance(record, float) and not math.isfinite(record) else record
