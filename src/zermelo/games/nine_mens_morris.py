"""Nine men's morris: line up three men to close a mill and take an enemy man; a player left with two men loses.

Variant: R. Gasser, Solving Nine Men's Morris (1996), which is that of the championships.

- The players place nine men each in turn. After that, a move takes a man along a line to the next point; with
  ``flying``, a player who has three men left may move to any free point.
- Three men on a line are a mill. A player who closes a mill takes one enemy man, and only one even if the move closes
  two mills. A man in a mill is safe unless all enemy men are in mills.
- A player who has fewer than three men, those in hand included, or no move loses. A position that comes back is a draw.

MAX ("W") moves first. The points are numbered in reading order, and point ``n`` is bit ``n`` of a word::

    0 ------ 1 ------ 2
    |  3 --- 4 --- 5  |
    |  |  6  7  8  |  |
    9 10 11    12 13 14
    |  | 15 16 17  |  |
    | 18 -- 19 -- 20  |
    21 ---- 22 ----- 23

An action is ``origin * 625 + target * 25 + taken``. An ``origin`` of 24 means a man from the hand; 24 for ``taken``
means that no man is taken.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from zermelo.bits import lowest_index, popcount
from zermelo.board import Board, Cell, Piece
from zermelo.game import MAX, MIN, Game
from zermelo.grid import counted
from zermelo.parameters import checked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WIN = 1000
POINTS = 24
NONE = 24
ALL = (1 << POINTS) - 1
MEN = 9
PLACES = tuple(
    (column, row)
    for row, columns in enumerate(("036", "135", "234", "012456", "234", "135", "036"))
    for column in map(int, columns)
)
"""The column and row of each point on a board of 7 x 7."""
NAMES = tuple(f"{chr(ord('a') + column)}{7 - row}" for column, row in PLACES)
LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 16, 17), (18, 19, 20), (21, 22, 23)),
    *((0, 9, 21), (3, 10, 18), (6, 11, 15), (1, 4, 7), (16, 19, 22), (8, 12, 17), (5, 13, 20), (2, 14, 23)),
)
MILLS = tuple(sum(1 << point for point in line) for line in LINES)
MILLS_AT = tuple(tuple(mill for mill in MILLS if mill >> point & 1) for point in range(POINTS))
"""The two mills of each point."""
NEAR = tuple(
    sum(1 << pair[1 - pair.index(point)] for line in LINES for pair in (line[:2], line[1:]) if point in pair)
    for point in range(POINTS)
)
"""The points next to each point."""


BOTH = 1 << POINTS | 1
"""What a set of points is multiplied by to stand for itself on the boards of both players, one above the other."""
ROWS = tuple(7 * BOTH << 3 * row for row in range(8))
"""Three points in a row, from top to bottom; the fourth and the fifth row are side by side."""
LEFTS = sum(BOTH << point for point in range(0, POINTS, 3))
"""The left one of each three points in a row."""
EXCHANGES = (
    *((6, ROWS[0] | ROWS[5]), (2, LEFTS & (ROWS[3] | ROWS[4]))),  # the outer and the inner square
    *((2, LEFTS), (3, ROWS[3])),  # left and right
    *((21, ROWS[0]), (15, ROWS[1]), (9, ROWS[2])),  # top and bottom
    *((8, BOTH << 1 | BOTH << 14), (6, BOTH << 4 | BOTH << 13), (4, BOTH << 7 | BOTH << 12)),  # the diagonal from a7
    *((19, BOTH << 2), (13, BOTH << 5), (7, BOTH << 8)),
)
"""What four reflections exchange: how far apart points are that change places, and the first ones of these pairs."""
REFLECTIONS = (0, 2, 4, 7, 13)
"""Where in `EXCHANGES` each reflection begins, and where the last one ends."""


class State(NamedTuple):
    """The men of both players on the board and in hand, and the player to move."""

    max_men: int
    min_men: int
    max_hand: int
    min_hand: int
    player: int
    """The player to move, MAX or MIN."""


def closes(men: int, point: int) -> bool:
    """Return whether ``men`` fill one of the mills of ``point``."""
    one, other = MILLS_AT[point]
    return men & one == one or men & other == other


def takeable(men: int) -> int:
    """Return which of ``men`` the enemy may take: those outside mills, or all if all are in mills."""
    safe = 0
    for mill in MILLS:
        if men & mill == mill:
            safe |= mill
    return men & ~safe if men & ~safe else men


def steps(men: int, enemies: int) -> int:
    """Return how many moves along a line ``men`` have."""
    count = 0
    while men:
        count += popcount(NEAR[lowest_index(men)] & ~(men | enemies))
        enemies |= men & -men
        men &= men - 1
    return count


def to_move(state: State) -> int:
    return state.player


def result(state: State, action: int) -> State:
    max_men, min_men, max_hand, min_hand, player = state
    origin, target, taken = action // 625, action // 25 % 25, action % 25
    placed = 1 if origin == NONE else 0
    moved = 1 << target if placed else 1 << target | 1 << origin
    gone = 0 if taken == NONE else 1 << taken
    if player == MAX:
        return State(max_men ^ moved, min_men ^ gone, max_hand - placed, min_hand, MIN)
    return State(max_men ^ gone, min_men ^ moved, max_hand, min_hand - placed, MAX)


def utility(state: State) -> int:
    """Return 1000 if MIN has lost, -1000 if MAX has."""
    if popcount(state.max_men) + state.max_hand < 3:
        return -WIN
    return WIN if popcount(state.min_men) + state.min_hand < 3 else -state.player * WIN


def evaluate(state: State) -> int:
    """Count 30 for a man, 5 for a mill, 1 for a move along a line: at most 9 * 30 + 4 * 5 + 36."""
    max_men, min_men, max_hand, min_hand, _ = state
    value = 30 * (popcount(max_men) + max_hand - popcount(min_men) - min_hand)
    for mill in MILLS:
        value += 5 * ((1 if max_men & mill == mill else 0) - (1 if min_men & mill == mill else 0))
    return value + steps(max_men, min_men) - steps(min_men, max_men)


def key(state: State) -> int:
    """Pack four bits for each player's men in hand, 24 for the men on the board, and one for the player to move."""
    hands = state.max_hand << 4 | state.min_hand
    return ((hands << POINTS | state.max_men) << POINTS | state.min_men) << 1 | (1 if state.player == MAX else 0)


