"""Retrograde analysis, for positions from which play can go on without leaving their tier.

It answers two questions, one after the other. Each begins with the *seeds*, the positions where the game ends or from
which a move leaves the tier, and goes from positions to predecessors.

1. *Values.* For each value, from the best for MAX down to that of endless play: where can MAX force at least that much?
   Where MAX is to move, one such successor is enough. Where MIN is to move, no successor may be left that is worse for
   MAX, so a counter of undecided successors decides (H. J. van den Herik and I. S. Herschberg, The construction of an
   omniscient endgame data base, 1985). The sets only grow from one value to the next, so all values together visit each
   edge once. Then the same follows for MIN, from the best value for MIN up to that of endless play. If neither player
   can force more than endless play gives, the position is worth what endless play is worth, because each player can
   keep the other from more.
2. *Remoteness.* It depends on the successors of the same value: a player who hurries needs one of them to be settled, a
   player who delays needs all of them. Positions are settled in the order of their remoteness; those that are never
   settled have none.

`solve_loops` answers both for a tier in the memory of one process. `force_round` and `plies_round` answer them for one
shard of a tier, in rounds between which the shards send each other messages. Both ways follow the same rules,
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
"""In place of a value or a remoteness: there is none, or none yet."""


@inlined
def is_forced(sign: int, position: int, own: Any, left: Any) -> bool:
    """Return whether a position is certain to have a value, now that one more of its successors has that value.

    Parameters
    ----------
    sign
        1 if MAX forces the value, -1 if MIN does.
    position
        The number of the position.
    own
        Shape (positions,): who is to move, as in `zermelo.solver.model.expand.Batch`.
    left
        Shape (positions,), changed: how many successors of each position are undecided.
    """
    if (1 if own[position] == UNKNOWN else -1) == sign:
        return True
    left[position] -= 1
    return left[position] == 0


@inlined
def is_settled(position: int, delays: Any, left: Any) -> bool:
    """Return whether a position has a remoteness, now that one more of its successors of the same value has one.

    Parameters
    ----------
    position
        The number of the position.
    delays
        Shape (positions,): whether the player to move delays the end.
    left
        Shape (positions,), changed: how many successors of the same value have no remoteness.
    """
    left[position] -= 1
    return not delays[position] or left[position] == 0


def worth_of(own: Ints, exits: Ints, shift: int) -> Ints:
    """Return the value with which each position ends the game, or which its best move out of the tier has.

    Parameters
    ----------
    own, exits, shift
        As in `solve_loops`.

    Returns
    -------
    array
        int32, shape (positions,): the values, less the least utility; -1 where there is neither.
    """
    outside = np.where(exits >= 0, offsets_in(exits, shift), NONE)
    return np.where(own >= 0, offsets_in(own, shift), outside).astype(np.int32)


def leaves_at_value(own: Ints, exits: Ints, values: Ints, shift: int) -> NDArray[np.bool_]:
    """Return which positions keep their value when the player moves out of the tier, shape (positions,).

    Parameters
    ----------
    own, exits, shift
        As in `solve_loops`.
    values
        Shape (positions,): the values, less the least utility.
    """
    return (own < 0) & (exits >= 0) & (offsets_in(exits, shift) == values)


def seed_plies(own: Ints, exits: Ints, values: Ints, shift: int) -> Ints:
    """Return the remoteness with which each position ends the game, or leaves the tier at its own value.

    The parameters are those of `leaves_at_value`. The remoteness is in plies, shape (positions,); -1 where a position
    does neither.
    """
    ends = leaves_at_value(own, exits, values, shift) & ~are_endless(exits, shift)
    plies = np.where(ends, raw_plies_in(exits, shift) + 1, NONE)
    return np.where(own >= 0, raw_plies_in(own, shift), plies).astype(np.int32)


def who_delays(own: Ints, values: Ints, zero: int) -> NDArray[np.bool_]:
    """Return in which positions the player to move loses and therefore delays the end, shape (positions,).

    Parameters
    ----------
    own, zero
        As in `solve_loops`.
    values
        Shape (positions,): the values, less the least utility.
    """
    signs = np.where(own == UNKNOWN, 1, -1)
    return (own < 0) & ((values.astype(np.int64) - zero) * signs < 0)


# A tier in the memory of one process.


def solve_loops(
    own: Ints, exits: Ints, ends: Places, targets: Any, endless: int, zero: int, shift: int
) -> tuple[Ints, Ints]:
    """Return the values and the remoteness of positions that lead to each other.

    Parameters
    ----------
    own
        Shape (positions,): the outcome code of a terminal position; of others, who is to move, as in
        `zermelo.solver.model.expand.Batch`.
    exits
        Shape (positions,): the outcome code of the best successor outside of the tier, negative where there is none.
    ends
        Shape (positions,): where in ``targets`` the successors of each position end.
    targets
        Shape (edges,): the numbers of the successors within the tier.
    endless
        What endless play is worth, less the least utility.
    zero
        The value 0, less the least utility.
    shift
        The number of bits for the remoteness in an outcome code.

    Returns
    -------
    tuple of arrays
        int32, shape (positions,): the values, less the least utility, and the remoteness in plies, -1 where there is
        none.
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
    """Return the predecessors of all ``count`` positions; ``ends`` and ``targets`` are as in `solve_loops`.

    Returns
    -------
    tuple of arrays
        Where in the second array the predecessors of each position begin, shape (positions + 1,), and the predecessors,
        shape (edges,).
    """
    starts = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(targets, minlength=count), out=starts[1:])
    sources = np.empty(len(targets), dtype=np.int32 if count < 1 << 31 else np.int64)
    turn_round(ends, targets, starts[:-1].copy(), sources)
    return starts, sources


