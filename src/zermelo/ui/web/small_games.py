"""Small games solved in Python: value and remoteness of every position, with no table and nothing compiled."""

from zermelo.game import Game, State
from zermelo.solver.model.outcome_codes import preference_of


def outcomes(game: Game, state: State) -> dict[State, tuple[int, int]] | None:
    """Return value for MAX and plies to the end of ``state`` and of every position after it.

    The value comes first; who gains hurries, who loses delays, and at 0 both hurry, as in solved tables.

    Returns
    -------
    dict or None
        None where a position can come back.
    """
    known: dict[State, tuple[int, int]] = {}
    waiting, entered = [state], set[State]()
    while waiting:
        here = waiting[-1]
        if here in known:
            waiting.pop()
            continue
        if game.is_terminal(here):
            known[here] = game.utility(here), 0
            continue
        children = [game.result(here, action) for action in game.actions(here)]
        unknown = [child for child in children if child not in known]
        if not unknown:
            known[here] = _best(game.to_move(here), [known[child] for child in children])
            continue
        if here in entered:  # a successor waits for this position: it can come back
            return None
        entered.add(here)
        waiting += unknown
    return known


def _best(player: int, worth: list[tuple[int, int]]) -> tuple[int, int]:
    value, remoteness = max(worth, key=lambda one: preference_of(one[0], one[1], player))
    return value, remoteness + 1
