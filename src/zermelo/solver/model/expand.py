"""From positions to their successors: the only module of the solver that calls the rules.

Positions go in and successors come out as keys, many at a time. So the same kernels serve tables in memory, tables on
disk, and shards on several machines.

Two words: to *fold* a game is to store symmetric positions as one, under the least of their keys. A *misfit* is a state
that has no key, since the codec has met no state with such bits before; the codec must be widened for it.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.codec import canonical_key, key_of, state_of
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import (
    fill_actions,
    is_terminal,
    repetition,
    result,
    symmetries,
    tier,
    to_move,
    utility,
    utility_range,
)
from zermelo.compiled.states import conform, leaf_count, load_state, words_of
from zermelo.game import MAX, State
from zermelo.solver.model.outcome_codes import UNKNOWN, UNKNOWN_MIN, shift, terminal_code

MISFITS, BAD_UTILITY, STUCK = 0, 1, 2
"""The faults that `expand` counts: states without a key, utilities out of range, states that are neither terminal nor
have any action."""
COUNTS: Final = 3
"""How many kinds of faults there are."""
MOST_MISFITS: Final = 256
"""Misfits that a batch keeps; it does not count more."""
MOST_IMAGES: Final = 64
"""Symmetric images of a position that are counted."""


@subkernel
def orbit_size(game: CompiledGame, layout: NDArray[np.int64], state: State, images: NDArray[np.int64]) -> int:
    """Return how many positions a state stands for: the number of different states among it and its images."""
    found = 1
    images[0] = key_of(game, layout, state)
    for other in symmetries(game, state):
        key = key_of(game, layout, other)
        new = True
        for number in range(found):
            if images[number] == key:
                new = False
        if new and found < len(images):
            images[found] = key
            found += 1
    return found


class Batch(NamedTuple):
    """The arrays that one call of `expand` fills. Each thread has its own."""

    own: NDArray[np.int32]
    """Shape (positions,): the outcome code of a terminal position; of others `UNKNOWN` or `UNKNOWN_MIN`, which say who
    is to move."""
    ends: NDArray[np.int64]
    """Shape (positions,): where in ``children`` the successors of each position end."""
    children: NDArray[np.int64]
    """Shape (successors,): their keys; the successors of a position lie side by side."""
    tiers: NDArray[np.int64]
    """Shape (successors,): their tiers."""
    weights: NDArray[np.int64]
    """Shape (positions,): how many positions each one stands for, symmetric ones included."""
    counts: NDArray[np.int64]
    """Shape (`COUNTS`,): how often each fault was met; `expand` adds to it."""
    misfits: NDArray[np.int64]
    """Shape (`MOST_MISFITS`, ints of a state): a row for each misfit."""
    images: NDArray[np.int64]
    """Shape (`MOST_IMAGES`,): scratch space for the keys of a state's images."""
    scratch: NDArray[np.int64]
    """Shape (ints of a state,): scratch space."""


def batch(game: CompiledGame, positions: int, children: int) -> Batch:
    """Return a batch with room for these numbers of positions and successors."""
    width = leaf_count(game.state_type)
    return Batch(
        own=np.empty(positions, dtype=np.int32),
        ends=np.empty(positions, dtype=np.int64),
        children=np.empty(children, dtype=np.int64),
        tiers=np.empty(children, dtype=np.int64),
        weights=np.ones(positions, dtype=np.int64),
        counts=np.zeros(COUNTS, dtype=np.int64),
        misfits=np.zeros((MOST_MISFITS, width), dtype=np.int64),
        images=np.zeros(MOST_IMAGES, dtype=np.int64),
        scratch=np.zeros(width, dtype=np.int64),
    )


