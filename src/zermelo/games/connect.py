"""Connect-N: two players drop discs into columns; the first to line up ``run`` of them wins.

Variant: the commercial game on a board of any size; a full board without a run is a draw. The utilities are those of
Rhodes College's course CS 372: a quick win is worth more than a slow one. MAX ("X") moves first. Connect Four is
``connect()``.

An action is the number of a column, counted from 0 at the left.

Bit layout, after J. Tromp: each column takes ``rows + 1`` bits, its lowest cell first; its top bit is a guard, which
always stays 0, so that a run cannot go on from one column to the next. For 3 rows and 4 columns the bits are::

     3  7 11 15    guards
     2  6 10 14
     1  5  9 13
     0  4  8 12

A board of up to 63 bits is a word, a larger one two words (see `zermelo.words`).
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Generic, NamedTuple

from zermelo.bits import along, completions, run_shifts, runs
from zermelo.errors import BadParameter
from zermelo.game import MAX, MIN, Game
from zermelo.games.connect_picture import with_pictures
from zermelo.parameters import checked
from zermelo.words import MOST_CELLS, ONE_WORD, TWO_WORDS, Bits, Words


class State(NamedTuple, Generic[Bits]):
    """A board, as the player to move sees it."""

    mover: Bits
    """The discs of the player to move."""
    stones: Bits
    """The discs of both players."""


def connect(
    rows: Annotated[int, range(1, 32)] = 6,
    columns: Annotated[int, range(1, 32)] = 7,
    run: Annotated[int, range(2, 32)] = 4,
) -> Game:
    """Connect-N: drop discs; the first to align `run` of them wins."""
    parameters = checked(connect, rows=rows, columns=columns, run=run)
    size = (rows + 1) * columns
    if size > MOST_CELLS:
        raise BadParameter(
            f"A connect board of {rows} rows and {columns} columns is too large to hold; "
            f"(rows + 1) * columns must be at most {MOST_CELLS}, and it is {size}."
        )
    game = rules(TWO_WORDS, rows, columns, run) if size > 63 else rules(ONE_WORD, rows, columns, run)
    return replace(game, parameters=parameters)


def rules(words: Words[Bits], rows: int, columns: int, run: int) -> Game:
    """Return the rules on a board of one word or of two."""
    height = rows + 1
    size = height * columns
    cells = rows * columns
    of, whole, popcount, lowest = words.of, words.whole, words.popcount, words.lowest
    nothing, one, first_column = of(0), of(1), of((1 << rows) - 1)
    bottom_cells = sum(1 << height * column for column in range(columns))
    all_cells = bottom_cells * ((1 << rows) - 1)
    upper_cells = sum(all_cells & (bottom_cells << row) for row in range(rows - 1, -1, -2))
    bottom, playable, guards = of(bottom_cells), of(all_cells), of(bottom_cells << rows)
    upper, lower = of(upper_cells), of(all_cells ^ upper_cells)
    steps = ((1,), (height,), (height - 1,), (height + 1,))
    directions = tuple(run_shifts(run, step, size) for (step,) in steps)
    smears = tuple(
        (1 << step, of(bottom_cells * ((1 << max(0, height - (1 << step))) - 1)))
        for step in range((height - 1).bit_length())
    )

    def aligned(discs: Bits) -> bool:
        """Return whether ``discs`` contain a run."""
        found = nothing
        for shifts in directions:
            found |= runs(discs, shifts)
        return found != nothing

    def lines(free: Bits) -> int:
        """Return in how many places a run fits on the cells ``free``."""
        count = 0
        for shifts in directions:
            count += popcount(runs(free, shifts))
        return count

    def threats(discs: Bits, stones: Bits) -> Bits:
        """Return the empty cells that would complete a run of ``discs``, whether a disc can fall there now or not."""
        return along(completing, steps, discs) & (playable ^ stones)

    def completing(discs: Bits, step: int) -> Bits:
        """Return the bits that would complete a run of ``discs`` along one step."""
        return completions(discs, run, step)

    def worth(moves: int) -> int:
        """Return the utility for the winner of a win with disc number ``moves``; 0 if the board has fewer cells."""
        return int(10000.0 * cells / moves) if moves <= cells else 0

    def to_move(state: State[Bits]) -> int:
        return MIN if popcount(state.stones) & 1 else MAX

    def actions(state: State[Bits]) -> Iterator[int]:
        top = state.stones >> rows - 1
        for column in range(columns):
            if top & one == nothing:
                yield column
            top >>= height

    def result(state: State[Bits], action: int) -> State[Bits]:
        mover, stones = state
        # Adding to a column's lowest bit carries up to its lowest empty cell.
        return State(mover ^ stones, stones | (stones + (one << action * height)))

    def is_terminal(state: State[Bits]) -> bool:
        return state.stones == playable or aligned(state.mover ^ state.stones)

    def utility(state: State[Bits]) -> int:
        """Return int(10000.0 * rows * columns / moves) if MAX has won, its negative if MIN has, and 0 for a draw."""
        if not aligned(state.mover ^ state.stones):
            return 0
        return -to_move(state) * (10000 * cells // popcount(state.stones))

    def evaluate(state: State[Bits]) -> int:
        """Return the lines still open to MAX less those still open to MIN: at most 4 * 126, below any win."""
        theirs = state.mover ^ state.stones
        return to_move(state) * (lines(playable & ~theirs) - lines(playable & ~state.mover))

    def key(state: State[Bits]) -> int:
        """Add the two boards, which is injective: a column of h discs adds between 2**h - 1 and 2**(h+1) - 2.

        On a board of more than 63 bits no int can name all positions. There, an engine uses a hash instead.
        """
        return whole(state.mover + state.stones)

    def unpack(packed: int) -> State[Bits]:
        """Invert `key`: after adding 1 to each column, its highest bit is right above its discs."""
        marked = of(packed) + bottom
        for distance, mask in smears:
            marked |= marked >> distance & mask
        stones = marked >> 1 & playable
        return State(of(packed) - stones, stones)

    def symmetries(state: State[Bits]) -> Iterator[State[Bits]]:
        yield State(mirrored(state.mover), mirrored(state.stones))

    def tier(state: State[Bits]) -> int:
        """Each move adds a disc."""
        return popcount(state.stones)

    def mirrored(board: Bits) -> Bits:
        """Return ``board`` with left and right exchanged."""
        flipped = nothing
        for _ in range(columns):
            flipped = flipped << height | board & first_column
            board >>= height
        return flipped

    def safe_cells(stones: Bits, theirs: Bits) -> Bits:
        """Return where the mover, who cannot win at once, can drop a disc without losing at once.

        ``theirs`` are the opponent's threats. The mover must block one that a disc can reach now, and must not play
        right below another.
        """
        landing = (stones + bottom) & playable
        forced = landing & theirs
        if forced & (forced - one) != nothing:
            return nothing
        return (forced if forced != nothing else landing) & ~(theirs >> 1)

    def sufficient_actions(state: State[Bits]) -> Iterator[int]:
        """Yield wins; else blocks; else actions that do not lose at once; if all lose, any single action."""
        mover, stones = state
        landing = (stones + bottom) & playable
        chosen = landing & threats(mover, stones)
        if chosen == nothing:
            chosen = safe_cells(stones, threats(mover ^ stones, stones))
        if chosen == nothing:
            chosen = lowest(landing)
        for column in range(columns):
            if chosen >> column * height & first_column != nothing:
                yield column

    def order(state: State[Bits], action: int) -> int:
        """Count the mover's threats after ``action`` except those right above an opponent's; then prefer the centre."""
        mover, stones = state
        cell = (stones + (one << action * height)) & ~stones
        useful = threats(mover | cell, stones | cell) & ~(threats(mover ^ stones, stones) << 1)
        return popcount(useful) * columns + min(action, columns - 1 - action)

    def bounds(state: State[Bits]) -> tuple[int, int]:
        """Return bounds proved by immediate wins and blocks, by the number of cells left, and by follow-up play."""
        mover, stones = state
        count = popcount(stones)
        landing = (stones + bottom) & playable
        theirs = threats(mover ^ stones, stones)
        if landing & threats(mover, stones) != nothing:
            low = high = worth(count + 1)
        elif safe_cells(stones, theirs) == nothing:
            low = high = -worth(count + 2)
        else:
            low, high = -worth(count + 4), worth(count + 3)
            if (cells - count) & 1:
                high = min(high, with_odd_threat(mover, stones, theirs))
            else:
                high = min(high, followed(mover, stones, theirs))
        return (low, high) if to_move(state) == MAX else (-high, -low)

    def plies_to_end(state: State[Bits], value: int) -> int:
        """Count the discs until the end: a utility tells how many lie on the board then."""
        discs = cells if value == 0 else next(moves for moves in range(1, cells + 1) if worth(moves) <= abs(value))
        return discs - popcount(state.stones)

    def column_guard(cell: Bits) -> Bits:
        """Return the guard bit of the column of ``cell``."""
        return lowest(guards & (nothing - cell))

    def followed(mover: Bits, stones: Bits, theirs: Bits) -> int:
        """Return the most that the mover can get if the opponent follows up, with an even number of empty cells.

        To follow up is to play on top of the mover's last disc. This pairs the empty cells of each column from the
        top down: the mover gets the lower cell of each pair, the opponent the upper one. A column with an odd number of
        empty cells leaves its lowest cell over; the number of these cells is even, and they pair up with each other
        (claimeven and baseinverse in Allis, A Knowledge-based Approach of Connect-Four, 1988).
        """
        other, empty = mover ^ stones, playable ^ stones
        bases = (stones + bottom) & upper
        reach = mover | (empty & lower) | bases
        # The opponent fills a threat on an upper cell at the latest when only the cells above it are empty.
        best = worth(1)
        threat = theirs & upper & ~bases
        while threat != nothing:
            cell = lowest(threat)
            threat ^= cell
            above = column_guard(cell) - (cell << 1)
            if not aligned(reach & ~above):
                best = min(best, -worth(cells - popcount(above)))
        if best > 0 and not aligned(reach):
            best = -worth(cells) if aligned(other | (empty & upper & ~bases)) else 0
        return best

    def with_odd_threat(mover: Bits, stones: Bits, theirs: Bits) -> int:
        """Return the most that the mover can get with an odd number of empty cells, if the opponent has an odd threat.

        The opponent follows up, and needs a threat on a lower cell of a column with an odd number of empty cells. The
        cells of that column pair up from its lowest cell to the threat, those of other columns as in `followed`. The
        mover runs out of other cells, and must at last play right below the threat.
        """
        empty = playable ^ stones
        bases = (stones + bottom) & upper
        best = worth(1)
        threat = theirs & lower
        while threat != nothing:
            cell = lowest(threat)
            guard = column_guard(cell)
            column = guard - (guard >> rows)
            threat &= ~column
            if bases & column != nothing:
                below = column & (cell - one)
                reach = mover | (empty & ((lower & ~column) | (upper & below) | (bases & ~column)))
                if not aligned(reach):
                    best = min(best, -worth(cells - popcount(guard - (cell << 1))))
        return best

    def discs_of(state: State[Bits]) -> tuple[int, int]:
        """Return the discs of the player to move and those of both, as plain ints."""
        return whole(state.mover), whole(state.stones)

    def state_of(mover: int, stones: int) -> State[Bits]:
        """Invert `discs_of`."""
        return State(of(mover), of(stones))

    keyed = size <= 63
    game = Game(
        name="connect",
        initial=State(nothing, nothing),
        utility_range=(-(10000 * cells // min(2 * run, cells)), 10000 * cells // min(2 * run - 1, cells)),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        key=key if keyed else None,
        order=order,
        sufficient_actions=sufficient_actions,
        bounds=bounds,
        switches={"leaf_bounds": True},
        plies_to_end=plies_to_end,
        symmetries=symmetries,
        tier=tier,
        pack=key if keyed else None,
        unpack=unpack if keyed else None,
    )
    return with_pictures(game, rows, columns, run, discs_of, state_of)
