"""The cells of a game: what a learned evaluation sees of a state.

A *cell* is a place whose content is one of a few *symbols*, numbered from 0. There are three kinds of them:

- Each bit that changes in a word used as a set of squares is a cell. Words with the same squares are read together: the
  symbol says which of the words have the bit. In othello, 0 is an empty square, 1 a disc of the player to move and 2 a
  disc of the opponent; in chess, a symbol is a kind of man with its colour.
- Each int that takes few values is a cell whose symbol is the value. So is each number that is packed into some bits of
  an int, such as the seeds in a pit, if the picture of the board shows it.
- So is each int that the game's ``features`` gives.

An empty square is *open* if the player to move can fill it with his next action: a column's lowest empty square in
connect, a square where a disc would turn others in othello. Where some empty squares are open and others are not, these
are two symbols.

The player to move is no cell, and neither are counters, which `Game.position` leaves out. Everything is seen from the
side of the player to move: where it is MIN's turn, a cell shows what it would show after `Game.swap`. Without `swap`
there are two evaluations, one for each player to move.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zermelo.bits import mask
from zermelo.compiled.states import leaves, word_of
from zermelo.errors import BadParameter
from zermelo.game import Game, State

Table = NDArray[np.int64]
"""Of shape (positions, cells) or (positions, ints of a state)."""


@dataclass(frozen=True)
class Group:
    """Words with the same squares."""

    words: tuple[int, ...]
    """Their numbers among the ints of a state."""
    bits: tuple[int, ...]
    """The bit of each cell."""
    codes: tuple[int, ...]
    """For each symbol, the words that have the cell's bit, as bits themselves. That of symbol 0 is 0."""


@dataclass(frozen=True)
class Count:
    """An int that is a cell of its own, or a number in some of its bits."""

    word: int
    low: int
    """The value that symbol 0 stands for, and smaller values as well."""
    symbols: int
    """How many there are; the last one stands for greater values as well."""
    shift: int = 0
    """The lowest bit of the number."""
    bits: int = 64
    """How many bits it has."""

    @property
    def mask(self) -> int:
        """An int in which the lowest so many bits are set."""
        return mask((1 << self.bits) - 1)

    def values(self, words: Table) -> NDArray[np.int64]:
        """Return the numbers, of shape (positions,), in states given by their ints."""
        return words[:, self.word] >> self.shift & self.mask

    def held(self, word: int) -> int:
        """Return the number in an int of a state."""
        return word >> self.shift & self.mask

    def put(self, word: int, number: int) -> int:
        """Return an int of a state with another number in it."""
        return word & ~(self.mask << self.shift) | number << self.shift


@dataclass(frozen=True)
class View:
    """What cells show if a position is seen in another way."""

    cells: tuple[int, ...]
    """For each cell, the one that is read in its place."""
    symbols: tuple[tuple[int, ...], ...]
    """For each group, and then for each count: the symbol that each symbol of its cells is shown as."""


@dataclass(frozen=True)
class Cells:
    """All cells of a game: first those of the groups, then the counts."""

    groups: tuple[Group, ...]
    counts: tuple[Count, ...]
    swapped: View | None
    """How the cells look where it is MIN's turn; None if a second evaluation is needed."""
    symmetries: tuple[tuple[int, ...], ...]
    """For each symmetry of the game, the cell that is read in the place of each cell."""
    places: tuple[tuple[float, float] | None, ...]
    """Where each cell lies in the picture of a board, if it is there."""
    open_words: tuple[int, ...] = ()
    """If symbols tell open squares: the words by which they are found. The open squares come last among the words."""

    @property
    def symbols(self) -> tuple[int, ...]:
        """The number of symbols of each cell."""
        of_groups = [len(group.codes) for group in self.groups for _ in group.bits]
        return (*of_groups, *(count.symbols for count in self.counts))

    @property
    def families(self) -> tuple[int, ...]:
        """For each cell the number of its group; counts come after the groups, each with a number of its own."""
        of_groups = [number for number, group in enumerate(self.groups) for _ in group.bits]
        return (*of_groups, *range(len(self.groups), len(self.groups) + len(self.counts)))

    @property
    def bits(self) -> list[tuple[Group, int]]:
        """The group and the bit of each cell of a group."""
        return [(group, bit) for group in self.groups for bit in group.bits]


def seen_ints(game: Game, state: State) -> tuple[int, ...]:
    """Return what an evaluation sees of a state besides open squares: its ints from left to right, and its features.

    Raises
    ------
    BadParameter
        The features are no tuple of ints.
    """
    words = tuple(word_of(leaf) for leaf in leaves(state))
    if game.features is None:
        return words
    found = game.features(state)
    if not (isinstance(found, tuple) and all(isinstance(one, int) for one in found)):
        raise BadParameter(f"features of {game!r} gives {found!r}; it must be a tuple of small ints.")
    return words + tuple(int(one) for one in found)


def read(groups: Sequence[Group], counts: Sequence[Count], words: Table) -> Table:
    """Return the symbols of all cells, of shape (positions, cells), in states given by their ints."""
    columns = []
    for group in groups:
        decode = np.zeros(1 << len(group.words), dtype=np.int64)
        decode[list(group.codes)] = range(len(group.codes))
        for bit in group.bits:
            code = sum(((words[:, word] >> bit) & 1) << place for place, word in enumerate(group.words))
            columns.append(decode[code])
    columns += [np.clip(count.values(words) - count.low, 0, count.symbols - 1) for count in counts]
    return np.stack(columns, axis=1)
