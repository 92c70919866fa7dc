"""EVAL of chess: the worth of men and of their places, mobility, pawns, the kings' safety, and what both sides attack.

On the usual board, a small network corrects the sum of these terms (`zermelo.games.chess_network`).

Each term has two values, one for the middle game and one for the ending, and the men that are left decide how much each
of them counts. Both travel in one int, a *score*, so that each term is added once. The men of Black are looked at with
the board upside down, so that each term is written once. Values are hundredths of a pawn; `chess_weights` holds them.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from zermelo.bits import lowest_index, popcount, shift_left, shift_right
from zermelo.game import MAX
from zermelo.games.chess_board import (
    KING_STEPS,
    KNIGHT_STEPS,
    State,
    beside,
    bishop_attacks,
    kings,
    rook_attacks,
    upside_down,
)
from zermelo.games.chess_network import NETWORK, correction
from zermelo.games.chess_weights import HALF, WEIGHTS, Weights, without_squares

LEFT_FILE: Final = 0x0101010101010101
FAR_HALF: Final = (1 << 64) - (1 << 32)
"""The ranks that are the opponent's at the start, on a board of 8x8."""

MINOR_PHASE: Final = 1
ROOK_PHASE: Final = 2
QUEEN_PHASE: Final = 4
FULL: Final = 24
"""The sum of these for the men of the start; a minor piece is a knight or a bishop."""
MOST_DANGER: Final = 31
"""The last entry of the table of attacks on a king."""


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
    rival_king: int
    heavy: int
    """The rooks and queens of the opponent."""
    to_move: int
    """1 if this side is to move, 0 if it is not."""


class Reach(NamedTuple):
    """The squares that one side attacks, those of its own men among them; and from where it could give check."""

    knights: int
    """By knights; bishops, rooks and queens are those of this side, too."""
    bishops: int
    rooks: int
    queens: int
    men: int
    """By any man but the king."""
    whole: int
    """By any man, the king among them."""
    twice: int
    """By two men, where two pawns count as one."""
    diagonal: int
    """From where a bishop would give check, whether or not this side has one that can go there."""
    straight: int
    """From where a rook would give check."""


class Guard(NamedTuple):
    """The squares that the opponent attacks; as in `Reach`."""

    men: int
    whole: int


def above(squares: int) -> int:
    """Return these squares and all above them."""
    squares |= shift_left(squares, 8)
    squares |= shift_left(squares, 16)
    return squares | shift_left(squares, 32)


def below(squares: int) -> int:
    """Return these squares and all below them."""
    squares |= shift_right(squares, 8)
    squares |= shift_right(squares, 16)
    return squares | shift_right(squares, 32)


def distance(one: int, other: int) -> int:
    """Return how many steps a king needs from one square to another."""
    return max(abs((one & 7) - (other & 7)), abs((one >> 3) - (other >> 3)))


def doubled_pawns(men: Side) -> int:
    """Return the pawns behind others of their side."""
    return men.pawns & below(shift_right(men.pawns, 8))


def passed_pawns(men: Side) -> int:
    """Return the pawns whose way no pawn can stop."""
    return men.pawns & ~doubled_pawns(men) & ~below(shift_right(men.rivals | beside(men.rivals), 8))


def guard_of(reach: Reach, size: int) -> Guard:
    """Return what one side attacks, as the other side sees it."""
    return Guard(upside_down(reach.men, size), upside_down(reach.whole, size))


