"""Many states at once, in one of three forms: states, rows of their ints, or the ints that the game's ``pack`` gives.

Arrays hold ints of 64 bits with a sign, and interpreted rules may take the 64th bit for a square of the board. So a
column of rows whose least int needs more than 32 bits is read without a sign. Packed ints leave no such doubt.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np
from numba.core import config
from numpy.typing import NDArray

from zermelo.bits import ALL
from zermelo.compiled.codec import leaves_of
from zermelo.compiled.explain import explained
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.states import leaf_count, load_state
from zermelo.compiled.word64 import signed
from zermelo.errors import BadParameter
from zermelo.game import State
from zermelo.solver.model.expand import write_rows

Given: TypeAlias = Sequence[State] | NDArray[np.int64]
"""States; or an array of shape (states, ints of a state); or one of shape (states,) that holds packed ints."""
BLOCK: Final = 1 << 20
"""The most rows that are made of packed ints at a time."""
_LEAST: Final = -(1 << 31)
"""No int of a state that has a sign is less than this."""


class States:
    """States of a game, in whatever form they were given.

    Parameters
    ----------
    game
        The compiled game.
    given
        The states; the game's initial state if empty.

    Raises
    ------
    BadParameter
        An array has another shape, or the game does not pack its states.
    """

    def __init__(self, game: CompiledGame, given: Given) -> None:
        self.game = game
        given = given if len(given) else [game.game.initial]
        self._states = None if isinstance(given, np.ndarray) else given
        width = leaf_count(game.state_type)
        if isinstance(given, np.ndarray):
            self.array = np.ascontiguousarray(given, dtype=np.int64)
            if self.is_packed and (game.pack is None or game.unpack is None):
                raise BadParameter(f"{game.game!r} does not pack its states; give rows of {width} ints.")
            if not self.is_packed and self.array.shape[1:] != (width,):
                raise BadParameter(f"States of {game.game!r} have {width} ints; the array has shape {given.shape}.")
        else:
            rows = [[signed(leaf) for leaf in leaves_of(state)] for state in given]
            self.array = np.array(rows, dtype=np.int64)
        self._unsigned = np.zeros(width, dtype=bool)
        if not self.is_packed:
            self._unsigned = self.array.min(axis=0) < _LEAST

    @property
    def is_packed(self) -> bool:
        """Whether the array holds packed ints, and no rows."""
        return self.array.ndim == 1

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, number: int) -> State:
        """The state, as the interpreted rules take it."""
        if self._states is not None:
            return self._states[number]
        if self.is_packed:
            assert self.game.unpack is not None
            return self.game.unpack(int(self.array[number]))
        return load_state(self.game, self._read(number))

    def _read(self, number: int) -> list[int]:
        """Return the ints of a row, those of unsigned columns as they are without a sign."""
        row = self.array[number].tolist()
        return [leaf & ALL if plain else leaf for leaf, plain in zip(row, self._unsigned, strict=True)]

    def blocks(self, layout: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        """Yield all states as rows, some at a time; ``layout`` is that of the codec.

        Without a compiler the rows hold Python's ints, so that interpreted rules read no bit as a sign.
        """
        if config.DISABLE_JIT:
            yield np.array([leaves_of(self[number]) for number in range(len(self))], dtype=object)
            return
        if not self.is_packed:
            yield self.array
            return
        for begin in range(0, len(self), BLOCK):
            packed = self.array[begin : begin + BLOCK]
            rows = np.empty((len(packed), len(layout)), dtype=np.int64)
            with explained(self.game):
                write_rows(self.game, layout, packed, rows, np.zeros(len(layout), dtype=np.int64))
            yield rows

    def telling(self) -> list[tuple[int, ...]]:
        """Return the ints of a few states that give the same codec as all; none where the game packs its states.

        They are the least of each column, and one with each of its bits.
        """
        if self.is_packed:
            return []
        chosen = set()
        for column, plain in zip(self.array.T, self._unsigned, strict=True):
            rest = column.view(np.uint64) if plain else column - min(0, int(column.min()))
            chosen.add(int(np.argmin(column)))
            for bit in range(int(np.bitwise_or.reduce(rest)).bit_length()):
                chosen.add(int(np.argmax(rest >> bit & 1)))
        return [tuple(self._read(row)) for row in sorted(chosen)]

    def digest(self) -> str:
        """Return a hash of the states, whatever their order."""
        distinct = np.unique(self.array) if self.is_packed else np.unique(self.array, axis=0)
        return hashlib.sha256(distinct.tobytes()).hexdigest()[:16]
