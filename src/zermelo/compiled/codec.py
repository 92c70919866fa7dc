"""Keys of states, and back: positions are sorted, stored and looked up by ints of 63 bits.

A game may make its keys itself, with `pack` and `unpack`. Otherwise the codec keeps only the bits that occur in
reachable positions. From each int of a state it subtracts the least value, if that is negative; squeezes the rest to
those bits (H. S. Warren, Hacker's Delight, 7-4); and puts the results side by side::

    State(max_men, min_men, player)  ->  0 | player | min_men on dark squares | max_men on dark squares

The codec learns from random games which bits occur. A state that does not fit is noticed when its key is made, and
makes the codec wider. In the end the layout depends only on the positions, not on their order.
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
"""Keys are not negative."""
MISFIT: Final = -1
"""In place of a key, for a state that the layout has no room for."""
STEPS: Final = 6
LOW, MASK, PLACE, WIDTH, UNSIGNED, MOST, MOVES = range(7)
"""The columns of a layout, which has a row for each int of a state: what is subtracted, which bits are kept, where they
go, how many they are, whether the interpreted int is unsigned, how many steps squeeze the bits, and which bits move in
each step."""


class Codec:
    """How states of a game become keys.

    Parameters
    ----------
    game
        The compiled game.
    samples
        States as tuples of their ints; the layout has room for these and for all others with the same bits.

    Raises
    ------
    Unsolvable
        The ints of its states vary in more than 63 bits, and the game has no `pack` and `unpack`.
    """

    def __init__(self, game: CompiledGame, samples: Iterable[Sequence[int]]) -> None:
        self.game = game
        self.samples = _telling([tuple(row) for row in samples])
        columns = list(zip(*self.samples, strict=True))
        self._lay_out([(_low(column), _varying(column), max(column) >> KEY_BITS) for column in columns])

    @classmethod
    def read(cls, game: CompiledGame, columns: Sequence[Sequence[int]]) -> Codec:
        """The codec with these `columns`, as a table stores them."""
        codec = cls.__new__(cls)
        codec.game, codec.samples = game, []
        codec._lay_out(columns)
        return codec

    @property
    def columns(self) -> list[list[int]]:
        """For each int of a state: what is subtracted, the bits that are kept, and whether it is unsigned."""
        if self.game.pack is not None:
            return []
        return [[int(row[LOW]), int(row[MASK]), int(row[UNSIGNED])] for row in self.layout]

    def _lay_out(self, columns: Iterable[Sequence[int]]) -> None:
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
        """A codec that also has room for the states in the rows of ``misfits``."""
        return Codec(self.game, [*self.samples, *(tuple(int(leaf) for leaf in row) for row in misfits)])

    def key(self, state: State) -> int:
        """The key of a state, `MISFIT` if the layout has no room for it; interpreted."""
        return key_of(self.game, self.layout, state)

    def state(self, key: int) -> State:
        """The state of a key; interpreted."""
        return state_of(self.game, self.layout, key, np.zeros(len(self.layout), dtype=np.int64))


def _low(column: Sequence[int]) -> int:
    """What is subtracted from the ints of a column: 0, so that boards keep their bits, or the least negative int."""
    return min(0, *column)


def _varying(column: Sequence[int]) -> int:
    """The bits that occur in a column after the subtraction."""
    low, mask = _low(column), 0
    for leaf in column:
        mask |= (leaf - low) & ALL
    return mask


def _telling(rows: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """A few rows that give the same layout as all: those with the least int of a column, and those that add bits."""
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
    """The ints of a state, left to right."""
    return tuple(leaves(state))


def squeezing_steps(mask: int) -> list[int]:
    """The bits that move right by 1, by 2, by 4 and so on up to 32 so that the bits of ``mask`` end up side by side."""
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
    """The key of a state, `MISFIT` if the layout has no room for it."""
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
    """The state of a key; ``scratch`` has room for its ints."""
    if game.unpack is not None:
        return game.unpack(int(key))
    words = []
    for row in layout.tolist():
        leaf = _spread(int(key) >> row[PLACE] & ((1 << row[WIDTH]) - 1), row) + row[LOW]
        words.append(leaf & ALL if row[UNSIGNED] else signed(leaf))
    return load_state(game, words)


def _squeeze(word: int, row: Sequence[int]) -> int:
    """The bits of ``word`` that a row of a layout keeps, side by side."""
    for step, moving in enumerate(row[MOVES:]):
        moved = word & moving & ALL
        word = (word ^ moved) | moved >> (1 << step)
    return word


def _spread(word: int, row: Sequence[int]) -> int:
    """The inverse of `_squeeze`."""
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
    """The least key among a state and, with ``fold``, those that are symmetric to it."""
    least = key_of(game, layout, state)
    if fold:
        for other in symmetries(game, state):
            least = min(least, key_of(game, layout, other))
    return least
