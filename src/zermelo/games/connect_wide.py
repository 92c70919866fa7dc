"""The rules of `connect` on boards of 64 to 126 bits, which are pairs of words.

The functions are those of `connect.one_word`, in the same order, and so is the layout: a board is a number of up to 126
bits, so a column may begin in one word and end in the other. `zermelo.bits` says how to compute with pairs.
"""

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.bits import (
    Pair,
    pair_add,
    pair_and,
    pair_any,
    pair_bit,
    pair_completions,
    pair_count_runs,
    pair_has_run,
    pair_left,
    pair_lowest,
    pair_of,
    pair_or,
    pair_popcount,
    pair_right,
    pair_subtract,
    pair_without,
    pair_xor,
    run_shifts,
    whole,
)
from zermelo.game import MAX, MIN, Game


class WideState(NamedTuple):
    """A board of 64 to 126 bits, as the player to move sees it."""

    mover: Pair
    """The discs of the player to move."""
    stones: Pair
    """The discs of both players."""


def from_pairs(state: WideState) -> tuple[int, int]:
    """Return the discs of the player to move and those of both, as plain ints."""
    return whole(state.mover), whole(state.stones)


def to_pairs(mover: int, stones: int) -> WideState:
    """Invert `from_pairs`."""
    return WideState(pair_of(mover), pair_of(stones))


