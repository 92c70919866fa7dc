"""Clicks as actions, and the difference between two boards: pure functions of `Game.board`."""

from collections.abc import Iterable
from typing import NamedTuple

from zermelo.board import Board, Piece
from zermelo.game import Action


class Click(NamedTuple):
    """The result of a click: the cells chosen so far, and the action if it is complete."""

    selected: tuple[int, ...]
    action: Action = None
    is_move: bool = False


def next_cells(board: Board, selected: tuple[int, ...]) -> set[int]:
    """Return the cells that a click may choose next."""
    size = len(selected)
    return {cells[size] for cells in board.clicks.values() if len(cells) > size and cells[:size] == selected}


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


class Difference(NamedTuple):
    """The cells that a move changed."""

    placed: frozenset[int] = frozenset()
    changed: frozenset[int] = frozenset()
    captured: frozenset[int] = frozenset()


def difference(before: Board, after: Board, action: Action, player: int) -> Difference:
    """Return where ``player``'s ``action`` put something, what else it changed, and what it captured."""
    old, new = _by_cell(before), _by_cell(after)
    placed = {cell for cell in new if cell not in old}
    gone = {cell for cell in old if cell not in new}
    captured = {cell for cell in gone if any(piece.owner == -player and piece.kind != "seeds" for piece in old[cell])}
    if _count(after, -player) == _count(before, -player):  # stones were moved, as by a quarter turn, and not captured
        captured = set()
    turned = {cell for cell in new if cell in old and new[cell] != old[cell]}
    clicked = set(before.clicks.get(action, ()))
    if not placed or any(piece.kind == "seeds" for piece in after.pieces):
        turned |= placed
        placed = clicked
    return Difference(frozenset(placed), frozenset((turned | gone) - captured - placed), frozenset(captured - placed))


def _count(board: Board, owner: int) -> int:
    return sum(piece.owner == owner for piece in board.pieces)


def _by_cell(board: Board) -> dict[int, list[Piece]]:
    found: dict[int, list[Piece]] = {}
    for piece in board.pieces:
        found.setdefault(piece.cell, []).append(piece)
    return found


def by_cell(board: Board, selected: tuple[int, ...], actions: Iterable[Action]) -> dict[int, list[Action]]:
    """Return, for each cell, those of ``actions`` that a click on it would make or continue."""
    found: dict[int, list[Action]] = {}
    for action in actions:
        cells = board.clicks.get(action, ())
        if len(cells) > len(selected) and cells[: len(selected)] == selected:
            found.setdefault(cells[len(selected)], []).append(action)
    return found
