"""The sizes of a game's tiers, before it is solved: small ones are counted, the others are estimated from samples.

No move leads to a lower tier, so all moves to a tier are known once the tiers below have been expanded. A tier with E
moves to it has E * share positions, where ``share`` is the mean of 1/d over these moves and d the in-degree of the
position that a move leads to (`zermelo.solver.study.meetings`). For each tier in turn:

1. *Count.* As long as there are not too many positions, they are expanded one by one.
2. *Sample.* Of a later tier, some of the positions that the sampled moves lead to are expanded. Each stands for several
   positions, and its moves for as many moves. (Knuth's estimate of the efficiency of backtrack programs, 1975, counts
   the nodes of trees in this way; Chen's heterogeneous sampling, 1992, is similar. Neither takes into account that a
   position is met twice.) This is done three times, independently.
3. *Share.* The meetings of moves of different samples tell the share. The fewer of them there are, the more the share
   follows the trend of the tiers before.

A position with many moves to it is more likely to be met. Its weight makes up for that only as far as the samples show
its in-degree, so they lean towards such positions, and sweeps tend to find too few. How far off they may be is for
`zermelo.solver.study.interval` to say.

Moves inside a tier are followed in rounds: the positions that moves from lower tiers lead to, the positions that moves
from these lead to, and so on.
"""

from dataclasses import dataclass
from math import exp, inf, log
from typing import Final

import numpy as np

from zermelo.solver.kernels.lookup import sorted_once, with_heads, without
from zermelo.solver.model.problem import Problem
from zermelo.solver.study.interval import Told, trend
from zermelo.solver.study.meetings import ALL, REPLICAS, Floats, Ints, Moves, Sample, joined, meetings_of, moves_of

DRIFT: Final = 0.03
"""How far the share of a tier is expected to be from the trend, as a part of it."""
FEWEST: Final = 5
"""Fewer meeting pairs than these tell nothing."""
LATER_ROUNDS: Final = 4
"""Later rounds of a tier are expanded to one in so many of the positions of the first."""
NEGLIGIBLE: Final = 0.003
"""A round ends a tier if it adds no more than this part."""
MOST_ROUNDS: Final = 60
MOST_MOVES: Final = 2_000_000
"""Fewer positions of a tier are expanded if their moves would be more than these."""
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

    keys: Ints
    """The positions."""
    each: Floats
    """How many positions each of them stands for."""
    replica: int
    """The replica to which they belong, or `ALL`."""
    weights: Ints
    """How many each of these stands for because of symmetry."""
    parents: Ints
    """For each move, the index of the position it leaves."""
    children: Ints
    """For each move, the key of the position it leads to."""
    tiers: Ints
    """And the tier of that position."""

    def moves_to(self, tier: int) -> Sample:
        """Return the moves to a tier."""
        chosen = self.tiers == tier
        parents = self.parents[chosen]
        replicas = np.full(len(parents), self.replica, dtype=np.int64)
        return Sample(self.children[chosen], self.keys[parents], replicas, self.each[parents])


def expanded(problem: Problem, keys: Ints, each: Floats, replica: int) -> Expanded:
    """Return the moves of positions, given by ascending keys; each of them stands for so many."""
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
    return Expanded(keys, each, replica, *(np.concatenate(arrays) for arrays in (weights, parents, children, tiers)))


