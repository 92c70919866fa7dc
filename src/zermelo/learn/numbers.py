"""Finding numbers that are packed into the ints of a state, such as the seeds of all pits of a row in one int.

Nobody tells the program where they are. It compares the bits of the ints with the numbers in the pictures of
`Game.board`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.game import Game, State
from zermelo.learn.cells import Count, Table

_PICTURES: Final = 300
"""About how many pictures are looked at."""
_LEAST: Final = 2
"""A number has at least so many bits; a single bit rather says whether something is on a square."""
_RARE: Final = 0.002
"""One symbol stands for the greatest values, which this share of positions has together."""
_INT_BITS: Final = 63
"""The sign is no part of a number."""


class Packed(NamedTuple):
    """A number in the bits of an int, and where it is shown."""

    number: Count
    place: tuple[float, float]


def find_numbers(game: Game, states: Sequence[State], words: Table, everything: Table) -> list[Packed]:
    """Return the numbers that the pictures show and that are packed into ints.

    Parameters
    ----------
    game
        The game of the states.
    states
        Some positions.
    words
        Their ints, a row for each position.
    everything
        The ints of more positions, by which the symbols are chosen.
    """
    if game.board is None:
        return []
    step = max(1, len(states) // _PICTURES)
    pictures, words = [game.board(state) for state in states[::step]], words[::step]
    squares = pictures[0].cells
    shown = np.zeros((len(pictures), len(squares)), dtype=np.int64)
    for row, picture in zip(shown, pictures, strict=True):
        for piece in picture.pieces:
            row[piece.cell] += piece.number
    columns = (words[:, :, None] >> np.arange(_INT_BITS) & 1).astype(bool)
    found = list[Packed]()
    for square, numbers in zip(squares, shown.T, strict=True):
        count = _place_of(numbers, columns)
        if count is not None and not any(_overlap(count, other.number) for other in found):
            found.append(Packed(count, (float(square.x), float(square.y))))
    counts = [one.number for one in found]
    return [one._replace(number=_with_symbols(_widened(one.number, counts, words), everything)) for one in found]


def _place_of(numbers: NDArray[np.int64], columns: NDArray[np.bool_]) -> Count | None:
    """Return the bits of an int that always hold the numbers; None if there are none."""
    bits = int(numbers.max()).bit_length()
    if bits < _LEAST or numbers.min() < 0:
        return None
    digits = (numbers[:, None] >> np.arange(bits) & 1).astype(bool)
    for word in range(columns.shape[1]):
        for shift in range(_INT_BITS - bits + 1):
            if np.array_equal(columns[:, word, shift : shift + bits], digits):
                return Count(word, 0, 0, shift, bits)
    return None


def _overlap(one: Count, other: Count) -> bool:
    """Return whether two numbers share a bit."""
    first, second = sorted((one, other), key=lambda count: count.shift)
    return one.word == other.word and second.shift < first.shift + first.bits


def _widened(count: Count, counts: Sequence[Count], words: Table) -> Count:
    """Return a number with all bits up to the next one that is used for something else, since it may grow."""
    taken = {other.shift for other in counts if other.word == count.word}
    above = count.shift + count.bits
    while above < _INT_BITS and above not in taken and not (words[:, count.word] >> above & 1).any():
        above += 1
    return replace(count, bits=above - count.shift)


def _with_symbols(count: Count, words: Table) -> Count:
    """Return a number with a symbol for each value that is not rare."""
    values = np.sort(count.values(words))
    return replace(count, symbols=int(values[int((1 - _RARE) * (len(values) - 1))]) + 1)


def without_numbers(words: Table, numbers: Sequence[Packed]) -> Table:
    """Return ints with 0 in the place of the numbers."""
    rest = words.copy()
    for count, _ in numbers:
        rest[:, count.word] &= ~(count.mask << count.shift)
    return rest
