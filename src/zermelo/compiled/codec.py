"""Turning states into keys and back. A key is an int of 63 bits by which positions are sorted, stored and looked up.

A game may make its keys itself, with `pack` and `unpack`. Otherwise the codec keeps only those bits of each int that
occur in reachable positions. From each int of a state it subtracts the least value, if that is negative. It squeezes
the rest to those bits (H. S. Warren, Hacker's Delight, 7-4), and puts the results side by side::

    State(max_men, min_men, player)  ->  0 | player | min_men on dark squares | max_men on dark squares

The positions of random games show which bits occur. If a state later does not fit, the codec finds out when it makes
the state's key, and a wider codec takes its place. The final layout depends only on the positions, not on their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numba import types
from numpy.typing import NDArray

from zermelo.bits import ALL
from zermelo.compiled.cache import subkernel
from zermelo.compiled.game import CompiledGame, GameType
from zermelo.compiled.overloads import Body, overload
from zermelo.compiled.rules import symmetries
from zermelo.compiled.states import conform, leaf_count, leaves, load_state, words_of
from zermelo.compiled.word64 import shift_down, shift_up, signed
from zermelo.errors import Unsolvable
from zermelo.game import State

KEY_BITS: Final = 63
"""The number of bits of a key. The sign bit is missing, since keys are not negative."""
MISFIT: Final = -1
"""Stands for the key of a state that the layout has no room for."""
STEPS: Final = 6
"""The number of steps that squeeze the bits of an int; step ``i`` moves some bits by ``2**i`` places."""
LOW, MASK, PLACE, WIDTH, UNSIGNED, MOST, MOVES = range(7)
"""The columns of a layout. A layout has a row for each int of a state: the number that is subtracted, the mask of the
bits that are kept, the place of these bits in the key, how many they are, whether the interpreted int is unsigned, how
many steps squeeze the bits, and the mask of the bits that move in each step."""


class Codec:
    """Turns the states of a game into keys and back.

    Parameters
    ----------
    game
        The compiled game.
    samples
        States as tuples of their ints. The layout has room for these, and for all others with the same bits.

    Raises
    ------
    Unsolvable
        The ints of the game's states vary in more than 63 bits, and the game has no `pack` and `unpack`.
    """

    def __init__(self, game: CompiledGame, samples: Iterable[Sequence[int]]) -> None:
        self.game = game
        self.samples = _telling([tuple(row) for row in samples])
        columns = list(zip(*self.samples, strict=True))
        self._lay_out([(_low(column), _varying(column), max(column) >> KEY_BITS) for column in columns])

    @classmethod
    def read(cls, game: CompiledGame, columns: Sequence[Sequence[int]]) -> Codec:
        """Return the codec with these `columns`, which a table has stored."""
        codec = cls.__new__(cls)
        codec.game, codec.samples = game, []
        codec._lay_out(columns)
        return codec

    @property
    def columns(self) -> list[list[int]]:
        """For each int of a state: the number that is subtracted, the mask of kept bits, and whether it is unsigned."""
        if self.game.pack is not None:
            return []
        return [[int(row[LOW]), int(row[MASK]), int(row[UNSIGNED])] for row in self.layout]

    def _lay_out(self, columns: Iterable[Sequence[int]]) -> None:
        """Make the layout from `columns`."""
        self.layout = np.zeros((leaf_count(self.game.state_type), MOVES + STEPS), dtype=np.int64)
        if self.game.pack is not None:
            return
        place = 0
        for row, (low, mask, unsigned) in zip(self.layout, columns, strict=True):
            mask &= ALL
            row[LOW], row[MASK], row[PLACE], row[WIDTH] = signed(low), signed(mask), place, mask.bit_count()
            row[UNSIGNED] = unsigned
            steps = squeezing_steps(mask)
            row[MOST] = max((number for number, step in enumerate(steps, start=1) if step), default=0)
            row[MOVES:] = [signed(step) for step in steps]
            place += mask.bit_count()
        if place > KEY_BITS:
            raise Unsolvable(
                f"The states of {self.game.game!r} vary in {place} bits, and keys of solved tables have {KEY_BITS}; "
                "give the game pack(state), an int of at most 63 bits, and unpack, its inverse."
            )

    def widened(self, misfits: NDArray[np.int64]) -> Codec:
        """Return a codec that also has room for ``misfits``, of shape (states, ints of a state)."""
        return Codec(self.game, [*self.samples, *(tuple(int(leaf) for leaf in row) for row in misfits)])

    def key(self, state: State) -> int:
        """Return the key of a state, `MISFIT` if the layout has no room for it; interpreted."""
        return key_of(self.game, self.layout, state)

    def state(self, key: int) -> State:
        """Return the state of a key; interpreted."""
        return state_of(self.game, self.layout, key, np.zeros(len(self.layout), dtype=np.int64))


def _low(column: Sequence[int]) -> int:
    """Return what is subtracted from the ints of a column: the least int if it is negative, otherwise 0."""
    return min(0, *column)


def _varying(column: Sequence[int]) -> int:
    """Return the mask of the bits that occur in a column after the subtraction."""
    low, mask = _low(column), 0
    for leaf in column:
        mask |= (leaf - low) & ALL
    return mask


def _telling(rows: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return a few rows that give the same layout as all: those with the least int of a column, or with new bits."""
    columns = list(zip(*rows, strict=True))
    lows = list(map(_low, columns))
    kept = [rows[column.index(min(column))] for column in columns]
    masks = [0] * len(lows)
    for row in [*kept, *sorted(set(rows))]:
        more = [mask | ((leaf - low) & ALL) for mask, leaf, low in zip(masks, row, lows, strict=True)]
        if more != masks:
            masks = more
            kept.append(row)
    return sorted(set(kept))


