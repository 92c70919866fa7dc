"""Clobber: move a stone onto a neighbouring enemy stone, which is removed; a player who cannot loses.

Variant: Albert, Grossman, Nowakowski and Wolfe's game (2001). At the start the board is full, with the stones of both
players in a checkered pattern. A stone of MAX ("o") is in the top left corner, and MAX moves first, as in OpenSpiel.
There are no draws.

Cells are numbered in reading order, from 0 at the top left. A board of up to 64 cells is a word, a larger one two words
(see `zermelo.words`). An action is ``origin * 64 + target``, and ``origin * 128 + target`` on boards of two words.
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


class Weights(NamedTuple):
    """What stones are worth to EVAL, found by `zermelo tune` on 8 x 8."""

    front: int = 2
    """A stone that can move."""
    back: int = 3
    """A stone that cannot, beside one of the same colour that can."""


class State(NamedTuple, Generic[Bits]):
    """The stones of both players, and the player to move."""

    max_stones: Bits
    min_stones: Bits
    player: int
    """The player to move, MAX or MIN."""


def clobber(width: Annotated[int, range(1, 27)] = 6, height: Annotated[int, range(1, 27)] = 5) -> Game:
    """Clobber: capture a neighbour with each move; a player who cannot move loses."""
    parameters = checked(clobber, width=width, height=height)
    grid.check_size("clobber", width, height)
    large = width * height > 64
    game = rules(TWO_WORDS, width, height) if large else rules(ONE_WORD, width, height)
    return replace(game, parameters=parameters)


def rules(words: Words[Bits], width: int, height: int) -> Game:
    """Return the rules on a board of one word or of two."""
    cells = width * height
    shift = 6 if cells <= 64 else 7  # of the origin in an action
    last = (1 << shift) - 1
    nothing, one = words.of(0), words.of(1)
    bit, has_bit, lowest_index = words.bit, words.has_bit, words.lowest_index
    popcount, shift_left, shift_right, whole = words.popcount, words.shift_left, words.shift_right, words.whole
    checkered = "".join("xo"[(row + column) % 2 == 0] for row in range(height) for column in range(width))
    left = words.of(grid.inner_columns(width, height))
    flip, mirror = flipping(words, width, height), mirroring(words, width, height)
    steps = ((-width, 0), (1, 1), (width, 0), (-1, -1))

    def pairs(max_stones: Bits, min_stones: Bits) -> int:
        """Return how many pairs of neighbours MAX and MIN have: the number of moves of either player."""
        beside = (max_stones & shift_right(min_stones, 1)) | (min_stones & shift_right(max_stones, 1))
        above = (max_stones & shift_right(min_stones, width)) | (min_stones & shift_right(max_stones, width))
        return popcount(beside & left) + popcount(above)

    def to_move(state: State[Bits]) -> int:
        return state.player

    def actions(state: State[Bits]) -> Iterator[int]:
        max_stones, min_stones, player = state
        mine, theirs = (max_stones, min_stones) if player == MAX else (min_stones, max_stones)
        while mine != nothing:
            origin = lowest_index(mine)
            mine &= mine - one
            for step, side in steps:
                target = origin + step
                if (
                    0 <= target < cells
                    and 0 <= origin % width + side < width
                    and (side == 0 or width > 1)
                    and has_bit(theirs, target)
                ):
                    yield (origin << shift) + target

    def result(state: State[Bits], action: int) -> State[Bits]:
        max_stones, min_stones, player = state
        origin, target = bit(action >> shift), bit(action & last)
        if player == MAX:
            return State(max_stones ^ origin ^ target, min_stones ^ target, MIN)
        return State(max_stones ^ target, min_stones ^ origin ^ target, MAX)

    def is_terminal(state: State[Bits]) -> bool:
        return pairs(state.max_stones, state.min_stones) == 0

    def utility(state: State[Bits]) -> int:
        """The player to move cannot move and has lost."""
        return -state.player * WIN

    def beside(stones: Bits) -> Bits:
        """Return the cells beside some stones."""
        in_rows = shift_left(stones & left, 1) | shift_right(stones, 1) & left
        return in_rows | shift_left(stones, width) | shift_right(stones, width)

    def evaluate(state: State[Bits], weights: Weights) -> int:
        """Compare the stones that can move, and those right behind them: the player with more of them tends to win.

        This is a guess at the sum of all groups' atomic weights, which decide most positions (Wolfe 2002, on his page
        about Clobber). That of a row of stones, all of one colour except for the last, is the number of the others
        less one. Stones that nobody can reach weigh nothing.
        """
        max_stones, min_stones, _ = state
        max_front, min_front = max_stones & beside(min_stones), min_stones & beside(max_stones)
        max_back = (max_stones ^ max_front) & beside(max_front)
        min_back = (min_stones ^ min_front) & beside(min_front)
        front, back = popcount(max_front) - popcount(min_front), popcount(max_back) - popcount(min_back)
        return weights.front * front + weights.back * back

    def key(state: State[Bits]) -> int:
        """Pack one bit for each stone and one for the player; boards of up to 31 cells have a key."""
        return (whole(state.max_stones) << cells | whole(state.min_stones)) << 1 | (1 if state.player == MAX else 0)

    def order(state: State[Bits], action: int) -> int:
        """Put moves first that leave few moves."""
        child = result(state, action)
        return -pairs(child.max_stones, child.min_stones)

    def tier(state: State[Bits]) -> int:
        """Count the removed stones: each move removes one."""
        return cells - popcount(state.max_stones | state.min_stones)

    def symmetries(state: State[Bits]) -> Iterator[State[Bits]]:
        mine, theirs, player = state
        mine_down, theirs_down = flip(mine), flip(theirs)
        yield State(mine_down, theirs_down, player)
        yield State(mirror(mine), mirror(theirs), player)
        yield State(mirror(mine_down), mirror(theirs_down), player)

    def swap(state: State[Bits]) -> State[Bits]:
        return State(state.min_stones, state.max_stones, -state.player)

    def pieces(state: State[Bits]) -> str:
        return grid.pieces_of(cells, {"o": whole(state.max_stones), "x": whole(state.min_stones)})

    face = grid.Face(width, height, pieces, {"o": MAX, "x": MIN}, "ox")

    def from_text(text: str) -> State[Bits]:
        """Read a state that `to_text` wrote; raise ValueError for any other text."""
        board, player = face.read(text)
        return State(words.of(grid.word_of(board, "o")), words.of(grid.word_of(board, "x")), player)

    def format_action(state: State[Bits], action: int) -> str:
        """Write origin and target: ``a5xa4``."""
        return "x".join(grid.name(cell, width, height) for cell in (action >> shift, action & last))

    def board(state: State[Bits]) -> Board:
        clicks = {action: (action >> shift, action & last) for action in actions(state)}
        return face.board(state, clicks)._replace(cells=grid.checkered(width, height))

    return Game(
        name="clobber",
        initial=State(words.of(grid.word_of(checkered, "o")), words.of(grid.word_of(checkered, "x")), MAX),
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        weights=Weights(),
        key=key if cells <= 31 else None,
        order=order,
        symmetries=symmetries,
        tier=tier,
        swap=swap,
        draw=face.draw,
        format_action=format_action,
        to_text=face.to_text,
        from_text=from_text,
        board=board,
        sides=("White", "Black"),
    )
