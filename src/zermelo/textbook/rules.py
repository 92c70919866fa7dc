"""What the textbook searches ask of a game beside its rules: checks, a rating, a depth limit."""

from collections.abc import Callable
from typing import TypeAlias

from zermelo.errors import BadGame, BadParameter
from zermelo.game import Game, State

IsCutoff: TypeAlias = Callable[[State, int], bool]
"""IS-CUTOFF(state, depth): whether the search stops at a state, ``depth`` plies from the root."""


def require_action(game: Game, state: State, best_value: float) -> int:
    """``best_value``, which is still infinite only where ACTIONS yielded nothing.

    Raises
    ------
    BadGame
        The state is not terminal, and yet has no actions.
    """
    if abs(best_value) == float("inf"):
        raise BadGame(
            f"The game {game.name!r} yields no action in {state!r}, which is not terminal; "
            "a player who cannot move passes by an action of its own, or the game ends."
        )
    return int(best_value)


def require_end(game: Game, algorithm: str) -> None:
    """Nothing where no position of the game can come back.

    Raises
    ------
    BadParameter
        One can: a search to the end of every line would go round for ever.
    """
    if game.repetition is not None:
        raise BadParameter(
            f"Positions of the game {game.name!r} can come back, and {algorithm}, which searches every line to its "
            "end, would go round for ever; use heuristic, path or timed, which look so far ahead, or the engine."
        )


def evaluation(game: Game) -> Callable[[State], int]:
    """The EVAL of a game.

    Raises
    ------
    BadParameter
        The game has none.
    """
    if game.evaluate is None:
        raise BadParameter(
            f"The game {game.name!r} has no evaluate function, which a search that stops before the end needs; "
            "use minimax or alpha-beta, or give the game one."
        )
    return game.evaluate


def depth_limit(limit: int) -> IsCutoff:
    """An IS-CUTOFF that stops ``limit`` plies from the root.

    Raises
    ------
    BadParameter
        The limit is below 1.
    """
    if limit < 1:
        raise BadParameter(f"The depth is {limit}; it must be a whole number of plies, 1 or more.")
    return lambda state, depth: depth >= limit


def never(state: State, depth: int) -> bool:
    """The IS-CUTOFF that lets the search go on to the end of the game."""
    return False
