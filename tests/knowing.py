"""Tic-tac-toe that tells an engine all that a game may tell: order, bounds, symmetries, sufficient actions."""

from collections.abc import Iterator
from dataclasses import replace

from zermelo.bits import runs
from zermelo.game import MAX, Game
from zermelo.games import tictactoe
from zermelo.games.mnk import WIN, State

CELLS = (1, 2, 4, 16, 32, 64, 256, 512, 1024)
LINES = ((1, 1), (4, 4), (3, 3), (5, 5))
TURN = (6, 3, 0, 7, 4, 1, 8, 5, 2)
"""Where each cell comes from when the board is turned by a quarter."""
FLIP = (2, 1, 0, 5, 4, 3, 8, 7, 6)


def move_cells(board: int, origins: tuple[int, ...]) -> int:
    moved = 0
    for cell in range(9):
        if board & CELLS[origins[cell]]:
            moved |= CELLS[cell]
    return moved


def has_line(board: int) -> bool:
    for shifts in LINES:
        if runs(board, shifts):
            return True
    return False


def winning(board: int, stones: int) -> int:
    """The empty cells that complete a line of ``board``."""
    cells = 0
    for cell in CELLS:
        if not stones & cell and has_line(board | cell):
            cells |= cell
    return cells


def symmetries(state: State) -> Iterator[State]:
    mover, stones = state
    for image in range(1, 8):
        mover, stones = move_cells(mover, TURN), move_cells(stones, TURN)
        if image == 4:
            mover, stones = move_cells(mover, FLIP), move_cells(stones, FLIP)
        yield State(mover, stones)


def sufficient_actions(state: State) -> Iterator[int]:
    """An immediate win is sufficient, and so is the reply to a threat."""
    wins = winning(state.mover, state.stones)
    threats = winning(state.mover ^ state.stones, state.stones)
    wanted = wins if wins else threats
    done = False
    for cell in range(9):
        if not state.stones & CELLS[cell] and not done and (wanted == 0 or wanted & CELLS[cell]):
            done = wanted != 0
            yield cell


def order(state: State, action: int) -> int:
    return 2 if action == 4 else 1 - action % 2


def proof_order(state: State, action: int) -> int:
    return action % 2


def knowing_tictactoe() -> Game:
    """The game, with everything that an engine can use."""
    plain = tictactoe()
    to_move = plain.to_move

    def bounds(state: State) -> tuple[int, int]:
        if winning(state.mover, state.stones):
            return (WIN, WIN) if to_move(state) == MAX else (-WIN, -WIN)
        return -WIN, WIN

    def key(state: State) -> int:
        return state.mover << 12 | state.stones

    return replace(
        plain,
        key=key,
        order=order,
        proof_order=proof_order,
        bounds=bounds,
        symmetries=symmetries,
        sufficient_actions=sufficient_actions,
    )
