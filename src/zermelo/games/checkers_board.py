"""The board of English checkers: bits, numbers of squares, and the notation of PDN for moves and positions.

PDN (Portable Draughts Notation) is the standard text format for games and positions of checkers.

Bit layout, after A. Samuel: the dark squares in reading order, and after every eight of them a guard bit that stays 0.
With the guards, a step diagonally forward is always 4 or 5 bits. Left the bits, right the numbers of the squares in
PDN::

        0   1   2   3   |                  1   2   3   4
      4   5   6   7     |  8             5   6   7   8
        9  10  11  12   |                  9  10  11  12
     13  14  15  16     | 17            13  14  15  16
       18  19  20  21   |                 17  18  19  20
     22  23  24  25     | 26            21  22  23  24
       27  28  29  30   |                 25  26  27  28
     31  32  33  34     |               29  30  31  32

An action is ``route * 128 + origin * 2 + jumps``: ``origin`` is the bit number of the piece that moves, ``jumps`` is 1
for jumps and 0 for a step, and ``route`` is a leading 1 followed by two bits for each step or jump in order, which
hold its direction as an index into `STEPS`.
"""

from typing import Protocol

from zermelo.bits import popcount
from zermelo.board import Board, Cell, Piece
from zermelo.game import MAX, MIN
from zermelo.grid import counted

SQUARES = 32
TOP = 34
"""The highest bit of the board."""
DARK = ((1 << TOP + 1) - 1) & ~(1 << 8 | 1 << 17 | 1 << 26)
MAX_LAST_ROW = 0b1111 << 31
"""The row where MAX's men become kings."""
MIN_LAST_ROW = 0b1111
STEPS = (4, 5, -4, -5)
"""Down to the left, down to the right, up to the right, up to the left; MAX's men use the first two."""


class Pieces(Protocol):
    """The part of a state that its pictures and its text need."""

    @property
    def max_pieces(self) -> int:
        """The squares of MAX's pieces."""

    @property
    def min_pieces(self) -> int:
        """The squares of MIN's pieces."""

    @property
    def kings(self) -> int:
        """The squares of kings."""

    @property
    def player(self) -> int:
        """The player to move, MAX or MIN."""


def bit_of(square: int) -> int:
    """Return the bit number of a square, given its number in PDN, 1 to 32."""
    return square - 1 + (square - 1) // 8


def square_of(bit: int) -> int:
    """Return the number in PDN, 1 to 32, of the square with a bit number."""
    return bit + 1 - bit // 9


def squares_of(board: int) -> list[int]:
    """Return the numbers in PDN of the squares that are set on ``board``, in order."""
    return [square for square in range(1, SQUARES + 1) if board >> bit_of(square) & 1]


def path(action: int) -> list[int]:
    """Return the numbers in PDN of the squares that a move visits, its origin first."""
    bit, route = action >> 1 & 63, action >> 7
    squares = [square_of(bit)]
    for place in reversed(range(0, route.bit_length() - 1, 2)):
        bit += STEPS[route >> place & 3] * (2 if action & 1 else 1)
        squares.append(square_of(bit))
    return squares


def written(action: int) -> str:
    """Return a move in PDN with every square of a chain: ``11-15``, ``15x22``, ``15x22x31``."""
    return ("x" if action & 1 else "-").join(map(str, path(action)))


def read_move(text: str, actions: list[int]) -> int:
    """Return the one of the legal ``actions`` that a move in PDN means.

    The squares between the first and the last may be left out if only one move remains possible.

    Raises
    ------
    ValueError
        The text means no legal move, or several.
    """
    words = text.strip().lower().replace("x", "-").split("-")
    if len(words) < 2 or not all(word.isascii() and word.isdigit() for word in words):
        raise ValueError(f"{text!r} is not a move; write 11-15 for a step and 15x22, or 15x22x31, for jumps")
    wanted = [int(word) for word in words]
    legal = [(path(action), action) for action in actions]
    found = [action for squares, action in legal if squares == wanted]
    if not found and len(wanted) == 2:
        found = [action for squares, action in legal if [squares[0], squares[-1]] == wanted]
    if not found:
        raise ValueError(f"{text!r} is not a legal move here")
    if len(found) > 1:
        raise ValueError(f"{text!r} may mean {' or '.join(written(action) for action in found)}")
    return found[0]


def to_text(state: Pieces) -> str:
    """Write a FEN as PDN defines it: the side to move, White's squares and Black's squares: ``B:W32,K3:B1,2``.

    A ``K`` marks a king. If the state counts plies without progress, ``:H`` and their number follow.
    """
    sides = []
    for letter, pieces in (("W", state.min_pieces), ("B", state.max_pieces)):
        kings = pieces & state.kings
        sides.append(letter + ",".join(f"{'K' * (kings >> bit_of(s) & 1)}{s}" for s in squares_of(pieces)))
    quiet = getattr(state, "quiet", None)
    counted = "" if quiet is None else f":H{quiet}"
    return f"{'B' if state.player == MAX else 'W'}:{sides[0]}:{sides[1]}{counted}"


