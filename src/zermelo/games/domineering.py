"""Domineering: lay dominoes on free squares; a player who cannot loses.

Variant: G. Andersson's game as Gardner (1974) describes it. MAX lays vertical dominoes and moves first, MIN lays
horizontal ones. There are no draws.

Cells are numbered in reading order, from 0 at the top left; a board of 8 x 8 uses all 64 bits of a word. An action is
the number of the upper or left cell of the domino.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from zermelo import grid
from zermelo.bits import complement, lowest_index, popcount, shift_left, shift_right
from zermelo.board import Board
from zermelo.game import MAX, MIN, Game
from zermelo.grid import flip, mirror, permute
from zermelo.parameters import checked

WIN = 1000


class State(NamedTuple):
    """The covered cells, and the player to move."""

    covered: int
    player: int
    """The player to move, MAX or MIN."""


def domineering(width: Annotated[int, range(1, 27)] = 8, height: Annotated[int, range(1, 27)] = 8) -> Game:
    """Domineering: Vertical lays upright dominoes, Horizontal flat ones; a player who cannot move loses."""
    parameters = checked(domineering, width=width, height=height)
    grid.check_size("domineering", width, height)
    cells = width * height
    upper = (1 << (cells - width)) - 1
    left = grid.inner_columns(width, height)
    first = grid.first_column(width, height)
    corner = grid.transposed(width) if width == height else ()

    def places(covered: int, player: int) -> int:
        """Return the upper or left cells of the dominoes that ``player`` can lay."""
        free = complement(covered)
        if player == MAX:
            return free & shift_right(free, width) & upper
        return free & shift_right(free, 1) & left

    def to_move(state: State) -> int:
        return state.player

    def actions(state: State) -> Iterator[int]:
        free = places(state.covered, state.player)
        while free != 0:
            yield lowest_index(free)
            free &= free - 1

    def result(state: State, action: int) -> State:
        second = action + (width if state.player == MAX else 1)
        return State(state.covered | shift_left(1, action) | shift_left(1, second), -state.player)

    def is_terminal(state: State) -> bool:
        return places(state.covered, state.player) == 0

    def utility(state: State) -> int:
        """The player to move cannot move and has lost."""
        return -state.player * WIN

    def evaluate(state: State) -> int:
        """Return the places left to MAX less those left to MIN: at most 56 each."""
        return popcount(places(state.covered, MAX)) - popcount(places(state.covered, MIN))

    def key(state: State) -> int:
        """Pack one bit for each cell and one for the player; boards of up to 62 cells have a key."""
        return state.covered << 1 | (1 if state.player == MAX else 0)

    def order(state: State, action: int) -> int:
        """Put moves first that leave the player many places and the opponent few."""
        covered = result(state, action).covered
        return popcount(places(covered, state.player)) - popcount(places(covered, -state.player))

    def tier(state: State) -> int:
        """Count the covered squares: each move covers two."""
        return popcount(state.covered)

    def symmetries(state: State) -> Iterator[State]:
        covered, player = state
        upside_down = flip(covered, width, height)
        yield State(upside_down, player)
        yield State(mirror(covered, width, first), player)
        yield State(mirror(upside_down, width, first), player)

    def swap(state: State) -> State:
        return State(permute(state.covered, corner), -state.player)

    def pieces(state: State) -> str:
        return grid.pieces_of(cells, {"#": state.covered})

    face = grid.Face(width, height, pieces, {"#": 0}, "vh", "domino")

    def from_text(text: str) -> State:
        """Read a board and who is to move; raise ValueError for any other text.

        The text may show cells that dominoes alone cannot cover.
        """
        board, player = face.read(text)
        return State(grid.word_of(board, "#"), player)

    def halves(state: State, action: int) -> tuple[int, int]:
        """Return both cells of a domino."""
        return action, action + (width if state.player == MAX else 1)

    def format_action(state: State, action: int) -> str:
        """Write both cells of the domino: ``a8-a7``."""
        return "-".join(grid.name(cell, width, height) for cell in halves(state, action))

    def board(state: State) -> Board:
        clicks = {action: halves(state, action) for action in actions(state)}
        return face.board(state, clicks)._replace(laid=True)

    return Game(
        name="domineering",
        parameters=parameters,
        initial=State(0, MAX),
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        key=key if cells <= 62 else None,
        order=order,
        symmetries=symmetries,
        tier=tier,
        swap=swap if width == height else None,
        draw=face.draw,
        format_action=format_action,
        to_text=face.to_text,
        from_text=from_text,
        board=board,
        sides=("Vertical", "Horizontal"),
    )
