"""EVAL of chess: what men are worth, where they stand, how far they can move, pawns, and the king's safety.

Each term has two values, one for the middle game and one for the ending, and the men that are left decide how much each
of them counts. The men of Black are looked at with the board upside down, so that each term is written once. Values are
hundredths of a pawn.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from zermelo.bits import lowest_index, popcount, shift_left, shift_right
from zermelo.game import MAX
from zermelo.games.chess_board import (
    KING_STEPS,
    KNIGHT_STEPS,
    NORTH,
    State,
    bishop_attacks,
    kings,
    rook_attacks,
    upside_down,
)
from zermelo.grid import mask

LEFT_FILE: Final = 0x0101010101010101
NOT_LEFT: Final = mask(0xFEFEFEFEFEFEFEFE)
NOT_RIGHT: Final = 0x7F7F7F7F7F7F7F7F
INNER: Final = 0x003C3C3C3C3C3C00
CENTRE: Final = 0x0000001818000000
HOME: Final = 0x000000000000FFFF
"""The two ranks on which a side begins."""

MINOR_PHASE: Final = 1
ROOK_PHASE: Final = 2
QUEEN_PHASE: Final = 4
FULL: Final = 24
"""The sum of these for the men of the start; a minor piece is a knight or a bishop."""
PASSED_MIDDLE: Final = (0, 4, 6, 12, 28, 55, 90, 0)
PASSED_END: Final = (0, 12, 18, 35, 62, 105, 160, 0)
"""A passed pawn, by its rank."""
TEMPO: Final = 12


class Side(NamedTuple):
    """The men of one side, which moves up the board, and those of its opponent that matter to them."""

    mine: int
    """All men of this side."""
    theirs: int
    """All men of the opponent."""
    pawns: int
    """The pawns of this side; knights, sliders and king are of this side, too."""
    knights: int
    diagonal_sliders: int
    straight_sliders: int
    king: int
    rivals: int
    """The pawns of the opponent."""


def pawn_worth(men: Side) -> tuple[int, int]:
    """Return what pawns and their structure are worth."""
    middle, end, left = 0, 0, men.pawns
    while left:
        square = lowest_index(left)
        pawn = shift_left(1, square)
        left &= left - 1
        row, ahead = square >> 3, NORTH[square]
        file = shift_left(LEFT_FILE, square & 7)
        beside = shift_left(file & NOT_RIGHT, 1) | shift_right(file & NOT_LEFT, 1)
        wide = ahead | shift_left(ahead & NOT_RIGHT, 1) | shift_right(ahead & NOT_LEFT, 1)
        middle, end = middle + 82, end + 105 + 2 * row
        if pawn & INNER:
            middle += 6
        if pawn & CENTRE:
            middle += 12
        if men.pawns & beside == 0:
            middle, end = middle - 10, end - 14
        if men.pawns & ahead:
            middle, end = middle - 8, end - 18
        if men.rivals & wide == 0:
            middle, end = middle + PASSED_MIDDLE[row], end + PASSED_END[row]
    return middle, end


def piece_worth(men: Side) -> tuple[int, int]:
    """Return what knights, bishops, rooks and queens are worth, each with the squares that it can move to."""
    middle, end, occupied = 0, 0, men.mine | men.theirs
    guarded = shift_right(men.rivals & NOT_LEFT, 9) | shift_right(men.rivals & NOT_RIGHT, 7)
    goals, pieces = ~(men.mine | guarded), men.knights | men.diagonal_sliders | men.straight_sliders
    while pieces:
        square = lowest_index(pieces)
        piece = shift_left(1, square)
        pieces &= pieces - 1
        if piece & men.knights:
            moves = popcount(KNIGHT_STEPS[square] & goals)
            middle, end = middle + 315 + 5 * moves, end + 285 + 5 * moves
            if piece & INNER:
                middle, end = middle + 14, end + 10
        elif piece & men.diagonal_sliders & men.straight_sliders:
            moves = popcount((bishop_attacks(square, occupied) | rook_attacks(square, occupied)) & goals)
            middle, end = middle + 975 + moves, end + 960 + 5 * moves
        elif piece & men.diagonal_sliders:
            moves = popcount(bishop_attacks(square, occupied) & goals)
            middle, end = middle + 318 + 5 * moves, end + 295 + 5 * moves
        else:
            moves = popcount(rook_attacks(square, occupied) & goals)
            middle, end = middle + 455 + 3 * moves, end + 510 + 5 * moves
            if men.pawns & shift_left(LEFT_FILE, square & 7) == 0:
                middle += 16
    if popcount(men.diagonal_sliders & ~men.straight_sliders) > 1:
        middle, end = middle + 26, end + 44
    return middle, end


def king_worth(men: Side) -> tuple[int, int]:
    """Return how safe the king is in the middle game, and how active in the ending."""
    square = lowest_index(men.king)
    near = KING_STEPS[square] | men.king
    middle = 12 * popcount(shift_left(near, 8) & men.pawns)
    if men.king & HOME == 0:
        middle -= 45
    file = shift_left(LEFT_FILE, square & 7)
    if men.pawns & file == 0:
        middle -= 22
    end = 0
    if men.king & INNER:
        middle, end = middle - 20, end + 18
    if men.king & CENTRE:
        end += 14
    return middle, end


def side_worth(men: Side) -> tuple[int, int]:
    """Return what one side's men are worth in the middle game and in the ending."""
    pawns, pieces, king = pawn_worth(men), piece_worth(men), king_worth(men)
    return pawns[0] + pieces[0] + king[0], pawns[1] + pieces[1] + king[1]


def evaluation(size: int) -> Callable[[State], int]:
    """Return EVAL for a board of that size."""

    def evaluate(state: State) -> int:
        """Return the worth of White's men less that of Black's, and a little for the player to move."""
        white, black, kings_of_both = state.white, state.black, kings(state)
        ours = side_worth(
            Side(
                white,
                black,
                state.pawns & white,
                state.knights & white,
                state.diagonal_sliders & white,
                state.straight_sliders & white,
                kings_of_both & white,
                state.pawns & black,
            )
        )
        others = side_worth(
            Side(
                upside_down(black, size),
                upside_down(white, size),
                upside_down(state.pawns & black, size),
                upside_down(state.knights & black, size),
                upside_down(state.diagonal_sliders & black, size),
                upside_down(state.straight_sliders & black, size),
                upside_down(kings_of_both & black, size),
                upside_down(state.pawns & white, size),
            )
        )
        minor = state.knights | state.diagonal_sliders & ~state.straight_sliders
        phase = (
            MINOR_PHASE * popcount(minor)
            + ROOK_PHASE * popcount(state.straight_sliders & ~state.diagonal_sliders)
            + QUEEN_PHASE * popcount(state.straight_sliders & state.diagonal_sliders)
        )
        phase = min(FULL, phase)
        total = (ours[0] - others[0]) * phase + (ours[1] - others[1]) * (FULL - phase)
        tempo = TEMPO if state.player == MAX else -TEMPO
        return (total // FULL if total >= 0 else -(-total // FULL)) + tempo

    return evaluate