@kernel
def expand(game: CompiledGame, layout: NDArray[np.int64], keys: NDArray[np.int64], fold: bool, batch: Batch) -> int:
    """Write the successors of positions to a batch, as far as there is room.

    Parameters
    ----------
    layout
        The layout of the codec.
    keys
        Shape (n,): the positions.
    fold
        Whether symmetric positions are stored as one.
    batch
        Written.

    Returns
    -------
    int
        How many positions were expanded: fewer than ``n`` if the batch is full.
    """
    low, high = utility_range(game)
    filled = 0
    for number in range(min(len(keys), len(batch.own))):
        state = state_of(game, layout, keys[number], batch.scratch)
        begin = filled
        if is_terminal(game, state):
            value = utility(game, state)
            if value < low or value > high:
                batch.counts[BAD_UTILITY] += 1
            batch.own[number] = terminal_code(value - low, shift(game))
        else:
            batch.own[number] = UNKNOWN if to_move(game, state) == MAX else UNKNOWN_MIN
            filled = fill_actions(game, state, batch.children, begin, len(batch.children))
            if filled > len(batch.children):
                return number
            for place in range(begin, filled):  # an action gives way to the key of the state that it leads to
                child = result(game, state, batch.children[place])
                key = canonical_key(game, layout, child, fold)
                if key < 0:
                    note_misfits(game, layout, child, fold, batch)
                    key = 0
                batch.children[place] = key
                batch.tiers[place] = tier(game, child)
            if filled == begin:
                batch.counts[STUCK] += 1
        if fold:
            batch.weights[number] = orbit_size(game, layout, state, batch.images)
        batch.ends[number] = filled
    return min(len(keys), len(batch.own))


@subkernel
def note_misfits(game: CompiledGame, layout: NDArray[np.int64], state: State, fold: bool, batch: Batch) -> None:
    """Write the ints of a state, and of its symmetric images, to the batch if they have no key."""
    if key_of(game, layout, state) < 0:
        note(game, state, batch)
    if fold:
        for other in symmetries(game, state):
            if key_of(game, layout, other) < 0:
                note(game, conform(game, other), batch)


@subkernel
def note(game: CompiledGame, state: State, batch: Batch) -> None:
    """Write the ints of a state to the batch, if there is room."""
    row = batch.counts[MISFITS]
    if row < len(batch.misfits):
        ints = words_of(game, state)
        for number in range(len(ints)):
            batch.misfits[row, number] = ints[number]
        batch.counts[MISFITS] += 1


@kernel
def endless_values(
    game: CompiledGame, layout: NDArray[np.int64], keys: NDArray[np.int64], scratch: NDArray[np.int64]
) -> tuple[int, int]:
    """Return the least and the greatest value that ``repetition`` gives to positions that come back.

    Parameters
    ----------
    layout
        The layout of the codec.
    keys
        Shape (n,), at least one: the positions.
    scratch
        Shape (ints of a state,): scratch space.
    """
    least = most = repetition(game, state_of(game, layout, keys[0], scratch))
    for number in range(1, len(keys)):
        value = repetition(game, state_of(game, layout, keys[number], scratch))
        least, most = min(least, value), max(most, value)
    return least, most


@kernel
def count_images(
    game: CompiledGame,
    layout: NDArray[np.int64],
    keys: NDArray[np.int64],
    images: NDArray[np.int64],
    scratch: NDArray[np.int64],
) -> int:
    """Return how many positions the given ones stand for, all symmetric images counted; see `orbit_size`.

    Parameters
    ----------
    layout
        The layout of the codec.
    keys
        Shape (n,): the positions.
    images
        Shape (`MOST_IMAGES`,): scratch space.
    scratch
        Shape (ints of a state,): scratch space.
    """
    count = 0
    for number in range(len(keys)):
        count += orbit_size(game, layout, state_of(game, layout, keys[number], scratch), images)
    return count


@kernel
def write_rows(
    game: CompiledGame,
    layout: NDArray[np.int64],
    keys: NDArray[np.int64],
    rows: NDArray[np.int64],
    scratch: NDArray[np.int64],
) -> None:
    """Write the ints of the states that have these keys.

    Parameters
    ----------
    layout
        The layout of the codec.
    keys
        Shape (n,).
    rows
        Shape (n, ints of a state), written.
    scratch
        Shape (ints of a state,): scratch space.
    """
    for number in range(len(keys)):
        words = words_of(game, state_of(game, layout, keys[number], scratch))
        for place in range(len(words)):
            rows[number, place] = words[place]


@kernel
def write_keys(
    game: CompiledGame,
    layout: NDArray[np.int64],
    rows: NDArray[np.int64],
    fold: bool,
    keys: NDArray[np.int64],
    tiers: NDArray[np.int64],
) -> None:
    """Write the keys of states, negative for misfits, and their tiers.

    Parameters
    ----------
    layout
        The layout of the codec.
    rows
        Shape (states, ints of a state).
    fold
        Whether symmetric positions are stored as one.
    keys, tiers
        Shape (states,), written.
    """
    for number in range(len(rows)):
        state = load_state(game, rows[number])
        keys[number] = canonical_key(game, layout, state, fold)
        tiers[number] = tier(game, state)
