"""From positions to their successors: the one place where the solver asks the rules.

Positions go in and come out as keys, many at a time, so that the same kernels serve a table in memory, a table on
disk and shards on several machines.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.codec import canonical_key, key_of, state_of
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import (
    actions,
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
from zermelo.solver.model.outcome_codes import UNKNOWN, UNKNOWN_MIN, shift

MISFITS, BAD_UTILITY, STUCK = 0, 1, 2
"""What `expand` counts: states without a key, utilities out of range, states neither terminal nor with any action."""
COUNTS: Final = 3
MOST_MISFITS: Final = 256
MOST_IMAGES: Final = 64


@subkernel
def orbit(game: CompiledGame, layout: Any, state: State, images: Any) -> int:
    """How many positions a state stands for: itself and its symmetric images, each once."""
    found = 1
    images[0] = key_of(game, layout, state)
    for other in symmetries(game, state):
        name = key_of(game, layout, other)
        new = True
        for number in range(found):
            if images[number] == name:
                new = False
        if new and found < len(images):
            images[found] = name
            found += 1
    return found


class Batch(NamedTuple):
    """The arrays that one call of `expand` fills; each thread has its own."""

    own: Any
    """int32, a position each: the outcome of a terminal one, else `UNKNOWN` or `UNKNOWN_MIN`, the player to move."""
    ends: Any
    """int64, a position each: where in ``children`` its successors end."""
    children: Any
    """int64: the keys of successors, those of one position side by side."""
    tiers: Any
    """int64: their tiers."""
    weights: Any
    """int64: how many positions each stands for, symmetric ones counted."""
    counts: Any
    """int64, added to: see `COUNTS`."""
    misfits: Any
    """int64, a row each: the ints of states without a key."""
    images: Any
    """int64: room for the keys of one state's symmetric images."""
    scratch: Any
    """int64: room for the ints of a state."""


def batch(game: CompiledGame, positions: int, children: int) -> Batch:
    """Arrays for so many positions and successors."""
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
def expand(game: CompiledGame, layout: Any, keys: Any, fold: bool, batch: Batch) -> int:
    """The successors of positions, as far as the batch has room for them.

    Parameters
    ----------
    layout
        Of the codec.
    keys
        The positions.
    fold
        Whether symmetric positions are one.
    batch
        Filled.

    Returns
    -------
    int
        How many positions were expanded: fewer than asked where the batch is full.
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
            batch.own[number] = (value - low) << shift(game)
        else:
            batch.own[number] = UNKNOWN if to_move(game, state) == MAX else UNKNOWN_MIN
            for action in actions(game, state):
                if filled == len(batch.children):
                    return number
                child = result(game, state, action)
                name = canonical_key(game, layout, child, fold)
                if name < 0:
                    note_misfits(game, layout, child, fold, batch)
                    name = 0
                batch.children[filled] = name
                batch.tiers[filled] = tier(game, child)
                filled += 1
            if filled == begin:
                batch.counts[STUCK] += 1
        if fold:
            batch.weights[number] = orbit(game, layout, state, batch.images)
        batch.ends[number] = filled
    return min(len(keys), len(batch.own))


@subkernel
def note_misfits(game: CompiledGame, layout: Any, state: State, fold: bool, batch: Batch) -> None:
    """Keep the ints of a state that has no key, and of those of its symmetric images that have none."""
    if key_of(game, layout, state) < 0:
        note(game, state, batch)
    if fold:
        for other in symmetries(game, state):
            if key_of(game, layout, other) < 0:
                note(game, conform(game, other), batch)


@subkernel
def note(game: CompiledGame, state: State, batch: Batch) -> None:
    """Keep the ints of a state, if there is room."""
    row = batch.counts[MISFITS]
    if row < len(batch.misfits):
        words = words_of(game, state)
        for number in range(len(words)):
            batch.misfits[row, number] = words[number]
        batch.counts[MISFITS] += 1


@kernel
def endless_worth(game: CompiledGame, layout: Any, keys: Any, scratch: Any) -> tuple[int, int]:
    """The least and the most that a position come back to is worth, among these."""
    least = most = repetition(game, state_of(game, layout, keys[0], scratch))
    for number in range(1, len(keys)):
        worth = repetition(game, state_of(game, layout, keys[number], scratch))
        least, most = min(least, worth), max(most, worth)
    return least, most


@kernel
def has_all_images(game: CompiledGame, layout: Any, words: Any, known: Any) -> bool:
    """Whether every symmetric image of every state, whose ints are the rows of ``words``, is among the sorted keys."""
    for number in range(len(words)):
        for other in symmetries(game, load_state(game, words[number])):
            name = key_of(game, layout, other)
            place = np.searchsorted(known, name)
            if place == len(known) or known[place] != name:
                return False
    return True


@kernel
def name_states(game: CompiledGame, layout: Any, words: Any, fold: bool, keys: Any, tiers: Any) -> None:
    """The keys of states, negative where they have none, and their tiers; ``words`` holds their ints, a row each."""
    for number in range(len(words)):
        state = load_state(game, words[number])
        keys[number] = canonical_key(game, layout, state, fold)
        tiers[number] = tier(game, state)
