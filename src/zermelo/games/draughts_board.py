"""The board of international draughts, and moves in the usual notation.

`zermelo.games.dark_squares` defines the bits of the board: here a guard bit follows every ten squares, and steps are 5
and 6 bits long.

An action is ``captured * 128 + target * 64 + origin``: ``captured`` is the set of captured pieces, ``target`` and
``origin`` are the bit numbers of the squares where the move ends and begins. No piece of the uppermost row can be
captured, so the lowest five bits of ``captured`` are 0, and the upper bits of ``target`` take their place. An action
has 56 bits.
"""

from collections import Counter
from itertools import pairwise

from zermelo.game import MAX, MIN
from zermelo.games.dark_squares import DarkBoard

BOARD = DarkBoard(10, white=MAX)
DARK = BOARD.dark
MAX_LAST_ROW = BOARD.last_row(MAX)
"""The row where MAX's men become kings."""
MIN_LAST_ROW = BOARD.last_row(MIN)
STEPS = BOARD.steps
"""Down to the left, down to the right, up to the right, up to the left; MAX's men step in the last two directions."""


def captured_by(action: int) -> int:
    """Return the set of pieces that an action captures."""
    return action >> 7 & ~0b11111


def taken(action: int) -> set[int]:
    """Return the numbers of the squares of the pieces that a move captures."""
    return set(BOARD.squares_of(captured_by(action)))


def ends(action: int) -> tuple[int, int]:
    """Return the numbers of the squares where a move begins and ends."""
    return BOARD.square_of(action & 63), BOARD.square_of(action >> 6 & 63)


def alike(actions: list[int]) -> dict[int, int]:
    """Return for each of the legal ``actions`` how many of them begin and end where it does."""
    counts = Counter(map(ends, actions))
    return {action: counts[ends(action)] for action in actions}


def written(actions: list[int]) -> dict[int, str]:
    """Return the names of all legal ``actions``: ``32-28`` for a step and ``26x37`` for a capture.

    If several captures begin and end alike, the squares of the captured pieces follow, in order: ``26x37x31x41``. The
    Hub protocol, by which programs for draughts speak to each other, writes all captures like this.
    """
    names = {}
    for action, count in alike(actions).items():
        squares = [*ends(action), *(sorted(taken(action)) if count > 1 else ())]
        names[action] = ("x" if taken(action) else "-").join(map(str, squares))
    return names


def clicks(actions: list[int]) -> dict[int, tuple[int, ...]]:
    """Return for each of the legal ``actions`` the cells to click: where it begins, and where it ends.

    If several captures begin and end alike, the captured pieces follow that not all of them capture.
    """
    cells = {}
    for action, count in alike(actions).items():
        squares = list(ends(action))
        if count > 1:
            always = captured_by(action)
            for other in actions:
                always &= captured_by(other) if ends(other) == ends(action) else always
            squares += BOARD.squares_of(captured_by(action) & ~always)
        cells[action] = tuple(map(BOARD.cell_of, squares))
    return cells


def between(first: int, last: int) -> set[int]:
    """Return the numbers of the squares between two squares of a diagonal; none if they are on no diagonal."""
    (row, column), (last_row, last_column) = (divmod(BOARD.cell_of(square), 10) for square in (first, last))
    if abs(last_row - row) != abs(last_column - column):
        return set()
    down, right = 1 if last_row > row else -1, 1 if last_column > column else -1
    cells = {(row + n * down) * 10 + column + n * right for n in range(1, abs(last_row - row))}
    return {square for square in range(1, BOARD.squares + 1) if BOARD.cell_of(square) in cells}


def is_route(squares: list[int], action: int) -> bool:
    """Return whether a capture can visit ``squares``, and captures something between any two of them in a row."""
    legs = [between(first, last) & taken(action) for first, last in pairwise(squares)]
    return (squares[0], squares[-1]) == ends(action) and all(legs) and set().union(*legs) == taken(action)


def read_move(text: str, actions: list[int]) -> int:
    """Return the one of the legal ``actions`` that a move means.

    After the squares where a capture begins and ends, some captured pieces may follow, as many as are needed to tell it
    from others. All squares where a chain turns or lands, in order, are read, too: ``26x37x48``.

    Raises
    ------
    ValueError
        The text means no legal move, or several.
    """
    words = text.strip().lower().replace("x", "-").replace(":", "-").split("-")
    if len(words) < 2 or not all(word.isascii() and word.isdigit() and len(word) <= 2 for word in words):
        raise ValueError(f"{text!r} is not a move; write 32-28 for a step and 26x37, or 26x37x31x41, for a capture")
    squares = [int(word) for word in words]
    if not all(1 <= square <= BOARD.squares for square in squares):
        raise ValueError(f"{text!r} is not a move; squares are 1 to {BOARD.squares}")
    start, named = (squares[0], squares[1]), set(squares[2:])
    fitting = [action for action in actions if ends(action) == start and named <= taken(action)]
    found = fitting or [action for action in actions if is_route(squares, action)]
    if not found:
        raise ValueError(f"{text!r} is not a legal move here")
    if len(found) > 1:
        names = written(actions)
        raise ValueError(f"{text!r} may mean {' or '.join(names[action] for action in found)}")
    return found[0]
