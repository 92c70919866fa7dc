"""Take one, two or three from a heap; whoever takes the last one wins.

Play it with ``zermelo play examples/take.py -p heap=12``.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from zermelo import MAX, Game


class State(NamedTuple):
    """A heap, and whose turn it is."""

    heap: int
    player: int


def to_move(state: State) -> int:
    return state.player


def actions(state: State) -> Iterator[int]:
    for number in range(1, 4):
        if number <= state.heap:
            yield number


def result(state: State, action: int) -> State:
    return State(state.heap - action, -state.player)


def is_terminal(state: State) -> bool:
    return state.heap == 0


def utility(state: State) -> int:
    """Whoever is to move at an empty heap has lost."""
    return -10 * state.player


def evaluate(state: State) -> int:
    """Four times anything is lost for the player to move: an estimate, smaller than any utility."""
    return -state.player if state.heap % 4 == 0 else state.player


def draw(state: State) -> str:
    return "| " * state.heap + f"({state.heap})"


def take(heap: Annotated[int, range(1, 101)] = 21) -> Game:
    """Take one, two or three; whoever takes the last one wins."""
    return Game(
        name="take",
        parameters={"heap": heap},
        initial=State(heap, MAX),
        utility_range=(-10, 10),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        draw=draw,
    )
