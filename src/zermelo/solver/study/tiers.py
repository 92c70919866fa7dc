"""The sizes of a game's tiers, before it is solved: small ones are counted, the others are estimated from samples.

No move leads to a lower tier, so all moves to a tier are known once the tiers below have been expanded. A tier with E
moves to it has E * share positions, where ``share`` is the mean of 1/d over these moves and d the in-degree of the
position that a move leads to (`zermelo.solver.study.meetings`). For each tier in turn:

1. *Count.* As long as there are not too many positions, they are expanded one by one.
2. *Sample.* Of a later tier, some of the positions that the sampled moves lead to are expanded. Each stands for several
   positions, and its moves for as many moves. (Knuth's estimate of the efficiency of backtrack programs, 1975, counts
   the nodes of trees in this way; Chen's heterogeneous sampling, 1992, is similar. Neither takes into account that a
   position is met twice.)
3. *Share.* The meetings among the sampled moves to a tier tell the share. Where too few of them meet, because the tier
   is too large, the share is extrapolated from the tiers before: its logarithm falls, less and less steeply.

A position with many moves to it is more likely to be met. Its weight makes up for that only as far as the sample shows
its in-degree, so the sample leans towards such positions, and estimates tend to be too small.

Moves inside a tier are followed in rounds: the positions that moves from lower tiers lead to, the positions that moves
from these lead to, and so on.
"""

from dataclasses import dataclass, field
from math import exp, inf, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.kernels.lookup import sorted_once, with_heads, without
from zermelo.solver.model.problem import Problem
from zermelo.solver.study.meetings import Floats, Meetings, meetings_of, stand_for

ENOUGH: Final = 100
"""Meetings are trusted if at least so many pairs of moves meet."""
DAMPING: Final = 0.85
"""The factor by which the fall of the share's logarithm shrinks from tier to tier."""
FITTED: Final = 6
"""How many of the last trusted tiers the extrapolation is fitted to."""
LATER_ROUNDS: Final = 4
"""Later rounds of a tier are expanded to one in so many of the positions of the first."""
NEGLIGIBLE: Final = 0.003
"""A round ends a tier if it adds no more than this part."""
MOST_ROUNDS: Final = 60
PASSES: Final = 3
"""How often a tier with moves inside is sampled: its share depends on these moves, and they on the share."""


@dataclass(frozen=True)
class Level:
    """A part of a game's positions, after which come those of the next level."""

    number: int
    """Its tier, or after how many plies its positions are first met."""
    stored: float
    """Positions, where symmetric ones count as one."""
    counted: bool
    """Whether the positions were counted one by one, or else estimated."""
    children: float
    """The average number of successors of a position."""
    meetings: float
    """The number of moves that lead to the level, divided by the number of its positions."""


@dataclass
class Expanded:
    """Some positions and their moves; two moves of a position to the same one count once."""

    each: Floats
    """How many positions each of them stands for."""
    weights: NDArray[np.int64]
    """How many each of these stands for because of symmetry."""
    parents: NDArray[np.int64]
    """For each move, the index of the position it leaves."""
    children: NDArray[np.int64]
    """For each move, the key of the position it leads to."""
    tiers: NDArray[np.int64]
    """And the tier of that position."""

    def inside(self, tier: int) -> tuple[NDArray[np.int64], Floats]:
        """Return where the moves lead that stay in a tier, and how many moves each of them stands for."""
        stays = self.tiers == tier
        return self.children[stays], self.each[self.parents[stays]]


@dataclass
class _Arrivals:
    """Moves to a tier that has not been expanded yet."""

    keys: list[NDArray[np.int64]] = field(default_factory=list)
    weights: list[Floats] = field(default_factory=list)
    """How many moves each one stands for."""


def expanded(problem: Problem, keys: NDArray[np.int64], each: Floats) -> Expanded:
    """Return the moves of positions, each of which stands for so many."""
    weights, parents, children, tiers = [], [], [], []
    for first, found in problem.expand(keys):
        moves = np.diff(found.ends, prepend=0)
        origins = np.repeat(np.arange(len(moves)), moves)
        order = np.lexsort((found.children, origins))
        origins, goals = origins[order], found.children[order]
        fresh = np.ones(len(origins), dtype=bool)
        fresh[1:] = (origins[1:] != origins[:-1]) | (goals[1:] != goals[:-1])
        weights.append(found.weights.copy())
        parents.append(origins[fresh] + first)
        children.append(goals[fresh])
        tiers.append(found.tiers[order][fresh])
    return Expanded(each, *(np.concatenate(arrays) for arrays in (weights, parents, children, tiers)))


