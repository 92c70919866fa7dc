"""Whose pieces are, and which belong together, where the state does not say it but the moves before do."""

from collections.abc import Sequence
from itertools import pairwise

from zermelo.board import Board
from zermelo.game import Game, State


def board_after(game: Game, states: Sequence[State]) -> Board:
    """Return the board of the last of a game's states, with the pieces in the colours of those who laid them.

    Parameters
    ----------
    game
        A game that has a board.
    states
        The states from the beginning of the game to the one that is shown.
    """
    assert game.board is not None
    board = game.board(states[-1])
    if not board.laid:
        return board
    owners: dict[int, int] = {}
    groups: list[tuple[int, ...]] = []
    taken = {piece.cell for piece in game.board(states[0]).pieces}
    for before, after in pairwise(states):
        new = {piece.cell: piece.kind for piece in game.board(after).pieces if piece.cell not in taken}
        owners.update(dict.fromkeys(new, game.to_move(before)))
        groups.append(tuple(sorted(cell for cell, kind in new.items() if kind == "domino")))
        taken |= set(new)
    pieces = tuple(
        piece._replace(owner=owners.get(piece.cell, 0)) if piece.owner == 0 else piece for piece in board.pieces
    )
    return board._replace(pieces=pieces, joined=(*board.joined, *(group for group in groups if len(group) > 1)))
