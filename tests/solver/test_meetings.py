"""How many positions sampled moves lead to: against sums written out, and on populations of known size."""

from collections import Counter
from itertools import product
from math import comb, exp, factorial, gamma, inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import reference
from zermelo.solver.study.meetings import (
    ALL,
    REPLICAS,
    Moves,
    Sample,
    _log_probabilities,
    joined,
    meetings_of,
    moves_of,
)

Rows = list[tuple[int, int, int, float]]
SAMPLES = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2), st.sampled_from([1.0, 2.0, 3.5])),
    min_size=1,
    max_size=16,
    unique_by=lambda row: row[:3],
)


def sample_of(rows: Rows) -> Sample:
    """Goal, parent, replica and weight of each move."""
    goals, parents, replicas, weights = zip(*rows, strict=True)
    return Sample(np.array(goals), np.array(parents), np.array(replicas), np.array(weights))


def drawn(
    degrees: NDArray[np.int64], rate: float, chooser: np.random.Generator, together: int = 1
) -> tuple[Moves, NDArray[np.int64]]:
    """Three samples of the moves to positions of those in-degrees, and the in-degree for each different move.

    So many moves are always drawn together; these mostly lead to the same position.
    """
    goals = np.repeat(np.arange(len(degrees)), degrees)
    samples = []
    for replica in range(REPLICAS):
        units = np.arange(len(goals)) // together
        chosen = np.flatnonzero((chooser.random(units.max() + 1) < rate)[units])
        every = np.full(len(chosen), replica)
        samples.append(Sample(goals[chosen], chosen, every, np.full(len(chosen), 1 / rate)))
    moves = moves_of(joined(samples))
    return moves, degrees[moves.goals[moves.places]]


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
def test_probabilities_are_those_of_the_family(mean: float, shape: float) -> None:
    found = np.exp(_log_probabilities(mean, shape))
    found /= found.sum()
    assert found[:30] == pytest.approx([probability(count, mean, shape) for count in range(30)], abs=1e-9)


@given(SAMPLES)
def test_moves_are_put_together_by_goal_and_parent(rows: Rows) -> None:
    moves = moves_of(sample_of(rows))
    weights = {row[:3]: row[3] for row in rows}
    expected = [
        (goal, *(weights.get((goal, parent, replica), 0.0) for replica in range(REPLICAS)))
        for goal, parent in sorted({row[:2] for row in rows})
    ]
    goals = moves.goals[moves.places].tolist()
    assert [(goal, *row) for goal, row in zip(goals, moves.weights.tolist(), strict=True)] == expected
    sums = Counter(goal for goal, *_ in expected)
    assert moves.by_goal(np.ones(len(goals))).tolist() == [sums[goal] for goal in moves.goals.tolist()]


@given(SAMPLES)
def test_moments_as_by_their_definition(rows: Rows) -> None:
    total, others, _ = reference.meetings(rows)
    moves = moves_of(sample_of(rows))
    found = meetings_of(moves, usual=2.5)
    assert moves.weights.sum() / REPLICAS == pytest.approx(total)
    assert found.others == pytest.approx(others, abs=1e-9)
    assert found.shape == (2.5 if others > 0 else inf)  # so few triples tell nothing of it
    assert found.share == pytest.approx((found.inverses * moves.weights).sum() / moves.weights.sum())
    assert ((found.inverses > 0) == (moves.weights > 0)).all()
    assert 0 < found.share <= 1


def test_pairs_of_equal_weights_count_as_they_are() -> None:
    rows = [(goal, parent, replica, 4.0) for goal, parent, replica in product(range(5), range(3), range(REPLICAS))]
    found = meetings_of(moves_of(sample_of(rows)))
    assert found.pairs == pytest.approx(5 * 3 * 3 * 2)  # goals, pairs of replicas, two different parents of three


def test_the_shape_is_that_of_the_second_moment() -> None:
    rows = [
        (goal, parent, replica, 1.0) for goal in range(18) for parent in range(1 + goal % 6) for replica in range(3)
    ]
    _, others, twice = reference.meetings(rows)
    assert meetings_of(moves_of(sample_of(rows)), usual=7.0).shape == pytest.approx(1 / (twice / others**2 - 1))


@pytest.mark.parametrize("together", [1, 2])
@pytest.mark.parametrize("most", [1, 3, 12])
@pytest.mark.parametrize("rate", [0.05, 0.3, 0.8])
def test_samples_tell_how_many_positions_there_are(most: int, rate: float, together: int) -> None:
    """Even if moves to the same position are drawn together, and so meet far too often within one sample."""
    chooser = np.random.default_rng(most)
    degrees = chooser.integers(1, most + 1, 60_000)
    moves, in_degrees = drawn(degrees, rate, chooser, together)
    found = meetings_of(moves)
    true = float((degrees * (degrees - 1)).sum() / degrees.sum())
    assert found.others == pytest.approx(true, rel=0.15, abs=0.02)
    each = moves.weights * found.inverses
    assert each.sum() / REPLICAS == pytest.approx(len(degrees), rel=0.15)
    weighted = float((each.sum(axis=1) * in_degrees).sum() / each.sum())
    plain = float((moves.weights.sum(axis=1) * in_degrees).sum() / moves.weights.sum())
    # Moves lean towards positions with a high in-degree; what they stand for makes up for that, as far as is known.
    assert degrees.mean() * 0.95 < weighted <= plain + 1e-9


def test_moves_that_are_all_known_tell_the_in_degrees() -> None:
    rows = [(goal, parent, ALL, 1.0) for goal in range(12) for parent in range(1 + goal % 4)]
    moves = moves_of(sample_of(rows))
    found = meetings_of(moves)
    assert (moves.weights == 1).all()
    expected = 1 / np.array([1 + goal % 4 for goal, *_ in rows])
    assert found.inverses == pytest.approx(np.stack([expected] * REPLICAS, axis=1))
    assert found.share * len(rows) == pytest.approx(12)
