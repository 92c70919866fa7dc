"""How many positions sampled moves lead to: against sums written out, and on populations of known size."""

from math import comb, exp, factorial, gamma, inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from zermelo.solver.study.meetings import Meetings, meetings_of, share_of, stand_for


def probability(count: int, mean: float, shape: float) -> float:
    """The chance of so many others: Poisson's, a binomial one for negative shapes, else a negative binomial one."""
    if shape == inf:
        return exp(-mean) * mean**count / factorial(count)
    if shape < 0:
        trials = round(-shape)
        return comb(trials, count) * (mean / trials) ** count * (1 - mean / trials) ** (trials - count)
    chances = gamma(shape + count) / gamma(shape) / factorial(count)
    return chances * (mean / (mean + shape)) ** count * (shape / (mean + shape)) ** shape


@pytest.mark.parametrize("mean", [0.01, 0.5, 1.7, 4.0])
@pytest.mark.parametrize("shape", [inf, -5.0, -9.0, 0.5, 1.0, 3.5])
def test_the_share_is_the_mean_of_one_over_the_in_degree(mean: float, shape: float) -> None:
    expected = sum(probability(count, mean, shape) / (count + 1) for count in range(120))
    assert share_of(mean, shape) == pytest.approx(expected, abs=1e-6)


def test_no_other_moves_and_as_many_for_every_position() -> None:
    assert share_of(0.0, inf) == 1.0
    assert share_of(2.0, -2.0) == pytest.approx(1 / 3)  # each position has an in-degree of three


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from([1.0, 2.0, 3.5])), min_size=1, max_size=14))
def test_moments_as_by_their_definition(moves: list[tuple[int, float]]) -> None:
    goals, weights = [goal for goal, _ in moves], [weight for _, weight in moves]
    total, others, _ = reference.meetings(goals, weights)
    found = meetings_of(np.array(goals), np.array(weights), usual=2.5)
    assert (found.moves, found.others) == (pytest.approx(total), pytest.approx(others, abs=1e-9))
    assert found.shape == 2.5  # so few triples tell nothing of it
    assert found.pairs == sum(goals[:place].count(goal) for place, goal in enumerate(goals))


def test_the_shape_is_that_of_the_second_moment() -> None:
    goals = [goal for goal in range(60) for _ in range(1 + goal % 6)]
    total, others, twice = reference.meetings(goals, [1.0] * len(goals))
    found = meetings_of(np.array(goals), np.ones(len(goals)))
    assert found.shape == pytest.approx(1 / (twice / others**2 - 1))
    assert total * found.share == pytest.approx(60, rel=0.1)


@pytest.mark.parametrize("most", [1, 3, 12])
@pytest.mark.parametrize("rate", [0.05, 0.3, 0.8])
def test_a_sample_tells_how_many_positions_there_are(most: int, rate: float) -> None:
    chooser = np.random.default_rng(most)
    degrees = chooser.integers(1, most + 1, 30_000)
    moves = np.repeat(np.arange(len(degrees)), degrees)
    sampled = moves[chooser.random(len(moves)) < rate]
    found = meetings_of(sampled, np.full(len(sampled), 1 / rate))
    assert found.moves * found.share == pytest.approx(len(degrees), rel=0.15)
    goals, counts = np.unique(sampled, return_counts=True)
    each = stand_for(counts, np.full(len(goals), rate), found)
    assert each.min() >= 1
    assert each.sum() == pytest.approx(len(degrees), rel=0.15)
    weighted, plain = np.average(degrees[goals], weights=each), degrees[goals].mean()
    assert degrees.mean() - 0.1 < weighted <= plain + 1e-9  # positions with a high in-degree are found more often


def test_what_was_sampled_whole_stands_for_itself() -> None:
    assert stand_for(np.array([1, 2, 9]), np.ones(3), Meetings(12, 2.0, 1.5, 10)).tolist() == [1, 1, 1]