@shared_kernel
def turn_round(ends: Places, targets: Any, cursors: Places, sources: Any) -> None:
    """Write the source of each edge at the cursor of its target, and move that cursor on."""
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
    """Decide all positions from which the player with this sign can force more than endless play is worth.

    Parameters
    ----------
    sign
        1 for MAX, -1 for MIN.
    own
        As in `solve_loops`.
    worth
        Shape (positions,): as `worth_of` returns it.
    seeds
        The positions that end or leave the tier with such a value, the best for that player first.
    starts, sources
        As `turned_round` returns them.
    left
        Shape (positions,), changed: how many successors are undecided.
    values
        Shape (positions,), changed: the values found.
    queue
        Shape (positions,): scratch space.
    """
    for seed in seeds:
        head = tail = 0
        value = worth[seed]
        # Step 1. Decide the seed: the game ends, the player can leave the tier, or the opponent has nothing better.
        if values[seed] == NONE and (own[seed] >= 0 or is_forced(sign, seed, own, left)):
            values[seed] = value
            queue[tail] = seed
            tail += 1
        # Step 2. Decide what follows from it, at the same value: better values were decided before.
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
    """Add to ``left``, for each position, the number of its successors of the same value."""
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
    """Settle positions in the order of their remoteness, ply by ply.

    The queue holds settled positions whose predecessors have not been visited. The seeds of a ply are settled before
    the predecessors of any position of that ply are visited. Otherwise such a seed could get a remoteness one ply too
    high.

    Parameters
    ----------
    seeds
        The positions that end the game, or leave the tier at their own value, in ascending order of ``plies``.
    plies
        Shape (positions,): as `seed_plies` returns it.
    delays
        Shape (positions,): as `who_delays` returns it.
    starts, sources
        As `turned_round` returns them.
    values
        Shape (positions,): the values, less the least utility.
    left
        Shape (positions,), changed: how many successors of the same value have no remoteness.
    remoteness
        Shape (positions,), changed: the remoteness found.
    queue
        Shape (positions,): scratch space.
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


# One shard of a tier, in rounds.


@shared_kernel
def force_round(sign: int, value: int, own: Ints, places: Places, left: Ints, values: Ints, decided: Places) -> int:
    """Decide which positions of a shard have a value; return how many.

    Parameters
    ----------
    sign
        1 for MAX, -1 for MIN.
    value
        The value, less the least utility.
    own
        As in `solve_loops`.
    places
        Seeds with this value, and a predecessor for each edge that leads to a position which the round before decided.
    left
        Shape (positions,), changed: how many successors are undecided.
    values
        Shape (positions,), changed: the values found.
    decided
        Written at its beginning: the places of the positions that got the value in this round.
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
    """Decide which positions of a shard have a remoteness; return how many.

    Parameters
    ----------
    ply
        The remoteness in plies.
    places
        Seeds with this remoteness, and a predecessor for each edge that leads to a position of the same value which the
        round before decided.
    delays
        Shape (positions,): as `who_delays` returns it.
    left
        Shape (positions,), changed: how many successors of the same value have no remoteness.
    remoteness
        Shape (positions,), changed: the remoteness found.
    decided
        Written at its beginning: the places of the positions that got the remoteness in this round.
    """
    count = 0
    for place in places:
        if remoteness[place] == NONE and is_settled(place, delays, left):
            remoteness[place] = ply
            decided[count] = place
            count += 1
    return count
