"""Positions among which play can go on without leaving their tier: retrograde analysis.

Two questions are answered one after the other, each from the ends backwards, along edges turned round.

1. *Values.* From the best value down to that of endless play, for each value: where can MAX force at least that much?
   MAX needs one successor, MIN must be left none that is worse for MAX, so a counter of undecided successors tells
   (H. J. van den Herik and I. S. Herschberg, The construction of an omniscient endgame data base, 1985). The sets
   only grow from one value to the next, so all values together cost one visit of each edge. Then the same for MIN
   from below. What nobody forces is worth what endless play is worth: each can keep the other from better.
2. *Remoteness.* Among successors of the same value whoever hurries needs one, whoever delays needs all. Positions
   are settled in the order of their remoteness; those never settled have none.
"""

from typing import Any

import numpy as np

from zermelo.compiled.cache import shared_kernel
from zermelo.solver.model.outcome_codes import UNKNOWN

NONE = -1


def solve_loops(own: Any, exits: Any, ends: Any, targets: Any, endless: int, zero: int, shift: int) -> tuple[Any, Any]:
    """Values and remoteness of positions that lead to each other.

    Parameters
    ----------
    own
        The outcome of a terminal position, else who is to move, as in `zermelo.solver.model.expand.Batch`.
    exits
        The outcome of each position's best successor elsewhere, negative where there is none.
    ends, targets
        Where in ``targets`` the successors of a position end; their numbers among these positions.
    endless
        What endless play is worth, as words count values: less the least utility.
    zero
        The value 0 as words count it.
    shift
        Of the words.

    Returns
    -------
    tuple of arrays
        int32: each position's value as words count it, and its remoteness, -1 where it has none.
    """
    count = len(own)
    starts, sources = turned_round(ends, targets, count)
    left = np.diff(ends, prepend=0).astype(np.int32) + (exits >= 0)
    worth = np.where(own >= 0, own >> shift, np.where(exits >= 0, exits >> shift, NONE)).astype(np.int32)
    values = np.full(count, NONE, dtype=np.int32)
    queue = np.empty(count, dtype=np.int64)
    for sign in (1, -1):
        seeds = np.flatnonzero((worth != NONE) & ((worth - endless) * sign > 0))
        seeds = seeds[np.argsort(-sign * worth[seeds], kind="stable")]
        force(sign, own, worth, seeds, starts, sources, left, values, queue)
    values[values == NONE] = endless
    return values, _remoteness(own, exits, starts, sources, values, zero, shift, queue)


def turned_round(ends: Any, targets: Any, count: int) -> tuple[Any, Any]:
    """Where in the second array the predecessors of each position begin, and they themselves."""
    starts = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(targets, minlength=count), out=starts[1:])
    sources = np.empty(len(targets), dtype=np.int32 if count < 1 << 31 else np.int64)
    turn_round(ends, targets, starts[:-1].copy(), sources)
    return starts, sources


@shared_kernel
def turn_round(ends: Any, targets: Any, cursors: Any, sources: Any) -> None:
    """Put the source of each edge where its target's cursor stands."""
    begin = 0
    for source in range(len(ends)):
        for edge in range(begin, ends[source]):
            target = targets[edge]
            sources[cursors[target]] = source
            cursors[target] += 1
        begin = ends[source]


@shared_kernel
def force(
    sign: int, own: Any, worth: Any, seeds: Any, starts: Any, sources: Any, left: Any, values: Any, queue: Any
) -> None:
    """Give a value to all from where the player with that sign can force more than endless play is worth.

    ``seeds`` are the positions that end or leave at such a value, the best for that player first.
    """
    for seed in seeds:
        head = tail = 0
        value = worth[seed]
        # Step 1. The seed: an end, a way out that the player may take, or one that the opponent need not.
        if values[seed] == NONE:
            left[seed] -= 1
            if own[seed] >= 0 or (1 if own[seed] == UNKNOWN else -1) == sign or left[seed] == 0:
                values[seed] = value
                queue[tail] = seed
                tail += 1
        # Step 2. All that follows from it, at the same value: better values were dealt with before.
        while head < tail:
            position = queue[head]
            head += 1
            for edge in range(starts[position], starts[position + 1]):
                source = sources[edge]
                if values[source] != NONE:
                    continue
                if (1 if own[source] == UNKNOWN else -1) != sign:
                    left[source] -= 1
                    if left[source] > 0:
                        continue
                values[source] = value
                queue[tail] = source
                tail += 1


def _remoteness(own: Any, exits: Any, starts: Any, sources: Any, values: Any, zero: int, shift: int, queue: Any) -> Any:
    """The remoteness of each position, -1 where play at its value need not end."""
    none = (1 << shift) - 1
    signs = np.where(own == UNKNOWN, 1, -1)
    delays = (own < 0) & ((values.astype(np.int64) - zero) * signs < 0)
    leaves = (own < 0) & (exits >= 0) & (exits >> shift == values)
    plies = np.where(own >= 0, own & none, (exits & none) + 1)
    seeds = np.flatnonzero((own >= 0) | (leaves & (exits & none != none)))
    seeds = seeds[np.argsort(plies[seeds], kind="stable")]
    left = leaves.astype(np.int32)
    count_equals(starts, sources, values, left)
    remoteness = np.full(len(own), NONE, dtype=np.int32)
    count_plies(seeds, plies, delays, starts, sources, values, left, remoteness, queue)
    return remoteness


@shared_kernel
def count_equals(starts: Any, sources: Any, values: Any, left: Any) -> None:
    """Count, for each position, its successors of the same value."""
    for position in range(len(values)):
        for edge in range(starts[position], starts[position + 1]):
            if values[sources[edge]] == values[position]:
                left[sources[edge]] += 1


@shared_kernel
def count_plies(
    seeds: Any, plies: Any, delays: Any, starts: Any, sources: Any, values: Any, left: Any, remoteness: Any, queue: Any
) -> None:
    """Settle positions in the order of their remoteness: ply by ply, first the seeds that are due.

    The queue holds settled positions whose predecessors are still to be told. Seeds of a ply come before the
    predecessors of any position of that ply are told, or one of these could be given a ply too many.
    """
    head = tail = due = 0
    while head < tail or due < len(seeds):
        ply = remoteness[queue[head]] if head < tail else plies[seeds[due]]
        while due < len(seeds) and plies[seeds[due]] == ply:
            position = seeds[due]
            due += 1
            left[position] -= 1
            if remoteness[position] == NONE and (not delays[position] or left[position] == 0):
                remoteness[position] = ply
                queue[tail] = position
                tail += 1
        while head < tail and remoteness[queue[head]] == ply:
            position = queue[head]
            head += 1
            for edge in range(starts[position], starts[position + 1]):
                source = sources[edge]
                if remoteness[source] != NONE or values[source] != values[position]:
                    continue
                left[source] -= 1
                if not delays[source] or left[source] == 0:
                    remoteness[source] = ply + 1
                    queue[tail] = source
                    tail += 1
