"""Breakthrough: bring one man to the far side of the board, or capture every enemy man.

Variant: D. Troyka's rules (2000) as they are usually played: each player begins with two full rows of men. A man moves
one square straight or diagonally forward; only a diagonal move can capture, and a player need not capture. MAX ("w")
plays up the board and moves first. No position can come back, a player always has a move, and there are no draws.

Cells are numbered in reading order, from 0 at the top left; a board of 8 x 8 uses all 64 bits of a word. An action is
``origin * 64 + target``.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from zermelo import grid
from zermelo.bits import lowest_index, mask, popcount, shift_left, shift_right
from zermelo.board import Board
from zermelo.game import MAX, MIN, Game
from zermelo.grid import flipping, mirroring
from zermelo.parameters import checked
from zermelo.words import ONE_WORD

WIN = 1000


class Weights(NamedTuple):
    """The numbers of EVAL."""

    man: int = 20
    row: int = 2
    """For each row that a man has advanced."""


class State(NamedTuple):
    """The men of both players, and the player to move."""

    max_men: int
    min_men: int
    player: int
    """The player to move, MAX or MIN."""


def breakthrough(width: Annotated[int, range(2, 9)] = 8, height: Annotated[int, range(4, 9)] = 8) -> Game:
    """Breakthrough: men move forward; the first to reach the far side wins."""
    parameters = checked(breakthrough, width=width, height=height)
    cells = width * height
    home = (1 << 2 * width) - 1
    top, bottom = (1 << width) - 1, mask(((1 << width) - 1) << (cells - width))
    flip, mirror = flipping(ONE_WORD, width, height), mirroring(ONE_WORD, width, height)
    whole = mask((1 << cells) - 1)
    not_right = mask(grid.inner_columns(width, height))
    not_left = mask(grid.inner_columns(width, height) << 1)
    initial = State(home << (cells - 2 * width), home, MAX)

    def ahead(origin: int, player: int, side: int) -> int:
        """Return the cell one row ahead of ``origin`` and ``side`` columns to the right; -1 if it is off the board."""
        column = origin % width + side
        target = origin - player * width + side
        return target if 0 <= column < width and 0 <= target < cells else -1

    def to_move(state: State) -> int:
        return state.player

    def actions(state: State) -> Iterator[int]:
        player = state.player
        mine, theirs = (state.max_men, state.min_men) if player == MAX else (state.min_men, state.max_men)
        before = onward(whole & ~mine, -player)
        to_left, to_right = mine & not_left & shift_left(before, 1), mine & not_right & shift_right(before, 1)
        straight = mine & onward(whole & ~(mine | theirs), -player)
        men = to_left | straight | to_right
        while men:
            origin = lowest_index(men)
            man, target = men & -men, origin - player * width
            men ^= man
            if to_left & man:
                yield origin * 64 + target - 1
            if straight & man:
                yield origin * 64 + target
            if to_right & man:
                yield origin * 64 + target + 1

    def noisy_actions(state: State) -> Iterator[int]:
        """Yield captures: EVAL counts men, and the opponent may recapture."""
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

    def gain(state: State, action: int) -> int:
        """Count 20 for a man that is captured, unless the man that captures it can be recaptured."""
        player, target = state.player, shift_left(1, action & 63)
        theirs = state.min_men if player == MAX else state.max_men
        if not theirs & target:
            return 0
        return 0 if attacked(theirs, -player) & target else 20

    def null_state(state: State) -> State:
        """Return the state after a pass; ``state`` itself if an enemy man is about to arrive."""
        max_men, min_men, player = state
        if (min_men if player == MAX else max_men) & last_step(-player):
            return state
        return State(max_men, min_men, -player)

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
        """Return 1000 if MAX has reached the far side or MIN has no men, else -1000."""
        return WIN if state.max_men & top != 0 or state.min_men == 0 else -WIN

    def evaluate(state: State, weights: Weights) -> int:
        """Count men, and the rows that they have advanced: at most 16 * (20 + 12)."""
        value = weights.man * (popcount(state.max_men) - popcount(state.min_men))
        for row in range(height):
            line = shift_left(top, row * width)
            advanced = (height - 1 - row) * popcount(state.max_men & line) - row * popcount(state.min_men & line)
            value += weights.row * advanced
        return value

    def onward(men: int, player: int) -> int:
        """Return ``men`` of ``player`` moved one row ahead, whether or not the cells are free."""
        return shift_right(men, width) if player == MAX else shift_left(men, width) & whole

    def widened(men: int) -> int:
        """Return ``men`` and the cells to their left and right."""
        return men | shift_left(men & not_right, 1) | shift_right(men & not_left, 1)

    def rows_to_go(men: int, player: int) -> int:
        """Return how many moves the foremost of ``men`` is from the far side."""
        row = bottom if player == MAX else top
        left_to_go = height - 1
        for step in range(height):
            if men & row:
                left_to_go = height - 1 - step
            row = onward(row, player)
        return left_to_go

    def runners(mine: int, theirs: int, player: int, first: bool) -> int:
        """Return the men of ``player`` that can walk straight to the far side whatever the enemy does.

        No own man is ahead of such a runner, and no enemy ahead is near enough to its column to block or capture it.
        Each enemy move brings an enemy at most one column nearer. The moves of both, of which the runner makes the
        ``first`` or the second, bring them one row closer each.
        """
        stopped, reach, own = 0, theirs, mine
        for step in range(1, height):
            # There are step - 1 rows between the two, and the enemy makes every other move: it gains a column in each.
            if step % 2 == 0 if first else step % 2 == 1:
                reach = widened(reach)
            reach, own = onward(reach, -player), onward(own, -player)
            stopped |= reach | own
        return mine & ~stopped

    def bounds(state: State) -> tuple[int, int]:
        """Return bounds proved by immediate wins and losses, and by a runner that arrives first."""
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
        """Return the row from which a man of ``player`` reaches the far side with its next move."""
        return shift_left(top, width) if player == MAX else shift_right(bottom, width)

    def attacked(men: int, player: int) -> int:
        """Return the cells where ``men`` of ``player`` can capture."""
        ahead = onward(men, player)
        return shift_left(ahead & not_right, 1) | shift_right(ahead & not_left, 1)

    def sufficient_actions(state: State) -> Iterator[int]:
        """Yield one move that reaches the far side; else captures of a man that is about to; else all moves."""
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
        """Pack one bit for each man and one for the player; boards of up to 31 cells have a key."""
        return (state.max_men << cells | state.min_men) << 1 | (1 if state.player == MAX else 0)

    def takes(state: State, action: int) -> int:
        """Return 1 if an action captures a man, else 0."""
        return shift_right(state.min_men if state.player == MAX else state.max_men, action & 63) & 1

    def advanced(state: State, action: int) -> int:
        """Return how many rows a man has advanced after an action."""
        row = (action & 63) // width
        return height - 1 - row if state.player == MAX else row

    def order(state: State, action: int) -> int:
        """Put captures first, then moves of the men farthest ahead."""
        return 10 * takes(state, action) + advanced(state, action)

    def proof_order(state: State, action: int) -> int:
        """Put captures first, then moves of the men farthest behind, with which proofs visit a third of the nodes."""
        return 10 * takes(state, action) - advanced(state, action)

    def tier(state: State) -> int:
        """Sum the rows that all men have advanced; a captured man counts as one that has reached the far side."""
        gone = (4 * width - popcount(state.max_men) - popcount(state.min_men)) * height
        for row in range(height):
            line = shift_left(top, row * width)
            gone += (height - 1 - row) * popcount(state.max_men & line) + row * popcount(state.min_men & line)
        return gone

    def symmetries(state: State) -> Iterator[State]:
        yield State(mirror(state.max_men), mirror(state.min_men), state.player)

    def swap(state: State) -> State:
        return State(flip(state.min_men), flip(state.max_men), -state.player)

    def pieces(state: State) -> str:
        return grid.pieces_of(cells, {"w": state.max_men, "b": state.min_men})

    face = grid.Face(width, height, pieces, {"w": MAX, "b": MIN}, "wb", "man")

    def from_text(text: str) -> State:
        """Read a state that `to_text` wrote; raise ValueError for any other text."""
        board, player = face.read(text)
        state = State(grid.word_of(board, "w"), grid.word_of(board, "b"), player)
        if popcount(state.max_men) > 2 * width or popcount(state.min_men) > 2 * width:
            raise ValueError(f"{text!r} must hold at most {2 * width} men a side")
        if (state.max_men & top and state.min_men & bottom) or not state.max_men | state.min_men:
            raise ValueError(f"{text!r} must not show both players on their last rows, or no men at all")
        return state

    def format_action(state: State, action: int) -> str:
        """Write ``a2-a3``, or ``a2xb3`` for a capture."""
        origin, target = (grid.name(cell, width, height) for cell in (action >> 6, action & 63))
        theirs = state.min_men if state.player == MAX else state.max_men
        return origin + ("x" if theirs >> (action & 63) & 1 else "-") + target

    def board(state: State) -> Board:
        clicks = {action: (action >> 6, action & 63) for action in actions(state)} if not is_terminal(state) else {}
        return face.board(state, clicks)._replace(
            cells=grid.checkered(width, height),
            scores=grid.counted("captured", 2 * width - popcount(state.min_men), 2 * width - popcount(state.max_men)),
            missing=True,
            won=tuple(cell for cell in range(cells) if (state.max_men & top | state.min_men & bottom) >> cell & 1),
        )

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
        weights=Weights(),
        key=key if cells <= 31 else None,
        bounds=bounds,
        switches={"leaf_bounds": True},
        sufficient_actions=sufficient_actions,
        order=order,
        proof_order=proof_order,
        noisy_actions=noisy_actions,
        gain=gain,
        null_state=null_state,
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
