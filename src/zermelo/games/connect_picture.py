"""Positions of `connect` as text and as pictures, for boards of either kind."""

from collections.abc import Callable
from dataclasses import replace

from zermelo.board import Board, Cell, Piece
from zermelo.game import MAX, MIN, Game, State
from zermelo.grid import runs_of


def with_pictures(
    game: Game,
    rows: int,
    columns: int,
    run: int,
    discs_of: Callable[[State], tuple[int, int]],
    state_of: Callable[[int, int], State],
) -> Game:
    """Return the game with functions that show and read states.

    Parameters
    ----------
    discs_of
        The discs of the player to move and those of both players, as plain ints in the layout of `connect`.
    state_of
        Its inverse.
    """
    # A game is sent to other processes by its name, which needs functions that do not refer to an unfinished game.
    to_move, actions, is_terminal = game.to_move, game.actions, game.is_terminal
    height = rows + 1
    bottom = sum(1 << height * column for column in range(columns))

    def to_text(state: State) -> str:
        """Write the rows from the top with a bar between them: ``...|...|.XO``."""
        mover, stones = discs_of(state)
        first = mover if to_move(state) == MAX else mover ^ stones
        lines = []
        for row in reversed(range(rows)):
            bits = [1 << (column * height + row) for column in range(columns)]
            lines.append("".join("X" if first & bit else "O" if stones & bit else "." for bit in bits))
        return "|".join(lines)

    def from_text(text: str) -> State:
        """Read a state that `to_text` wrote; raise ValueError for any other text and for impossible states."""
        lines = text.split("|")
        if len(lines) != rows or any(len(line) != columns or set(line) - set("XO.") for line in lines):
            raise ValueError(f"{text!r} is not {rows} rows of {columns} characters X, O or . with | between")
        discs = {"X": 0, "O": 0}
        for row, line in enumerate(reversed(lines)):
            for column, piece in enumerate(line):
                if piece != ".":
                    discs[piece] |= 1 << (column * height + row)
        stones = discs["X"] | discs["O"]
        if discs["X"].bit_count() - discs["O"].bit_count() not in (0, 1):
            raise ValueError(f"{text!r} must hold as many X as O, or one more")
        if (stones + bottom) & stones:
            raise ValueError(f"{text!r} holds a disc with an empty cell below it")
        mover = discs["O" if stones.bit_count() & 1 else "X"]
        return state_of(mover, stones)

    def draw(state: State) -> str:
        lines = [" ".join(line) for line in to_text(state).split("|")]
        width = len(str(columns - 1))
        for place in range(width):
            lines.append(" ".join(str(column).rjust(width)[place] for column in range(columns)))
        return "\n".join(line.rstrip() for line in lines)

    holes = tuple(Cell(column, rows - 1 - row, "round") for column in range(columns) for row in range(rows))

    def board(state: State) -> Board:
        """A click on the lowest empty cell of a column drops a disc there."""
        lines = to_text(state).split("|")[::-1]
        discs = [(column * rows + row, lines[row][column]) for column in range(columns) for row in range(rows)]
        pieces = tuple(Piece(cell, MAX if disc == "X" else MIN) for cell, disc in discs if disc != ".")
        lowest = {
            column: next((row for row in range(rows) if lines[row][column] == "."), 0) for column in range(columns)
        }
        legal = [] if is_terminal(state) else list(actions(state))
        labels = tuple((float(column), rows - 0.25, str(column)) for column in range(columns))
        clicks: dict[int, tuple[int, ...]] = {column: (column * rows + lowest[column],) for column in legal}
        rows_down = "".join(reversed(lines))
        won = () if legal else runs_of(rows_down, columns, rows, run)
        shown = tuple(place % columns * rows + rows - 1 - place // columns for place in won)
        return Board(holes, pieces, clicks, labels=labels, falls=True, won=shown)

    return replace(
        game,
        draw=draw,
        to_text=to_text,
        from_text=from_text,
        board=board,
        sides=("Red", "Yellow"),
    )
