"""Intervals cover the truth as often as they say."""

import math

import numpy as np
import pytest

from zermelo.lab.estimates import grouped_mean, grouped_points, grouped_share, ratio, share, student

RUNS = 2000
COVERED = (0.93, 0.97)


def test_student_has_the_quantiles_of_the_tables() -> None:
    """The 97.5 % column of any printed table."""
    table = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 10: 2.228, 30: 2.042, 100: 1.984}
    assert {n: student(n) for n in table} == pytest.approx(table, rel=0.01)


def test_a_share_has_the_interval_that_wilson_published() -> None:
    """Example of R. Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263, and 0 of 20."""
    assert share(81, 263) == pytest.approx((0.3080, 0.2553, 0.3662), abs=5e-5)
    assert share(0, 20) == pytest.approx((0, 0, 0.1611), abs=5e-5)
    assert math.isnan(share(0, 0).value)


def test_a_mean_of_groups_covers_the_truth() -> None:
    generator = np.random.default_rng(5)
    groups = np.repeat(np.arange(30), 8)
    covered = alone = 0
    for _ in range(RUNS):
        values = generator.normal(size=30)[groups] + generator.normal(size=len(groups)) + 3
        found, naive = grouped_mean(values, groups), grouped_mean(values)
        covered += found.low <= 3 <= found.high
        alone += naive.low <= 3 <= naive.high
    assert COVERED[0] <= covered / RUNS <= COVERED[1]
    assert alone / RUNS < 0.7, "if moves of one game counted as independent, the interval would be too narrow"


def test_a_share_of_groups_covers_the_truth() -> None:
    generator = np.random.default_rng(6)
    groups = np.repeat(np.arange(60), 5)
    covered = 0
    for _ in range(RUNS):
        hits = generator.random(len(groups)) < generator.beta(3, 1, size=60)[groups]
        found = grouped_share(hits, groups)
        covered += found.low <= 0.75 <= found.high
    assert COVERED[0] <= covered / RUNS <= COVERED[1] + 0.01


def test_groups_of_one_are_independent_observations() -> None:
    hits = [True] * 81 + [False] * 182
    assert grouped_share(hits, range(263)) == pytest.approx(share(81, 263), rel=0.01)
    assert grouped_share([True] * 9, [0] * 9) == share(9, 9)


def test_a_ratio_is_the_same_in_both_directions() -> None:
    factors = [0.5, 1.5, 3.0, 4.0]
    there, back = ratio(factors), ratio([1 / factor for factor in factors])
    assert there == pytest.approx((1 / back.value, 1 / back.high, 1 / back.low))
    assert there.value == pytest.approx(9 ** (1 / 4))


def test_points_without_a_spread_have_an_interval_all_the_same() -> None:
    split = grouped_points([1, 0] * 20, [pair for pair in range(20) for _ in "ab"])
    unseen = 1 - share(20, 20).low
    assert split == pytest.approx((0.5, 0.5 - unseen / 2, 0.5 + unseen / 2))
    assert grouped_points([1] * 20, range(20)) == share(20, 20)
    mixed = [0.0, 0.5, 1.0, 1.0]
    assert grouped_points(mixed, range(4)).low == max(0, grouped_mean(mixed).low)


def test_one_group_has_no_interval() -> None:
    found = grouped_mean([1.0, 2.0], [7, 7])
    assert found.value == 1.5
    assert math.isnan(found.low)
    assert math.isnan(found.high)
