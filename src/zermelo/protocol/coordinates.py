"""Moves as UCI writes them: the squares of a move one after the other, such as ``e2e4``, ``e7e8q`` or ``P@d4``.

A square has a letter for its column and a number for its row, counted from the bottom of the board as it is drawn. A
move that names one square only places a man; ``P@`` before it is the notation of chess variants with drops, which
Fairy-Stockfish and Cute Chess use for such games.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from zermelo.board import Board
from zermelo.game import Action, Game, State

DROP: Final = "P@"
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_PROMOTIONS: Final = ("", "q", "r", "b", "n")
_REMEMBERED: Final = 1024
"""How many positions `coordinates` remembers."""


@lru_cache(_REMEMBERED)
def coordinates(game: Game, state: State) -> Mapping[str, Action]:
    """Return the legal actions by their coordinates, as far as they have any and no two have the same.

    The first of several actions with the same squares is the promotion to a queen, as clicks on a board mean it. The
    latest positions are remembered, since each iteration of a search writes much of the line of the one before.
    """
    if game.board is None:
        return MappingProxyType({})
    board = game.board(state)
    names = _names(board)
    by_squares: dict[str, list[Action]] = {}
    for action, clicks in board.clicks.items():
        if names and 1 <= len(clicks) <= 3:
            squares = "".join(names[cell] for cell in clicks[:2])
            by_squares.setdefault(squares if len(clicks) > 1 else DROP + squares, []).append(action)
    found = {}
    for text, actions in by_squares.items():
        if len(actions) == 1:
            found[text] = actions[0]
        for letter in _PROMOTIONS[1:] if len(actions) > 1 else ():
            if (action := _meant(game, state, text + letter)) in actions:
                found[text + letter] = action
    return MappingProxyType(found)


def _names(board: Board) -> list[str]:
    """The names of the cells; none where they are not the squares of a grid."""
    if not board.cells or any(cell.x != int(cell.x) or cell.y != int(cell.y) for cell in board.cells):
        return []
    bottom = max(int(cell.y) for cell in board.cells)
    if max(int(cell.x) for cell in board.cells) >= len(_LETTERS) or min(cell.x for cell in board.cells) < 0:
        return []
    return [f"{_LETTERS[int(cell.x)]}{bottom - int(cell.y) + 1}" for cell in board.cells]


def _meant(game: Game, state: State, text: str) -> Action | None:
    """The action that a game's own parser reads, if any."""
    try:
        return None if game.parse_action is None else game.parse_action(state, text)
    except ValueError:
        return None
