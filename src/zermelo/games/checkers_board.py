"""The board of English checkers: its bits, the numbers of its squares, moves and positions as PDN writes them.

Bit layout, after A. Samuel: the dark squares in reading order with a guard after every eight, which stays 0, so
that forward is always 4 or 5 bits. As bits, and as squares are numbered in PDN::

        0   1   2   3   |                  1   2   3   4
      4   5   6   7     |  8             5   6   7   8
        9  10  11  12   |                  9  10  11  12
     13  14  15  16     | 17            13  14  15  16
       18  19  20  21   |                 17  18  19  20
     22  23  24  25     | 26            21  22  23  24
       27  28  29  30   |                 25  26  27  28
     31  32  33  34     |               29  30  31  32

An action is ``route * 128 + origin * 2 + jumps``: the origin's bit number, 1 for jumps and 0 for a step, and the
directions gone, two bits each with the first on top, below a leading 1. The directions are numbered as in `STEPS`.
"""

from typing import Any

from zermelo.board import Board, Cell, Piece
from zermelo.game import MAX, MIN

SQUARES = 32
TOP = 34
"""The highest bit of the board."""
DARK = ((1 << TOP + 1) - 1) & ~(1 << 8 | 1 << 17 | 1 << 26)
MAX_LAST_ROW = 0b1111 << 31
"""Where MAX's men become kings."""
MIN_LAST_ROW = 0b1111
STEPS = (4, 5, -4, -5)
"""Down to the left, down to the right, up to the right, up to the left; MAX's men go the first two."""


def bit_of(square: int) -> int:
    """The bit number of a square numbered 1 to 32."""
    return square - 1 + (square - 1) // 8


def square_of(bit: int) -> int:
    """The number, 1 to 32, of the square with that bit number."""
    return bit + 1 - bit // 9


def squares_of(board: int) -> list[int]:
    """The numbers of the squares on ``board``, in order."""
    return [square for square in range(1, SQUARES + 1) if board >> bit_of(square) & 1]


def path(action: int) -> list[int]:
    """The numbers of the squares that a move touches, its origin first."""
    bit, route = action >> 1 & 63, action >> 7
    squares = [square_of(bit)]
    for place in reversed(range(0, route.bit_length() - 1, 2)):
        bit += STEPS[route >> place & 3] * (2 if action & 1 else 1)
        squares.append(square_of(bit))
    return squares


def written(action: int) -> str:
    """As in PDN, every square of a chain named: ``11-15``, ``15x22``, ``15x22x31``."""
    return ("x" if action & 1 else "-").join(map(str, path(action)))


def read_move(text: str, actions: list[int]) -> int:
    """The one of the legal ``actions`` that PDN means; squares on the way may be left out if that leaves one.

    Raises
    ------
    ValueError
        It names no legal move, or several.
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


def to_text(state: Any) -> str:
    """FEN, as in PDN: who is to move, White's squares, Black's squares, kings with K: ``B:W32,K3:B1,2``.

    Where plies without progress are counted, ``:H`` and their number follow.
    """
    sides = []
    for letter, pieces in (("W", state.min_pieces), ("B", state.max_pieces)):
        kings = pieces & state.kings
        sides.append(letter + ",".join(f"{'K' * (kings >> bit_of(s) & 1)}{s}" for s in squares_of(pieces)))
    counted = f":H{state.quiet}" if hasattr(state, "quiet") else ""
    return f"{'B' if state.player == MAX else 'W'}:{sides[0]}:{sides[1]}{counted}"


def read_squares(text: str) -> tuple[int, int]:
    """Pieces and kings of one side of a FEN: ``1,2,K31``, with ``5-8`` for a run; ValueError where it is none."""
    pieces = kings = 0
    for word in filter(None, text.split(",")):
        first, dash, last = word.removeprefix("K").partition("-")
        ends = [int(end) for end in (first, last if dash else first) if end.isascii() and end.isdigit()]
        if len(ends) != 2 or not 1 <= ends[0] <= ends[1] <= SQUARES:
            raise ValueError(f"{word!r} is no square; squares are 1 to 32, K before a king's, 5-8 for a run")
        for square in range(ends[0], ends[1] + 1):
            if pieces >> bit_of(square) & 1:
                raise ValueError(f"the square {square} is named twice")
            pieces |= 1 << bit_of(square)
            kings |= (word[0] == "K") << bit_of(square)
    return pieces, kings


def read_fen(text: str) -> tuple[int, int, int, int, int]:
    """MAX's pieces, MIN's, kings, who is to move and plies without progress; ValueError where the text is no FEN."""
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
        raise ValueError(f"{text!r} is no FEN; write B:W21-32:B1-12, who is to move first, K before a king's square")
    (white, white_kings), (black, black_kings) = read_squares(sides["W"]), read_squares(sides["B"])
    if white & black:
        raise ValueError(f"{text!r} has pieces of both on the square {squares_of(white & black)[0]}")
    kings = white_kings | black_kings
    if (black & MAX_LAST_ROW | white & MIN_LAST_ROW) & ~kings:
        raise ValueError(f"{text!r} has a man on its last row; it must be a king")
    return black, white, kings, MAX if turn == "B" else MIN, quiet


def rows(state: Any) -> list[str]:
    """The rows from the top: ``b`` and ``w`` men, ``B`` and ``W`` kings, ``.`` empty dark squares."""
    lines = []
    for row in range(8):
        line = [" "] * 8
        for place in range(4):
            bit = bit_of(row * 4 + place + 1)
            piece = "b" if state.max_pieces >> bit & 1 else "w" if state.min_pieces >> bit & 1 else "."
            line[2 * place + 1 - row % 2] = piece.upper() if state.kings >> bit & 1 else piece
        lines.append(" ".join(line))
    return lines


def draw(state: Any) -> str:
    return "\n".join(f"{line}   {4 * row + 1:>2}-{4 * row + 4}" for row, line in enumerate(rows(state)))


def cell_of(square: int) -> int:
    """The cell, 0 to 63 in reading order, of a square numbered 1 to 32."""
    row, place = divmod(square - 1, 4)
    return row * 8 + 2 * place + 1 - row % 2


def picture(state: Any, legal: list[int]) -> Board:
    """`Game.board`, given the legal actions."""
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
            (-1 if side == 0 else 8, row, str(4 * row + (1 if side == 0 else 4))) for row in range(8) for side in (0, 1)
        ),
    )
