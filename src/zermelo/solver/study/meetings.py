"""How many positions some moves lead to, told by how often moves of independent samples meet.

Several moves may lead to the same position. Its *in-degree* d is the number of positions that have it as a successor.
Among d moves to it, each counts for 1/d of a position, so all moves together lead to as many positions as the sum of
1/d over the moves. A sample of moves does not show d; but if it is large enough, some of its moves meet.

Moves of one sample meet too often, since positions with a sampled ancestor in common are sampled together. So there are
three *replicas*, samples that are drawn independently of each other, and only meetings of moves of different replicas
count. They tell the mean and the variance of the number of *other* moves to the same position. Moves are divided into
strata, by how many moves of their own replica lead to the same position. Each stratum has a distribution of its own,
which is taken to be of the negative binomial family. That includes Poisson's and the binomial ones, and fits how
in-degrees vary in games of the shelf within some per cent. For each move, Bayes's rule then gives the mean of 1/d from
its stratum and from how many moves of the other replicas lead to the same position.

All of this is the problem of unseen species (Good and Toulmin 1956) with moves as captures and positions as species.
"""

from dataclasses import dataclass
from math import exp, inf, log
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
REPLICAS: Final = 3
PAIRS: Final = ((0, 1), (0, 2), (1, 2))
"""The pairs of replicas."""
ALL: Final = -1
"""In place of a replica's number: the moves are known, and so belong to every replica."""
STRATA: Final = np.array([1, 2, 3, 4, 5, 7, 10, 15])
"""How many moves of their own replica lead to where the moves of each stratum lead, at least."""
FEW_PAIRS: Final = 200
"""From so many meeting pairs on, a stratum has a mean of its own."""
FEW_TRIPLES: Final = 300
"""From so many meeting triples on, these tell how in-degrees vary."""
_MOST: Final = 400
"""Larger in-degrees are left out of account."""
_FINE: Final = 8
"""Sampling rates are taken to be equal if their logarithms differ by less than one over this."""


class Sample(NamedTuple):
    """Sampled moves to the positions of one tier; all arrays have the shape (moves,)."""

    goals: Ints
    """The key of the position that each move leads to."""
    parents: Ints
    """The key of the position that it leaves."""
    replicas: Ints
    """Its replica, or `ALL`."""
    weights: Floats
    """How many moves of the game it stands for in its replica, at least 1."""


def joined(samples: list[Sample]) -> Sample:
    """Return several samples as one."""
    return Sample(*(np.concatenate(arrays) for arrays in zip(*samples, strict=True)))


@dataclass(frozen=True)
class Moves:
    """Different moves, and how many moves each of them stands for in each replica."""

    goals: Ints
    """The keys of the positions that they lead to, ascending, of shape (goals,)."""
    places: Ints
    """For each move, the index of its goal, of shape (moves,)."""
    weights: Floats
    """Shape (moves, REPLICAS); 0 if the move is not in the replica."""

    def by_goal(self, values: NDArray[Any]) -> Floats:
        """Return the sums of the moves' values over the moves to each goal; the first axis is that of the moves."""
        columns = np.atleast_2d(values.T)
        sums = [np.bincount(self.places, column, len(self.goals)).astype(np.float64) for column in columns]
        return np.stack(sums, axis=1).reshape(len(self.goals), *values.shape[1:])


def moves_of(sample: Sample) -> Moves:
    """Return the different moves of a sample."""
    order = np.lexsort((sample.parents, sample.goals))
    goals, parents, replicas = sample.goals[order], sample.parents[order], sample.replicas[order]
    weights = sample.weights[order]
    new_goal = np.ones(len(goals), dtype=bool)
    new_goal[1:] = goals[1:] != goals[:-1]
    new_move = new_goal.copy()
    new_move[1:] |= parents[1:] != parents[:-1]
    rows = np.cumsum(new_move) - 1
    columns = []
    for replica in range(REPLICAS):
        chosen = (replicas == replica) | (replicas == ALL)
        columns.append(np.bincount(rows[chosen], weights[chosen], int(new_move.sum())))
    return Moves(goals[new_goal], (np.cumsum(new_goal) - 1)[new_move], np.stack(columns, axis=1))


@dataclass(frozen=True)
class Meetings:
    """What moves tell of the positions they lead to."""

    inverses: Floats
    """The mean of 1/d as far as is known, for each move and replica, of shape (moves, REPLICAS)."""
    share: float
    """How many positions there are for each move; at most 1."""
    others: float
    """How many other moves lead to the same position, on average over the moves."""
    shape: float
    """The shape of the distribution of these: positive if they vary more than by chance, negative if less, or inf."""
    pairs: float
    """How many meeting pairs of moves of equal weights would tell as much about `others`."""


class _Distribution(NamedTuple):
    """How the number of other moves to the same position is distributed over the moves."""

    mean: float
    shape: float


class _Seen(NamedTuple):
    """The moves of one replica, and what the other two replicas show of them; arrays of shape (moves of it,)."""

    rows: Ints
    """The indices of the moves."""
    strata: Ints
    found: Ints
    """How many different other moves to the same position the other replicas have."""
    sums: tuple[Floats, Floats, Floats, Floats, Floats]
    """What makes up a `_Distribution`, for each move. By weights: the move, other moves to the same position, and pairs
    of these of which each of the other replicas has one. By numbers of sampled moves: the last two again."""


