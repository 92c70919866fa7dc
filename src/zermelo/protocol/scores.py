"""What a search has found, as programs tell each other. Scores are those of the player to move."""

from typing import Final

from zermelo.game import Game, State
from zermelo.result import SearchResult

MATE: Final = 100_000
"""The score of a forced win, less one for each of the winner's moves; a loss is the negative of that."""


def moves_to_end(game: Game, state: State, result: SearchResult) -> int | None:
    """Return in how many of its moves at most the player to move wins, negative if it loses; None if neither is sure.

    In games with margins no win is like another, so there the answer is always None.
    """
    plies = result.ends_within if result.remoteness is None else result.remoteness
    if not result.proven or plies is None or not result.value or game.outcomes != "wdl":
        return None
    moves = (plies + 1) // 2
    return moves if result.value * game.to_move(state) > 0 else -moves


def score_of(game: Game, state: State, result: SearchResult) -> int:
    """Return the value of a result for the player to move, where a forced win or loss is told by its distance."""
    moves = moves_to_end(game, state, result)
    if moves is None:
        return int(result.value * game.to_move(state))
    return MATE - moves if moves > 0 else -MATE - moves
