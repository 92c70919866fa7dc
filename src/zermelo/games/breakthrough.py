"""Breakthrough: bring one man to the far side of the board, or capture every enemy man.

Variant: D. Troyka's rules (2000) as the field plays them: two full rows a side. A man moves one square
straight or diagonally forward; only a diagonal move captures, and a capture is never obligatory. MAX ("w")
plays up the board and moves first. No position can come back, a player always has a move, and there are no draws.

Cells in reading order, from 0 at the top left; a board of 8 x 8 fills the word. An action is
``origin * 64 + target``.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from zermelo import grid
from zermelo.bits import lowest_index, popcount, shift_left, shift_right
from zermelo.board import Board
from zermelo.game import MAX, MIN, Game, checked
from zermelo.grid import flip, mirror

WIN = 1000


class State(NamedTuple):
    """The men of both, and whose turn it is."""

    max_men: int
    min_men: int
    player: int
    """MAX or MIN."""


def breakthrough(width: Annotated[int, range(2, 9)] = 8, height: Annotated[int, range(4, 9)] = 8) -> Game:
    """Breakthrough: men move forward; the first to reach the far side wins."""
    parameters = checked(breakthrough, width=width, height=height)
    cells = width * height
    home = (1 << 2 * width) - 1
    top, bottom = (1 << width) - 1, grid.mask(((1 << width) - 1) << (cells - width))
    left = grid.first_column(width, height)
    whole = grid.mask((1 << cells) - 1)
    not_right = grid.mask(grid.inner_columns(width, height))
    not_left = grid.mask(grid.inner_columns(width, height) << 1)
    initial = State(home << (cells - 2 * width), home, MAX)

    def ahead(origin: int, player: int, side: int) -> int:
        """The cell in front of ``origin``, ``side`` columns to the right; -1 where the board ends."""
        column = origin % width + side
        target = origin - player * width + side
        return target if 0 <= column < width and 0 <= target < cells else -1

    def to_move(state: State) -> int:
        return state.player

    def actions(state: State) -> Iterator[int]:
        player = state.player
        mine, theirs = (state.max_men, state.min_men) if player == MAX else (state.min_men, state.max_men)
        men = mine
        while men:
            origin = lowest_index(men)
            men &= men - 1
            for side in range(-1, 2):
                target = ahead(origin, player, side)
                blocked = mine | theirs if side == 0 else mine
                if target >= 0 and not shift_right(blocked, target) & 1:
                    yield origin * 64 + target

    def noisy_actions(state: State) -> Iterator[int]:
        """Captures: EVAL counts men, and the next move may take the capturer."""
        player = state.player
        mine, theirs = (state.max_men, state.min_men) if player == MAX else (state.min_men, state.max_men)
        men = mine
        while men:
            origin = lowest_index(men)
            men &= men - 1
            for side in range(-1, 2, 2):
                target = ahead(origin, player, side)
                if target >= 0 and shift_right(theirs, target) & 1:
                    yield origin * 64 + target

    def result(state: State, action: int) -> State:
        max_men, min_men, player = state
        origin, target = shift_left(1, action >> 6), shift_left(1, action & 63)
        if player == MAX:
            return State(max_men ^ origin ^ target, min_men & ~target, MIN)
        return State(max_men & ~target, min_men ^ origin ^ target, MAX)

    def is_terminal(state: State) -> bool:
        max_men, min_men, _ = state
        return max_men & top != 0 or min_men & bottom != 0 or max_men == 0 or min_men == 0

    def utility(state: State) -> int:
        """+1000 if MAX has arrived or MIN has no men, -1000 if MIN has arrived or MAX has no men."""
        return WIN if state.max_men & top != 0 or state.min_men == 0 else -WIN

    def evaluate(state: State) -> int:
        """20 a man and 2 a row that a man has advanced: within 16 * (20 + 12) of 0."""
        value = 20 * (popcount(state.max_men) - popcount(state.min_men))
        for row in range(height):
            line = shift_left(top, row * width)
            value += 2 * ((height - 1 - row) * popcount(state.max_men & line) - row * popcount(state.min_men & line))
        return value

    def onward(men: int, player: int) -> int:
        """``men`` of ``player`` one row ahead, whatever stands there."""
        return shift_right(men, width) if player == MAX else shift_left(men, width) & whole

    def widened(men: int) -> int:
        """``men`` and the cells to their left and right."""
        return men | shift_left(men & not_right, 1) | shift_right(men & not_left, 1)

    def rows_to_go(men: int, player: int) -> int:
        """How many moves the foremost of ``men`` is from the far side."""
        row = bottom if player == MAX else top
        left_to_go = height - 1
        for step in range(height):
            if men & row:
                left_to_go = height - 1 - step
            row = onward(row, player)
        return left_to_go

    def runners(mine: int, theirs: int, player: int, first: bool) -> int:
        """The men of ``player`` who walk straight on to the far side, and whom no enemy can stop, whoever does what.

        An enemy ``n`` rows ahead and no own man before it can step in the way or take the runner only if it is near
        enough to the runner's column: each of its moves brings it one column nearer and leaves one row less between
        them, and so does each of the runner's, who moves ``first`` or second.
        """
        stopped, reach, own = 0, theirs, mine
        for step in range(1, height):
            # Between the two are step - 1 rows: with every other one the enemy gains a column.
            if step % 2 == 0 if first else step % 2 == 1:
                reach = widened(reach)
            reach, own = onward(reach, -player), onward(own, -player)
            stopped |= reach | own
        return mine & ~stopped

    def bounds(state: State) -> tuple[int, int]:
        """Who wins at once, who loses at once, and who has a runner that arrives first."""
        max_men, min_men, player = state
        mine, theirs = (max_men, min_men) if player == MAX else (min_men, max_men)
        low, high = -WIN, WIN
        if mine & last_step(player):
            low = WIN
        else:
            threats = theirs & last_step(-player)
            if threats and (threats & (threats - 1) or threats & attacked(mine, player) == 0):
                high = -WIN
            else:
                ours, others = rows_to_go(mine, player), rows_to_go(theirs, -player)
                running = runners(mine, theirs, player, True)
                if running and rows_to_go(running, player) <= others:
                    low = WIN
                else:
                    running = runners(theirs, mine, -player, False)
                    if running and rows_to_go(running, -player) < ours:
                        high = -WIN
        return (low, high) if player == MAX else (-high, -low)

    def last_step(player: int) -> int:
        """The row from which a man of ``player`` arrives with the next move: aslant, if not straight."""
        return shift_left(top, width) if player == MAX else shift_right(bottom, width)

    def attacked(men: int, player: int) -> int:
        """What men of ``player`` can capture on."""
        ahead = onward(men, player)
        return shift_left(ahead & not_right, 1) | shift_right(ahead & not_left, 1)

    def sufficient_actions(state: State) -> Iterator[int]:
        """One that arrives; else, where the enemy is about to, those that take that man; else all."""
        player = state.player
        mine, theirs = (state.max_men, state.min_men) if player == MAX else (state.min_men, state.max_men)
        arriving, threats = mine & last_step(player), theirs & last_step(-player)
        if arriving:
            origin = lowest_index(arriving)
            side = 1 if origin % width == 0 else -1
            yield origin * 64 + ahead(origin, player, side)
        else:
            only = threats if threats and threats & attacked(mine, player) else whole
            for action in actions(state):
                if shift_right(only, action & 63) & 1:
                    yield action

    def key(state: State) -> int:
        """One bit a man, one for the player: boards of up to 31 cells have a key."""
        return (state.max_men << cells | state.min_men) << 1 | (1 if state.player == MAX else 0)

    def order(state: State, action: int) -> int:
        """Captures first, then what is farthest ahead."""
        target = action & 63
        theirs = state.min_men if state.player == MAX else state.max_men
        row = target // width
        return 10 * (shift_right(theirs, target) & 1) + (height - 1 - row if state.player == MAX else row)

    def tier(state: State) -> int:
        """The rows that all men have gone; a man taken counts as one that has gone all the way."""
        gone = (4 * width - popcount(state.max_men) - popcount(state.min_men)) * height
        for row in range(height):
            line = shift_left(top, row * width)
            gone += (height - 1 - row) * popcount(state.max_men & line) + row * popcount(state.min_men & line)
        return gone

    def symmetries(state: State) -> Iterator[State]:
        yield State(mirror(state.max_men, width, left), mirror(state.min_men, width, left), state.player)

    def swap(state: State) -> State:
        return State(flip(state.min_men, width, height), flip(state.max_men, width, height), -state.player)

    def pieces(state: State) -> str:
        return grid.pieces_of(cells, {"w": state.max_men, "b": state.min_men})

    face = grid.Face(width, height, pieces, {"w": MAX, "b": MIN}, "wb", "man")

    def from_text(text: str) -> State:
        """The state that `to_text` wrote; ValueError where the text is none."""
        board, player = face.read(text)
        state = State(grid.word_of(board, "w"), grid.word_of(board, "b"), player)
        if popcount(state.max_men) > 2 * width or popcount(state.min_men) > 2 * width:
            raise ValueError(f"{text!r} must hold at most {2 * width} men a side")
        if (state.max_men & top and state.min_men & bottom) or not state.max_men | state.min_men:
            raise ValueError(f"{text!r} is lost for both")
        return state

    def format_action(state: State, action: int) -> str:
        """``a2-a3``, or ``a2xb3`` for a capture."""
        origin, target = (grid.name(cell, width, height) for cell in (action >> 6, action & 63))
        theirs = state.min_men if state.player == MAX else state.max_men
        return origin + ("x" if theirs >> (action & 63) & 1 else "-") + target

    def board(state: State) -> Board:
        clicks = {action: (action >> 6, action & 63) for action in actions(state)} if not is_terminal(state) else {}
        return face.board(state, clicks)

    return Game(
        name="breakthrough",
        parameters=parameters,
        initial=initial,
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        key=key if cells <= 31 else None,
        bounds=bounds,
        sufficient_actions=sufficient_actions,
        order=order,
        noisy_actions=noisy_actions,
        symmetries=symmetries,
        tier=tier,
        swap=swap,
        draw=face.draw,
        format_action=format_action,
        to_text=face.to_text,
        from_text=from_text,
        board=board,
    )
