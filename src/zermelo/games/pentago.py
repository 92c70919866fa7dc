"""Pentago: put down a stone, then turn a quarter of the board; five in a row win.

Variant: T. Flodén's game (2005) as OpenSpiel plays it. After every stone, the player must turn one of the four quarters
of the board by 90 degrees; only after that does five in a row count. Five of both players at once is a draw, and so is
a full board without five. MAX ("O") moves first.

Bit layout: each quarter takes nine bits, first its rim clockwise from its top left corner, then its centre. So a turn
rotates the eight bits of the rim by two places. For the first quarter::

    0 1 2
    7 8 3
    6 5 4

An action is ``cell * 8 + turn``: the cell in reading order, and a turn from 0 to 7, which people write as ``s`` to
``z``. ``turn // 2`` is the quarter: top left, top right, bottom right, bottom left. An even turn goes to the left, an
odd one to the right.
"""

from collections.abc import Iterator
from typing import NamedTuple

from zermelo import grid
from zermelo.bits import popcount
from zermelo.board import Area, Arrow, Board, Cell
from zermelo.game import MAX, MIN, Game

WIN = 1000
SIZE = 6
RIM = 255
FULL = (1 << SIZE * SIZE) - 1
RIMS = sum(RIM << first for first in range(0, 36, 9))
STARTS = sum(3 << first for first in range(0, 36, 9))
"""The first two bits of each rim."""
QUARTERS = ((0, 0), (0, 3), (3, 3), (3, 0))
"""Row and column of the top left corner of each quarter."""
SPOTS = ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (1, 1))
PLACES = tuple((top + row, left + column) for top, left in QUARTERS for row, column in SPOTS)
"""Row and column of each bit."""
BITS = tuple(1 << PLACES.index((row, column)) for row in range(SIZE) for column in range(SIZE))
"""The bit of each cell in reading order."""
FIVES = tuple(
    sum(BITS[(row + step * down) * SIZE + column + step * right] for step in range(5))
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    for row in range(SIZE)
    for column in range(SIZE)
    if row + 4 * down < SIZE and 0 <= column + 4 * right < SIZE
)


class State(NamedTuple):
    """The stones of both players; their number tells whose turn it is."""

    max_stones: int
    min_stones: int


def turned(board: int, turn: int) -> int:
    """Return ``board`` with a quarter turned."""
    first = turn // 2 * 9
    rim = board >> first & RIM
    distance = 2 if turn & 1 else 6
    rim = (rim << distance | rim >> (8 - distance)) & RIM
    return (board & ~(RIM << first)) | rim << first


def has_five(board: int) -> bool:
    """Return whether ``board`` has five in a row."""
    if popcount(board) < 5:
        return False
    for five in FIVES:
        if board & five == five:
            return True
    return False


def to_move(state: State) -> int:
    return MIN if popcount(state.max_stones | state.min_stones) & 1 else MAX


def actions(state: State) -> Iterator[int]:
    stones = state.max_stones | state.min_stones
    for cell in range(SIZE * SIZE):
        if not stones & BITS[cell]:
            for turn in range(8):
                yield cell * 8 + turn


def result(state: State, action: int) -> State:
    max_stones, min_stones = state
    if to_move(state) == MAX:
        max_stones |= BITS[action >> 3]
    else:
        min_stones |= BITS[action >> 3]
    return State(turned(max_stones, action & 7), turned(min_stones, action & 7))


def is_terminal(state: State) -> bool:
    max_stones, min_stones = state
    return max_stones | min_stones == FULL or has_five(max_stones) or has_five(min_stones)


def utility(state: State) -> int:
    """Return 1000 if only MAX has five, -1000 if only MIN has, 0 if both or neither."""
    return WIN * ((1 if has_five(state.max_stones) else 0) - (1 if has_five(state.min_stones) else 0))


def evaluate(state: State) -> int:
    """Sum the squared number of stones over lines of five where only one player has stones: at most 32 * 16."""
    value = 0
    for five in FIVES:
        mine, theirs = popcount(state.max_stones & five), popcount(state.min_stones & five)
        if theirs == 0:
            value += mine * mine
        if mine == 0:
            value -= theirs * theirs
    return value


def wins_at_once(mine: int, theirs: int) -> bool:
    """Return whether the player with the stones ``mine`` gets five with one action, and the other player does not."""
    if popcount(mine) < 4:
        return False
    for turn in range(8):
        ours, others = turned(mine, turn), turned(theirs, turn)
        lines = 0
        for five in FIVES:  # to stop at the first line takes longer: the processor compares several at once
            lines += 1 if popcount(ours & five) >= 4 and others & five == 0 else 0
        if lines and not has_five(others):
            return True
    return False


def bounds(state: State) -> tuple[int, int]:
    """Return the value if the player to move wins with one action."""
    max_stones, min_stones = state
    if to_move(state) == MAX:
        return (WIN if wins_at_once(max_stones, min_stones) else -WIN, WIN)
    return (-WIN, -WIN if wins_at_once(min_stones, max_stones) else WIN)