def order(state: State, action: int) -> int:
    """Put mills first, then points with many neighbours."""
    return (10 if action % 25 != NONE else 0) + popcount(NEAR[action // 25 % 25])


def tier(state: State) -> int:
    """Combine how many men have been placed and how many taken; neither ever decreases."""
    placed = 2 * MEN - state.max_hand - state.min_hand
    return placed * (2 * MEN + 1) + placed - popcount(state.max_men | state.min_men)


def turned(men: int, number: int) -> int:
    """Return the image after the one before ``number``, so that numbers from 1 to 15 give every other image once."""
    reflection = lowest_index(number)
    for place in range(REFLECTIONS[reflection], REFLECTIONS[reflection + 1]):
        distance, points = EXCHANGES[place]
        changed = (men ^ men >> distance) & points
        men ^= changed | changed << distance
    return men


def symmetries(state: State) -> Iterator[State]:
    """Yield fifteen images: the square's reflections and rotations, also with inside and outside exchanged."""
    men = state.max_men << POINTS | state.min_men
    for number in range(1, 16):
        men = turned(men, number)
        yield State(men >> POINTS, men & ALL, state.max_hand, state.min_hand, state.player)


def swap(state: State) -> State:
    return State(state.min_men, state.max_men, state.min_hand, state.max_hand, -state.player)


def unpack(number: int) -> State:
    """Return the state that `key` packed."""
    men, hands = number >> 1, number >> 2 * POINTS + 1
    return State(men >> POINTS & ALL, men & ALL, hands >> 4, hands & 15, MAX if number & 1 else MIN)


def placements(text: str) -> "NDArray[np.int64]":
    """Return the placements of men that a text such as ``3-4`` counts, with either side to move, as `key` packs them.

    The first number counts MAX's men, the second MIN's. No men are in hand. Of symmetric placements there is one.

    Raises
    ------
    ValueError
        The text is not two numbers from 0 to 9 with a hyphen between them.
    """
    counts = text.split("-")
    if len(counts) != 2 or any(count not in tuple(map(str, range(MEN + 1))) for count in counts):
        raise ValueError(f"{text!r} is not two numbers from 0 to {MEN} with - between, the men of MAX and of MIN")
    from zermelo.games import nine_mens_placements  # which needs NumPy, as the rules do not

    places = [[1 << point for point in range(POINTS)]]
    for number in range(1, 16):
        places.append([turned(point, number) for point in places[-1]])
    images = tuple(tuple(map(lowest_index, image)) for image in places)
    return nine_mens_placements.placements(int(counts[0]), int(counts[1]), images)


def shown(state: State) -> str:
    """Write one character for each point."""
    return "".join("W" if state.max_men >> p & 1 else "B" if state.min_men >> p & 1 else "." for p in range(POINTS))


def to_text(state: State) -> str:
    """Write the points in reading order, who is to move, and the men in hand: ``W....................... B 8 9``."""
    return f"{shown(state)} {'W' if state.player == MAX else 'B'} {state.max_hand} {state.min_hand}"


def from_text(text: str) -> State:
    """Read a state that `to_text` wrote; raise ValueError for any other text."""
    words = text.split(" ")
    digits = tuple(str(number) for number in range(MEN + 1))
    if (
        len(words) != 4
        or len(words[0]) != POINTS
        or set(words[0]) - set("WB.")
        or words[1] not in ("W", "B")
        or words[2] not in digits
        or words[3] not in digits
    ):
        raise ValueError(
            f"{text!r} is not 24 characters W, B or ., whose turn it is, and the men that each has in hand"
        )
    men = [sum(1 << point for point, piece in enumerate(words[0]) if piece == letter) for letter in "WB"]
    state = State(men[0], men[1], int(words[2]), int(words[3]), MAX if words[1] == "W" else MIN)
    totals = (popcount(men[0]) + state.max_hand, popcount(men[1]) + state.min_hand)
    if max(totals) > MEN or max(totals) < 3:
        raise ValueError(f"{text!r} must hold at most nine men a side, and three of one side")
    return state


FRAME = """\
7 .-----.-----.
6 | .---.---. |
5 | | .-.-. | |
4 .-.-.   .-.-.
3 | | .-.-. | |
2 | .---.---. |
1 .-----.-----.
  a b c d e f g"""


def draw(state: State) -> str:
    rows = [list(line) for line in FRAME.split("\n")]
    for (column, row), piece in zip(PLACES, shown(state), strict=True):
        rows[row][2 + 2 * column] = piece
    hands = f"in hand: W {state.max_hand}, B {state.min_hand}"
    return "\n".join([*("".join(row) for row in rows), hands])


def format_action(state: State, action: int) -> str:
    """Write ``d6`` to place a man or ``d6-f6`` to move one, followed by ``xa1`` if it takes a man."""
    origin, target, taken = action // 625, action // 25 % 25, action % 25
    start = "" if origin == NONE else f"{NAMES[origin]}-"
    return start + NAMES[target] + ("" if taken == NONE else f"x{NAMES[taken]}")


CELLS = tuple(Cell(column, row, "point") for column, row in PLACES)
DRAWN = tuple((CELLS[start].x, CELLS[start].y, CELLS[end].x, CELLS[end].y) for start, _, end in LINES)

NAMED = (
    *((float(column), 7.1, "abcdefg"[column]) for column in range(7)),
    *((-1.1, float(row), str(7 - row)) for row in range(7)),
)
"""The names of columns and rows."""


def nine_mens_morris(flying: bool = True) -> Game:
    """Nine men's morris: place, move and, with three men left, fly; mills take men."""
    parameters = checked(nine_mens_morris, flying=flying)

    def targets(state: State, origin: int) -> int:
        """Return the points that the man on ``origin`` can move to."""
        free = ALL & ~(state.max_men | state.min_men)
        if flying and popcount(state.max_men if state.player == MAX else state.min_men) == 3:
            return free
        return free & NEAR[origin]

    def actions(state: State) -> Iterator[int]:
        mine, theirs, hand = state.max_men, state.min_men, state.max_hand
        if state.player == MIN:
            mine, theirs, hand = state.min_men, state.max_men, state.min_hand
        prey = takeable(theirs)
        men = mine if hand == 0 else 1
        while men:
            origin = NONE if hand else lowest_index(men)
            men &= men - 1
            rest = mine if hand else mine & ~(1 << origin)
            free = ALL & ~(mine | theirs) if hand else targets(state, origin)
            while free:
                target = lowest_index(free)
                free &= free - 1
                start = origin * 625 + target * 25
                if prey and closes(rest | 1 << target, target):
                    taking = prey
                    while taking:
                        yield start + lowest_index(taking)
                        taking &= taking - 1
                else:
                    yield start + NONE

    def can_move(state: State) -> bool:
        """Return whether the player to move has a move."""
        men = state.max_men if state.player == MAX else state.min_men
        if (state.max_hand if state.player == MAX else state.min_hand) > 0:
            return True
        while men:
            if targets(state, lowest_index(men)):
                return True
            men &= men - 1
        return False

    def is_terminal(state: State) -> bool:
        if popcount(state.max_men) + state.max_hand < 3 or popcount(state.min_men) + state.min_hand < 3:
            return True
        return not can_move(state)

    def board(state: State) -> Board:
        pieces = [
            Piece(point, MAX if piece == "W" else MIN, "man")
            for point, piece in enumerate(shown(state))
            if piece != "."
        ]
        legal = [] if is_terminal(state) else list(actions(state))
        parts = {action: (action // 625, action // 25 % 25, action % 25) for action in legal}
        clicks = {action: tuple(point for point in points if point != NONE) for action, points in parts.items()}
        scores = counted("in hand", state.max_hand, state.min_hand)
        return Board(CELLS, tuple(pieces), clicks, DRAWN, NAMED, ground="wood", scores=scores)

    return Game(
        name="nine_mens_morris",
        parameters=parameters,
        initial=State(0, 0, MEN, MEN, MAX),
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        key=key,
        pack=key,
        unpack=unpack,
        order=order,
        symmetries=symmetries,
        tier=tier,
        placements=placements,
        swap=swap,
        repetition="draw",
        draw=draw,
        format_action=format_action,
        to_text=to_text,
        text_words=("side to move", "men in hand of White", "men in hand of Black"),
        from_text=from_text,
        board=board,
        sides=("White", "Black"),
    )
