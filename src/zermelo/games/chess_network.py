"""What the terms of EVAL of chess leave out: a small network that corrects their sum.

The network has one hidden layer. It looks at the board twice, with the eyes of the player to move and with those of the
opponent. Each time, every man adds a row of input weights to the hidden units, by its kind, its side and its square.
The board is turned so that the looking player moves up, and mirrored so that this player's king stands on its right
half. A unit is clipped to 0 and `ONE`; its square, times an output weight, goes into the correction. The output weights
depend on how many men there are. This is the shape of efficiently updatable networks (Y. Nasu 2018), without the
updates: a processor's vectors add so few units up anew for each position (`zermelo.vectors`).

`benchmarks/tune_chess_network.py` learned the numbers of `chess_network.json` from games of the engine.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.bits import lowest_index, popcount
from zermelo.game import MAX
from zermelo.games.chess_board import State, kings
from zermelo.vectors import clipped, dot, vector_at

FILE: Final = Path(__file__).with_suffix(".json")
UNITS: Final = 64
"""Hidden units of each of the two views."""
KINDS: Final = 8
"""A man's kind is 1 for a pawn and 2 for a knight, plus 3 if it moves diagonally and 4 if it moves straight."""
KIND_OF_SET: Final = (0, 1, 2, 3, 4, 7)
"""The kinds of kings, pawns, knights, bishops, rooks and queens."""
ONE: Final = 181
"""The int that stands for 1, the most that a hidden unit counts. Its square is just below 2**15."""
LARGEST: Final = 900
"""No input weight is larger, so that those of 32 men and a bias add up to a number of 16 bits."""
LARGEST_OUTPUT: Final = (1 << 15) - 1
"""No output weight is larger."""
BUCKETS: Final = 4
"""Sets of output weights: for up to 8 men, up to 16, up to 24, and more."""
SHIFT: Final = 19
"""A correction of one hundredth of a pawn is 1 with so many zeros after it, before it is rounded down."""
MOST: Final = 1_000
"""The largest correction, in hundredths of a pawn."""


class Network(NamedTuple):
    """The numbers of the network."""

    input_weights: NDArray[np.int16]
    """Of shape (2 * KINDS * 64, UNITS): what a man adds to the units; first the rows of the looking player's men."""
    hidden_biases: NDArray[np.int16]
    """Of shape (1, UNITS): the units before any man is added."""
    output_weights: NDArray[np.int16]
    """Of shape (2 * BUCKETS, UNITS); in each bucket, the row of the view of the player to move comes first."""
    output_biases: tuple[int, ...]
    """For each bucket, what is added in the end."""


def read_network(path: Path = FILE) -> Network:
    """Read the numbers from a file."""
    found = json.loads(path.read_text(encoding="utf-8"))
    biases = np.array([found["hidden_biases"]], dtype=np.int16)
    inputs, outputs = (np.array(found[name], dtype=np.int16) for name in ("input_weights", "output_weights"))
    return Network(inputs, biases, outputs, tuple(found["output_biases"]))


def first_rows(kind: int, owned: int) -> tuple[int, int]:
    """Return the first row of input weights of a kind of man for the player to move, who owns it if ``owned`` is 1, and
    the first for the opponent; a row for each square follows.
    """
    return (KINDS * (1 - owned) + kind) * 64, (KINDS * owned + kind) * 64


def turns(state: State) -> tuple[int, int]:
    """Return what turns the numbers of squares, by ``^``, for the view of the player to move, and for the other."""
    mine, turn = (state.white, 0) if state.player == MAX else (state.black, 56)
    king, opposite = lowest_index(kings(state) & mine), lowest_index(kings(state) & ~mine)
    return turn ^ (~king >> 2 & 1) * 7, turn ^ 56 ^ (~opposite >> 2 & 1) * 7


def rows_of(state: State, square: int) -> tuple[int, int]:
    """Return which row of input weights the man on a square adds to the view of the player to move, and which to that
    of the opponent.
    """
    kind = (state.pawns >> square & 1) + 2 * (state.knights >> square & 1)
    kind += 3 * (state.diagonal_sliders >> square & 1) + 4 * (state.straight_sliders >> square & 1)
    mine = state.white if state.player == MAX else state.black
    row, opposite = first_rows(kind, mine >> square & 1)
    turn, opposite_turn = turns(state)
    return row + (square ^ turn), opposite + (square ^ opposite_turn)


def correction(network: Network) -> Callable[[State], int]:
    """Return the function that says by how much EVAL is too low, for MAX.

    Raises
    ------
    ValueError
        The network has not as many units as there are places for.
    """
    if network.hidden_biases.shape != (1, UNITS):
        raise ValueError(f"the network has {network.hidden_biases.size} units, not {UNITS}")
    input_weights, hidden_biases, output_weights, output_biases = network

    def correct(state: State) -> int:
        """Return the correction; the network itself thinks for the player to move."""
        bucket = (popcount(state.white | state.black) - 1) // 8
        mine = state.white if state.player == MAX else state.black
        turn, opposite_turn = turns(state)
        queens = state.diagonal_sliders & state.straight_sliders
        bishops, rooks = state.diagonal_sliders ^ queens, state.straight_sliders ^ queens
        sets = (kings(state), state.pawns, state.knights, bishops, rooks, queens)
        units = opposite_units = vector_at(hidden_biases, 0, UNITS)
        for number in range(len(sets)):
            for owned in range(2):
                left = sets[number] & (mine if owned else ~mine)
                row, opposite = first_rows(KIND_OF_SET[number], owned)
                while left:
                    square = lowest_index(left)
                    left &= left - 1
                    units += vector_at(input_weights, row + (square ^ turn), UNITS)
                    opposite_units += vector_at(input_weights, opposite + (square ^ opposite_turn), UNITS)
        units, opposite_units = clipped(units, 0, ONE), clipped(opposite_units, 0, ONE)
        total = output_biases[bucket]
        total += dot(units * units, vector_at(output_weights, 2 * bucket, UNITS))
        total += dot(opposite_units * opposite_units, vector_at(output_weights, 2 * bucket + 1, UNITS))
        found = min(max(total >> SHIFT, -MOST), MOST)
        return found if state.player == MAX else -found

    return correct


NETWORK: Final = read_network()
