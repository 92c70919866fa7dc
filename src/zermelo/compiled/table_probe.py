"""The probe protocol: how a search looks states up in solved tables.

A table gives `Arrays`: sorted keys, the places where keys with the same upper bits begin, and the outcome of each key.
For each table, a kernel gets a row of ints with the addresses of these arrays, and finds a state in a few steps.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

import numpy as np
from numba import types
from numpy.typing import NDArray

from zermelo.compiled.cache import inlined, subkernel
from zermelo.compiled.codec import canonical_key
from zermelo.compiled.game import CompiledGame, GameType
from zermelo.compiled.link_late import PART
from zermelo.compiled.overloads import Body, overload
from zermelo.compiled.rules import has_counters, plies_left, position, repetition
from zermelo.compiled.word64 import words_at
from zermelo.game import Action, State

PLIES: Final = 1 << 16
"""The factor in an outcome, ``value * PLIES + remoteness``."""
ENDLESS: Final = PLIES - 1
"""Stands for the remoteness of play that never ends."""
UNSOLVED: Final = -(1 << 62)
"""Stands for the outcome of a state that the tables do not hold."""
NEAR: Final = 16
"""So many neighbouring keys are compared with a key one after the other, which is quicker than halving them."""
FIELDS: Final = 10
"""The number of ints that describe a table to kernels."""


class Arrays(NamedTuple):
    """A table, or part of one, in memory."""

    layout: NDArray[np.int64]
    """The layout of the table's codec; see `zermelo.compiled.codec`."""
    fold: bool
    """Whether symmetric states share a key."""
    keys: NDArray[np.int64]
    """Shape (n,): the keys, in ascending order."""
    heads: NDArray[np.int64]
    """``heads[i]`` is the place of the first key that is at least ``keys[0] + (i << shift)``."""
    shift: int
    """The number of low bits of a key's distance from ``keys[0]`` that ``heads`` leaves out."""
    outcomes: NDArray[np.int64]
    """Shape (n,): the outcome of each key, ``value * PLIES + remoteness``."""


class SolvedState(Protocol):
    """A state's entry in a solved table."""

    @property
    def value(self) -> int:
        """The value of the state, for MAX."""

    @property
    def remoteness(self) -> int | None:
        """Plies to the end under perfect play; None if play never ends."""


class SolvedAction(SolvedState, Protocol):
    """An action, with the entry of the state that it leads to."""

    @property
    def action(self) -> Action:
        """The action."""


class Probed(Protocol):
    """A table in which searches can look states up."""

    def arrays(self, memory: int) -> Arrays:
        """Return as much of the table as fits into ``memory`` bytes."""

    def get(self, state: State) -> SolvedState | None:
        """Return the entry of a state; None if the table does not hold it."""

    def moves(self, state: State) -> Sequence[SolvedAction]:
        """Return every action of a state, the best first."""

    def line(self, state: State) -> Sequence[Action]:
        """Return the actions of best play from a state."""


def described(tables: list[Arrays]) -> NDArray[np.int64]:
    """Return the ints that describe the tables to kernels; the tables' arrays must live as long as kernels use them."""
    words = np.zeros((max(1, len(tables)), FIELDS), dtype=np.int64)
    for row, table in zip(words, tables, strict=False):
        row[:] = (
            table.keys.ctypes.data,
            len(table.keys),
            table.heads.ctypes.data,
            len(table.heads),
            table.shift,
            table.outcomes.ctypes.data,
            table.layout.ctypes.data,
            len(table.layout),
            table.layout.shape[1],
            table.fold,
        )
    return words.reshape(-1)


@inlined
def place_of(keys: NDArray[np.int64], heads: NDArray[np.int64], shift: int, key: int) -> int:
    """Return the place of a key in ``keys``, -1 if it is not there; the first three arguments are as in `Arrays`."""
    if len(keys) == 0 or key < keys[0] or key > keys[-1]:
        return -1
    head = (key - keys[0]) >> shift
    low, high = heads[head], heads[head + 1]
    while high - low > NEAR:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    while keys[low] < key:  # the last key is not less
        low += 1
    return low if keys[low] == key else -1


def solved_outcome(game: CompiledGame, state: State, address: int, tables: int) -> int:
    """Return the outcome of a state that the tables tell, `UNSOLVED` if they tell none; see `looked_up`."""
    return looked_up(game, state, address, tables) if game.has_tables else UNSOLVED


@overload(solved_outcome, strict=False, jit_options=PART)
def _solved_outcome(game: GameType, state: types.Type, address: types.Type, tables: types.Type) -> Body:
    if game.rules.has_tables:
        return lambda game, state, address, tables: looked_up(game, state, address, tables)
    return lambda game, state, address, tables: UNSOLVED


@subkernel
def looked_up(game: CompiledGame, state: State, address: int, tables: int) -> int:
    """Return the outcome of a state that the tables tell, `UNSOLVED` if they tell none; see `stored_outcome`.

    A table may hold the state without its counters. Then a draw is a draw, too, since counters only bring the end
    nearer; and a win or loss holds if it comes before a counter can end the game.
    """
    found = stored_outcome(game, state, address, tables)
    if has_counters(game) and found == UNSOLVED:
        found = stored_outcome(game, position(game, state), address, tables)
        if found != UNSOLVED and found >> 16 != repetition(game, state) and found & ENDLESS > plies_left(game, state):
            return UNSOLVED
    return found


@subkernel
def stored_outcome(game: CompiledGame, state: State, address: int, tables: int) -> int:
    """Return the outcome of a state in the first table that holds it, `UNSOLVED` if none does.

    Parameters
    ----------
    address
        The address of the ints of `described`.
    tables
        The number of tables.
    """
    rows = words_at(address, tables * FIELDS)
    for number in range(tables):
        row = rows[number * FIELDS : (number + 1) * FIELDS]
        layout = words_at(row[6], row[7] * row[8]).reshape((row[7], row[8]))
        key = canonical_key(game, layout, state, row[9] != 0)
        place = place_of(words_at(row[0], row[1]), words_at(row[2], row[3]), row[4], key)
        if place >= 0:
            return int(words_at(row[5], row[1])[place])
    return UNSOLVED
