"""Hex: join your two sides of a rhombus of hexagons; on a full board exactly one player has done so.

Variant: P. Hein's and J. Nash's game. MAX ("x") joins top and bottom and moves first, MIN ("o") joins left and right.
With ``swap``, MIN may answer the first stone by taking it over: the stone becomes MIN's and is mirrored in the long
diagonal, which amounts to exchanging sides. There are no draws.

Bit layout: rows from the top, ``size + 1`` bits for each; the last bit of a row is a guard, which always stays 0. A
word holds as many rows as fit into 63 bits: boards up to 7 x 7 need one word, 11 x 11 needs three words of five rows. A
cell has six neighbours: left, right, above, above to the right, below, below to the left. For 3 x 3::

    0  1  2 | 3
     4  5  6 | 7
      8  9 10 |11

An action is the number of a cell, counted from 0 in reading order without the guards; to take over is
``size * size``.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from zermelo import grid
from zermelo.bits import lowest_index, popcount, put
from zermelo.board import Board, Cell, Edge
from zermelo.game import MAX, MIN, Game
from zermelo.parameters import checked

WIN = 1000


class State(NamedTuple):
    """The stones of both players, and the player to move."""

    max_stones: tuple[int, ...]
    min_stones: tuple[int, ...]
    player: int
    """The player to move, MAX or MIN."""


def hex(size: Annotated[int, range(1, 12)] = 11, swap: bool = False) -> Game:
    """Hex: Red joins top and bottom, Blue left and right; `swap` lets Blue take over the first stone."""
    parameters = checked(hex, size=size, swap=swap)
    may_swap = swap
    pitch = size + 1
    rows = min(size, 63 // pitch)
    words = -(-size // rows)
    cells = size * size
    take = cells
    word_at = tuple(row // rows for row in range(size) for _ in range(size))
    bit_at = tuple(1 << (row % rows * pitch + column) for row in range(size) for column in range(size))
    # The negative distance from the middle, since higher numbers are tried first.
    central = tuple(
        -abs(2 * row - size + 1) - abs(2 * column - size + 1) - abs(2 * (row + column) - 2 * size + 2)
        for row in range(size)
        for column in range(size)
    )
    nothing = (0,) * words
    last_row = (rows - 1) * pitch
    first_line = (1 << size) - 1

    def board_where(wanted: list[bool]) -> tuple[int, ...]:
        """Return a board with a stone on each wanted cell."""
        return tuple(
            sum(bit_at[cell] for cell in range(cells) if wanted[cell] and word_at[cell] == word)
            for word in range(words)
        )

    full = board_where([True] * cells)
    top = board_where([cell < size for cell in range(cells)])
    bottom = board_where([cell >= cells - size for cell in range(cells)])
    left = board_where([cell % size == 0 for cell in range(cells)])
    right = board_where([cell % size == size - 1 for cell in range(cells)])

    def near(board: tuple[int, ...], word: int) -> int:
        """Return the cells of a word that are on ``board`` or next to it; bits that are no cells may be set, too."""
        here = board[word]
        found = here | here << 1 | here >> 1 | here << pitch | here >> pitch | here << pitch - 1 | here >> pitch - 1
        if word > 0:
            above = board[word - 1] >> last_row
            found |= above | above >> 1
        if word < words - 1:
            below = board[word + 1] & first_line
            found |= below << last_row | below << last_row + 1
        return found

    def flooded(reached: tuple[int, ...], stones: tuple[int, ...]) -> tuple[int, ...]:
        """Return ``reached`` and all stones that chains of ``stones`` join to it."""
        growing = True
        while growing:
            growing = False
            for word in range(words):
                more = reached[word] | (near(reached, word) & stones[word])
                if more != reached[word]:
                    reached = put(reached, word, more)
                    growing = True
        return reached

    def meet(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        """Return whether the boards share a cell."""
        for word in range(words):
            if one[word] & other[word]:
                return True
        return False

    def joined(stones: tuple[int, ...], start: tuple[int, ...], goal: tuple[int, ...]) -> bool:
        """Return whether ``stones`` join the sides ``start`` and ``goal``."""
        if not meet(stones, goal):
            return False
        reached = nothing
        for word in range(words):
            reached = put(reached, word, stones[word] & start[word])
        return meet(flooded(reached, stones), goal)

    def needed(stones: tuple[int, ...], theirs: tuple[int, ...], start: tuple[int, ...], goal: tuple[int, ...]) -> int:
        """Return how many more stones would join the two sides if the other player always passed."""
        reached = nothing
        for word in range(words):
            reached = put(reached, word, stones[word] & start[word])
        reached = flooded(reached, stones)
        count = 0
        while not meet(reached, goal) and count < cells:
            grown = reached
            for word in range(words):
                free = full[word] & ~theirs[word]
                grown = put(grown, word, reached[word] | ((near(reached, word) | start[word]) & free))
            reached = flooded(grown, stones)
            count += 1
        return count

    def to_move(state: State) -> int:
        return state.player

    def stones_of(board: tuple[int, ...]) -> int:
        """Return how many stones are on a board."""
        count = 0
        for word in range(words):
            count += popcount(board[word])
        return count

    def actions(state: State) -> Iterator[int]:
        for word in range(words):
            free = full[word] & ~(state.max_stones[word] | state.min_stones[word])
            while free:
                place = lowest_index(free)
                free &= free - 1
                yield word * rows * size + place - place // pitch
        if may_swap and state.player == MIN and stones_of(state.max_stones) == 1 and stones_of(state.min_stones) == 0:
            yield take

    def result(state: State, action: int) -> State:
        max_stones, min_stones, player = state
        if action == take:
            for cell in range(cells):
                if max_stones[word_at[cell]] & bit_at[cell]:
                    mirror = cell % size * size + cell // size
                    min_stones = put(min_stones, word_at[mirror], bit_at[mirror])
            return State(nothing, min_stones, MAX)
        word = word_at[action]
        if player == MAX:
            return State(put(max_stones, word, max_stones[word] | bit_at[action]), min_stones, MIN)
        return State(max_stones, put(min_stones, word, min_stones[word] | bit_at[action]), MAX)

    def is_terminal(state: State) -> bool:
        if state.player == MIN:
            return joined(state.max_stones, top, bottom)
        return joined(state.min_stones, left, right)

    def utility(state: State) -> int:
        """The player who is not to move has joined both sides and won."""
        return -state.player * WIN

    def evaluate(state: State) -> int:
        """Count 10 for each stone that MIN needs more than MAX to join both sides, and 1 for the player to move."""
        mine = needed(state.max_stones, state.min_stones, top, bottom)
        theirs = needed(state.min_stones, state.max_stones, left, right)
        return 10 * (min(theirs, size) - min(mine, size)) + state.player

    def key(state: State) -> int:
        """Pack one bit for each stone and one for the player; boards of up to 5 x 5 have a key."""
        return (state.max_stones[0] << size * pitch | state.min_stones[0]) << 1 | (1 if state.player == MAX else 0)

    def order(state: State, action: int) -> int:
        """Put taking over first, then cells near the middle."""
        return central[action] if action < cells else 1

    def moved(board: tuple[int, ...], places: tuple[int, ...]) -> tuple[int, ...]:
        """Return ``board`` with each stone moved from its cell ``c`` to ``places[c]``."""
        other = nothing
        for cell in range(cells):
            if board[word_at[cell]] & bit_at[cell]:
                word = word_at[places[cell]]
                other = put(other, word, other[word] | bit_at[places[cell]])
        return other

    half_turn = tuple(cells - 1 - cell for cell in range(cells))
    corner = grid.transposed(size)

    def tier(state: State) -> int:
        """Count the stones: each move except taking over adds one."""
        count = 0
        for word in range(words):
            count += popcount(state.max_stones[word]) + popcount(state.min_stones[word])
        return count

    def symmetries(state: State) -> Iterator[State]:
        yield State(moved(state.max_stones, half_turn), moved(state.min_stones, half_turn), state.player)

    def exchanged(state: State) -> State:
        """Return the state mirrored in the long diagonal, with colours exchanged."""
        return State(moved(state.min_stones, corner), moved(state.max_stones, corner), -state.player)

    def pieces(state: State) -> str:
        shown = []
        for word, bit in zip(word_at, bit_at, strict=True):
            shown.append("x" if state.max_stones[word] & bit else "o" if state.min_stones[word] & bit else ".")
        return "".join(shown)

    def to_text(state: State) -> str:
        """Write the rows from the top with a bar between them, then who is to move: ``x.|.o x``."""
        return grid.rows_of(pieces(state), size) + (" x" if state.player == MAX else " o")

    def from_text(text: str) -> State:
        """Read a state that `to_text` wrote; raise ValueError for any other text."""
        before, turn = grid.read_turn(text, "xo")
        shown = grid.read_rows(before, size, size, "xo.")
        max_stones = board_where([piece == "x" for piece in shown])
        min_stones = board_where([piece == "o" for piece in shown])
        state = State(max_stones, min_stones, MAX if turn == "x" else MIN)
        if joined(max_stones, top, bottom) if turn == "x" else joined(min_stones, left, right):
            raise ValueError(f"{text!r} is won for the player to move, but the winner must have moved last")
        return state

    def draw(state: State) -> str:
        margin = len(str(size))
        lines = [" " * margin + " ".join(chr(ord("a") + column) for column in range(size))]
        for row, line in enumerate(grid.rows_of(pieces(state), size).split("|")):
            lines.append(" " * row + f"{row + 1:>{margin}} {' '.join(line)}")
        return "\n".join(lines)

    def format_action(state: State, action: int) -> str:
        """Write a letter for the column and a number for the row, counted from the top: ``a1``; ``swap``."""
        return "swap" if action == take else f"{chr(ord('a') + action % size)}{action // size + 1}"

    hexagons = tuple(Cell(column + row / 2, 0.87 * row, "hexagon") for row in range(size) for column in range(size))
    named = (
        *((column - 0.55, -1.05, chr(ord("a") + column)) for column in range(size)),
        *((row / 2 - 1.05, 0.87 * row, str(row + 1)) for row in range(size)),
    )

    near_top, near_left = -0.577, -0.5
    corners = (
        [(column + 0.5 * step, near_top + 0.288 * step) for column in range(size) for step in (0, 1)],
        [(row / 2 + x, 0.87 * row + y) for row in range(size) for x, y in ((near_left, -0.289), (near_left, 0.289))],
    )

    def turned(points: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
        """Return points turned half round the middle of the board."""
        across, down = 1.5 * (size - 1), 0.87 * (size - 1)
        return tuple((across - x, down - y) for x, y in points)

    edges = tuple(
        Edge(owner, points)
        for owner, side in zip((MAX, MIN), corners, strict=True)
        for points in (tuple(side), turned(side))
    )

    def chain(state: State) -> tuple[int, ...]:
        """Return the winner's stones that are joined to both of the sides."""
        stones, start, goal = (
            (state.min_stones, left, right) if state.player == MAX else (state.max_stones, top, bottom)
        )
        from_one, from_other = (
            flooded(tuple(a & b for a, b in zip(stones, side, strict=True)), stones) for side in (start, goal)
        )
        both = tuple(one & other for one, other in zip(from_one, from_other, strict=True))
        return tuple(cell for cell in range(cells) if both[word_at[cell]] & bit_at[cell])

    def board(state: State) -> Board:
        legal = [] if is_terminal(state) else list(actions(state))
        clicks = {action: () if action == take else (action,) for action in legal}
        shown = grid.board_of(pieces(state), size, size, {"x": MAX, "o": MIN}, clicks)
        return shown._replace(cells=hexagons, labels=named, edges=edges, won=() if legal else chain(state))

    return Game(
        name="hex",
        parameters=parameters,
        initial=State(nothing, nothing, MAX),
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        key=key if size <= 5 else None,
        order=order,
        symmetries=symmetries,
        tier=tier,
        swap=None if may_swap else exchanged,
        draw=draw,
        format_action=format_action,
        to_text=to_text,
        from_text=from_text,
        board=board,
        sides=("Red", "Blue"),
    )
