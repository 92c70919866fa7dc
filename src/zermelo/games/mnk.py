"""The m,n,k-game: put stones on empty cells; the first to line up ``run`` of them wins.

Variant: more than ``run`` in a row wins as well; a full board is a draw. MAX ("X") moves first.
Tic-tac-toe is ``mnk(3, 3, 3)``.

Bit layout: rows from the top, ``width + 1`` bits a row, the last a guard that stays 0. For 3x3::

    0  1  2 | 3
    4  5  6 | 7
    8  9 10 |11

An action is the number of a cell, counted from 0 in reading order, guards left out.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, NamedTuple

from zermelo.bits import popcount, run_shifts, runs
from zermelo.errors import BadParameter
from zermelo.game import MAX, MIN, Game, checked

WIN = 1000


class State(NamedTuple):
    """A board, seen by the player to move."""

    mover: int
    """The stones of the player to move."""
    stones: int
    """The stones of both."""


def mnk(
    width: Annotated[int, range(1, 27)] = 3,
    height: Annotated[int, range(1, 32)] = 3,
    run: Annotated[int, range(1, 32)] = 3,
) -> Game:
    """The m,n,k-game: put stones on empty cells; the first to align `run` of them wins."""
    parameters = checked(mnk, width=width, height=height, run=run)
    pitch = width + 1
    if pitch * height > 63:
        raise BadParameter(
            f"An mnk board {width} wide and {height} high is too large to hold; "
            f"(width + 1) * height must be at most 63, and it is {pitch * height}."
        )
    cells = tuple(1 << (row * pitch + column) for row in range(height) for column in range(width))
    full = sum(cells)
    directions = tuple(run_shifts(run, step) for step in (1, pitch, pitch - 1, pitch + 1))

    def open_lines(board: int) -> int:
        """In how many places a run fits on ``board``."""
        count = 0
        for shifts in directions:
            count += popcount(runs(board, shifts))
        return count

    def aligned(stones: int) -> bool:
        """Whether ``stones`` hold a run."""
        for shifts in directions:
            if runs(stones, shifts):
                return True
        return False

    def to_move(state: State) -> int:
        return MIN if popcount(state.stones) & 1 else MAX

    def actions(state: State) -> Iterator[int]:
        for cell in range(width * height):
            if not state.stones & cells[cell]:
                yield cell

    def result(state: State, action: int) -> State:
        mover, stones = state
        return State(mover ^ stones, stones | cells[action])

    def is_terminal(state: State) -> bool:
        return state.stones == full or aligned(state.mover ^ state.stones)

    def utility(state: State) -> int:
        """1000 for MAX's win, -1000 for MIN's, 0 for a draw."""
        return -to_move(state) * WIN if aligned(state.mover ^ state.stones) else 0

    def evaluate(state: State) -> int:
        """Lines still open to MAX less lines still open to MIN; at most 4 * 63."""
        theirs = state.mover ^ state.stones
        return to_move(state) * (open_lines(full & ~theirs) - open_lines(full & ~state.mover))

    def format_action(state: State, action: int) -> str:
        """A letter for the column, a number for the row counted from the bottom: ``b2``."""
        return f"{chr(ord('a') + action % width)}{height - action // width}"

    def to_text(state: State) -> str:
        """Rows from the top with a bar between: ``X..|.O.|...``."""
        first = state.mover if to_move(state) == MAX else state.mover ^ state.stones
        pieces = "".join("X" if first & cell else "O" if state.stones & cell else "." for cell in cells)
        return "|".join(pieces[row * width : (row + 1) * width] for row in range(height))

    def from_text(text: str) -> State:
        """The state that `to_text` wrote; ValueError where the text is none, or not one that play can reach."""
        lines = text.split("|")
        if len(lines) != height or any(len(line) != width or set(line) - set("XO.") for line in lines):
            raise ValueError(f"{text!r} is not {height} rows of {width} characters X, O or . with | between")
        pieces = list(zip("".join(lines), cells, strict=True))
        first = sum(cell for piece, cell in pieces if piece == "X")
        second = sum(cell for piece, cell in pieces if piece == "O")
        if popcount(first) - popcount(second) not in (0, 1):
            raise ValueError(f"{text!r} must hold as many X as O, or one more")
        return State(first if popcount(first) == popcount(second) else second, first | second)

    def draw(state: State) -> str:
        margin = len(str(height))
        rows = enumerate(to_text(state).split("|"))
        lines = [f"{height - row:>{margin}} {' '.join(pieces)}" for row, pieces in rows]
        letters = " ".join(chr(ord("a") + column) for column in range(width))
        return "\n".join([*lines, f"{'':{margin}} {letters}"])

    return Game(
        name="mnk",
        parameters=parameters,
        initial=State(0, 0),
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        format_action=format_action,
        draw=draw,
        to_text=to_text,
        from_text=from_text,
    )


def tictactoe() -> Game:
    """Tic-tac-toe: three in a row on a 3x3 board."""
    return replace(mnk(3, 3, 3), name="tictactoe", parameters={})