def leaves_of(state: State) -> tuple[int, ...]:
    """Return the ints of a state, from left to right."""
    return tuple(leaves(state))


def squeezing_steps(mask: int) -> list[int]:
    """Return, for each step, the mask of the bits that it moves: right by 1, then by 2, by 4 and so on up to 32.

    After all steps the bits of ``mask`` are side by side.
    """
    steps = []
    remaining = mask
    every = (1 << 64) - 1
    counts = ~mask << 1 & every
    for step in range(STEPS):
        parity = counts
        for distance in (1, 2, 4, 8, 16, 32):
            parity ^= parity << distance & every
        moving = parity & remaining
        steps.append(moving)
        remaining = remaining ^ moving | moving >> (1 << step)
        counts &= ~parity
    return steps


def key_of(game: CompiledGame, layout: NDArray[np.int64], state: State) -> int:
    """Return the key of a state, `MISFIT` if the layout has no room for it."""
    if game.pack is not None:
        return int(game.pack(state))
    key = 0
    for leaf, row in zip(leaves(state), layout.tolist(), strict=True):
        rest = (leaf - row[LOW]) & ALL
        if rest & ~row[MASK] & ALL:
            return MISFIT
        key |= _squeeze(rest, row) << row[PLACE]
    return key


def state_of(game: CompiledGame, layout: NDArray[np.int64], key: int, scratch: NDArray[np.int64]) -> State:
    """Return the state of a key; compiled code writes the state's ints to ``scratch``, which has room for them."""
    if game.unpack is not None:
        return game.unpack(int(key))
    words = []
    for row in layout.tolist():
        leaf = _spread(int(key) >> row[PLACE] & ((1 << row[WIDTH]) - 1), row) + row[LOW]
        words.append(leaf & ALL if row[UNSIGNED] else signed(leaf))
    return load_state(game, words)


def _squeeze(word: int, row: Sequence[int]) -> int:
    """Return the bits of ``word`` that a row of a layout keeps, side by side."""
    for step, moving in enumerate(row[MOVES:]):
        moved = word & moving & ALL
        word = (word ^ moved) | moved >> (1 << step)
    return word


def _spread(word: int, row: Sequence[int]) -> int:
    """Undo `_squeeze`: return the bits of ``word`` at the places that a row of a layout keeps."""
    for step in reversed(range(STEPS)):
        moving = row[MOVES + step] & ALL
        word = (word & ~moving) | (word << (1 << step) & moving)
    return word & row[MASK] & ALL


@overload(key_of, strict=False)
def _key_of(game: GameType, layout: types.Array, state: types.Type) -> Body:
    function = game.rules.pack
    if function is not None:
        return lambda game, layout, state: np.int64(function(state))

    def body(game: CompiledGame, layout: NDArray[np.int64], state: State) -> int:
        key = 0
        words = words_of(game, state)
        for number in range(len(words)):
            leaf = words[number] - layout[number, LOW]
            if leaf & ~layout[number, MASK]:
                return MISFIT
            for step in range(layout[number, MOST]):
                moving = leaf & layout[number, MOVES + step]
                leaf = (leaf ^ moving) | shift_down(moving, 1 << step)
            key |= shift_up(leaf, layout[number, PLACE])
        return key

    return body


@overload(state_of, strict=False)
def _state_of(game: GameType, layout: types.Array, key: types.Type, scratch: types.Array) -> Body:
    function = game.rules.unpack
    if function is not None:
        return lambda game, layout, key, scratch: conform(game, function(key))

    def body(game: CompiledGame, layout: NDArray[np.int64], key: int, scratch: NDArray[np.int64]) -> State:
        for number in range(len(layout)):
            leaf = shift_down(key, layout[number, PLACE]) & ((1 << layout[number, WIDTH]) - 1)
            for step in range(layout[number, MOST] - 1, -1, -1):
                moving = layout[number, MOVES + step]
                leaf = (leaf & ~moving) | (shift_up(leaf, 1 << step) & moving)
            scratch[number] = (leaf & layout[number, MASK]) + layout[number, LOW]
        return load_state(game, scratch)

    return body


@subkernel
def canonical_key(game: CompiledGame, layout: NDArray[np.int64], state: State, fold: bool) -> int:
    """Return the least key of a state and, with ``fold``, of the states that are symmetric to it."""
    least = key_of(game, layout, state)
    if fold:
        for other in symmetries(game, state):
            least = min(least, key_of(game, layout, other))
    return least
