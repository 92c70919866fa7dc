"""Every placement of the men of an ending of chess, computed with NumPy: an ending of four men has millions."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from zermelo.bits import ALL
from zermelo.games.chess_board import (
    ABOVE,
    BELOW,
    KINDS,
    KING_STEPS,
    KNIGHT_STEPS,
    LETTERS,
    SQUARES,
    between,
    bishop_attacks,
    rook_attacks,
)

Squares = NDArray[np.int64]


def placements(letters: str, size: int) -> NDArray[np.int64]:
    """Return all placements of men, with either side to move, as `zermelo.games.chess_endings.pack` packs them.

    The side that is not to move is never in check. Nobody may castle, or capture en passant.
    """
    men = "".join(sorted(letters, key=LETTERS.index))
    return np.concatenate([packed for squares in _placed(men, size) for packed in _packed(men, squares)])


def _placed(men: str, size: int) -> Iterator[Squares]:
    """Yield the squares of all men, shape (placements, men), for one square of the first man at a time.

    Men of a kind stand in ascending order, so that each placement comes once. Pawns never stand on a last rank.
    """
    board = np.array([8 * rank + file for rank in range(size) for file in range(size)])
    inner = board[(board >= 8) & (board < 8 * (size - 1))]
    for first in board:
        squares = np.array([[first]])
        for before, man in pairwise(men):
            free = inner if man in "Pp" else board
            more = np.tile(free, len(squares))
            squares = np.repeat(squares, len(free), axis=0)
            apart = (squares != more[:, None]).all(axis=1)
            if man == before:
                apart &= squares[:, -1] < more
            squares = np.column_stack([squares[apart], more[apart]])
        yield squares


def _packed(men: str, squares: Squares) -> Iterator[NDArray[np.int64]]:
    """Yield the packed positions with White to move, and those with Black to move."""
    occupied = np.bitwise_or.reduce(np.uint64(1) << squares.astype(np.uint64), axis=1)
    kinds = np.array([KINDS.index(man.upper()) << 1 | man.islower() for man in men])
    codes = np.sort(squares << 4 | kinds, axis=1)
    number = np.full(len(squares), 16)
    for column in codes.T:
        number = number << 10 | column
    for enemy_king, turn in (("k", 1), ("K", 0)):
        king = squares[:, men.index(enemy_king)]
        attacked = np.zeros(len(squares), dtype=bool)
        for place, man in enumerate(men):
            if man.isupper() == (turn == 1):
                origin = squares[:, place]
                attacked |= _ATTACKS[man][origin, king] & (_BETWEEN[origin, king] & occupied == 0)
        yield (number << 1 | turn)[~attacked]


def _table(words: list[int]) -> NDArray[np.bool_]:
    """Return a table of shape (64, 64) from words of 64 bits: whether the word of a square has a square."""
    return np.array([[word >> square & 1 for square in SQUARES] for word in words], dtype=bool)


_STRAIGHT = _table([rook_attacks(square, 0) for square in SQUARES])
_DIAGONAL = _table([bishop_attacks(square, 0) for square in SQUARES])
_ATTACKS = {
    **dict.fromkeys("Rr", _STRAIGHT),
    **dict.fromkeys("Bb", _DIAGONAL),
    **dict.fromkeys("Qq", _STRAIGHT | _DIAGONAL),
    **dict.fromkeys("Nn", _table(list(KNIGHT_STEPS))),
    **dict.fromkeys("Kk", _table(list(KING_STEPS))),
    "P": _table(list(ABOVE)),
    "p": _table(list(BELOW)),
}
"""Which squares a man attacks from each square of an empty board."""
_BETWEEN = np.array([[between(one, other) & ALL for other in SQUARES] for one in SQUARES], dtype=np.uint64)
_BETWEEN *= _STRAIGHT | _DIAGONAL
"""The squares between two squares of a line; none where they are on no line."""
