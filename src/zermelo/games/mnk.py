"""The m,n,k-game: put stones on empty cells; the first to line up ``run`` of them wins.

Variant: more than ``run`` in a row win, too; a full board without a run is a draw. MAX ("X") moves first.
Tic-tac-toe is ``mnk(3, 3, 3)``, and gomoku, without rules that hold the first player back, ``mnk(15, 15, 5)``.

Bit layout: rows from the top, ``width + 1`` bits for each; the last bit of a row is a guard, which always stays 0, so
that a run cannot go on from one row to the next. For 3x3::

    0  1  2 | 3
    4  5  6 | 7
    8  9 10 |11

A board that needs more than 63 bits, up to 19 x 19, is a tuple of one int for each row instead (`mnk_rows`).

An action is the number of a cell, counted from 0 in reading order, without the guards.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Final, NamedTuple

from zermelo import grid
from zermelo.bits import along, completions, has_run, lowest_index, popcount, run_shifts
from zermelo.board import Board
from zermelo.errors import BadParameter
from zermelo.game import MAX, MIN, Game
from zermelo.games.mnk_lines import OPEN_LINES, WIN, Weights, below_a_win, with_stone, worth
from zermelo.games.mnk_rows import WIDEST, WideState, many_rows
from zermelo.parameters import checked

_EASY: Final = 3
"""Where runs are no longer than this, every search sees far enough, and a weak player must be able to overlook a
threat. So EVAL only counts open lines there, and the engine is told nothing about threats."""


class State(NamedTuple):
    """A board, as the player to move sees it."""

    mover: int
    """The stones of the player to move."""
    stones: int
    """The stones of both players."""


def mnk(
    width: Annotated[int, range(1, 27)] = 3,
    height: Annotated[int, range(1, 32)] = 3,
    run: Annotated[int, range(1, 32)] = 3,
) -> Game:
    """The m,n,k-game: put stones on empty cells; the first to align `run` wins. With 15, 15 and 5 it is gomoku."""
    parameters = checked(mnk, width=width, height=height, run=run)
    if (width + 1) * height <= 63:
        game = one_word(width, height, run)
    elif width <= WIDEST and height <= WIDEST:
        game = many_rows(width, height, run)
    else:
        raise BadParameter(
            f"An mnk board {width} wide and {height} high is too large to hold; "
            f"(width + 1) * height must be at most 63, and it is {(width + 1) * height}, or both at most {WIDEST}."
        )
    if run <= _EASY:
        game = replace(game, weights=OPEN_LINES, order=None, sufficient_actions=None, bounds=None, switches={})
    return with_pictures(replace(game, parameters=parameters), width, height, run)


def one_word(width: int, height: int, run: int) -> Game:
    """Return the game on a board that fits into a word."""
    pitch = width + 1
    size = pitch * height
    cells = tuple(1 << (row * pitch + column) for row in range(height) for column in range(width))
    full = sum(cells)
    steps = ((1,), (pitch,), (pitch - 1,), (pitch + 1,))
    directions = tuple(run_shifts(run, step) for (step,) in steps)

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
        return state.stones == full or has_run(state.mover ^ state.stones, directions)

    def utility(state: State) -> int:
        """Return 1000 if MAX has won, -1000 if MIN has, and 0 for a draw."""
        return -to_move(state) * WIN if has_run(state.mover ^ state.stones, directions) else 0

    def evaluate(state: State, weights: Weights) -> int:
        """Return what MAX's lines are worth less what MIN's are, but always less than a win."""
        lead = 0
        for (step,) in steps:
            ones, twos, fours, mine, theirs = 0, 0, 0, full, full
            for place in range(run):
                shift = min(place * step, size)
                own, stone, inside = state.mover >> shift, state.stones >> shift, full >> shift
                ones, twos, fours = with_stone(ones, twos, fours, stone)
                mine &= inside & ~(own ^ stone)
                theirs &= inside & ~own
            lead += worth(mine, ones, twos, fours, weights.own) - worth(theirs, ones, twos, fours, weights.other)
        return to_move(state) * below_a_win(lead)

    def completing(board: int, step: int) -> int:
        """Return the bits that would complete a run of ``board`` along one step."""
        return completions(board, run, step)

    def winning_cells(board: int, stones: int) -> int:
        """Return the empty cells that would complete a run of ``board``."""
        return along(completing, steps, board) & (full ^ stones)

    def sufficient_actions(state: State) -> Iterator[int]:
        """Yield wins; else blocks; else all actions."""
        mover, stones = state
        chosen = winning_cells(mover, stones)
        if chosen == 0:
            chosen = winning_cells(mover ^ stones, stones)
        if chosen == 0:
            chosen = full ^ stones
        for cell in range(width * height):
            if chosen & cells[cell]:
                yield cell

    def bounds(state: State) -> tuple[int, int]:
        """Return the value if the player to move wins at once, or cannot keep the opponent from winning."""
        mover, stones = state
        theirs = winning_cells(mover ^ stones, stones)
        low, high = -WIN, -WIN if theirs & (theirs - 1) else WIN
        if winning_cells(mover, stones):
            low = high = WIN
        return (low, high) if to_move(state) == MAX else (-high, -low)

    def order(state: State, action: int) -> int:
        """Put cells first that lie beside many stones of one colour in a row."""
        cell, total = action // width * pitch + action % width, 0
        for (step,) in steps:
            total += (1 << 2 * beside(state, cell, step)) + (1 << 2 * beside(state, cell, -step))
        return total

    def beside(state: State, cell: int, step: int) -> int:
        """Return how many stones of one colour lie in a row beside a cell, at most four."""
        mover, stones = state
        cell += step
        board = mover if 0 <= cell < size and mover >> cell & 1 else mover ^ stones
        count = 0
        while count < 4 and 0 <= cell < size and board >> cell & 1:
            count, cell = count + 1, cell + step
        return count

    def tier(state: State) -> int:
        return popcount(state.stones)

    def image(board: int, turn: int) -> int:
        """Return ``board`` with left and right (1), top and bottom (2), rows and columns (4) exchanged.

        ``turn`` is a sum of the numbers in parentheses.
        """
        seen = 0
        while board:
            place = lowest_index(board)
            board &= board - 1
            row, column = place // pitch, place % pitch
            row, column = (height - 1 - row if turn & 2 else row), (width - 1 - column if turn & 1 else column)
            seen |= cells[column * width + row if turn & 4 else row * width + column]
        return seen

    def symmetries(state: State) -> Iterator[State]:
        for turn in range(1, 8 if width == height else 4):
            yield State(image(state.mover, turn), image(state.stones, turn))

    return Game(
        name="mnk",
        tier=tier,
        symmetries=symmetries,
        initial=State(0, 0),
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        weights=Weights(),
        order=order,
        sufficient_actions=sufficient_actions,
        bounds=bounds,
        switches={"leaf_bounds": True},
    )


def with_pictures(game: Game, width: int, height: int, run: int) -> Game:
    """Return the game with functions that show and read states, which may be of either kind."""
    # A game is sent to other processes by its name, which needs functions that do not refer to an unfinished game.
    to_move, actions, is_terminal = game.to_move, game.actions, game.is_terminal
    pitch = width + 1
    wide = isinstance(game.initial, WideState)

    def rows(board: int | tuple[int, ...]) -> tuple[int, ...]:
        """Return a board of either kind as one int for each row."""
        if isinstance(board, tuple):
            return board
        return tuple(board >> row * pitch & (1 << width) - 1 for row in range(height))

    def rows_where(pieces: str, letters: str) -> tuple[int, ...]:
        """Return the cells that show one of ``letters``, as one int for each row."""
        return tuple(
            sum(1 << column for column in range(width) if pieces[row * width + column] in letters)
            for row in range(height)
        )

    def word_of(rows: tuple[int, ...]) -> int:
        """Return the board in one word, given one int for each row."""
        return sum(line << row * pitch for row, line in enumerate(rows))

    def pieces_of(state: State | WideState) -> str:
        mover, stones = rows(state.mover), rows(state.stones)
        letters = ".XO" if to_move(state) == MAX else ".OX"
        kinds = ((stones[row] >> c & 1, mover[row] >> c & 1) for row in range(height) for c in range(width))
        return "".join(letters[2 * stone - own] for stone, own in kinds)

    def format_action(state: State | WideState, action: int) -> str:
        """Write a letter for the column and a number for the row, counted from the bottom: ``b2``."""
        return grid.name(action, width, height)

    def to_text(state: State | WideState) -> str:
        """Write the rows from the top with a bar between them: ``X..|.O.|...``."""
        return grid.rows_of(pieces_of(state), width)

    def from_text(text: str) -> State | WideState:
        """Read a state that `to_text` wrote; raise ValueError for any other text and for impossible states."""
        pieces = grid.read_rows(text, width, height, "XO.")
        lead = pieces.count("X") - pieces.count("O")
        if lead not in (0, 1):
            raise ValueError(f"{text!r} must hold as many X as O, or one more")
        mover, stones = rows_where(pieces, "O" if lead else "X"), rows_where(pieces, "XO")
        return WideState(mover, stones) if wide else State(word_of(mover), word_of(stones))

    def draw(state: State | WideState) -> str:
        return grid.picture(pieces_of(state), width, height)

    def board(state: State | WideState) -> Board:
        legal = [] if is_terminal(state) else list(actions(state))
        clicks: dict[int, tuple[int, ...]] = {action: (action,) for action in legal}
        pieces = pieces_of(state)
        shown = grid.board_of(pieces, width, height, {"X": MAX, "O": MIN}, clicks)
        marks = tuple(piece._replace(kind="cross" if piece.owner == MAX else "ring") for piece in shown.pieces)
        return shown._replace(pieces=marks, won=() if clicks else grid.runs_of(pieces, width, height, run))

    return replace(
        game,
        format_action=format_action,
        to_text=to_text,
        from_text=from_text,
        draw=draw,
        board=board,
        sides=("X", "O"),
    )


def tictactoe() -> Game:
    """Tic-tac-toe: three in a row on a 3x3 board."""
    return replace(mnk(3, 3, 3), name="tictactoe", parameters={}, weights=None)
