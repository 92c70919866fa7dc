"""Konane, Hawaiian checkers: jump over enemy stones; a player who cannot loses.

Variant: that of OpenSpiel. At the start the board is full, with the stones of both players in a checkered pattern; a
stone of MAX ("x") is in the top left corner. First MAX removes one of the own stones in a corner or in the middle, then
MIN one of the own stones beside the gap. From then on, a stone jumps horizontally or vertically over a neighbouring
enemy stone onto the empty cell behind it and removes that stone; it may jump on in the same direction. There are no
draws. M. Ernst (1995) and P. Norvig's notebook start after the first two plies.

Cells are numbered in reading order, from 0 at the top left; a board of 8 x 8 uses all 64 bits of a word. A stone never
leaves the cells of its colour, so one word holds the stones of both players. An action is ``origin * 64 + target``; to
remove a stone is ``origin * 64 + origin``.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from zermelo import grid
from zermelo.bits import complement, lowest_index, popcount, shift_left, shift_right
from zermelo.board import Board
from zermelo.game import MAX, MIN, Game
from zermelo.grid import flip, mirror
from zermelo.parameters import checked

WIN = 1000


class State(NamedTuple):
    """The stones of both players in one word, and the player to move."""

    stones: int
    player: int
    """The player to move, MAX or MIN."""


def konane(size: Annotated[int, range(2, 9)] = 8) -> Game:
    """Konane: jump over enemy stones in a straight line; a player who cannot jump loses."""
    parameters = checked(konane, size=size)
    cells = size * size
    checkered = "".join("ox"[(row + column) % 2 == 0] for row in range(size) for column in range(size))
    max_home, min_home = grid.word_of(checkered, "x"), grid.word_of(checkered, "o")
    full = max_home | min_home
    ends, middle = (0, size - 1), ((size - 1) // 2, size // 2)
    openings = grid.mask(
        sum(
            1 << (row * size + column)
            for row in range(size)
            for column in range(size)
            if (row in ends and column in ends) or (row in middle and column in middle)
        )
    )
    max_cells, min_cells, every = grid.mask(max_home), grid.mask(min_home), grid.mask(full)
    left_edge = grid.first_column(size, size)
    right_edge = grid.mask(mirror(left_edge, size, left_edge))
    left = grid.word_of(("x" * min(2, size) + "." * (size - 2)) * size, "x")
    right = grid.mask(mirror(left, size, left_edge))
    steps = (1, size, -1, -size)

    def jumpers(stones: int, player: int, step: int) -> int:
        """Return the stones of ``player`` that can jump along ``step``."""
        mine = stones & (max_cells if player == MAX else min_cells)
        theirs, free = stones ^ mine, every & complement(stones)
        if step > 0:
            able = mine & shift_right(theirs, step) & shift_right(free, 2 * step)
            return able & complement(right) if step == 1 else able
        able = mine & shift_left(theirs, -step) & shift_left(free, -2 * step)
        return able & complement(left) if step == -1 else able

    def jumps(stones: int, player: int) -> int:
        """Return how many first jumps ``player`` can make."""
        count = 0
        for step in steps:
            count += popcount(jumpers(stones, player, step))
        return count

    def to_move(state: State) -> int:
        return state.player

    def actions(state: State) -> Iterator[int]:
        stones, player = state
        gap = every & complement(stones)
        if popcount(gap) < 2:
            mine = stones & (max_cells if player == MAX else min_cells)
            beside = shift_left(gap, size) | shift_right(gap, size)
            beside |= shift_left(gap & complement(right_edge), 1) | shift_right(gap & complement(left_edge), 1)
            mine &= beside if gap != 0 else openings
            while mine != 0:
                yield lowest_index(mine) * 65
                mine &= mine - 1
        else:
            for step in steps:
                able = jumpers(stones, player, step)
                while able != 0:
                    origin = lowest_index(able)
                    able &= able - 1
                    target = origin + 2 * step
                    yield origin * 64 + target
                    # The stone can jump on if a stone on the target could jump.
                    while jumpers(stones | shift_left(1, target), player, step) & shift_left(1, target):
                        target += 2 * step
                        yield origin * 64 + target

    def result(state: State, action: int) -> State:
        origin, target = action >> 6, action & 63
        stones = state.stones ^ shift_left(1, origin)
        if origin != target:
            stones ^= shift_left(1, target)
            step = size if abs(target - origin) >= size else 1
            for cell in range(min(origin, target) + step, max(origin, target), 2 * step):
                stones ^= shift_left(1, cell)
        return State(stones, -state.player)

    def is_terminal(state: State) -> bool:
        return popcount(state.stones) <= cells - 2 and jumps(state.stones, state.player) == 0

    def utility(state: State) -> int:
        """The player to move cannot move and has lost."""
        return -state.player * WIN

    def evaluate(state: State) -> int:
        """Return the jumps open to MAX less those open to MIN: at most 4 * 32 each."""
        return jumps(state.stones, MAX) - jumps(state.stones, MIN)

    def key(state: State) -> int:
        """Pack one bit for each stone and one for the player; boards of up to 62 cells have a key."""
        return state.stones << 1 | (1 if state.player == MAX else 0)

    def order(state: State, action: int) -> int:
        """Put moves first that leave the player many jumps and the opponent few."""
        stones = result(state, action).stones
        return jumps(stones, state.player) - jumps(stones, -state.player)

    def tier(state: State) -> int:
        """Count the removed stones: each move removes at least one."""
        return cells - popcount(state.stones)

    def symmetries(state: State) -> Iterator[State]:
        """Yield the half turn and, on a board of odd size, the reflections, which keep the colours only there."""
        stones, player = state
        upside_down = flip(stones, size, size)
        yield State(mirror(upside_down, size, left_edge), player)
        if size % 2:
            yield State(upside_down, player)
            yield State(mirror(stones, size, left_edge), player)

    def swap(state: State) -> State:
        return State(mirror(state.stones, size, left_edge), -state.player)

    def pieces(state: State) -> str:
        return grid.pieces_of(cells, {"x": state.stones & max_home, "o": state.stones & min_home})

    face = grid.Face(size, size, pieces, {"x": MAX, "o": MIN}, "xo")

    def from_text(text: str) -> State:
        """Read a state that `to_text` wrote; raise ValueError for any other text."""
        board, player = face.read(text)
        if grid.word_of(board, "x") & min_home or grid.word_of(board, "o") & max_home:
            raise ValueError(f"{text!r} holds a stone on a cell of the other colour; x owns the top left corner")
        state = State(full & ~grid.word_of(board, "."), player)
        if popcount(state.stones) > cells - 2 and not list(actions(state)):
            raise ValueError(f"{text!r} has one gap, with no stone of the player to move beside it")
        return state

    def format_action(state: State, action: int) -> str:
        """Write ``e8-e6`` for a jump and ``e4`` to remove a stone."""
        origin, target = action >> 6, action & 63
        return "-".join(grid.name(cell, size, size) for cell in ((origin,) if origin == target else (origin, target)))

    def board(state: State) -> Board:
        legal = [] if is_terminal(state) else list(actions(state))
        clicks = {action: (action >> 6, action & 63)[: 1 if action % 65 == 0 else 2] for action in legal}
        return face.board(state, clicks)._replace(cells=grid.checkered(size, size))

    return Game(
        name="konane",
        parameters=parameters,
        initial=State(full, MAX),
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