class Sweep:
    """Goes through the tiers of a game in ascending order.

    Parameters
    ----------
    problem
        The game.
    counted
        How many positions are counted one by one, at most.
    kept
        How many positions of each later tier are expanded, at most.
    """

    def __init__(self, problem: Problem, counted: int, kept: int) -> None:
        self.problem, self.counted, self.kept = problem, counted, kept
        self.levels: list[Level] = []
        self.positions: list[float] = []
        """Positions of each of these levels, symmetric ones included."""
        self.told: list[Told] = []
        """What the samples told of each level that was not counted."""
        self.stands_for = 1.0
        """How many positions each position stands for that was expanded in the last level."""
        self.arrivals: dict[int, list[Sample]] = {}
        """The moves to each tier that has not been expanded yet."""
        self.usual = inf
        """The shape of the meetings in the last tier that had some."""
        self.chooser = np.random.default_rng(0)

    def run(self) -> list[Level]:
        """Return all tiers."""
        for tier, keys in self.problem.start_keys().items():
            every = np.full(len(keys), ALL, dtype=np.int64)  # the starts have no parents; any number serves
            self.arrivals[tier] = [Sample(np.sort(keys), every, every, np.ones(len(keys)))]
        total, counting = 0, True
        while self.arrivals:
            tier = min(self.arrivals)
            arrived = joined(self.arrivals.pop(tier))
            counting = counting and self._count(tier, arrived, self.counted - total)
            if counting:
                total += round(self.levels[-1].stored)
            else:
                self._sample(tier, arrived)
        return self.levels

    def _count(self, tier: int, arrived: Sample, most: int) -> bool:
        """Expand all positions of a tier, unless there are more than ``most``; return whether that was done."""
        level = sorted_once(arrived.goals.copy())
        seen, parts, samples = level, list[Expanded](), [arrived]
        while len(level):
            if len(seen) > most:
                return False
            parts.append(expanded(self.problem, level, np.ones(len(level)), ALL))
            samples.append(parts[-1].moves_to(tier))
            level = without(sorted_once(samples[-1].goals.copy()), with_heads(seen))
            seen = sorted_once(np.concatenate([seen, level]))
        moves = moves_of(joined(samples))
        self.usual = meetings_of(moves, self.usual).shape
        self._note(tier, parts, True, len(seen) / len(moves.places))
        return True

    def _note(self, tier: int, parts: list[Expanded], counted: bool, share: float) -> None:
        """Note the size of a tier and its moves to higher ones."""
        positions = stored = moves_from = 0.0
        for part in parts:
            for higher in np.unique(part.tiers[part.tiers > tier]).tolist():
                self.arrivals.setdefault(higher, []).append(part.moves_to(higher))
            replicas = 1 if part.replica == ALL else REPLICAS
            positions += float((part.each * part.weights).sum()) / replicas
            stored += float(part.each.sum()) / replicas
            moves_from += float(part.each[part.parents].sum()) / replicas
        self.positions.append(positions)
        samples = 1 if counted else REPLICAS
        self.stands_for = max(1.0, samples * stored / sum(len(part.keys) for part in parts))
        self.levels.append(Level(tier, stored, counted, moves_from / stored, 1 / share))

    def _sample(self, tier: int, arrived: Sample) -> None:
        """Estimate a tier from the sampled moves that lead there from lower ones."""
        lower = moves = moves_of(arrived)
        for _ in range(PASSES):
            meetings = meetings_of(moves, self.usual)
            share = self._smoothed(meetings.share, meetings.others, meetings.pairs)
            inverses = meetings.inverses * (share / meetings.share)
            parts = list[Expanded]()
            for replica in range(REPLICAS):
                parts += self._rounds(tier, lower, moves, inverses[:, replica], share, replica)
            inside = [part.moves_to(tier) for part in parts]
            if not any(len(sample.goals) for sample in inside):
                break
            moves = moves_of(joined([arrived, *inside]))
        self.usual = meetings.shape if meetings.pairs > 0 else self.usual
        self.told.append(Told(meetings.share, _variance(meetings.others, meetings.pairs), self.stands_for))
        self._note(tier, parts, False, share)

    def _smoothed(self, share: float, others: float, pairs: float) -> float:
        """Return the share that meetings tell, drawn towards the trend of the tiers before.

        Parameters
        ----------
        share, others, pairs
            As in `Meetings`.
        """
        if len(self.levels) < 3:
            return share
        third, second, last = (-log(level.meetings) for level in self.levels[-3:])
        expected = min(0.0, trend(third, second, last))
        trust = DRIFT**2 / (DRIFT**2 + _variance(others, pairs))
        return exp(expected + trust * (log(share) - expected))

    def _rounds(
        self, tier: int, lower: Moves, moves: Moves, inverses: Floats, share: float, replica: int
    ) -> list[Expanded]:
        """Expand some positions of a tier, round by round, for one replica.

        Parameters
        ----------
        lower, moves
            The moves from lower tiers, and these together with those inside the tier that are known.
        inverses
            The mean of 1/d for each of the moves, of shape (moves,).
        share
            The mean of 1/d for moves of which nothing is known.
        """
        weights = moves.weights[:, replica]
        known = moves.by_goal(np.stack([weights * inverses, weights], axis=1))
        # How many positions each move to a goal counts for; the share, where the replica has no move to it yet.
        counts_for = np.where(known[:, 1] > 0, known[:, 0] / np.maximum(known[:, 1], 1e-300), share)

        def stands_for(goals: Ints, arrived: Floats) -> Floats:
            """Return how many positions each goal stands for, given how many moves lead there."""
            places = np.minimum(np.searchsorted(moves.goals, goals), len(moves.goals) - 1)
            return arrived * np.where(moves.goals[places] == goals, counts_for[places], share)

        arrived = lower.by_goal(lower.weights[:, replica])
        found, each = lower.goals[arrived > 0], stands_for(lower.goals, arrived)[arrived > 0]
        most = max(1, int(min(self.kept, MOST_MOVES / max(1.0, self.levels[-1].children if self.levels else 1.0))))
        rounds: list[Expanded] = []
        first = float(each.sum())
        while len(found) and each.sum() > NEGLIGIBLE * first and len(rounds) < MOST_ROUNDS:
            kept = max(1, most // REPLICAS // (LATER_ROUNDS if rounds else 1))
            rounds.append(expanded(self.problem, *self._chosen(found, each, kept), replica))
            inner = rounds[-1].moves_to(tier)
            found, places = np.unique(inner.goals, return_inverse=True)
            each = stands_for(found, np.bincount(places.ravel(), inner.weights, len(found)).astype(np.float64))
        return rounds

    def _chosen(self, keys: Ints, each: Floats, most: int) -> tuple[Ints, Floats]:
        """Return at most so many of the keys, chosen in proportion to what each stands for, and what they do then."""
        if len(keys) <= most:
            return keys, each
        order = self.chooser.permutation(len(keys))
        total = float(each.sum())
        marks = (np.arange(most) + self.chooser.random()) * (total / most)
        places = np.minimum(np.searchsorted(np.cumsum(each[order]), marks), len(keys) - 1)
        chosen, times = np.unique(keys[order[places]], return_counts=True)
        return chosen, np.asarray(times * (total / most), dtype=np.float64)


def _variance(others: float, pairs: float) -> float:
    """Return the variance by chance of the logarithm of a share, given what `Meetings` has."""
    return (others / (1 + others)) ** 2 / pairs if pairs >= FEWEST else inf