def two_words(rows: int, columns: int, run: int) -> Game:
    """Return the rules on a board that fits into two words.

    There is no key: no injective int of 63 bits can name all positions. An engine uses a hash instead.
    """
    height = rows + 1
    cells = rows * columns
    bottom_cells = sum(1 << height * column for column in range(columns))
    all_cells = bottom_cells * ((1 << rows) - 1)
    upper_cells = sum(all_cells & (bottom_cells << row) for row in range(rows - 1, -1, -2))
    bottom, playable, upper = pair_of(bottom_cells), pair_of(all_cells), pair_of(upper_cells)
    lower = pair_xor(playable, upper)
    guards = pair_of(bottom_cells << rows)
    top = pair_of(bottom_cells << rows - 1)
    nothing = pair_of(0)
    first_cell = pair_of(1)
    column_cells = (1 << rows) - 1
    steps = (1, height, height - 1, height + 1)
    directions = tuple(run_shifts(run, step, 126) for step in steps)

    def aligned(discs: Pair) -> bool:
        """Return whether ``discs`` contain a run."""
        return pair_has_run(discs, directions)

    def threats(discs: Pair, stones: Pair) -> Pair:
        """Return the empty cells that would complete a run of ``discs``, whether a disc can fall there now or not."""
        found = nothing
        for step in steps:
            found = pair_or(found, pair_completions(discs, run, step))
        return pair_and(found, pair_xor(playable, stones))

    def landing_cells(stones: Pair) -> Pair:
        """Return the lowest empty cell of each column."""
        return pair_and(pair_add(stones, bottom), playable)

    def worth(moves: int) -> int:
        """Return the utility for the winner of a win with disc number ``moves``; 0 if the board has fewer cells."""
        return int(10000.0 * cells / moves) if moves <= cells else 0

    def to_move(state: WideState) -> int:
        return MIN if pair_popcount(state.stones) & 1 else MAX

    def actions(state: WideState) -> Iterator[int]:
        full = pair_right(pair_and(state.stones, top), rows - 1)
        for column in range(columns):
            if not full[0] & 1:
                yield column
            full = pair_right(full, height)

    def result(state: WideState, action: int) -> WideState:
        mover, stones = state
        # Adding to a column's lowest bit carries up to its lowest empty cell.
        return WideState(pair_xor(mover, stones), pair_or(stones, pair_add(stones, pair_bit(action * height))))

    def is_terminal(state: WideState) -> bool:
        return state.stones == playable or aligned(pair_xor(state.mover, state.stones))

    def utility(state: WideState) -> int:
        """Return int(10000.0 * rows * columns / moves) if MAX has won, its negative if MIN has, and 0 for a draw."""
        if not aligned(pair_xor(state.mover, state.stones)):
            return 0
        return -to_move(state) * (10000 * cells // pair_popcount(state.stones))

    def evaluate(state: WideState) -> int:
        """Return the lines still open to MAX less those still open to MIN: at most 4 * 126, below any win."""
        theirs = pair_xor(state.mover, state.stones)
        return to_move(state) * (
            pair_count_runs(pair_without(playable, theirs), directions)
            - pair_count_runs(pair_without(playable, state.mover), directions)
        )

    def symmetries(state: WideState) -> Iterator[WideState]:
        yield WideState(mirrored(state.mover), mirrored(state.stones))

    def tier(state: WideState) -> int:
        """Each move adds a disc."""
        return pair_popcount(state.stones)

    def mirrored(board: Pair) -> Pair:
        """Return ``board`` with left and right exchanged."""
        flipped = nothing
        for _ in range(columns):
            flipped = pair_or(pair_left(flipped, height), (board[0] & column_cells, 0))
            board = pair_right(board, height)
        return flipped

    def safe_cells(stones: Pair, theirs: Pair) -> Pair:
        """Return where the mover, who cannot win at once, can drop a disc without losing at once.

        ``theirs`` are the opponent's threats. The mover must block one that a disc can reach now, and must not play
        right below another.
        """
        landing = landing_cells(stones)
        forced = pair_and(landing, theirs)
        if pair_popcount(forced) > 1:
            return nothing
        return pair_without(forced if pair_any(forced) else landing, pair_right(theirs, 1))

    def sufficient_actions(state: WideState) -> Iterator[int]:
        """Yield wins; else blocks; else actions that do not lose at once; if all lose, any single action."""
        mover, stones = state
        landing = landing_cells(stones)
        chosen = pair_and(landing, threats(mover, stones))
        if not pair_any(chosen):
            chosen = safe_cells(stones, threats(pair_xor(mover, stones), stones))
        if not pair_any(chosen):
            chosen = pair_lowest(landing)
        for column in range(columns):
            if chosen[0] & column_cells:
                yield column
            chosen = pair_right(chosen, height)

    def order(state: WideState, action: int) -> int:
        """Count the mover's threats after ``action`` except those right above an opponent's; then prefer the centre."""
        mover, stones = state
        cell = pair_without(pair_add(stones, pair_bit(action * height)), stones)
        mine = threats(pair_or(mover, cell), pair_or(stones, cell))
        useful = pair_without(mine, pair_left(threats(pair_xor(mover, stones), stones), 1))
        return pair_popcount(useful) * columns + min(action, columns - 1 - action)

    def bounds(state: WideState) -> tuple[int, int]:
        """Return bounds proved by immediate wins and blocks, by the number of cells left, and by follow-up play."""
        mover, stones = state
        count = pair_popcount(stones)
        theirs = threats(pair_xor(mover, stones), stones)
        if pair_any(pair_and(landing_cells(stones), threats(mover, stones))):
            low = high = worth(count + 1)
        elif not pair_any(safe_cells(stones, theirs)):
            low = high = -worth(count + 2)
        else:
            low, high = -worth(count + 4), worth(count + 3)
            if (cells - count) & 1:
                high = min(high, with_odd_threat(mover, stones, theirs))
            else:
                high = min(high, followed(mover, stones, theirs))
        return (low, high) if to_move(state) == MAX else (-high, -low)

    def plies_to_end(state: WideState, value: int) -> int:
        """Count the discs until the end: a utility tells how many lie on the board then."""
        discs = cells if value == 0 else next(moves for moves in range(1, cells + 1) if worth(moves) <= abs(value))
        return discs - pair_popcount(state.stones)

    def column_guard(cell: Pair) -> Pair:
        """Return the guard bit of the column of ``cell``."""
        return pair_lowest(pair_and(guards, pair_subtract(nothing, cell)))

    def followed(mover: Pair, stones: Pair, theirs: Pair) -> int:
        """Return the most that the mover can get if the opponent follows up, with an even number of empty cells.

        `connect.one_word` says why this is sound.
        """
        other, empty = pair_xor(mover, stones), pair_xor(playable, stones)
        bases = pair_and(pair_add(stones, bottom), upper)
        reach = pair_or(pair_or(mover, pair_and(empty, lower)), bases)
        # The opponent fills a threat on an upper cell at the latest when only the cells above it are empty.
        best = worth(1)
        threat = pair_without(pair_and(theirs, upper), bases)
        while pair_any(threat):
            cell = pair_lowest(threat)
            threat = pair_xor(threat, cell)
            above = pair_subtract(column_guard(cell), pair_left(cell, 1))
            if not aligned(pair_without(reach, above)):
                best = min(best, -worth(cells - pair_popcount(above)))
        if best > 0 and not aligned(reach):
            follower = pair_or(other, pair_without(pair_and(empty, upper), bases))
            best = -worth(cells) if aligned(follower) else 0
        return best

    def with_odd_threat(mover: Pair, stones: Pair, theirs: Pair) -> int:
        """Return the most that the mover can get with an odd number of empty cells, if the opponent has an odd threat.

        `connect.one_word` says why this is sound.
        """
        empty = pair_xor(playable, stones)
        bases = pair_and(pair_add(stones, bottom), upper)
        best = worth(1)
        threat = pair_and(theirs, lower)
        while pair_any(threat):
            cell = pair_lowest(threat)
            guard = column_guard(cell)
            column = pair_subtract(guard, pair_right(guard, rows))
            threat = pair_without(threat, column)
            if pair_any(pair_and(bases, column)):
                below = pair_and(column, pair_subtract(cell, first_cell))
                elsewhere = pair_without(pair_or(lower, bases), column)
                reach = pair_or(mover, pair_and(empty, pair_or(elsewhere, pair_and(upper, below))))
                if not aligned(reach):
                    above = pair_subtract(guard, pair_left(cell, 1))
                    best = min(best, -worth(cells - pair_popcount(above)))
        return best

    return Game(
        name="connect",
        initial=WideState(nothing, nothing),
        utility_range=(-(10000 * cells // min(2 * run, cells)), 10000 * cells // min(2 * run - 1, cells)),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        order=order,
        sufficient_actions=sufficient_actions,
        bounds=bounds,
        plies_to_end=plies_to_end,
        symmetries=symmetries,
        tier=tier,
    )
