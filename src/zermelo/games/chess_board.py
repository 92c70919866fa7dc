"""The chess board as bits: squares, states, and what men attack.

Squares are numbered from a1 = 0 along the ranks to h8 = 63; a set of squares is a word with a bit for each. Smaller
boards lie in the corner of a1. Their other squares count as *walls*, which no man enters or passes.

No tables of slider attacks are needed: those along a line follow from one subtraction, which G. Sherwin and M. Hoffmann
call *obstruction difference*. Twice the nearest man above, less the nearest man below, has a bit for every square from
the one man up to the other.
"""

from collections.abc import Mapping
from typing import NamedTuple

from zermelo.bits import highest, lowest, lowest_index, mask, shift_left, shift_right
from zermelo.game import MAX


class State(NamedTuple):
    """A position. A queen is in both sets of sliders; the men that are in none of the four kinds are the kings."""

    white: int
    """The men of White, who is MAX."""
    black: int
    """The men of Black."""
    pawns: int
    """The pawns of both sides."""
    knights: int
    """The knights of both sides."""
    diagonal_sliders: int
    """The bishops and queens of both sides."""
    straight_sliders: int
    """The rooks and queens of both sides."""
    castling: int
    """The rooks with which a king may still castle."""
    en_passant: int
    """The square that a pawn has just passed, if it can be captured there; else 0."""
    player: int
    """The player to move, MAX or MIN."""
    halfmove_clock: int
    """Plies since the last capture or move of a pawn; `UNCOUNTED` where there is no rule of fifty moves."""


class View(NamedTuple):
    """What decides where the men of the player to move can go."""

    mine: int
    """The men of the player to move."""
    theirs: int
    """The men of the other."""
    occupied: int
    """The squares of both, and the walls."""
    king: int
    """The square of the player's king."""
    checks: int
    """The men that attack him."""
    shields: int
    """The men that shield him, and so have to stay on their line."""
    men: int
    """The men that can move: in double check, only the king."""
    goals: int
    """The squares in question."""
    pawn_goals: int
    """Those in question for pawns, whose promotions are noisy."""
    rescue: int
    """Where other men than the king end a check; all squares if there is none."""


SQUARES = range(64)
UNCOUNTED = -1
RANK = 0xFF
"""The first rank."""
LIGHT = 0x55AA55AA55AA55AA
"""The light squares."""
ODD_RANKS = 0x00FF00FF00FF00FF
PAIRS_OF_RANKS = 0x0000FFFF0000FFFF
"""Every second rank, and every second pair of ranks."""
NOT_LEFT = mask(0xFEFEFEFEFEFEFEFE)
NOT_RIGHT = 0x7F7F7F7F7F7F7F7F
"""All squares but those of the first file, and of the last."""
KINDS = ".PNBRQK"
"""The letters of the kinds of men, by their numbers (`kind_of`)."""
LETTERS = "KQRBNPkqrbnp"
"""The letters of the men, White's first."""
KNIGHT, BISHOP, ROOK, QUEEN, KING = 2, 3, 4, 5, 6
"""The kinds of pieces; 1 is a pawn."""