def worth_of_sides(weights: Weights, size: int) -> Callable[[Side, Side], tuple[int, int]]:
    """Return the function that adds up the scores of each side, on a board of that size."""
    pawn_squares, knight_squares, bishop_squares, rook_squares, queen_squares, king_squares = weights[:6]
    knight_moves, bishop_moves, rook_moves, queen_moves = weights[6:10]
    isolated, doubled, connected, passed, blocked, own_king, rival_king = weights[10:17]
    bishop_pair, open_file, half_open_file, shelter, danger, checks, threat = weights[17:24]
    supported, stop_open, way_open, loose, hanging, safe_checks, crowded, space = weights[24:]

    def passed_worth(men: Side, reach: Reach, guard: Guard, square: int) -> int:
        """Return the score of a passed pawn."""
        row, ahead = square >> 3, square + 8
        stop = shift_left(1, ahead)
        worth = passed[row] + own_king[distance(lowest_index(men.king), ahead)]
        worth += rival_king[distance(lowest_index(men.rival_king), ahead)]
        if stop & men.theirs:
            worth += blocked[row]
        if stop & reach.whole:
            worth += supported[row]
        if stop & guard.whole == 0:
            worth += way_open[row] if above(stop) & guard.whole == 0 else stop_open[row]
        return worth

    def pawn_worth(men: Side) -> int:
        """Return the scores of the pawns, their places and their structure."""
        attacked, files = shift_left(beside(men.pawns), 8), above(below(men.pawns))
        worth = popcount(men.theirs & attacked & ~men.rivals) * threat[0]
        worth += popcount(men.pawns & ~beside(files)) * isolated[0]
        worth += popcount(doubled_pawns(men)) * doubled[0]
        linked = men.pawns & (attacked | beside(men.pawns))
        left = men.pawns
        while left:
            worth += pawn_squares[lowest_index(left)]
            left &= left - 1
        while linked:
            worth += connected[lowest_index(linked) >> 3]
            linked &= linked - 1
        return worth

    def piece_worth(men: Side) -> tuple[int, Reach]:
        """Return the scores of knights, bishops, rooks and queens, with attacks on the other king, and their reach."""
        worth, attacks, occupied = 0, 0, men.mine | men.theirs
        whole, twice, by_knights, by_bishops, by_rooks, by_queens = shift_left(beside(men.pawns), 8), 0, 0, 0, 0, 0
        guarded = shift_right(beside(men.rivals), 8)
        goals, weak = ~(men.mine | guarded), men.theirs & ~guarded
        rival_square = lowest_index(men.rival_king)
        zone = KING_STEPS[rival_square]
        all_diagonal, all_straight = bishop_attacks(rival_square, occupied), rook_attacks(rival_square, occupied)
        diagonal, straight = all_diagonal & goals, all_straight & goals
        knights, queens = men.knights, men.diagonal_sliders & men.straight_sliders
        bishops, rooks = men.diagonal_sliders & ~queens, men.straight_sliders & ~queens
        if bishops & (bishops - 1):
            worth += bishop_pair[0]
        while knights:
            square = lowest_index(knights)
            knights &= knights - 1
            reach = KNIGHT_STEPS[square]
            worth += knight_squares[square] + knight_moves[popcount(reach & goals)]
            worth += popcount(reach & KNIGHT_STEPS[rival_square] & goals) * checks[0]
            worth += popcount(reach & weak & ~men.heavy) * threat[1] + popcount(reach & men.heavy) * threat[2]
            attacks += 2 * popcount(reach & zone)
            whole, twice, by_knights = whole | reach, twice | whole & reach, by_knights | reach
        while bishops:
            square = lowest_index(bishops)
            bishops &= bishops - 1
            reach = bishop_attacks(square, occupied)
            worth += bishop_squares[square] + bishop_moves[popcount(reach & goals)]
            worth += popcount(reach & diagonal) * checks[1]
            worth += popcount(reach & weak & ~men.heavy) * threat[1] + popcount(reach & men.heavy) * threat[2]
            attacks += 2 * popcount(reach & zone)
            whole, twice, by_bishops = whole | reach, twice | whole & reach, by_bishops | reach
        while rooks:
            square = lowest_index(rooks)
            rooks &= rooks - 1
            reach, file = rook_attacks(square, occupied), shift_left(LEFT_FILE, square & 7)
            worth += rook_squares[square] + rook_moves[popcount(reach & goals)]
            worth += popcount(reach & straight) * checks[2]
            worth += popcount(reach & weak) * threat[3]
            attacks += 3 * popcount(reach & zone)
            whole, twice, by_rooks = whole | reach, twice | whole & reach, by_rooks | reach
            if men.pawns & file == 0:
                worth += half_open_file[0] if men.rivals & file else open_file[0]
        while queens:
            square = lowest_index(queens)
            queens &= queens - 1
            reach = bishop_attacks(square, occupied) | rook_attacks(square, occupied)
            worth += queen_squares[square] + queen_moves[popcount(reach & goals)]
            worth += popcount(reach & (diagonal | straight)) * checks[3]
            worth += popcount(reach & weak) * threat[4]
            attacks += 4 * popcount(reach & zone)
            whole, twice, by_queens = whole | reach, twice | whole & reach, by_queens | reach
        steps = KING_STEPS[lowest_index(men.king)]
        reach_of_all = Reach(
            by_knights,
            by_bishops,
            by_rooks,
            by_queens,
            whole,
            whole | steps,
            twice | whole & steps,
            all_diagonal,
            all_straight,
        )
        return worth + danger[min(MOST_DANGER, attacks)], reach_of_all

    def king_worth(men: Side) -> int:
        """Return the score of the king's place and of the pawns before him."""
        square = lowest_index(men.king)
        before = shift_left(men.king | beside(men.king), 8)
        return king_squares[square] + shelter[popcount((before | shift_left(before, 8)) & men.pawns)]

    def check_worth(men: Side, reach: Reach, guard: Guard) -> int:
        """Return the scores of checks by which no man is lost at once."""
        safe, first = ~men.mine & (~guard.whole | reach.twice & ~guard.men), 4 * men.to_move
        worth = 0
        if popcount(KNIGHT_STEPS[lowest_index(men.rival_king)] & reach.knights & safe):
            worth += safe_checks[first]
        if popcount(reach.diagonal & reach.bishops & safe):
            worth += safe_checks[first + 1]
        if popcount(reach.straight & reach.rooks & safe):
            worth += safe_checks[first + 2]
        if popcount((reach.diagonal | reach.straight) & reach.queens & safe):
            worth += safe_checks[first + 3]
        return worth

    def contact_worth(men: Side, reach: Reach, guard: Guard) -> int:
        """Return the scores that need to know what both sides attack."""
        worth = check_worth(men, reach, guard)
        prey, first = men.theirs & ~men.rival_king & reach.whole & ~guard.whole, 3 * men.to_move
        worth += popcount(prey & men.rivals) * hanging[first]
        worth += popcount(prey & ~men.rivals & ~men.heavy) * hanging[first + 1]
        worth += popcount(prey & men.heavy) * hanging[first + 2]
        worth += popcount(men.mine & ~men.king & ~reach.whole) * loose[0]
        worth += popcount(KING_STEPS[lowest_index(men.rival_king)] & reach.twice & ~guard.men) * crowded[0]
        worth += popcount(reach.whole & ~guard.whole & FAR_HALF) * space[0]
        free = passed_pawns(men)
        while free:
            worth += passed_worth(men, reach, guard, lowest_index(free))
            free &= free - 1
        return worth

    def worth(ours: Side, others: Side) -> tuple[int, int]:
        """Return the scores of both sides."""
        own, reach = piece_worth(ours)
        other, reach_of_others = piece_worth(others)
        own += pawn_worth(ours) + king_worth(ours) + contact_worth(ours, reach, guard_of(reach_of_others, size))
        other += pawn_worth(others) + king_worth(others)
        return own, other + contact_worth(others, reach_of_others, guard_of(reach, size))

    return worth


