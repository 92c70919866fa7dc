"""What a search may know of chess beside EVAL: exchanges on a square, passing, and check."""

from typing import Final

from zermelo.bits import lowest, lowest_index, shift_left
from zermelo.games.chess_board import UNCOUNTED, State, attackers, bishop_attacks, kind_of, kings, rook_attacks, sides

SWITCHES: Final = {
    "null_move": True,
    "reductions": True,
    "malus": True,
    "countermoves": True,
    "futility": 80,
    "losing_last": True,
    "losing_pruning": 50,
    "follow_ups": True,
    "delta": 150,
    "quiescence_table": True,
    "transposition_cutoffs": False,
    "symmetries": False,
}
"""The engine's switches for play; futility and delta in hundredths of a pawn. To look up all children costs more time
than it saves nodes."""
PAWN: Final = 1
WORTH: Final = (0, 100, 320, 330, 500, 975, 20_000)
"""The worth of each kind of man in an exchange, in hundredths of a pawn; no man is 0."""


def least(state: State, men: int) -> int:
    """Return the least valuable of some men, as a set of one square; the empty set if there is none."""
    for kind in (
        state.pawns,
        state.knights,
        state.diagonal_sliders & ~state.straight_sliders,
        state.straight_sliders & ~state.diagonal_sliders,
        state.straight_sliders,
    ):
        if men & kind:
            return lowest(men & kind)
    return lowest(men)


def exchange(state: State, action: int, walls: int) -> int:
    """Return what the exchange that begins with a move wins, in hundredths of a pawn.

    A move that takes nothing wins nothing, and loses if the man can be captured for less than he is worth. Both sides
    capture on one square, each time with the least valuable man, and may stop before each capture.
    """
    origin, goal, promotion = shift_left(1, action & 63), shift_left(1, action >> 6 & 63), action >> 12
    mine, theirs = sides(state)
    balance, at_stake = WORTH[kind_of(state, goal)] if goal & theirs else 0, WORTH[kind_of(state, origin)]
    if goal & state.en_passant and origin & state.pawns:
        balance = WORTH[PAWN]
    if promotion:
        balance, at_stake = balance + WORTH[promotion] - WORTH[PAWN], WORTH[promotion]
    if goal & mine:  # castling
        return 0
    square, occupied = lowest_index(goal), (mine | theirs | walls | goal) & ~origin
    men, ours, others = attackers(state, square, occupied, mine | theirs), theirs, mine
    least_won, most_won, sign = -1_000_000, 1_000_000, -1
    while True:
        # The side that is to capture may stop here, with the balance as it is.
        if sign < 0:
            most_won = min(most_won, balance)
        else:
            least_won = max(least_won, balance)
        men &= occupied & ~goal
        taker = least(state, men & ours)
        into_check = taker & kings(state) and men & others
        if least_won >= most_won or not taker or into_check:
            return max(least_won, most_won) if sign < 0 else min(least_won, most_won)
        balance += sign * at_stake
        at_stake = WORTH[kind_of(state, taker)]
        occupied &= ~taker
        men |= (
            bishop_attacks(square, occupied) & state.diagonal_sliders
            | rook_attacks(square, occupied) & state.straight_sliders
        )
        ours, others, sign = others, ours, -sign


def passed(state: State, walls: int) -> State:
    """Return the state after a pass; ``state`` itself in check, or where a player may be glad to pass.

    That is so with at most one knight or bishop beside king and pawns.
    """
    mine, _ = sides(state)
    minor = (state.knights | state.diagonal_sliders) & mine
    if (state.straight_sliders & mine == 0 and minor & (minor - 1) == 0) or in_check(state, walls):
        return state
    white, black, pawns, knights, diagonals, straights, castling, _, player, clock = state
    later = UNCOUNTED if clock == UNCOUNTED else clock + 1
    return State(white, black, pawns, knights, diagonals, straights, castling, 0, -player, later)


def in_check(state: State, walls: int) -> bool:
    """Return whether the king of the player to move is attacked."""
    mine, theirs = sides(state)
    return attackers(state, lowest_index(kings(state) & mine), mine | theirs | walls, theirs) != 0
