"""How many positions some moves lead to, told by how often two of them meet.

Several moves may lead to the same position. Its *in-degree* d is the number of positions that have it as a successor.
Among d moves to it, each counts for 1/d of a position, so all moves together lead to as many positions as the sum of
1/d over the moves. A sample of moves does not show d; but if it is large enough, some of its moves meet, and how many
pairs and triples of moves do so tells the mean and the variance of the number of *other* moves to the same position.
Their distribution is taken to be of the negative binomial family, which includes Poisson's and the binomial ones: the
family fits how in-degrees vary in games of the shelf within some per cent.

All of this is the problem of unseen species (Good and Toulmin 1956) with moves as captures and positions as species.
"""

from dataclasses import dataclass
from math import expm1, inf, log, log1p
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FEW: Final = 300
"""From so many meeting triples on, these tell how in-degrees vary."""
_MOST: Final = 400
"""Larger in-degrees are left out of account where one position is concerned."""
_FINE: Final = 8
"""Sampling rates are taken to be equal if their logarithms differ by less than one over this."""


@dataclass(frozen=True)
class Meetings:
    """What a sample of moves tells of the positions they lead to."""

    moves: float
    """How many moves there are in all."""
    others: float
    """How many other moves lead to the same position, on average over the moves."""
    shape: float
    """The shape of the distribution of these: positive if they vary more than by chance, negative if less, or inf."""
    pairs: int
    """How many pairs of sampled moves lead to the same position."""

    @property
    def share(self) -> float:
        """How many positions there are for each move; at most 1."""
        return share_of(self.others, self.shape)


def share_of(others: float, shape: float) -> float:
    """Return the mean of 1 / (1 + X) where X has that mean and that shape.

    It is the integral of the probability generating function from 0 to 1.
    """
    if others <= 0:
        return 1.0
    if shape == inf:
        return -expm1(-others) / others
    if shape == 1:
        return log1p(others) / others
    base = max(1 + others / shape, 1e-12)
    return shape / (others * (1 - shape)) * expm1((1 - shape) * log(base))


def meetings_of(keys: NDArray[np.int64], weights: Floats, usual: float = inf) -> Meetings:
    """Return what sampled moves tell.

    Parameters
    ----------
    keys
        Where each of them leads, of shape (moves,).
    weights
        How many moves each of them stands for, at least 1, of the same shape.
    usual
        The shape to take if too few moves meet to tell it.
    """
    order = np.argsort(keys, kind="stable")
    sorted_keys, by_key = keys[order], weights[order]
    begins = np.flatnonzero(np.concatenate([[True], sorted_keys[1:] != sorted_keys[:-1]]))
    counts = np.diff(np.append(begins, len(keys)))
    one, two, three = (np.add.reduceat(by_key**power, begins) for power in (1, 2, 3))
    moves = float(one.sum())
    # Sums over ordered pairs and triples of different moves to the same position, by Newton's identities.
    others = float((one * one - two).sum()) / moves
    twice = float((one**3 - 3 * one * two + 2 * three).sum()) / moves
    triples = int((counts * (counts - 1) * (counts - 2)).sum()) // 6
    shape = _shape_of(others, twice) if triples >= FEW else usual
    return Meetings(moves, others, shape, int((counts * (counts - 1)).sum()) // 2)


def _shape_of(others: float, twice: float) -> float:
    """Return the shape of the distribution with that mean and that second factorial moment."""
    excess = twice / others**2 - 1
    if abs(excess) < 1e-6:
        return inf
    return 1 / excess if excess > 0 else min(1 / excess, -1.001 * others)


def stand_for(found: NDArray[np.int64], rates: Floats, meetings: Meetings) -> Floats:
    """Return how many positions each position that was found stands for.

    A position with many moves to it is found more easily, and so stands for fewer. How many lead there is not known,
    but how many of the sampled moves do: Bayes's rule gives the rest.

    Parameters
    ----------
    found
        How many of the sampled moves lead to each position, at least 1, of shape (positions,).
    rates
        The shares of moves that were sampled, of the same shape.
    """
    found = np.minimum(found, _MOST - 1)
    bins = np.rint(np.log(rates) * -_FINE).astype(np.int64)
    codes, places = np.unique(bins * _MOST + found, return_inverse=True)
    prior = _log_in_degrees(meetings)
    degrees = np.arange(1, _MOST)
    factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, _MOST)))])
    answers = np.ones(len(codes))
    for number, code in enumerate(codes.tolist()):
        rate, seen = float(np.exp(-(code // _MOST) / _FINE)), code % _MOST
        if rate >= 1:
            continue
        fits = degrees[seen - 1 :]
        chances = prior[seen - 1 :] + factorials[fits] - factorials[fits - seen] + (fits - seen) * log(1 - rate)
        chances = np.exp(chances - chances.max())
        answers[number] = (chances / -np.expm1(fits * log(1 - rate))).sum() / chances.sum()
    return answers[places.ravel()]


def _log_in_degrees(meetings: Meetings) -> Floats:
    """Return the logarithm of how frequent in-degrees 1, 2, ... are among positions, but for a constant."""
    others, shape = max(meetings.others, 1e-6), meetings.shape
    steps = np.arange(1, _MOST - 1)  # from one number of other moves to the next, probabilities change by these ratios
    factor = others / steps
    ratios = factor if shape == inf else factor * ((shape + steps - 1) / (others + shape))
    of_moves = np.concatenate([[0.0], np.cumsum(np.log(np.maximum(ratios, 1e-300)))])
    return of_moves - np.log(np.arange(1, _MOST))
