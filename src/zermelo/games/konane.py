"""Konane, Hawaiian checkers: jump over enemy stones; a player who cannot loses.

Variant: that of OpenSpiel. At the start the board is full, with the stones of both players in a checkered pattern; a
stone of MAX ("x") is in the top left corner. First MAX removes one of the own stones in a corner or in the middle, then
MIN one of the own stones beside the gap. From then on, a stone jumps horizontally or vertically over a neighbouring
enemy stone onto the empty cell behind it and removes that stone; it may jump on in the same direction. There are no
draws. M. Ernst (1995) and P. Norvig's notebook start after the first two plies.

Cells are numbered in reading order, from 0 at the top left. A board of up to 64 cells is a word, a larger one two words
(see `zermelo.words`). A stone never leaves the cells of its colour, so one board holds the stones of both players. An
action is ``origin * 64 + target``; to remove a stone is ``origin * 64 + origin``. On boards of two words, the factor is
128.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Generic, NamedTuple

from zermelo import grid
from zermelo.board import Board
from zermelo.game import MAX, MIN, Game
from zermelo.grid import flipping, mirroring
from zermelo.parameters import checked
from zermelo.words import ONE_WORD, TWO_WORDS, Bits, Words

WIN = 1000


class State(NamedTuple, Generic[Bits]):
    """The stones of both players on one board, and the player to move."""

    stones: Bits
    player: int
    """The player to move, MAX or MIN."""


def konane(size: Annotated[int, range(2, 12)] = 8) -> Game:
    """Konane: jump over enemy stones in a straight line; a player who cannot jump loses."""
    parameters = checked(konane, size=size)
    game = rules(TWO_WORDS, size) if size > 8 else rules(ONE_WORD, size)
    return replace(game, parameters=parameters)


def rules(words: Words[Bits], size: int) -> Game:
    """Return the rules on a board of one word or of two."""
    cells = size * size
    shift = 6 if cells <= 64 else 7  # of the origin in an action
    last = (1 << shift) - 1
    nothing, one = words.of(0), words.of(1)
    bit, has_bit, lowest_index, popcount = words.bit, words.has_bit, words.lowest_index, words.popcount
    complement, shift_left, shift_right = words.complement, words.shift_left, words.shift_right
    mask, whole = words.mask, words.whole
    flip, mirror = flipping(words, size, size), mirroring(words, size, size)
    checkered = "".join("ox"[(row + column) % 2 == 0] for row in range(size) for column in range(size))
    max_home, min_home = grid.word_of(checkered, "x"), grid.word_of(checkered, "o")
    full = max_home | min_home
    ends, middle = (0, size - 1), ((size - 1) // 2, size // 2)
    openings = mask(
        sum(
            1 << (row * size + column)
            for row in range(size)
            for column in range(size)
            if (row in ends and column in ends) or (row in middle and column in middle)
        )
    )
    max_cells, min_cells, every = mask(max_home), mask(min_home), mask(full)
    left_edge, left = (mask(grid.word_of(columns.ljust(size, ".") * size, "x")) for columns in ("x", "xx"))
    right_edge, right = (mask(grid.word_of(columns.rjust(size, ".") * size, "x")) for columns in ("x", "xx"))
    steps = (1, size, -1, -size)

    def jumpers(stones: Bits, player: int, step: int) -> Bits:
        """Return the stones of ``player`` that can jump along ``step``."""
        mine = stones & (max_cells if player == MAX else min_cells)
        theirs, free = stones ^ mine, every & complement(stones)
        if step > 0:
            able = mine & shift_right(theirs, step) & shift_right(free, 2 * step)
            return able & complement(right) if step == 1 else able
        able = mine & shift_left(theirs, -step) & shift_left(free, -2 * step)
        return able & complement(left) if step == -1 else able

    def jumps(stones: Bits, player: int) -> int:
        """Return how many first jumps ``player`` can make."""
        count = 0
        for step in steps:
            count += popcount(jumpers(stones, player, step))
        return count

    def to_move(state: State[Bits]) -> int:
        return state.player

    def actions(state: State[Bits]) -> Iterator[int]:
        stones, player = state
        gap = every & complement(stones)
        if popcount(gap) < 2:
            mine = stones & (max_cells if player == MAX else min_cells)
            beside = shift_left(gap, size) | shift_right(gap, size)
            beside |= shift_left(gap & complement(right_edge), 1) | shift_right(gap & complement(left_edge), 1)
            mine &= beside if gap != nothing else openings
            while mine != nothing:
                origin = lowest_index(mine)
                yield (origin << shift) + origin
                mine &= mine - one
        else:
            for step in steps:
                able = jumpers(stones, player, step)
                while able != nothing:
                    origin = lowest_index(able)
                    able &= able - one
                    target = origin + 2 * step
                    yield (origin << shift) + target
                    # The stone can jump on if a stone on the target could jump.
                    while has_bit(jumpers(stones | bit(target), player, step), target):
                        target += 2 * step
                        yield (origin << shift) + target

    def result(state: State[Bits], action: int) -> State[Bits]:
        origin, target = action >> shift, action & last
        stones = state.stones ^ bit(origin)
        if origin != target:
            stones ^= bit(target)
            step = size if abs(target - origin) >= size else 1
            for cell in range(min(origin, target) + step, max(origin, target), 2 * step):
                stones ^= bit(cell)
        return State(stones, -state.player)

    def is_terminal(state: State[Bits]) -> bool:
        return popcount(state.stones) <= cells - 2 and jumps(state.stones, state.player) == 0

    def utility(state: State[Bits]) -> int:
        """The player to move cannot move and has lost."""
        return -state.player * WIN

    def evaluate(state: State[Bits]) -> int:
        """Return the jumps open to MAX less those open to MIN: at most 4 * 61 each."""
        return jumps(state.stones, MAX) - jumps(state.stones, MIN)

    def key(state: State[Bits]) -> int:
        """Pack one bit for each stone and one for the player; boards of up to 62 cells have a key."""
        return whole(state.stones) << 1 | (1 if state.player == MAX else 0)

    def order(state: State[Bits], action: int) -> int:
        """Put moves first that leave the player many jumps and the opponent few."""
        stones = result(state, action).stones
        return jumps(stones, state.player) - jumps(stones, -state.player)

    def tier(state: State[Bits]) -> int:
        """Count the removed stones: each move removes at least one."""
        return cells - popcount(state.stones)

    def symmetries(state: State[Bits]) -> Iterator[State[Bits]]:
        """Yield the half turn and, on a board of odd size, the reflections, which keep the colours only there."""
        stones, player = state
        upside_down = flip(stones)
        yield State(mirror(upside_down), player)
        if size % 2:
            yield State(upside_down, player)
            yield State(mirror(stones), player)

    def swap(state: State[Bits]) -> State[Bits]:
        return State(mirror(state.stones), -state.player)

    def pieces(state: State[Bits]) -> str:
        return grid.pieces_of(cells, {"x": whole(state.stones) & max_home, "o": whole(state.stones) & min_home})

    face = grid.Face(size, size, pieces, {"x": MAX, "o": MIN}, "xo")

    def from_text(text: str) -> State[Bits]:
        """Read a state that `to_text` wrote; raise ValueError for any other text."""
        board, player = face.read(text)
        if grid.word_of(board, "x") & min_home or grid.word_of(board, "o") & max_home:
            raise ValueError(f"{text!r} holds a stone on a cell of the other colour; x owns the top left corner")
        state = State(words.of(full & ~grid.word_of(board, ".")), player)
        if popcount(state.stones) > cells - 2 and not list(actions(state)):
            raise ValueError(f"{text!r} has one gap, with no stone of the player to move beside it")
        return state

    def places(action: int) -> tuple[int, ...]:
        """Return origin and target of a jump, or the cell of a stone that is removed."""
        origin, target = action >> shift, action & last
        return (origin,) if origin == target else (origin, target)

    def format_action(state: State[Bits], action: int) -> str:
        """Write ``e8-e6`` for a jump and ``e4`` to remove a stone."""
        return "-".join(grid.name(cell, size, size) for cell in places(action))

    def board(state: State[Bits]) -> Board:
        legal = [] if is_terminal(state) else list(actions(state))
        clicks = {action: places(action) for action in legal}
        return face.board(state, clicks)._replace(cells=grid.checkered(size, size))

    return Game(
        name="konane",
        initial=State(words.of(full), MAX),
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
        swap=swap if size % 2 == 0 else None,
        draw=face.draw,
        format_action=format_action,
        to_text=face.to_text,
        from_text=from_text,
        board=board,
        sides=("Black", "White"),
        switches={"reductions": True, "malus": True, "follow_ups": True, "countermoves": True},
    )
