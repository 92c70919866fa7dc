"""Intervals of estimates: their ends, what moves them, and how often they hold a number that is known."""

from dataclasses import replace
from math import inf, log

import numpy as np
import pytest

from solved import game_of
from zermelo.solver.study.estimate import estimate
from zermelo.solver.study.interval import DRAWS, LEAN, LEANING, Told, drawn

SAME = np.full(6, log(0.5))
"""The logarithms of the shares of six tiers."""


def spread(told: list[Told], shares: np.ndarray = SAME) -> float:
    """Return the standard deviation of the logarithm of the last tier's size."""
    return float(np.log(drawn(shares, told).sizes[:, -1]).std())


@pytest.mark.parametrize(("name", "parameters"), [("tictactoe", {}), ("kalah", {"pits": 2, "seeds": 2})])
def test_a_game_that_was_counted_has_no_interval(name: str, parameters: dict[str, int]):
    found = estimate(game_of(name, **parameters))
    assert found.exact
    assert found.positions_low == found.positions == found.positions_high


def test_the_true_number_lies_in_most_intervals():
    """Of these games, which were counted one by one, the constants of the interval were fitted to the first four."""
    games: list[tuple[str, dict[str, int | bool], int]] = [
        ("connect", {"rows": 4, "columns": 4}, 161_029),
        ("kalah", {"pits": 3, "seeds": 4}, 195_753),
        ("clobber", {"width": 4, "height": 4}, 600_161),
        ("dots_and_boxes", {"width": 3, "height": 2}, 194_754),
        ("connect", {"rows": 5, "columns": 4, "run": 3}, 195_472),
        ("connect", {"rows": 3, "columns": 6}, 2_087_325),
        ("breakthrough", {"width": 2, "height": 7}, 298_653),
    ]
    samples = [(2_000, 1_000), (10_000, 4_000)]
    held = 0
    for name, parameters, positions in games:
        for counted, kept in samples:
            found = estimate(game_of(name, **parameters), counted=counted, kept=kept)
            assert not found.exact
            assert counted / 2 < found.positions_low < found.positions < found.positions_high
            held += found.positions_low <= positions <= found.positions_high
    assert held >= 0.9 * len(games) * len(samples)


def test_an_estimate_and_its_interval_are_reproducible():
    first, second = (estimate(game_of("kalah", pits=3, seeds=3), counted=2_000, kept=500) for _ in range(2))
    assert (first.positions, first.levels) == (second.positions, second.levels)
    assert (first.positions_low, first.positions_high) == (second.positions_low, second.positions_high)


def test_more_positions_make_the_interval_narrower():
    game = game_of("connect", rows=4, columns=5)
    few, many = (estimate(game, counted=counted, kept=counted // 2) for counted in (2_000, 40_000))
    assert many.positions_high / many.positions_low < 0.5 * few.positions_high / few.positions_low


@pytest.mark.parametrize("counted", [3_000, 30_000])
def test_games_without_tiers_have_an_interval(counted: int):
    """Here the levels are those of the tiers, but the estimate does not know it, and extrapolates."""
    found = estimate(replace(game_of("connect", rows=4, columns=5), tier=None), counted=counted, kept=2_000)
    assert not found.exact
    assert found.positions_low <= 3_945_711 <= found.positions_high
    assert found.positions_low < found.positions < found.positions_high


def test_where_positions_come_back_only_those_that_were_met_are_certain():
    found = estimate(game_of("oware", pits=3, seeds=2), counted=1_000, kept=500)  # 34,960 positions
    known = [level.stored for level in found.levels if level.counted]
    assert found.positions_low == sum(known)
    assert 1_000 < found.positions_low < 34_960 < found.positions < found.positions_high


def test_counted_tiers_are_certain():
    draws = drawn(SAME, [Told(0.5, 0.01, 100.0)])
    assert draws.sizes.shape == draws.shares.shape == (DRAWS, 6)
    assert (draws.sizes[:, :-1] == 1).all()
    assert len(np.unique(draws.sizes[:, -1])) > DRAWS / 2
    assert (drawn(SAME, []).sizes == 1).all()


def test_a_share_is_at_most_one():
    draws = drawn(np.zeros(6), [Told(1.0, inf, 100.0)] * 2)
    assert draws.shares.max() == 0
    assert draws.sizes.max() == 1


def test_many_meetings_tell_more_than_few():
    certain, some, none = ([Told(0.5, variance, 100.0)] for variance in (0.0, 0.05, inf))
    assert 0 < spread(certain) < spread(some) < spread(none)


def test_a_whole_sample_is_certain():
    """Each position that was expanded stands for itself alone; what the meetings tell is not asked again."""
    assert (drawn(SAME, [Told(0.9, inf, 1.0)] * 3).sizes == 1).all()
    few, many = ([Told(0.5, 0.05, stands_for)] for stands_for in (1.1, 10.0))
    assert 0 < spread(few) < spread(many) / 3


def test_counted_tiers_tell_how_far_the_trend_is_off():
    nothing = [Told(0.5, inf, 100.0)]
    steady, uneven = np.full(9, log(0.5)), np.log([0.9, 0.1, 0.2, 0.9, 0.1, 0.8, 0.1, 0.9, 0.5])
    assert spread(nothing, steady) < spread(nothing) < spread(nothing, uneven)


def test_errors_grow_where_no_moves_meet_and_hardly_where_many_do():
    blind, seeing = Told(0.5, inf, 100.0), Told(0.5, 0.0, 100.0)
    shares = np.full(12, log(0.5))
    assert spread([blind] * 6, shares) > 4 * spread([blind], shares)
    assert spread([seeing] * 6, shares) < spread([blind] * 6, shares) / 4
    assert spread([seeing] * 6, shares) == pytest.approx(spread([seeing] * 5, shares), rel=0.2)


def test_samples_that_lean_found_too_few():
    """The more positions each sampled one stands for, the more positions they missed."""
    shares = np.full(12, log(0.5))

    def middle(stands_for: float) -> float:
        return float(np.median(np.log(drawn(shares, [Told(0.5, 0.0, stands_for)] * 6).sizes[:, -1])))

    assert middle(1.0) == pytest.approx(0.0, abs=0.01)
    assert 0 < middle(10.0) < middle(1000.0)
    # The first sampled tiers lean less. With one other move for each, half of the lean becomes one of the share.
    first = drawn(shares, [Told(0.5, 0.0, 1000.0)]).sizes[:, -1]
    assert float(np.median(np.log(first))) == pytest.approx(LEAN * log(1000) / LEANING / 2, abs=0.01)
