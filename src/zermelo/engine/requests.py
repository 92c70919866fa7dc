"""What a caller asks of an engine, checked before anything is searched."""

from numbers import Integral
from typing import Final

from zermelo.errors import BadParameter, TerminalState
from zermelo.game import Game, State

MOST_THREADS: Final = 256
MOST_TABLE_MB: Final = 1 << 24


def check_size(threads: int, table_mb: float) -> None:
    """Refuse a number of threads, or a size of the tables in MiB, that no engine has.

    Raises
    ------
    BadParameter
        One of them is out of range.
    """
    if not 1 <= threads <= MOST_THREADS:
        raise BadParameter(f"An engine has 1 to {MOST_THREADS} threads, not {threads}.")
    if not 0 < table_mb <= MOST_TABLE_MB:
        raise BadParameter(f"table_mb is {table_mb}; it must be more than 0 and at most {MOST_TABLE_MB:,}.")


def checked_state(
    game: Game,
    state: State | None,
    *,
    seconds: float | None = None,
    nodes: float | None = None,
    depth: float | None = None,
    playouts: float | None = None,
) -> State:
    """The state to search from, the game's initial state for None, once it and the limits are found to be right.

    Raises
    ------
    BadParameter
        A limit is not more than 0, or a limit other than that of time is not a whole number.
    TerminalState
        The game is over in ``state``.
    """
    state = game.initial if state is None else state
    for name, limit in (("seconds", seconds), ("nodes", nodes), ("depth", depth), ("playouts", playouts)):
        if limit is not None and not limit > 0:  # "not a number" is not more than 0 either
            raise BadParameter(f"The limit {name} is {limit}; it must be more than 0.")
        if limit is not None and name != "seconds" and limit % 1 != 0:
            raise BadParameter(f"The limit {name} is {limit}; it must be a whole number.")
    if game.is_terminal(state):
        raise TerminalState("The game is over in this state, so there is nothing to search.")
    return state


def state_and_goal(state: object, at_least: object) -> tuple[State | None, int]:
    """The state and the value that `Engine.decide` was asked about, in whichever order they came.

    Earlier versions took the value first; that order is still understood where the state is not an int.

    Raises
    ------
    BadParameter
        There is no value, or it is not a whole number.
    """
    if at_least is None or (isinstance(state, Integral) and not isinstance(at_least, Integral)):
        state, at_least = at_least, state
    if not isinstance(at_least, Integral):
        raise BadParameter("decide needs the value to ask for: decide(state, 1) asks whether MAX gets at least 1.")
    return state, int(at_least)
