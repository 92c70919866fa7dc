"""The difference between two boards: what a move put, changed and captured."""

from typing import NamedTuple

from zermelo.board import Board, Piece
from zermelo.game import Action


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
