"""Mini-checkers, after E. K. Wong's course CS 4613 at New York University.

The board is 6x6. Each player begins with six men on the dark squares of the two nearest rows.

- A man moves one step diagonally forward to an empty square, or jumps diagonally forward over an adjacent enemy man to
  the empty square behind it and captures that man. A turn is one jump, and there are no kings.
- A player who can capture must capture: ACTIONS then yields only captures, which is the handout's mask before its loop.
- A player who cannot move passes, which is an action of its own. When neither player can move, the player with more men
  wins; equal numbers are a draw.

MAX ("x") plays up the board and moves first.

Bit layout: rows from the bottom, seven bits for each; the last bit of a row is a guard, which always stays 0. A step
forward is 6 or 8 bits up for MAX, and down for MIN::

    35 36 37 38 39 40 | 41      men of MIN on rows 5 and 6
    28 29 30 31 32 33 | 34
    21 22 23 24 25 26 | 27
    14 15 16 17 18 19 | 20
     7  8  9 10 11 12 | 13      men of MAX on rows 1 and 2
     0  1  2  3  4  5 |  6      a1 is 0 and dark

An action is ``origin * 64 + target`` in these bits; `PASS` is 0.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from zermelo.bits import lowest_index, popcount
from zermelo.board import Board, Cell, Piece
from zermelo.game import MAX, MIN, Game
from zermelo.grid import counted
from zermelo.parameters import checked

SIZE = 6
PITCH = 7
ROW = (1 << SIZE) - 1
DARK = sum(1 << (row * PITCH + column) for row in range(SIZE) for column in range(SIZE) if (row + column) % 2 == 0)
MAX_HOME = DARK & (ROW | ROW << PITCH)
MIN_HOME = DARK & (ROW << 4 * PITCH | ROW << 5 * PITCH)
STEPS = (PITCH - 1, PITCH + 1)
"""The distances in bits from a square to the two squares diagonally ahead of it."""
WIN = 1000
PASS = 0


class State(NamedTuple):
    """The men of both players, and the player to move."""

    max_men: int
    min_men: int
    player: int
    """The player to move, MAX or MIN; since players can pass, the men do not tell."""


def behind(board: int, distance: int, player: int) -> int:
    """Return the squares from which ``player`` reaches ``board`` by going ``distance`` bits ahead."""
    return board >> distance if player == MAX else board << distance


def jumpers(mine: int, theirs: int, step: int, player: int) -> int:
    """Return the men of ``player`` that can jump along ``step``."""
    empty = DARK & ~(mine | theirs)
    return mine & behind(theirs, step, player) & behind(empty, 2 * step, player)


def walkers(mine: int, theirs: int, step: int, player: int) -> int:
    """Return the men of ``player`` that can move along ``step`` without a jump."""
    empty = DARK & ~(mine | theirs)
    return mine & behind(empty, step, player)


def can_move(mine: int, theirs: int, player: int) -> bool:
    """Return whether ``player`` has a move other than a pass."""
    for step in STEPS:
        if walkers(mine, theirs, step, player) | jumpers(mine, theirs, step, player):
            return True
    return False


def to_move(state: State) -> int:
    return state.player


def actions(state: State) -> Iterator[int]:
    player = state.player
    mine, theirs = (state.max_men, state.min_men) if player == MAX else (state.min_men, state.max_men)
    captures = jumpers(mine, theirs, STEPS[0], player) | jumpers(mine, theirs, STEPS[1], player)
    stuck = True
    for step in STEPS:
        movers = jumpers(mine, theirs, step, player) if captures else walkers(mine, theirs, step, player)
        distance = player * step * (2 if captures else 1)
        while movers:
            origin = lowest_index(movers)
            stuck = False
            yield origin * 64 + origin + distance
            movers &= movers - 1
    if stuck:
        yield PASS


def result(state: State, action: int) -> State:
    max_men, min_men, player = state
    if action == PASS:
        return State(max_men, min_men, -player)
    origin, target = action >> 6, action & 63
    moved = 1 << origin | 1 << target
    # The captured man is halfway between the ends of a jump.
    captured = 1 << ((origin + target) >> 1) if abs(target - origin) > PITCH + 1 else 0
    if player == MAX:
        return State(max_men ^ moved, min_men & ~captured, MIN)
    return State(max_men & ~captured, min_men ^ moved, MAX)


def is_terminal(state: State) -> bool:
    max_men, min_men, _ = state
    if max_men == 0 or min_men == 0:
        return True
    return not can_move(max_men, min_men, MAX) and not can_move(min_men, max_men, MIN)


def utility(state: State) -> int:
    """Return 1000 if MAX has more men, -1000 if MIN has, 0 if the numbers are equal."""
    balance = popcount(state.max_men) - popcount(state.min_men)
    return WIN if balance > 0 else -WIN if balance < 0 else 0


def evaluate(state: State) -> int:
    """Count 100 for a man and 1 for each row that a man has advanced: at most 600 + 30, below any win."""
    value = 100 * (popcount(state.max_men) - popcount(state.min_men))
    for row in range(SIZE):
        squares = ROW << row * PITCH
        value += row * popcount(state.max_men & squares) - (SIZE - 1 - row) * popcount(state.min_men & squares)
    return value


def is_quiet(state: State) -> bool:
    """Return whether neither player could capture if it were that player's turn, so EVAL will not jump at once."""
    max_men, min_men, _ = state
    for step in STEPS:
        if jumpers(max_men, min_men, step, MAX) | jumpers(min_men, max_men, step, MIN):
            return False
    return True


