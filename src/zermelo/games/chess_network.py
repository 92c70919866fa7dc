"""What the terms of EVAL of chess leave out: a small network that corrects their sum.

The network looks at the board twice, with the eyes of the player to move and with those of the opponent. Each time,
every man adds a row of numbers to the *hidden units*, by its kind, its side and its square, with the board turned so
that the looking player moves up. A unit counts from 0 to `FULL`; its square, times a weight, goes into the correction.
The last weights depend on how many men there are. This is the shape of efficiently updatable networks (Y. Nasu 2018),
without the updates: with so few units, to begin anew for each position costs little.

Four units travel in one int, as *lanes* of 16 bits, so that one addition serves four of them.
`benchmarks/tune_chess_network.py` learned the numbers of `chess_network.json` from games of the engine.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.bits import lowest_index, popcount, shift_right
from zermelo.game import MAX
from zermelo.games.chess_board import State

FILE: Final = Path(__file__).with_suffix(".json")
LANES: Final = 4
LANE: Final = 16
"""Bits of a lane."""
UNITS: Final = 16
"""Hidden units of each of the two views."""
WORDS: Final = UNITS // LANES
KINDS: Final = 8
"""A man's kind is 1 for a pawn and 2 for a knight, plus 3 if it moves diagonally and 4 if it moves straight."""
FULL: Final = 256
"""The most that a hidden unit counts."""
ZERO: Final = 1 << 14
"""What a lane holds if its unit is 0, so that no lane is ever negative."""
STEEPEST: Final = 480
"""No number of a row is larger, so that the rows of 32 men fit into a lane."""
BUCKETS: Final = 4
"""Sets of last weights: for up to 8 men, up to 16, up to 24, and more."""
SHIFT: Final = 20
"""The correction is the sum over the units, without so many bits."""
MOST: Final = 1_000
"""The largest correction, in hundredths of a pawn."""


class Network(NamedTuple):
    """The numbers of the network."""

    rows: NDArray[np.int64]
    """Of shape (2 * KINDS * 64 * WORDS,): what a man adds to each word; first those of the looking player's men."""
    start: tuple[int, ...]
    """The words before any man is added."""
    last: NDArray[np.int64]
    """Of shape (BUCKETS * 2 * UNITS,): the last weights, first those of the view of the player to move."""
    base: tuple[int, ...]
    """For each bucket, what is added in the end."""


def packed(numbers: Sequence[int]) -> list[int]:
    """Return numbers of hidden units as words; the sum of words has the sums of the numbers in its lanes."""
    words = [numbers[place : place + LANES] for place in range(0, len(numbers), LANES)]
    return [sum(number << LANE * lane for lane, number in enumerate(word)) for word in words]


def read_network(path: Path = FILE) -> Network:
    """Read the numbers from a file."""
    found = json.loads(path.read_text(encoding="utf-8"))
    rows = [word for row in found["rows"] for word in packed(row)]
    start = packed([ZERO + number for number in found["start"]])
    last = [number for numbers in found["last"] for number in numbers]
    return Network(np.array(rows), tuple(start), np.array(last), tuple(found["base"]))


def correction(network: Network) -> Callable[[State], int]:
    """Return the function that says by how much EVAL is too low, for MAX."""
    rows, start, last, base = network

    def weighted(words: tuple[int, ...], place: int) -> int:
        """Return the sum over the units of one view, whose last weights begin at that place."""
        total = 0
        for word in words:
            for lane in range(LANES):
                unit = min(max((shift_right(word, LANE * lane) & ((1 << LANE) - 1)) - ZERO, 0), FULL)
                total += unit * unit * int(last[place])
                place += 1
        return total

    def correct(state: State) -> int:
        """Return the correction; the network itself thinks for the player to move."""
        men, mine = state.white | state.black, state.white if state.player == MAX else state.black
        turn = 0 if state.player == MAX else 56
        bucket = (popcount(men) - 1) // 8
        a, b, c, d = start
        e, f, g, h = start
        while men:
            square = lowest_index(men)
            men &= men - 1
            kind = (state.pawns >> square & 1) + 2 * (state.knights >> square & 1)
            kind += 3 * (state.diagonal_sliders >> square & 1) + 4 * (state.straight_sliders >> square & 1)
            other = KINDS * (mine >> square & 1)
            place = ((KINDS - other + kind) * 64 + (square ^ turn)) * WORDS
            a += int(rows[place])
            b += int(rows[place + 1])
            c += int(rows[place + 2])
            d += int(rows[place + 3])
            place = ((other + kind) * 64 + (square ^ turn ^ 56)) * WORDS
            e += int(rows[place])
            f += int(rows[place + 1])
            g += int(rows[place + 2])
            h += int(rows[place + 3])
        total = weighted((a, b, c, d), bucket * 2 * UNITS) + weighted((e, f, g, h), bucket * 2 * UNITS + UNITS)
        found = min(max((total + base[bucket]) >> SHIFT, -MOST), MOST)
        return found if state.player == MAX else -found

    return correct


NETWORK: Final = read_network()
