"""Positions whose play can go on without leaving their tier: retrograde analysis.

Two questions are answered one after the other. Each begins with the ends and goes from positions to predecessors.

1. *Values.* From the best value down to that of endless play, for each value: where can MAX force at least that much?
   MAX needs one successor, MIN must be left none that is worse for MAX, so a counter of undecided successors tells
   (H. J. van den Herik and I. S. Herschberg, The construction of an omniscient endgame data base, 1985). The sets
   only grow from one value to the next, so all values together cost one visit of each edge. Then the same for MIN
   from below. What nobody forces is worth what endless play is worth: each can keep the other from better.
2. *Remoteness.* Among successors of the same value whoever hurries needs one, whoever delays needs all. Positions
   are settled in the order of their remoteness; those never settled have none.

`solve_loops` answers both for a tier in the memory of one process. `force_round` and `plies_round` answer them for one
shard of a tier, a round at a time, between which shards send each other messages. Both follow the same rules,
`is_forced` and `is_settled`.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import inlined, shared_kernel
from zermelo.solver.model.outcome_codes import UNKNOWN, are_endless, offsets_in, raw_plies_in

Ints = NDArray[np.int32]
Places = NDArray[np.int64]
NONE: Final = -1


@inlined
def is_forced(sign: int, position: int, own: Any, left: Any) -> bool:
    """Whether a position has a value for certain, now that one more of its successors has that value.

    Parameters
    ----------
    sign
        1 if MAX forces the value, -1 if MIN does.
    own
        Who is to move in each position, as in `zermelo.solver.model.expand.Batch`.
    left
        How many successors of each position are undecided; changed.
    """
    if (1 if own[position] == UNKNOWN else -1) == sign:
        return True
    left[position] -= 1
    return left[position] == 0


@inlined
def is_settled(position: int, delays: Any, left: Any) -> bool:
    """Whether a position has a remoteness, now that one more of its successors of the same value has one.

    ``delays`` tells who puts off the end; ``left``, which is changed, how many such successors have no remoteness.
    """
    left[position] -= 1
    return not delays[position] or left[position] == 0


def worth_of(own: Ints, exits: Ints, shift: int) -> Ints:
    """The value with which a position ends or that its best move out of the tier has, less the least utility.

    -1 where there is neither.
    """
    outside = np.where(exits >= 0, offsets_in(exits, shift), NONE)
    return np.where(own >= 0, offsets_in(own, shift), outside).astype(np.int32)


def leaves_at_value(own: Ints, exits: Ints, values: Ints, shift: int) -> NDArray[np.bool_]:
    """Which positions keep their value when their player moves out of the tier."""
    return (own < 0) & (exits >= 0) & (offsets_in(exits, shift) == values)


def seed_plies(own: Ints, exits: Ints, values: Ints, shift: int) -> Ints:
    """The remoteness with which a position ends, or leaves the tier at its value; -1 where it does neither."""
    ends = leaves_at_value(own, exits, values, shift) & ~are_endless(exits, shift)
    plies = np.where(ends, raw_plies_in(exits, shift) + 1, NONE)
    return np.where(own >= 0, raw_plies_in(own, shift), plies).astype(np.int32)


def who_delays(own: Ints, values: Ints, zero: int) -> NDArray[np.bool_]:
    """In which positions the player to move loses, and so puts off the end."""
    signs = np.where(own == UNKNOWN, 1, -1)
    return (own < 0) & ((values.astype(np.int64) - zero) * signs < 0)


# A tier in the memory of one process.


def solve_loops(
    own: Ints, exits: Ints, ends: Places, targets: Any, endless: int, zero: int, shift: int
) -> tuple[Ints, Ints]:
    """Values and remoteness of positions that lead to each other.

    Parameters
    ----------
    own
        The outcome code of a terminal position, else who is to move, as in `zermelo.solver.model.expand.Batch`.
    exits
        The outcome code of each position's best successor elsewhere, negative where there is none.
    ends, targets
        Where in ``targets`` the successors of a position end; their numbers among these positions.
    endless
        What endless play is worth, less the least utility.
    zero
        The value 0, less the least utility.
    shift
        Of the outcome codes.

    Returns
    -------
    tuple of arrays
        int32: each position's value, less the least utility, and its remoteness, -1 where it has none.
    """
    count = len(own)
    starts, sources = turned_round(ends, targets, count)
    left = np.diff(ends, prepend=0).astype(np.int32) + (exits >= 0)
    worth = worth_of(own, exits, shift)
    values = np.full(count, NONE, dtype=np.int32)
    queue = np.empty(count, dtype=np.int64)
    for sign in (1, -1):
        seeds = np.flatnonzero((worth != NONE) & ((worth - endless) * sign > 0))
        seeds = seeds[np.argsort(-sign * worth[seeds], kind="stable")]
        force(sign, own, worth, seeds, starts, sources, left, values, queue)
    values[values == NONE] = endless
    plies = seed_plies(own, exits, values, shift)
    seeds = np.flatnonzero(plies != NONE)
    seeds = seeds[np.argsort(plies[seeds], kind="stable")]
    left = leaves_at_value(own, exits, values, shift).astype(np.int32)
    count_equals(starts, sources, values, left)
    remoteness = np.full(count, NONE, dtype=np.int32)
    count_plies(seeds, plies, who_delays(own, values, zero), starts, sources, values, left, remoteness, queue)
    return values, remoteness


def turned_round(ends: Places, targets: Any, count: int) -> tuple[Places, Any]:
    """Where in the second array the predecessors of each position begin, and they themselves."""
    starts = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(targets, minlength=count), out=starts[1:])
    sources = np.empty(len(targets), dtype=np.int32 if count < 1 << 31 else np.int64)
    turn_round(ends, targets, starts[:-1].copy(), sources)
    return starts, sources


@shared_kernel
def turn_round(ends: Places, targets: Any, cursors: Places, sources: Any) -> None:
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
    sign: int,
    own: Ints,
    worth: Ints,
    seeds: Places,
    starts: Places,
    sources: Any,
    left: Ints,
    values: Ints,
    queue: Places,
) -> None:
    """Give a value to all positions from where the player with that sign can force more than endless play is worth.

    ``seeds`` are the positions that end or leave at such a value, the best for that player first.
    """
    for seed in seeds:
        head = tail = 0
        value = worth[seed]
        # Step 1. The seed: an end, a way out that the player may take, or one that the opponent cannot avoid.
        if values[seed] == NONE and (own[seed] >= 0 or is_forced(sign, seed, own, left)):
            values[seed] = value
            queue[tail] = seed
            tail += 1
        # Step 2. All that follows from it, at the same value: better values were dealt with before.
        while head < tail:
            position = queue[head]
            head += 1
            for edge in range(starts[position], starts[position + 1]):
                source = sources[edge]
                if values[source] == NONE and is_forced(sign, source, own, left):
                    values[source] = value
                    queue[tail] = source
                    tail += 1


@shared_kernel
def count_equals(starts: Places, sources: Any, values: Ints, left: Ints) -> None:
    """Count, for each position, its successors of the same value."""
    for position in range(len(values)):
        for edge in range(starts[position], starts[position + 1]):
            if values[sources[edge]] == values[position]:
                left[sources[edge]] += 1


@shared_kernel
def count_plies(
    seeds: Places,
    plies: Ints,
    delays: Any,
    starts: Places,
    sources: Any,
    values: Ints,
    left: Ints,
    remoteness: Ints,
    queue: Places,
) -> None:
    """Settle positions in the order of their remoteness, ply by ply; the seeds of a ply come first.

    The queue holds settled positions whose predecessors are still to be told. Seeds of a ply come before the
    predecessors of any position of that ply are told, or one of these could be given a ply too many.
    """
    head = tail = due = 0
    while head < tail or due < len(seeds):
        ply = remoteness[queue[head]] if head < tail else plies[seeds[due]]
        while due < len(seeds) and plies[seeds[due]] == ply:
            position = seeds[due]
            due += 1
            if remoteness[position] == NONE and is_settled(position, delays, left):
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
                if is_settled(source, delays, left):
                    remoteness[source] = ply + 1
                    queue[tail] = source
                    tail += 1


# One shard of a tier, a round at a time.


@shared_kernel
def force_round(sign: int, value: int, own: Ints, places: Places, left: Ints, values: Ints, decided: Places) -> int:
    """Decide which positions of a shard have a value.

    Parameters
    ----------
    places
        Positions that end or leave at the value, and a predecessor for each edge that leads to a position which was
        decided in the round before.
    left, values
        Changed.
    decided
        Filled: the positions that have the value since this round.

    Returns
    -------
    int
        How many positions were decided.
    """
    count = 0
    for place in places:
        if values[place] == NONE and (own[place] >= 0 or is_forced(sign, place, own, left)):
            values[place] = value
            decided[count] = place
            count += 1
    return count


@shared_kernel
def plies_round(ply: int, places: Places, delays: Any, left: Ints, remoteness: Ints, decided: Places) -> int:
    """Decide which positions of a shard have a remoteness; as `force_round`.

    ``places`` are the seeds of that remoteness, and predecessors whose value is that of their successor.
    """
    count = 0
    for place in places:
        if remoteness[place] == NONE and is_settled(place, delays, left):
            remoteness[place] = ply
            decided[count] = place
            count += 1
    return count