def half_turn(men: int) -> int:
    """Return ``men`` as seen from the other side of the board."""
    turned = 0
    while men:
        turned |= 1 << (SIZE - 1) * (PITCH + 1) - lowest_index(men)
        men &= men - 1
    return turned


def swap(state: State) -> State:
    return State(half_turn(state.min_men), half_turn(state.max_men), -state.player)


def square(index: int) -> str:
    """Return the name of a square: a letter for the column, a number for the row counted from the bottom."""
    return f"{chr(ord('a') + index % PITCH)}{index // PITCH + 1}"


def format_action(state: State, action: int) -> str:
    """Write ``c2-d3`` for a step, ``c2xe4`` for a jump, or ``pass``."""
    if action == PASS:
        return "pass"
    origin, target = action >> 6, action & 63
    return square(origin) + ("x" if abs(target - origin) > PITCH + 1 else "-") + square(target)


def to_text(state: State) -> str:
    """Write the rows from the top with a bar between them, then who is to move: ``.o.o.o|…|x.x.x. x``."""
    lines = []
    for row in reversed(range(SIZE)):
        bits = [1 << (row * PITCH + column) for column in range(SIZE)]
        lines.append("".join("x" if state.max_men & bit else "o" if state.min_men & bit else "." for bit in bits))
    return "|".join(lines) + (" x" if state.player == MAX else " o")


def from_text(text: str) -> State:
    """Read a state that `to_text` wrote; raise ValueError for any other text."""
    board, _, turn = text.partition(" ")
    lines = board.split("|")
    if (
        len(lines) != SIZE
        or any(len(line) != SIZE or set(line) - set("xo.") for line in lines)
        or turn not in ("x", "o")
    ):
        raise ValueError(f"{text!r} is not 6 rows of 6 characters x, o or . with | between, a space, and x or o")
    men = {"x": 0, "o": 0}
    for row, line in enumerate(reversed(lines)):
        for column, piece in enumerate(line):
            if piece != ".":
                men[piece] |= 1 << (row * PITCH + column)
    if (men["x"] | men["o"]) & ~DARK:
        raise ValueError(f"{text!r} holds a man on a light square; a1, at the bottom left, is dark")
    return State(men["x"], men["o"], MAX if turn == "x" else MIN)


def draw(state: State) -> str:
    lines = []
    for row, pieces in zip(reversed(range(SIZE)), to_text(state).split("|"), strict=True):
        squares = (piece if DARK >> (row * PITCH + column) & 1 else " " for column, piece in enumerate(pieces[:SIZE]))
        lines.append(f"{row + 1} {' '.join(squares)}".rstrip())
    return "\n".join([*lines, "  a b c d e f"])


SQUARES = tuple(Cell(c, SIZE - 1 - r, "square" if (r + c) % 2 else "dark") for r in range(SIZE) for c in range(SIZE))
LABELS = (
    *((float(column), SIZE - 0.25, chr(ord("a") + column)) for column in range(SIZE)),
    *((-0.75, float(SIZE - 1 - row), str(row + 1)) for row in range(SIZE)),
)


def board(state: State) -> Board:
    cell = {row * PITCH + column: row * SIZE + column for row in range(SIZE) for column in range(SIZE)}
    pieces = [Piece(cell[bit], MAX, "man") for bit in cell if state.max_men >> bit & 1]
    pieces += [Piece(cell[bit], MIN, "man") for bit in cell if state.min_men >> bit & 1]
    legal = [] if is_terminal(state) else list(actions(state))
    clicks: dict[int, tuple[int, ...]] = {
        action: () if action == PASS else (cell[action >> 6], cell[action & 63]) for action in legal
    }
    scores = counted("captured", 6 - popcount(state.min_men), 6 - popcount(state.max_men))
    return Board(SQUARES, tuple(pieces), clicks, labels=LABELS, scores=scores, missing=True)


def tier(state: State) -> int:
    """Sum the rows that all men have advanced; a captured man counts as one that has left the board."""
    gone = (12 - popcount(state.max_men) - popcount(state.min_men)) * SIZE
    for row in range(1, SIZE):
        gone += row * popcount(state.max_men & ROW << row * PITCH)
        gone += row * popcount(state.min_men & ROW << (SIZE - 1 - row) * PITCH)
    return gone


def minicheckers(quiet: Annotated[int, range(21)] = 0) -> Game:
    """Mini-checkers: men only, on 6x6, obligatory captures, a player who cannot move passes.

    With ``quiet``, heuristic searches stop at the first position from that ply on where nobody can capture.
    """
    parameters = checked(minicheckers, quiet=quiet)

    def is_cutoff(state: State, depth: int) -> bool:
        return depth >= quiet and is_quiet(state)

    return Game(
        name="minicheckers",
        parameters=parameters if quiet else {},  # the rules are the same, and tables of the game stay valid
        initial=State(MAX_HOME, MIN_HOME, MAX),
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        is_cutoff=is_cutoff if quiet else None,
        format_action=format_action,
        draw=draw,
        to_text=to_text,
        from_text=from_text,
        board=board,
        sides=("Red", "White"),
        swap=swap,
        tier=tier,
    )