def quarter_turn(board: int) -> int:
    """Return the whole board turned to the right: each quarter is turned and takes the place of the next."""
    board = (board << 9 | board >> 27) & FULL
    rims = board & RIMS
    return board & ~RIMS | (rims << 2 & RIMS & ~STARTS) | (rims >> 6 & STARTS)


def tier(state: State) -> int:
    """Count the stones: each move adds one."""
    return popcount(state.max_stones) + popcount(state.min_stones)


def symmetries(state: State) -> Iterator[State]:
    """Yield the three turns of the whole board."""
    max_stones, min_stones = state
    for _ in range(3):
        max_stones, min_stones = quarter_turn(max_stones), quarter_turn(min_stones)
        yield State(max_stones, min_stones)


def pieces(state: State) -> str:
    return "".join("O" if state.max_stones & bit else "@" if state.min_stones & bit else "." for bit in BITS)


def to_text(state: State) -> str:
    """Write the rows from the top with a bar between them: ``......|.O....|…``."""
    return grid.rows_of(pieces(state), SIZE)


def from_text(text: str) -> State:
    """Read a state that `to_text` wrote; raise ValueError for any other text."""
    board = grid.read_rows(text, SIZE, SIZE, "O@.")
    stones = {letter: sum(bit for piece, bit in zip(board, BITS, strict=True) if piece == letter) for letter in "O@"}
    if popcount(stones["O"]) - popcount(stones["@"]) not in (0, 1):
        raise ValueError(f"{text!r} must hold as many O as @, or one more")
    return State(stones["O"], stones["@"])


def draw(state: State) -> str:
    left, right = ("v", "s", " ", " ", "z", "^"), ("v", "v", " ", " ", "w", "^")
    lines = ["    > t     u <", "    a b c d e f"]
    for row, line in enumerate(to_text(state).split("|")):
        lines.append(f"{left[row]} {row + 1} {' '.join(line)} {right[row]}".rstrip())
    return "\n".join([*lines, "    > y     x <"])


def format_action(state: State, action: int) -> str:
    """Write column (a letter), row (a number, counted from the top) and turn (a letter): ``c6s``."""
    cell = action >> 3
    return f"{chr(ord('a') + cell % SIZE)}{cell // SIZE + 1}{'stuvwxyz'[action & 7]}"


ARROWS = ((-1, 1), (1, -1), (4, -1), (6, 1), (6, 4), (4, 6), (1, 6), (-1, 4))
"""The places beside the board where a click turns a quarter, from ``s`` to ``z``."""
CELLS = (
    *(Cell(column, row, "round") for row in range(SIZE) for column in range(SIZE)),
    *(Cell(x, y, "round", *((0.7, 1.9) if x in (-1, 6) else (1.9, 0.7))) for x, y in ARROWS),
)
LABELS = (
    *((column, -1.6, "abcdef"[column]) for column in range(SIZE)),
    *((-1.6, row, str(row + 1)) for row in range(SIZE)),
)
TURNS = tuple(
    Arrow((x - dx - bx, y - dy - by), (x + 2 * bx, y + 2 * by), (x + dx - bx, y + dy - by))
    for (x, y), (dx, dy), (bx, by) in zip(
        ARROWS,
        ((0, 0.7), (0.7, 0), (-0.7, 0), (0, 0.7), (0, -0.7), (-0.7, 0), (0.7, 0), (0, -0.7)),
        ((-0.15, 0), (0, -0.15), (0, -0.15), (0.15, 0), (0.15, 0), (0, 0.15), (0, 0.15), (-0.15, 0)),
        strict=True,
    )
)
"""The way each turn goes round its quarter."""
SQUARES = tuple(Area(x, y, 2.92, 2.92) for y in (-0.46, 2.54) for x in (-0.46, 2.54))


def board(state: State) -> Board:
    legal = [] if is_terminal(state) else list(actions(state))
    clicks = {action: (action >> 3, SIZE * SIZE + (action & 7)) for action in legal}
    shown = grid.board_of(pieces(state), SIZE, SIZE, {"O": MAX, "@": MIN}, clicks)
    won = grid.runs_of(pieces(state), SIZE, SIZE, 5) if not legal else ()
    return shown._replace(cells=CELLS, areas=SQUARES, arrows=TURNS, labels=LABELS, won=won)


def pentago() -> Game:
    """Pentago: a stone, then a quarter turn; five in a row win."""
    return Game(
        name="pentago",
        initial=State(0, 0),
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        bounds=bounds,
        switches={"leaf_bounds": True},
        symmetries=symmetries,
        tier=tier,
        draw=draw,
        format_action=format_action,
        to_text=to_text,
        from_text=from_text,
        board=board,
        sides=("White", "Black"),
    )
