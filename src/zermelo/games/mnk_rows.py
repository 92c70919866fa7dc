"""The rules of `mnk` on boards of more than 63 bits: one int for each row, whose lowest bit is the leftmost cell."""

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.bits import completions, lowest_index, popcount, put, run_shifts, runs
from zermelo.game import MAX, MIN, Game
from zermelo.games.mnk_lines import WIN, Weights, below_a_win, with_stone, worth

WIDEST = 19
"""The longest side of such a board."""


class WideState(NamedTuple):
    """A board of more than 63 bits, as the player to move sees it: one int for each row."""

    mover: tuple[int, ...]
    """The stones of the player to move."""
    stones: tuple[int, ...]
    """The stones of both players."""


def many_rows(width: int, height: int, run: int) -> Game:
    """Return the game on a board with one int for each row."""
    line = (1 << width) - 1
    nothing = (0,) * height
    shifts = run_shifts(run, 1)

    def has_line(board: tuple[int, ...]) -> bool:
        """Return whether ``board`` holds a run."""
        for row in range(height):
            if board[row] == 0:
                continue
            found = runs(board[row], shifts)
            if row + run <= height:
                below, left, right = board[row], board[row], board[row]
                for step in range(1, run):
                    below &= board[row + step]
                    left &= board[row + step] << step
                    right &= board[row + step] >> step
                found |= below | left | right
            if found:
                return True
        return False

    def without(board: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
        """Return the cells that are set on ``board`` and not on ``other``."""
        rest = nothing
        for row in range(height):
            rest = put(rest, row, board[row] & ~other[row])
        return rest

    def count_stones(board: tuple[int, ...]) -> int:
        """Return how many stones are on a board."""
        count = 0
        for row in range(height):
            count += popcount(board[row])
        return count

    def to_move(state: WideState) -> int:
        return MIN if count_stones(state.stones) & 1 else MAX

    def actions(state: WideState) -> Iterator[int]:
        for row in range(height):
            free = line & ~state.stones[row]
            while free:
                yield row * width + lowest_index(free)
                free &= free - 1

    def result(state: WideState, action: int) -> WideState:
        row, column = action // width, action % width
        theirs = without(state.stones, state.mover)
        return WideState(theirs, put(state.stones, row, state.stones[row] | 1 << column))

    def is_terminal(state: WideState) -> bool:
        return count_stones(state.stones) == width * height or has_line(without(state.stones, state.mover))

    def utility(state: WideState) -> int:
        """Return 1000 if MAX has won, -1000 if MIN has, and 0 for a draw."""
        return -to_move(state) * WIN if has_line(without(state.stones, state.mover)) else 0

    def evaluate(state: WideState, weights: Weights) -> int:
        """Return what MAX's lines are worth less what MIN's are, but always less than a win."""
        lead = 0
        for row in range(height):
            if state.stones[row]:
                lead += balance(state, row, 0, 1, weights)
            some = 0
            if row + run <= height:
                for step in range(run):
                    some |= state.stones[row + step]
            if some:
                for right in range(-1, 2):
                    lead += balance(state, row, 1, right, weights)
        return to_move(state) * below_a_win(lead)

    def balance(state: WideState, row: int, down: int, right: int, weights: Weights) -> int:
        """Return what lines that begin in a row are worth to the mover less what they are to the opponent.

        From cell to cell they go so many rows down, and cells to the right.
        """
        ones, twos, fours, mine, theirs = 0, 0, 0, line, line
        for step in range(run):
            place = row + down * step
            own, stone = shifted(state.mover[place], -right * step), shifted(state.stones[place], -right * step)
            inside = shifted(line, -right * step)
            ones, twos, fours = with_stone(ones, twos, fours, stone)
            mine &= inside & ~(own ^ stone)
            theirs &= inside & ~own
        return worth(mine, ones, twos, fours, weights.own) - worth(theirs, ones, twos, fours, weights.other)

    def across(board: tuple[int, ...], row: int) -> int:
        """Return the bits of a row that would complete a run of ``board`` in lines that cross the row.

        Of each line, the part above the row is looked at first: straight up, to the left and to the right.
        """
        found, up, up_left, up_right = 0, line, line, line
        for before in range(run):
            if before > 0:
                other = board[row - before] if before <= row else 0
                up, up_left, up_right = up & other, up_left & other << before, up_right & other >> before
            down, down_right, down_left = up, up_left, up_right
            for step in range(1, run - before):
                if down | down_right | down_left == 0:
                    break
                other = board[row + step] if row + step < height else 0
                down, down_right, down_left = down & other, down_right & other >> step, down_left & other << step
            found |= down | down_right | down_left
            if up | up_left | up_right == 0:
                break
        return found

    def winning_cells(board: tuple[int, ...], stones: tuple[int, ...]) -> tuple[int, ...]:
        """Return the empty cells that would complete a run of ``board``."""
        found = nothing
        for row in range(height):
            cells = (across(board, row) | completions(board[row], run, 1)) & line & ~stones[row]
            if cells:
                found = put(found, row, cells)
        return found

    def forced(state: WideState) -> tuple[int, tuple[int, ...]]:
        """Return how many actions win at once, and their cells; if none does, the same of the opponent, less than 0."""
        cells = winning_cells(state.mover, state.stones)
        count = count_stones(cells)
        if count == 0:
            cells = winning_cells(without(state.stones, state.mover), state.stones)
            count = -count_stones(cells)
        return count, cells

    def sufficient_actions(state: WideState) -> Iterator[int]:
        """Yield wins; else blocks; else all actions."""
        count, cells = forced(state)
        for row in range(height):
            chosen = line & ~state.stones[row] if count == 0 else cells[row]
            while chosen:
                yield row * width + lowest_index(chosen)
                chosen &= chosen - 1

    def bounds(state: WideState) -> tuple[int, int]:
        """Return the value if the player to move wins at once, or cannot keep the opponent from winning."""
        count, _ = forced(state)
        low, high = WIN if count > 0 else -WIN, -WIN if count < -1 else WIN
        return (low, high) if to_move(state) == MAX else (-high, -low)

    def order(state: WideState, action: int) -> int:
        """Put cells first that lie beside many stones of one colour in a row."""
        row, column, total = action // width, action % width, -1  # the cell itself is counted, too
        for down in range(-1, 2):
            for right in range(-1, 2):
                total += 1 << 2 * beside(state, row, column, down, right)
        return total

    def beside(state: WideState, row: int, column: int, down: int, right: int) -> int:
        """Return how many stones of one colour lie in a row beside a cell, at most four."""
        row, column, count, own = row + down, column + right, 0, 0
        while (
            count < 4
            and 0 <= row < height
            and 0 <= column < width
            and state.stones[row] >> column & 1
            and (count == 0 or state.mover[row] >> column & 1 == own)
        ):
            own = state.mover[row] >> column & 1
            row, column, count = row + down, column + right, count + 1
        return count

    return Game(
        name="mnk",
        initial=WideState(nothing, nothing),
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


def shifted(row: int, right: int) -> int:
    """Return a row moved so many cells to the right, or to the left if the number is negative."""
    return row << right if right >= 0 else row >> -right