def both_sides(state: State, size: int) -> tuple[Side, Side]:
    """Return White's men, and Black's with the board upside down."""
    white, black, kings_of_both = state.white, state.black, kings(state)
    ours = Side(
        white,
        black,
        state.pawns & white,
        state.knights & white,
        state.diagonal_sliders & white,
        state.straight_sliders & white,
        kings_of_both & white,
        state.pawns & black,
        kings_of_both & black,
        state.straight_sliders & black,
        int(state.player == MAX),
    )
    others = Side(
        upside_down(black, size),
        upside_down(white, size),
        upside_down(state.pawns & black, size),
        upside_down(state.knights & black, size),
        upside_down(state.diagonal_sliders & black, size),
        upside_down(state.straight_sliders & black, size),
        upside_down(kings_of_both & black, size),
        upside_down(state.pawns & white, size),
        upside_down(kings_of_both & white, size),
        upside_down(state.straight_sliders & white, size),
        int(state.player != MAX),
    )
    return ours, others


def phase_of(state: State) -> int:
    """Return how much of the middle game is left: `FULL` with the pieces of the start, 0 with none."""
    minor = state.knights | state.diagonal_sliders & ~state.straight_sliders
    phase = (
        MINOR_PHASE * popcount(minor)
        + ROOK_PHASE * popcount(state.straight_sliders & ~state.diagonal_sliders)
        + QUEEN_PHASE * popcount(state.straight_sliders & state.diagonal_sliders)
    )
    return min(FULL, phase)


def evaluation(size: int) -> Callable[[State], int]:
    """Return EVAL for a board of that size."""
    terms = sum_of_terms(WEIGHTS if size == 8 else without_squares(WEIGHTS), size)
    if size != 8:
        return terms
    correct = correction(NETWORK)
    return lambda state: terms(state) + correct(state)


def sum_of_terms(weights: Weights, size: int) -> Callable[[State], int]:
    """Return EVAL without the network's correction."""
    worth = worth_of_sides(weights, size)
    tempo = 12

    def evaluate(state: State) -> int:
        """Return the worth of White's men less that of Black's, and a little for the player to move."""
        own, other = worth(*both_sides(state, size))
        score, phase = own - other, phase_of(state)
        middle = (score + HALF // 2 & HALF - 1) - HALF // 2
        end = score - middle >> 16
        total = middle * phase + end * (FULL - phase)
        total = total // FULL if total >= 0 else -(-total // FULL)
        return total + (tempo if state.player == MAX else -tempo)

    return evaluate