def meetings_of(moves: Moves, usual: float = inf) -> Meetings:
    """Return what the moves tell.

    Parameters
    ----------
    usual
        The shape to take if too few moves meet to tell it.
    """
    weights = moves.weights
    sums, counts = moves.by_goal(weights), moves.by_goal(weights > 0)
    views = [_seen_of(moves, sums, counts, replica) for replica in range(REPLICAS)]
    totals = np.zeros((len(STRATA), 5))
    for view in views:
        totals += np.stack([np.bincount(view.strata, column, len(STRATA)) for column in view.sums], axis=1)
    whole = _distribution(totals.sum(axis=0), usual)
    strata = [_distribution(row, whole.shape) if row[3] >= FEW_PAIRS else whole for row in totals]
    inverses = np.zeros_like(weights)
    for replica, view in enumerate(views):
        # How many moves those to the same position stand for tells how likely the other replicas are to have one.
        places = moves.places[view.rows]
        each = np.maximum(sums[places].sum(axis=1) / counts[places].sum(axis=1), 1.0)
        inverses[view.rows, replica] = _inverses(strata, view, 1 - (1 - 1 / each) ** (REPLICAS - 1))
    share = float((weights * inverses).sum() / weights.sum())
    pairs, squares = _meeting(sums, weights), _meeting(moves.by_goal(weights**2), weights**2)
    return Meetings(inverses, share, whole.mean, whole.shape, pairs**2 / squares if squares > 0 else 0.0)


def _meeting(by_goal: Floats, by_move: Floats) -> float:
    """Return the sum of the products of the values of different moves to the same position in different replicas."""
    products = [(by_goal[:, i] * by_goal[:, j]).sum() - (by_move[:, i] * by_move[:, j]).sum() for i, j in PAIRS]
    return max(0.0, float(sum(products)))


def _seen_of(moves: Moves, sums: Floats, counts: Floats, replica: int) -> _Seen:
    """Return what the other replicas show of the moves of one replica.

    Parameters
    ----------
    sums, counts
        The weights and the numbers of the moves to each position, of shape (goals, REPLICAS).
    """
    one, two = (other for other in range(REPLICAS) if other != replica)
    rows = np.flatnonzero(moves.weights[:, replica] > 0)
    places, weights = moves.places[rows], moves.weights[rows]
    known = (weights > 0).astype(np.float64)

    def of_both(values: NDArray[Any], own: Floats) -> Floats:
        """Return the sum over the other moves that both replicas have."""
        return moves.by_goal(values[:, one] * values[:, two])[places] - own[:, one] * own[:, two]

    both = of_both(moves.weights > 0, known)
    by_weight, by_number = sums[places] - weights, counts[places] - known
    stands_for, pairs = weights[:, replica], by_number[:, one] + by_number[:, two]
    columns = (
        stands_for,
        stands_for * (by_weight[:, one] + by_weight[:, two]) / 2,
        stands_for * (by_weight[:, one] * by_weight[:, two] - of_both(moves.weights, weights)),
        pairs,
        by_number[:, one] * by_number[:, two] - both,
    )
    strata = np.searchsorted(STRATA, counts[places, replica], side="right") - 1
    return _Seen(rows, strata, (pairs - both).astype(np.int64), columns)


def _distribution(sums: Floats, usual: float) -> _Distribution:
    """Return the distribution with these moments, and with the usual shape if too few triples tell it."""
    moves, others, twice, _, triples = sums.tolist()
    if others <= 0 or moves <= 0:
        return _Distribution(0.0, inf)
    mean = others / moves
    if triples >= FEW_TRIPLES and twice > 0:
        excess = twice / moves / mean**2 - 1
        shape = inf if abs(excess) < 1e-6 else 1 / excess
    else:
        shape = usual
    # A negative shape is the least number that the distribution cannot exceed.
    return _Distribution(mean, min(shape, -1.001 * mean) if shape < 0 else shape)


def _inverses(strata: list[_Distribution], view: _Seen, rates: Floats) -> Floats:
    """Return the mean of 1/d for each move of a replica, by Bayes's rule.

    Parameters
    ----------
    strata
        The distribution of each stratum.
    rates
        How likely the other replicas are to have another move to the same position, of shape (moves of it,).
    """
    found = np.minimum(view.found, _MOST - 2)
    bins = np.rint(np.log(rates) * -_FINE).astype(np.int64)
    codes, places = np.unique((bins * _MOST + found) * len(STRATA) + view.strata, return_inverse=True)
    priors = [_log_probabilities(*stratum) for stratum in strata]
    factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, _MOST)))])
    answers = np.zeros(len(codes))
    for number, code in enumerate(codes.tolist()):
        rest, stratum = divmod(code, len(STRATA))
        place, seen = divmod(rest, _MOST)
        rate = exp(-place / _FINE)
        others = np.arange(seen, _MOST - 1)
        if rate >= 1:
            answers[number] = 1 / (1 + seen)
            continue
        logarithms = priors[stratum][seen:] + factorials[others] - factorials[others - seen]
        logarithms += (others - seen) * log(1 - rate)
        chances = np.exp(logarithms - logarithms.max())
        answers[number] = (chances / (1 + others)).sum() / chances.sum()
    return answers[places.ravel()]


def _log_probabilities(mean: float, shape: float) -> Floats:
    """Return the logarithms of how probable 0, 1, 2, ... other moves are, but for a constant."""
    steps = np.arange(1, _MOST - 1)  # from one number to the next, probabilities change by these ratios
    factor = max(mean, 1e-6) / steps
    ratios = factor if shape == inf else factor * ((shape + steps - 1) / (mean + shape))
    return np.concatenate([[0.0], np.cumsum(np.log(np.maximum(ratios, 1e-300)))])
