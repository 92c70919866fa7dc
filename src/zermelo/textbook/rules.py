"""What the textbook searches need besides the rules: checks, EVAL, a depth limit."""

from collections.abc import Callable
from typing import TypeAlias

from zermelo.errors import BadGame, BadParameter
from zermelo.game import Game, State

IsCutoff: TypeAlias = Callable[[State, int], bool]
"""IS-CUTOFF(state, depth): whether the search stops at a state, ``depth`` plies from the root."""


def require_action(game: Game, state: State, best_value: float) -> int:
    """Return ``best_value``, which is infinite only if ACTIONS yielded nothing.

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
    """Refuse a game in which positions can come back.

    Raises
    ------
    BadParameter
        Positions can come back, so a search to the end of every line would never end.
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


def depth_limit(plies: int, root: int = 0) -> IsCutoff:
    """An IS-CUTOFF that looks ``plies`` plies ahead.

    Parameters
    ----------
    plies
        How many plies below its root the search stops, 1 or more.
    root
        The depth that the search gives its root: 0 in all of zermelo's, 1 in `alpha_beta_heuristic`. There the
        handout's limit L, at which DEPTH = L stops the search, looks L - 1 plies ahead: ``depth_limit(L - 1, root=1)``.

    Raises
    ------
    BadParameter
        The plies are below 1.
    """
    if plies < 1:
        raise BadParameter(f"The depth is {plies}; it must be a whole number of plies, 1 or more.")
    limit = root + plies
    return lambda state, depth: depth >= limit


def cutoff_of(game: Game, plies: int, root: int = 0) -> IsCutoff:
    """A `depth_limit`, and the game's own IS-CUTOFF if it has one."""
    at_limit, own = depth_limit(plies, root), game.is_cutoff
    if own is None:
        return at_limit
    return lambda state, depth: at_limit(state, depth) or own(state, depth - root)


def never(state: State, depth: int) -> bool:
    """An IS-CUTOFF that never stops a search."""
    return False
