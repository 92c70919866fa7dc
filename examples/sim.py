"""Sim: join two of six points by a line of your colour. Whoever closes a triangle of their own colour loses.

Rules: G. J. Simmons, The Game of Sim, Journal of Recreational Mathematics 2 (1969). The second player can win.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from zermelo import MAX, MIN, Game
from zermelo.bits import popcount

LINES = tuple(combinations(range(6), 2))
TRIANGLES = tuple(sum(1 << LINES.index(line) for line in combinations(three, 2)) for three in combinations(range(6), 3))


class State(NamedTuple):
    """The lines of both, a bit each."""

    max_lines: int
    min_lines: int


def to_move(state: State) -> int:
    return MIN if popcount(state.max_lines | state.min_lines) & 1 else MAX


def actions(state: State) -> Iterator[int]:
    for line in range(15):
        if not (state.max_lines | state.min_lines) >> line & 1:
            yield line


def result(state: State, action: int) -> State:
    if to_move(state) == MAX:
        return State(state.max_lines | 1 << action, state.min_lines)
    return State(state.max_lines, state.min_lines | 1 << action)


def closed(lines: int) -> int:
    count = 0
    for triangle in TRIANGLES:
        count += lines & triangle == triangle
    return count


def is_terminal(state: State) -> bool:
    return closed(state.max_lines) + closed(state.min_lines) > 0


def utility(state: State) -> int:
    return -100 if closed(state.max_lines) else 100


def evaluate(state: State) -> int:
    balance = 0
    for line in actions(state):
        balance += closed(state.min_lines | 1 << line) - closed(state.max_lines | 1 << line)
    return balance


def format_action(state: State, action: int) -> str:
    return "".join("ABCDEF"[point] for point in LINES[action])


def draw(state: State) -> str:
    drawn = [(who, lines, i) for who, lines in (("X", state.max_lines), ("O", state.min_lines)) for i in range(15)]
    return "drawn: " + " ".join(f"{who}:{format_action(state, i)}" for who, lines, i in drawn if lines >> i & 1)


def sim() -> Game:
    """Sim: whoever closes a triangle of their own colour loses."""
    return Game(
        name="sim",
        initial=State(0, 0),
        utility_range=(-100, 100),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        format_action=format_action,
        draw=draw,
    )