def read_squares(text: str) -> tuple[int, int]:
    """Read one side of a FEN, such as ``1,2,K31`` or ``5-8`` for a run; return its pieces and which of them are kings.

    Raises
    ------
    ValueError
        A word is not a square, or a square occurs twice.
    """
    pieces = kings = 0
    for word in filter(None, text.split(",")):
        first, dash, last = word.removeprefix("K").partition("-")
        ends = [int(end) for end in (first, last if dash else first) if end.isascii() and end.isdigit()]
        if len(ends) != 2 or not 1 <= ends[0] <= ends[1] <= SQUARES:
            raise ValueError(f"{word!r} is not a square; squares are 1 to 32, with K before a king's, or 5-8 for a run")
        for square in range(ends[0], ends[1] + 1):
            if pieces >> bit_of(square) & 1:
                raise ValueError(f"square {square} is named twice")
            pieces |= 1 << bit_of(square)
            kings |= (word[0] == "K") << bit_of(square)
    return pieces, kings


def read_fen(text: str) -> tuple[int, int, int, int, int]:
    """Read a FEN; return MAX's pieces, MIN's pieces, all kings, the player to move and the plies without progress.

    Raises
    ------
    ValueError
        The text is not a FEN, or its position breaks the rules.
    """
    turn, *fields = text.strip().removesuffix(".").split(":")
    sides, quiet = {}, 0
    for field in fields:
        if field[:1] == "H" and field[1:].isascii() and field[1:].isdigit():
            quiet = int(field[1:])
        elif field[:1] in ("W", "B") and field[:1] not in sides:
            sides[field[0]] = field[1:]
        else:
            raise ValueError(f"{text!r} has the part {field!r}; parts begin with W or B, once each, or H and a number")
    if turn not in ("W", "B") or len(sides) != 2:
        raise ValueError(f"{text!r} is not a FEN; write B:W21-32:B1-12, side to move first, with K for a king")
    (white, white_kings), (black, black_kings) = read_squares(sides["W"]), read_squares(sides["B"])
    if white & black:
        raise ValueError(f"{text!r} has pieces of both players on square {squares_of(white & black)[0]}")
    kings = white_kings | black_kings
    if (black & MAX_LAST_ROW | white & MIN_LAST_ROW) & ~kings:
        raise ValueError(f"{text!r} has a man on its last row; it must be a king")
    return black, white, kings, MAX if turn == "B" else MIN, quiet


def rows(state: Pieces) -> list[str]:
    """Return the rows from the top: ``b`` and ``w`` are men, ``B`` and ``W`` kings, ``.`` empty dark squares."""
    lines = []
    for row in range(8):
        line = [" "] * 8
        for place in range(4):
            bit = bit_of(row * 4 + place + 1)
            piece = "b" if state.max_pieces >> bit & 1 else "w" if state.min_pieces >> bit & 1 else "."
            line[2 * place + 1 - row % 2] = piece.upper() if state.kings >> bit & 1 else piece
        lines.append(" ".join(line))
    return lines


def draw(state: Pieces) -> str:
    return "\n".join(f"{line}   {4 * row + 1:>2}-{4 * row + 4}" for row, line in enumerate(rows(state)))


def cell_of(square: int) -> int:
    """Return the cell, 0 to 63 in reading order, of a square, given its number in PDN, 1 to 32."""
    row, place = divmod(square - 1, 4)
    return row * 8 + 2 * place + 1 - row % 2


def picture(state: Pieces, legal: list[int]) -> Board:
    """Return the board as data for `Game.board`, given the legal actions."""
    pieces = []
    for owner, board in ((MAX, state.max_pieces), (MIN, state.min_pieces)):
        for square in squares_of(board):
            kind = "king" if state.kings >> bit_of(square) & 1 else "man"
            pieces.append(Piece(cell_of(square), owner, kind))
    return Board(
        cells=tuple(Cell(i % 8, i // 8, "dark" if (i // 8 + i) % 2 else "square") for i in range(64)),
        pieces=tuple(pieces),
        clicks={action: tuple(map(cell_of, path(action))) for action in legal},
        labels=tuple(
            (-0.75 if side == 0 else 7.75, row, str(4 * row + (1 if side == 0 else 4)))
            for row in range(8)
            for side in (0, 1)
        ),
        scores=counted("captured", 12 - popcount(state.min_pieces), 12 - popcount(state.max_pieces)),
        missing=True,
    )
