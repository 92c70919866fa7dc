"""The board of English checkers, and moves in the notation of PDN.

`zermelo.games.dark_squares` shows the bits of the board.

An action is ``route * 128 + origin * 2 + jumps``: ``origin`` is the bit number of the piece that moves, ``jumps`` is 1
for jumps and 0 for a step, and ``route`` is a leading 1 followed by two bits for each step or jump in order, which
hold its direction as an index into `STEPS`.
"""

from zermelo.board import Board
from zermelo.game import MAX, MIN
from zermelo.games.dark_squares import DarkBoard, Position

BOARD = DarkBoard(8, white=MIN)
TOP = BOARD.top
"""The highest bit of the board."""
DARK = BOARD.dark
MAX_LAST_ROW = BOARD.last_row(MAX)
"""The row where MAX's men become kings."""
MIN_LAST_ROW = BOARD.last_row(MIN)
STEPS = BOARD.steps
"""Down to the left, down to the right, up to the right, up to the left; MAX's men use the first two."""


def path(action: int) -> list[int]:
    """Return the numbers in PDN of the squares that a move visits, its origin first."""
    bit, route = action >> 1 & 63, action >> 7
    squares = [BOARD.square_of(bit)]
    for place in reversed(range(0, route.bit_length() - 1, 2)):
        bit += STEPS[route >> place & 3] * (2 if action & 1 else 1)
        squares.append(BOARD.square_of(bit))
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


def picture(state: Position, legal: list[int]) -> Board:
    """Return the board as data for `Game.board`, given the legal actions."""
    return BOARD.picture(state, {action: tuple(map(BOARD.cell_of, path(action))) for action in legal})