class Sweep:
    """Goes through the tiers of a game in ascending order.

    Parameters
    ----------
    problem
        The game.
    counted
        How many positions are counted one by one, at most.
    kept
        How many positions of each later tier are expanded.
    """

    def __init__(self, problem: Problem, counted: int, kept: int) -> None:
        self.problem, self.counted, self.kept = problem, counted, kept
        self.levels: list[Level] = []
        self.positions = 0.0
        """Positions of all these levels, symmetric ones included."""
        self.arrivals: dict[int, _Arrivals] = {}
        self.usual = inf
        """The shape of the meetings in the last trusted tier."""
        self.trusted: list[tuple[float, float]] = []
        """The number of each trusted tier in the order of tiers, and the logarithm of its share."""
        self.chooser = np.random.default_rng(0)

    def run(self) -> list[Level]:
        """Return all tiers."""
        for tier, keys in self.problem.start_keys().items():
            self._arrive(tier, keys, np.ones(len(keys)))
        total, counting = 0, True
        while self.arrivals:
            tier = min(self.arrivals)
            arrived = self.arrivals.pop(tier)
            keys, weights = np.concatenate(arrived.keys), np.concatenate(arrived.weights)
            counting = counting and self._count(tier, keys, self.counted - total)
            if counting:
                total += round(self.levels[-1].stored)
            else:
                self._sample(tier, keys, weights)
        return self.levels

    def _arrive(self, tier: int, keys: NDArray[np.int64], weights: Floats) -> None:
        """Note moves to a tier."""
        arrived = self.arrivals.setdefault(tier, _Arrivals())
        arrived.keys.append(keys)
        arrived.weights.append(weights)

    def _count(self, tier: int, arrived: NDArray[np.int64], most: int) -> bool:
        """Expand all positions of a tier, unless there are more than ``most``; return whether that was done."""
        level = sorted_once(arrived.copy())
        seen, parts, moves_to = level, list[Expanded](), [arrived]
        while len(level):
            if len(seen) > most:
                return False
            parts.append(expanded(self.problem, level, np.ones(len(level))))
            moves_to.append(parts[-1].inside(tier)[0])
            level = without(sorted_once(moves_to[-1].copy()), with_heads(seen))
            seen = sorted_once(np.concatenate([seen, level]))
        keys = np.concatenate(moves_to)
        self._note(tier, parts, True, meetings_of(keys, np.ones(len(keys)), self.usual), len(seen) / len(keys))
        return True

    def _note(self, tier: int, parts: list[Expanded], counted: bool, meetings: Meetings | None, share: float) -> None:
        """Note the size of a tier, its moves to higher ones, and what the extrapolation goes by if it is trusted."""
        if meetings is not None:
            self.usual = meetings.shape
            self.trusted.append((len(self.levels), log(share)))
        for part in parts:
            for higher in np.unique(part.tiers[part.tiers > tier]).tolist():
                there = part.tiers == higher
                self._arrive(higher, part.children[there], part.each[part.parents[there]])
        self.positions += sum(float((part.each * part.weights).sum()) for part in parts)
        stored = sum(float(part.each.sum()) for part in parts)
        moves_from = sum(float(part.each[part.parents].sum()) for part in parts)
        self.levels.append(Level(tier, stored, counted, moves_from / stored, 1 / share))

    def _sample(self, tier: int, keys: NDArray[np.int64], weights: Floats) -> None:
        """Estimate a tier from the sampled moves that lead there from lower ones."""
        all_keys, all_weights = keys, weights
        for _ in range(PASSES):
            meetings = meetings_of(all_keys, all_weights, self.usual)
            trusted = meetings if meetings.pairs >= ENOUGH else None
            share = self._extrapolated() if trusted is None else trusted.share
            rounds = self._rounds(tier, keys, weights, share, trusted)
            inside = [part.inside(tier) for part in rounds]
            all_keys = np.concatenate([keys, *(goals for goals, _ in inside)])
            all_weights = np.concatenate([weights, *(stand for _, stand in inside)])
            if trusted is None or len(all_keys) == len(keys):
                break
        self._note(tier, rounds, False, trusted, share)

    def _rounds(
        self, tier: int, keys: NDArray[np.int64], weights: Floats, share: float, meetings: Meetings | None
    ) -> list[Expanded]:
        """Expand some positions of a tier, round by round; ``meetings`` are None if they are not trusted."""
        found, places, counts = np.unique(keys, return_inverse=True, return_counts=True)
        arrived = np.asarray(np.bincount(places.ravel(), weights), dtype=np.float64)
        each: Floats = arrived if meetings is None else stand_for(counts, counts / arrived, meetings)
        each = each * (arrived.sum() * share / each.sum())
        rounds: list[Expanded] = []
        first = float(each.sum())
        while len(found) and each.sum() > NEGLIGIBLE * first and len(rounds) < MOST_ROUNDS:
            most = max(1, self.kept // LATER_ROUNDS) if rounds else self.kept
            rounds.append(expanded(self.problem, *self._chosen(found, each, most)))
            inner, stand = rounds[-1].inside(tier)
            found, places = np.unique(inner, return_inverse=True)
            each = np.asarray(np.bincount(places.ravel(), stand) * share, dtype=np.float64)
        return rounds

    def _chosen(self, keys: NDArray[np.int64], each: Floats, most: int) -> tuple[NDArray[np.int64], Floats]:
        """Return at most so many of the keys, chosen in proportion to what each stands for, and what they do then."""
        if len(keys) <= most:
            return keys, each
        order = self.chooser.permutation(len(keys))
        total = float(each.sum())
        marks = (np.arange(most) + self.chooser.random()) * (total / most)
        places = np.minimum(np.searchsorted(np.cumsum(each[order]), marks), len(keys) - 1)
        chosen, times = np.unique(keys[order[places]], return_counts=True)
        return chosen, np.asarray(times * (total / most), dtype=np.float64)

    def _extrapolated(self) -> float:
        """Return the share of the present tier, extrapolated from the trusted tiers."""
        if len(self.trusted) < 3:
            return exp(self.trusted[-1][1]) if self.trusted else 1.0
        fitted = np.array(self.trusted[-FITTED:])
        slope, height = np.polyfit(fitted[:, 0], fitted[:, 1], 1)
        last, steps = fitted[-1, 0], len(self.levels) - fitted[-1, 0]
        ahead = DAMPING * (1 - DAMPING**steps) / (1 - DAMPING)
        return exp(min(0.0, float(height + slope * last + min(0.0, slope) * ahead)))