def squares_at(square: int, steps: tuple[tuple[int, int], ...]) -> int:
    """Return the squares that lie so many columns and rows from a square, as far as they are on the board."""
    places = [(square % 8 + x, square // 8 + y) for x, y in steps]
    return mask(sum(1 << 8 * y + x for x, y in places if 0 <= x < 8 and 0 <= y < 8))


def table(*steps: tuple[int, int]) -> tuple[int, ...]:
    """Return `squares_at` for every square."""
    return tuple(squares_at(square, steps) for square in SQUARES)


def rays(x: int, y: int) -> tuple[int, ...]:
    """Return for every square the squares in one direction, up to the edge."""
    return table(*((x * step, y * step) for step in range(1, 8)))


KNIGHT_STEPS = table((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
KING_STEPS = table((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
ABOVE = table((-1, 1), (1, 1))
"""The squares that a white pawn attacks, and from which a black pawn attacks."""
BELOW = table((-1, -1), (1, -1))
"""The squares that a black pawn attacks."""
NORTH, SOUTH = rays(0, 1), rays(0, -1)
EAST, WEST = rays(1, 0), rays(-1, 0)
NORTH_EAST, SOUTH_WEST = rays(1, 1), rays(-1, -1)
NORTH_WEST, SOUTH_EAST = rays(-1, 1), rays(1, -1)


def line_attacks(occupied: int, below: int, above: int) -> int:
    """Return what a slider attacks along a line, whose squares on its two sides are ``below`` and ``above``."""
    under, over = occupied & below, occupied & above
    return (2 * lowest(over) - highest(under | 1)) & (below | above)


def rook_attacks(square: int, occupied: int) -> int:
    """Return the squares that a rook attacks."""
    return line_attacks(occupied, SOUTH[square], NORTH[square]) | line_attacks(occupied, WEST[square], EAST[square])


def bishop_attacks(square: int, occupied: int) -> int:
    """Return the squares that a bishop attacks."""
    return line_attacks(occupied, SOUTH_WEST[square], NORTH_EAST[square]) | line_attacks(
        occupied, SOUTH_EAST[square], NORTH_WEST[square]
    )


def kings(state: State) -> int:
    """Return the squares of both kings."""
    return (state.white | state.black) & ~(
        state.pawns | state.knights | state.diagonal_sliders | state.straight_sliders
    )


def beside(squares: int) -> int:
    """Return the left and right neighbours of a set of squares."""
    return shift_left(squares & NOT_RIGHT, 1) | shift_right(squares & NOT_LEFT, 1)


def quiet_pawns(state: State, theirs: int, last_ranks: int) -> int:
    """Return the pawns that cannot capture or promote, if they are those of the player to move."""
    goals = theirs | state.en_passant
    if state.player == MAX:
        return state.pawns & ~(beside(shift_right(goals, 8)) | shift_right(last_ranks, 8))
    return state.pawns & ~(beside(shift_left(goals, 8)) | shift_left(last_ranks, 8))


def men_of(state: State) -> dict[int, str]:
    """Return the letter of the man on each square that has one: capitals for White."""
    found = {}
    for square in SQUARES:
        man = 1 << square
        if (state.white | state.black) & man:
            letter = KINDS[kind_of(state, man)]
            found[square] = letter if state.white & man else letter.lower()
    return found


def state_of(men: Mapping[str, int], player: int, halfmove_clock: int) -> State:
    """Return the state with these men, by their letters, in which nobody can castle or capture en passant."""
    return State(
        white=sum(men[letter] for letter in LETTERS[:6]),
        black=sum(men[letter] for letter in LETTERS[6:]),
        pawns=men["P"] | men["p"],
        knights=men["N"] | men["n"],
        diagonal_sliders=men["B"] | men["b"] | men["Q"] | men["q"],
        straight_sliders=men["R"] | men["r"] | men["Q"] | men["q"],
        castling=0,
        en_passant=0,
        player=player,
        halfmove_clock=halfmove_clock,
    )


def sides(state: State) -> tuple[int, int]:
    """Return the men of the player to move, and those of the other."""
    if state.player == MAX:
        return state.white, state.black
    return state.black, state.white


def attackers(state: State, square: int, occupied: int, men: int) -> int:
    """Return those of ``men`` that attack a square while the squares of ``occupied`` are occupied."""
    pawns = BELOW[square] & state.white | ABOVE[square] & state.black
    return men & (
        pawns & state.pawns
        | KNIGHT_STEPS[square] & state.knights
        | KING_STEPS[square] & kings(state)
        | bishop_attacks(square, occupied) & state.diagonal_sliders
        | rook_attacks(square, occupied) & state.straight_sliders
    )


def can_step(state: State, walls: int) -> bool:
    """Return whether a pawn that does not shield its king can step, and there is no check: nearly always so.

    Then the game goes on. To see it takes a third of the time of looking for a legal move.
    """
    mine, theirs = sides(state)
    occupied, king = mine | theirs | walls, lowest_index(kings(state) & mine)
    pawns = state.pawns & mine & ~(rook_attacks(king, occupied) | bishop_attacks(king, occupied))
    steps = shift_left(pawns, 8) if state.player == MAX else shift_right(pawns, 8)
    return steps & ~occupied != 0 and attackers(state, king, occupied, theirs) == 0


def between(one: int, other: int) -> int:
    """Return the squares between two squares of one line."""
    start, end = shift_left(1, one), shift_left(1, other)
    if rook_attacks(one, 0) & end:
        return rook_attacks(one, end) & rook_attacks(other, start)
    return bishop_attacks(one, end) & bishop_attacks(other, start)


def line_through(one: int, other: int) -> int:
    """Return the line, up to both edges, on which two squares lie."""
    end = shift_left(1, other)
    if (NORTH[one] | SOUTH[one]) & end:
        return NORTH[one] | SOUTH[one]
    if (EAST[one] | WEST[one]) & end:
        return EAST[one] | WEST[one]
    if (NORTH_EAST[one] | SOUTH_WEST[one]) & end:
        return NORTH_EAST[one] | SOUTH_WEST[one]
    return NORTH_WEST[one] | SOUTH_EAST[one]


def rank_between(one: int, other: int) -> int:
    """Return the squares from one square to another of the same rank, both included."""
    low, high = min(one, other), max(one, other)
    return shift_left(shift_left(2, high - low) - 1, low)


def kind_of(state: State, man: int) -> int:
    """Return the kind of a man, from 1 for a pawn to `KING`."""
    if man & state.pawns:
        return 1
    if man & state.knights:
        return KNIGHT
    if man & state.diagonal_sliders:
        return QUEEN if man & state.straight_sliders else BISHOP
    return ROOK if man & state.straight_sliders else KING


def king_home(king: int, rook: int) -> int:
    """Return where a king arrives when he castles with a rook: on the g-file or the c-file."""
    return (king & 56) + (6 if rook > king else 2)


def rook_home(king: int, rook: int) -> int:
    """Return where the rook arrives: on the f-file or the d-file."""
    return (king & 56) + (5 if rook > king else 3)


def with_clock(state: State, halfmove_clock: int) -> State:
    """Return a state with another halfmove clock."""
    white, black, pawns, knights, diagonal, straight, castling, en_passant, player, _ = state
    return State(white, black, pawns, knights, diagonal, straight, castling, en_passant, player, halfmove_clock)


def without_en_passant(state: State) -> State:
    """Return a state in which no pawn can be captured en passant."""
    white, black, pawns, knights, diagonal, straight, castling, _, player, halfmove_clock = state
    return State(white, black, pawns, knights, diagonal, straight, castling, 0, player, halfmove_clock)


def upside_down(word: int, size: int) -> int:
    """Return a set of squares with the ranks of a board of that size in reverse order."""
    word = shift_right(word, 8) & ODD_RANKS | shift_left(word & ODD_RANKS, 8)
    word = shift_right(word, 16) & PAIRS_OF_RANKS | shift_left(word & PAIRS_OF_RANKS, 16)
    return shift_right(shift_right(word, 32) | shift_left(word, 32), 64 - 8 * size)
