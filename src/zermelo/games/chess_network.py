"""What the terms of EVAL of chess leave out: a small network that corrects their sum.

The network has one hidden layer. It looks at the board twice, with the eyes of the player to move and with those of the
opponent. Each time, every man adds a row of input weights to the hidden units, by its kind, its side and its square,
with the board turned so that the looking player moves up. A unit is clipped to 0 and `ONE`; its square, times an output
weight, goes into the correction. The output weights depend on how many men there are. This is the shape of efficiently
updatable networks (Y. Nasu 2018), without the updates: so few units are added up anew for each position.

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
from zermelo.games.chess_board import State, kings

FILE: Final = Path(__file__).with_suffix(".json")
LANES: Final = 4
LANE: Final = 16
"""Bits of a lane."""
UNITS: Final = 16
"""Hidden units of each of the two views."""
WORDS: Final = UNITS // LANES
KINDS: Final = 8
"""A man's kind is 1 for a pawn and 2 for a knight, plus 3 if it moves diagonally and 4 if it moves straight."""
KIND_OF_SET: Final = (0, 1, 2, 3, 4, 7)
"""The kinds of kings, pawns, knights, bishops, rooks and queens."""
ONE: Final = 256
"""The int that stands for 1, the most that a hidden unit counts."""
OFFSET: Final = 1 << 14
"""What a lane holds if its unit is 0, so that no lane is ever negative."""
LARGEST: Final = 480
"""No input weight is larger, so that those of 32 men fit into a lane."""
BUCKETS: Final = 4
"""Sets of output weights: for up to 8 men, up to 16, up to 24, and more."""
SHIFT: Final = 20
"""A correction of one hundredth of a pawn is 1 with so many zeros after it, before it is rounded down."""
MOST: Final = 1_000
"""The largest correction, in hundredths of a pawn."""


class Network(NamedTuple):
    """The numbers of the network."""

    input_weights: NDArray[np.int64]
    """Of shape (2 * KINDS * 64 * WORDS,): what a man adds to each word; first those of the looking player's men."""
    hidden_biases: tuple[int, ...]
    """The words before any man is added."""
    output_weights: NDArray[np.int64]
    """Of shape (BUCKETS * 2 * UNITS,); in each bucket, those of the view of the player to move come first."""
    output_biases: tuple[int, ...]
    """For each bucket, what is added in the end."""


def packed(numbers: Sequence[int]) -> list[int]:
    """Return numbers of hidden units as words; the sum of words has the sums of the numbers in its lanes."""
    words = [numbers[place : place + LANES] for place in range(0, len(numbers), LANES)]
    return [sum(number << LANE * lane for lane, number in enumerate(word)) for word in words]


def read_network(path: Path = FILE) -> Network:
    """Read the numbers from a file."""
    found = json.loads(path.read_text(encoding="utf-8"))
    input_weights = [word for row in found["input_weights"] for word in packed(row)]
    hidden_biases = packed([OFFSET + bias for bias in found["hidden_biases"]])
    output_weights = [weight for bucket in found["output_weights"] for weight in bucket]
    return Network(
        np.array(input_weights), tuple(hidden_biases), np.array(output_weights), tuple(found["output_biases"])
    )


def first_rows(kind: int, owned: int) -> tuple[int, int]:
    """Return the first row of input weights of a kind of man for the player to move, who owns it if ``owned`` is 1, and
    the first for the opponent; a row for each square follows.
    """
    return (KINDS * (1 - owned) + kind) * 64, (KINDS * owned + kind) * 64


def rows_of(state: State, square: int) -> tuple[int, int]:
    """Return which row of input weights the man on a square adds to the view of the player to move, and which to that
    of the opponent.
    """
    kind = (state.pawns >> square & 1) + 2 * (state.knights >> square & 1)
    kind += 3 * (state.diagonal_sliders >> square & 1) + 4 * (state.straight_sliders >> square & 1)
    mine, turn = (state.white, 0) if state.player == MAX else (state.black, 56)
    row, opposite = first_rows(kind, mine >> square & 1)
    return row + (square ^ turn), opposite + (square ^ turn ^ 56)


def correction(network: Network) -> Callable[[State], int]:
    """Return the function that says by how much EVAL is too low, for MAX."""
    input_weights, hidden_biases, output_weights, output_biases = network

    def output(words: tuple[int, ...], place: int) -> int:
        """Return what the units of one view add to the correction; their output weights begin at that place."""
        total = 0
        for word in words:
            for lane in range(LANES):
                unit = min(max((shift_right(word, LANE * lane) & ((1 << LANE) - 1)) - OFFSET, 0), ONE)
                total += unit * unit * int(output_weights[place])
                place += 1
        return total

    def correct(state: State) -> int:
        """Return the correction; the network itself thinks for the player to move."""
        men = state.white | state.black
        bucket = (popcount(men) - 1) // 8
        mine, turn = (state.white, 0) if state.player == MAX else (state.black, 56)
        queens = state.diagonal_sliders & state.straight_sliders
        bishops, rooks = state.diagonal_sliders ^ queens, state.straight_sliders ^ queens
        sets = (kings(state), state.pawns, state.knights, bishops, rooks, queens)
        a, b, c, d = hidden_biases
        e, f, g, h = hidden_biases
        for number in range(len(sets)):
            for owned in range(2):
                left = sets[number] & (mine if owned else ~mine)
                row, opposite = first_rows(KIND_OF_SET[number], owned)
                while left:
                    square = lowest_index(left) ^ turn
                    left &= left - 1
                    place = (row + square) * WORDS
                    a += int(input_weights[place])
                    b += int(input_weights[place + 1])
                    c += int(input_weights[place + 2])
                    d += int(input_weights[place + 3])
                    place = (opposite + (square ^ 56)) * WORDS
                    e += int(input_weights[place])
                    f += int(input_weights[place + 1])
                    g += int(input_weights[place + 2])
                    h += int(input_weights[place + 3])
        place = bucket * 2 * UNITS
        total = output_biases[bucket] + output((a, b, c, d), place) + output((e, f, g, h), place + UNITS)
        found = min(max(total >> SHIFT, -MOST), MOST)
        return found if state.player == MAX else -found

    return correct


NETWORK: Final = read_network()
