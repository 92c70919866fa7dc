"""Clobber: move a stone onto a neighbouring enemy stone, which is removed; a player who cannot loses.

Variant: Albert, Grossman, Nowakowski and Wolfe's game (2001). At the start the board is full, with the stones of both
players in a checkered pattern. A stone of MAX ("o") is in the top left corner, and MAX moves first, as in OpenSpiel.
There are no draws.

Cells are numbered in reading order, from 0 at the top left; a board of 8 x 8 uses all 64 bits of a word. An action is
``origin * 64 + target``.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from zermelo import grid
from zermelo.bits import lowest_index, popcount, shift_left, shift_right
from zermelo.board import Board
from zermelo.game import MAX, MIN, Game
from zermelo.grid import flip, mirror
from zermelo.parameters import checked

WIN = 1000


class State(NamedTuple):
    """The stones of both players, and the player to move."""

    max_stones: int
    min_stones: int
    player: int
    """The player to move, MAX or MIN."""


def clobber(width: Annotated[int, range(1, 27)] = 6, height: Annotated[int, range(1, 27)] = 5) -> Game:
    """Clobber: capture a neighbour with each move; a player who cannot move loses."""
    parameters = checked(clobber, width=width, height=height)
    grid.check_size("clobber", width, height)
    cells = width * height
    checkered = "".join("xo"[(row + column) % 2 == 0] for row in range(height) for column in range(width))
    left = grid.inner_columns(width, height)
    first = grid.first_column(width, height)
    steps = ((-width, 0), (1, 1), (width, 0), (-1, -1))

    def pairs(max_stones: int, min_stones: int) -> int:
        """Return how many pairs of neighbours MAX and MIN have: the number of moves of either player."""
        beside = (max_stones & shift_right(min_stones, 1)) | (min_stones & shift_right(max_stones, 1))
        above = (max_stones & shift_right(min_stones, width)) | (min_stones & shift_right(max_stones, width))
        return popcount(beside & left) + popcount(above)

    def to_move(state: State) -> int:
        return state.player

    def actions(state: State) -> Iterator[int]:
        max_stones, min_stones, player = state
        mine, theirs = (max_stones, min_stones) if player == MAX else (min_stones, max_stones)
        while mine != 0:
            origin = lowest_index(mine)
            mine &= mine - 1
            for step, side in steps:
                target = origin + step
                if (
                    0 <= target < cells
                    and 0 <= origin % width + side < width
                    and (side == 0 or width > 1)
                    and shift_right(theirs, target) & 1
                ):
                    yield origin * 64 + target

    def result(state: State, action: int) -> State:
        max_stones, min_stones, player = state
        origin, target = shift_left(1, action >> 6), shift_left(1, action & 63)
        if player == MAX:
            return State(max_stones ^ origin ^ target, min_stones ^ target, MIN)
        return State(max_stones ^ target, min_stones ^ origin ^ target, MAX)

    def is_terminal(state: State) -> bool:
        return pairs(state.max_stones, state.min_stones) == 0

    def utility(state: State) -> int:
        """The player to move cannot move and has lost."""
        return -state.player * WIN

    def evaluate(state: State) -> int:
        """Guess that an odd number of moves, which both players share, is good for the player to move."""
        return state.player if pairs(state.max_stones, state.min_stones) % 2 else -state.player

    def key(state: State) -> int:
        """Pack one bit for each stone and one for the player; boards of up to 31 cells have a key."""
        return (state.max_stones << cells | state.min_stones) << 1 | (1 if state.player == MAX else 0)

    def order(state: State, action: int) -> int:
        """Put moves first that leave few moves."""
        child = result(state, action)
        return -pairs(child.max_stones, child.min_stones)

    def tier(state: State) -> int:
        """Count the removed stones: each move removes one."""
        return cells - popcount(state.max_stones | state.min_stones)

    def symmetries(state: State) -> Iterator[State]:
        mine, theirs, player = state
        mine_down, theirs_down = flip(mine, width, height), flip(theirs, width, height)
        yield State(mine_down, theirs_down, player)
        yield State(mirror(mine, width, first), mirror(theirs, width, first), player)
        yield State(mirror(mine_down, width, first), mirror(theirs_down, width, first), player)

    def swap(state: State) -> State:
        return State(state.min_stones, state.max_stones, -state.player)

    def pieces(state: State) -> str:
        return grid.pieces_of(cells, {"o": state.max_stones, "x": state.min_stones})

    face = grid.Face(width, height, pieces, {"o": MAX, "x": MIN}, "ox")

    def from_text(text: str) -> State:
        """Read a state that `to_text` wrote; raise ValueError for any other text."""
        board, player = face.read(text)
        return State(grid.word_of(board, "o"), grid.word_of(board, "x"), player)

    def format_action(state: State, action: int) -> str:
        """Write origin and target: ``a5xa4``."""
        return "x".join(grid.name(cell, width, height) for cell in (action >> 6, action & 63))

    def board(state: State) -> Board:
        clicks = {action: (action >> 6, action & 63) for action in actions(state)}
        return face.board(state, clicks)._replace(cells=grid.checkered(width, height))

    return Game(
        name="clobber",
        parameters=parameters,
        initial=State(grid.word_of(checkered, "o"), grid.word_of(checkered, "x"), MAX),
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        key=key if cells <= 31 else None,
        order=order,
        symmetries=symmetries,
        tier=tier,
        swap=swap,
        draw=face.draw,
        format_action=format_action,
        to_text=face.to_text,
        from_text=from_text,
        board=board,
        sides=("White", "Black"),
    )
