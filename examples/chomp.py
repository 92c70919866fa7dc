"""Chomp: bite off a square of chocolate with all that is above and to the right of it; the corner is poisoned.

Rules: D. Gale, A Curious Nim-Type Game, American Mathematical Monthly 81 (1974). The first player can win on every bar
larger than one square: by stealing the strategy that the second would need. ``zermelo play examples/chomp.py``
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from zermelo import MAX, Game
from zermelo.bits import put
from zermelo.parameters import checked


class State(NamedTuple):
    """How many squares are left in each row, the lowest first, and whose turn it is."""

    rows: tuple[int, ...]
    player: int


def chomp(height: Annotated[int, range(1, 9)] = 4, width: Annotated[int, range(1, 9)] = 5) -> Game:
    """Chomp: whoever eats the poisoned corner loses."""
    parameters = checked(chomp, height=height, width=width)

    def to_move(state: State) -> int:
        return state.player

    def actions(state: State) -> Iterator[int]:
        for row in range(height):
            for column in range(state.rows[row]):
                yield row * width + column

    def result(state: State, action: int) -> State:
        rows = state.rows
        for row in range(action // width, height):
            rows = put(rows, row, min(rows[row], action % width))
        return State(rows, -state.player)

    def is_terminal(state: State) -> bool:
        return state.rows[0] == 0

    def utility(state: State) -> int:
        """Whoever ate the corner has lost: the player to move has won."""
        return 100 * state.player

    def evaluate(state: State) -> int:
        """Two arms of one length, and nothing between them, are lost for the player to move."""
        arm = 0
        for row in range(height):
            arm += state.rows[row] > 0
        return -state.player if state.rows[0] == arm else state.player

    def draw(state: State) -> str:
        return "\n".join("#" * row for row in reversed(state.rows) if row) or "all eaten"

    return Game(
        name="chomp",
        parameters=parameters,
        initial=State((width,) * height, MAX),
        utility_range=(-100, 100),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        draw=draw,
    )
