"""Clicks as actions: pure functions of `Game.board`."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from zermelo.board import Board, Piece
from zermelo.game import Action, Game, Player, State
from zermelo.pictures.difference import difference

_ENDS: Final = 2
"""The cells between which a piece moves."""


class Click(NamedTuple):
    """The result of a click: the cells chosen so far, and the action if it is complete."""

    selected: tuple[int, ...]
    action: Action = None
    is_move: bool = False


def next_cells(board: Board, selected: tuple[int, ...]) -> set[int]:
    """Return the cells that a click may choose next."""
    size = len(selected)
    return {cells[size] for cells in board.clicks.values() if len(cells) > size and cells[:size] == selected}


def with_choices(board: Board, selected: tuple[int, ...], player: Player) -> Board:
    """Return the board with the pieces between which the next click chooses, in place of what stands on their cells."""
    offered = {
        board.clicks[action][-1]: kind
        for action, kind in board.choices.items()
        if selected and board.clicks[action][:-1] == selected
    }
    others = tuple(piece for piece in board.pieces if piece.cell not in offered)
    return board._replace(pieces=(*others, *(Piece(cell, player, kind) for cell, kind in offered.items())))


def click(board: Board, selected: tuple[int, ...], cell: int) -> Click:
    """Return what a click on ``cell`` means after clicks on ``selected``.

    A click that continues no move begins another one there, if a move begins there; if not, nothing is selected.
    A second click on the last cell chosen makes a move that is complete and could go on.
    """
    chosen = (*selected, cell)
    exact = [action for action, cells in board.clicks.items() if cells == chosen]
    goes_on = bool(next_cells(board, chosen))
    if exact and not goes_on:
        return Click((), exact[0], True)
    if goes_on:
        return Click(chosen)
    complete = [action for action, cells in board.clicks.items() if cells and cells == selected]
    if complete and selected[-1] == cell:
        return Click((), complete[0], True)
    if selected and cell == selected[-1]:  # a second click takes the first back
        return Click(())
    dropped = None if selected else drop_cell(board, cell)
    if dropped is not None:
        return click(board, (), dropped)
    return click(board, (), cell) if selected else Click(())


def drop_cell(board: Board, cell: int) -> int | None:
    """Return where a piece comes to rest that is dropped into an empty cell: the one empty cell below with a move."""
    here = board.cells[cell]
    taken = {piece.cell for piece in board.pieces}
    if not board.falls or cell in taken:
        return None
    below = [
        index
        for index in next_cells(board, ()) - taken
        if board.cells[index].x == here.x and board.cells[index].y > here.y
    ]
    return below[0] if len(below) == 1 else None


def unclickable(board: Board) -> list[Action]:
    """Return the actions that need a button, such as a pass."""
    return [action for action, cells in board.clicks.items() if not cells]


def by_cell(board: Board, selected: tuple[int, ...], actions: Iterable[Action]) -> dict[int, list[Action]]:
    """Return, for each cell, those of ``actions`` that a click on it would make or continue."""
    found: dict[int, list[Action]] = {}
    for action in actions:
        cells = board.clicks.get(action, ())
        if len(cells) > len(selected) and cells[: len(selected)] == selected:
            found.setdefault(cells[len(selected)], []).append(action)
    return found


def arrow_of(game: Game, state: State, action: Action) -> tuple[int, ...]:
    """Return the cells between which an arrow shows a move: its clicks, without those that choose what it takes.

    So the arrow of ``d7-d6xa4`` in nine men's morris leads to d6. A click that chooses between pieces is left out, too.
    """
    if game.board is None:
        return ()
    before, after = game.board(state), game.board(game.result(state, action))
    cells = before.clicks.get(action, ())
    if action in before.choices and len(cells) > _ENDS:
        cells = cells[:-1]
    taken = difference(before, after, action, game.to_move(state)).captured
    while len(cells) > 1 and cells[-1] in taken:
        cells = cells[:-1]
    return cells
