"""Dots and boxes: draw lines between dots; a player who closes a box owns it and moves again.

Variant: that of E. Berlekamp, The Dots and Boxes Game (2000). A player who closes one box or two with a line must move
again; a player need not close a box when possible. The value is MAX's boxes less MIN's. MAX moves first.

Lines are numbered as in OpenSpiel: the horizontal ones in reading order, then the vertical ones. For 2 x 2 boxes::

    *  0  *  1  *
    6     7     8
    *  2  *  3  *
    9    10    11
    *  4  *  5  *

An action is the number of a line, and line ``n`` is bit ``n`` of a word. Who owns which box does not matter for the
rest of the game, so a state holds only the margin, MAX's boxes less MIN's.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from zermelo.bits import popcount
from zermelo.board import Board, Cell, Piece
from zermelo.errors import BadParameter
from zermelo.game import MAX, MIN, Game
from zermelo.grid import counted, flipping, mirroring
from zermelo.parameters import checked
from zermelo.words import ONE_WORD

SIDES = ("Blue", "Orange")


class State(NamedTuple):
    """The lines drawn, the margin, and the player to move."""

    lines: int
    margin: int
    """MAX's boxes less MIN's."""
    player: int
    """The player to move, MAX or MIN; a player may move several times in a row."""


def dots_and_boxes(width: Annotated[int, range(1, 21)] = 3, height: Annotated[int, range(1, 21)] = 3) -> Game:
    """Dots and boxes: close boxes to own them and to move again; the margin counts."""
    parameters = checked(dots_and_boxes, width=width, height=height)
    across = width * (height + 1)
    count = across + (width + 1) * height
    boxes = width * height
    if count > 63:
        raise BadParameter(
            f"Dots and boxes {width} wide and {height} high is too large to hold; "
            f"it can have at most 63 lines, and this is {count}."
        )
    full = (1 << count) - 1
    sides = tuple(
        1 << top | 1 << (top + width) | 1 << left | 1 << (left + 1)
        for row in range(height)
        for column in range(width)
        for top, left in ((row * width + column, across + row * (width + 1) + column),)
    )
    beside = tuple(tuple(box for box in range(boxes) if sides[box] >> line & 1) for line in range(count))
    first, last = tuple(near[0] for near in beside), tuple(near[-1] for near in beside)

    flip_level, mirror_level = flipping(ONE_WORD, width, height + 1), mirroring(ONE_WORD, width, height + 1)
    flip_upright, mirror_upright = flipping(ONE_WORD, width + 1, height), mirroring(ONE_WORD, width + 1, height)

    def closed(lines: int, line: int) -> int:
        """Return how many of the boxes beside ``line`` are closed."""
        one, two = sides[first[line]], sides[last[line]]
        return (1 if lines & one == one else 0) + (1 if one != two and lines & two == two else 0)

    def to_move(state: State) -> int:
        return state.player

    def actions(state: State) -> Iterator[int]:
        for line in range(count):
            if not state.lines >> line & 1:
                yield line

    def result(state: State, action: int) -> State:
        lines, margin, player = state
        lines |= 1 << action
        gain = closed(lines, action)
        return State(lines, margin + player * gain, player if gain else -player)

    def is_terminal(state: State) -> bool:
        return state.lines == full

    def utility(state: State) -> int:
        """MAX's boxes less MIN's."""
        return state.margin

    def sided(lines: int, number: int) -> int:
        """Return how many boxes have ``number`` of their sides drawn."""
        found = 0
        for side in sides:
            if popcount(lines & side) == number:
                found += 1
        return found

    def evaluate(state: State) -> int:
        """Return the margin after the player to move takes one box, if one has three sides."""
        taken = state.margin + (state.player if sided(state.lines, 3) else 0)
        return max(1 - boxes, min(boxes - 1, taken))

    def bounds(state: State) -> tuple[int, int]:
        """Return the margins if either player gets all the boxes left."""
        left = boxes - sided(state.lines, 4)
        return (state.margin - left, state.margin + left)

    def key(state: State) -> int:
        """Pack one bit for each line, six for the margin, one for the player; boards of up to 56 lines have a key."""
        return (state.lines << 6 | (state.margin + 32)) << 1 | (1 if state.player == MAX else 0)

    def order(state: State, action: int) -> int:
        """Put moves first that close boxes, and last those that offer a box to the opponent."""
        lines = state.lines | 1 << action
        one, two = sides[first[action]], sides[last[action]]
        offers = popcount(lines & one) == 3 or popcount(lines & two) == 3
        return 4 * closed(lines, action) - (1 if offers else 0)

    def tier(state: State) -> int:
        """Count the lines drawn: each move draws one."""
        return popcount(state.lines)

    def symmetries(state: State) -> Iterator[State]:
        lines, margin, player = state
        level, upright = lines & ((1 << across) - 1), lines >> across
        level_down, upright_down = flip_level(level), flip_upright(upright)
        yield State(level_down | upright_down << across, margin, player)
        for one, other in ((level, upright), (level_down, upright_down)):
            yield State(mirror_level(one) | mirror_upright(other) << across, margin, player)

    def swap(state: State) -> State:
        return State(state.lines, -state.margin, -state.player)

    def to_text(state: State) -> str:
        """Write a 1 or a 0 for each line, drawn or not, then the margin and who is to move: ``1000 0 O``."""
        lines = "".join("01"[state.lines >> line & 1] for line in range(count))
        return f"{lines} {state.margin} {'X' if state.player == MAX else 'O'}"

    def from_text(text: str) -> State:
        """Read a state that `to_text` wrote; raise ValueError for any other text."""
        words = text.split(" ")
        number = words[1].removeprefix("-") if len(words) == 3 else ""
        if (
            not (number.isascii() and number.isdigit() and len(number) <= 2)
            or len(words[0]) != count
            or set(words[0]) - set("01")
            or words[2] not in ("X", "O")
        ):
            raise ValueError(f"{text!r} is not {count} digits 0 or 1, a margin, and X or O")
        lines = sum(1 << line for line, digit in enumerate(words[0]) if digit == "1")
        margin, owned = int(words[1]), sided(lines, 4)
        if abs(margin) > owned or (margin - owned) % 2:
            raise ValueError(f"{text!r} has {owned} boxes, which cannot be shared with a margin of {margin}")
        return State(lines, margin, MAX if words[2] == "X" else MIN)

    def score(state: State) -> str:
        """Say who leads, and by how many boxes."""
        return f"{SIDES[0 if state.margin > 0 else 1]} leads by {abs(state.margin)}" if state.margin else "even"

    def draw(state: State) -> str:
        drawn = [state.lines >> line & 1 for line in range(count)]
        rows = []
        for row in range(height + 1):
            rows.append("".join("+---" if drawn[row * width + column] else "+   " for column in range(width)) + "+")
            if row < height:
                start = across + row * (width + 1)
                rows.append("   ".join("|" if drawn[start + column] else " " for column in range(width + 1)).rstrip())
        return "\n".join([*rows, score(state)])

    def format_action(state: State, action: int) -> str:
        """Write ``h0.1`` for the horizontal line of row 0 and column 1, ``v0.1`` for the vertical one."""
        kind, number, length = ("h", action, width) if action < across else ("v", action - across, width + 1)
        return f"{kind}{number // length}.{number % length}"

    def parse_action(state: State, text: str) -> int:
        """Read what `format_action` writes; a comma in place of the point is read, too, as older records have it."""
        for action in actions(state):
            if format_action(state, action) == text.replace(",", "."):
                return action
        raise ValueError(f"{text!r} is no line that is free")

    lines_drawn = tuple(
        Cell(column + 0.5, row, "edge", 1.0, 0.2) for row in range(height + 1) for column in range(width)
    )
    lines_drawn += tuple(
        Cell(column, row + 0.5, "edge", 0.2, 1.0) for row in range(height) for column in range(width + 1)
    )
    inner = tuple(Cell(column + 0.5, row + 0.5) for row in range(height) for column in range(width))

    # A line is called after its left or upper dot, so the numbers stand at the dots.
    labels = tuple((float(column), -0.5, str(column)) for column in range(width + 1))
    labels += tuple((-0.5, float(row), str(row)) for row in range(height + 1))

    dots = tuple((float(column), float(row)) for row in range(height + 1) for column in range(width + 1))

    def board(state: State) -> Board:
        pieces = [Piece(line, 0, "line") for line in range(count) if state.lines >> line & 1]
        pieces += [Piece(count + box, 0, "box") for box in range(boxes) if state.lines & sides[box] == sides[box]]
        clicks: dict[int, tuple[int, ...]] = {line: (line,) for line in actions(state)}
        owned = sided(state.lines, 4)
        return Board(
            (*lines_drawn, *inner),
            tuple(pieces),
            clicks,
            labels=labels,
            dots=dots,
            laid=True,
            scores=counted("boxes", (owned + state.margin) // 2, (owned - state.margin) // 2, "box"),
        )

    return Game(
        name="dots_and_boxes",
        parameters=parameters,
        initial=State(0, 0, MAX),
        utility_range=(-boxes, boxes),
        outcomes="margin",
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        key=key if count <= 56 else None,
        bounds=bounds,
        order=order,
        symmetries=symmetries,
        tier=tier,
        swap=swap,
        draw=draw,
        format_action=format_action,
        parse_action=parse_action,
        to_text=to_text,
        text_words=("margin in boxes", "side to move"),
        from_text=from_text,
        board=board,
        sides=SIDES,
    )
