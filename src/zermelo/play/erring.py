"""How an engine of less than full strength errs: by a move that is nearly as good, not by giving a won game away."""

import random
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING, Any

from zermelo.game import Action, State
from zermelo.result import SearchResult

if TYPE_CHECKING:
    from zermelo.engine import Engine


def search_with_errors(
    engine: "Engine", state: State, error: float, chooser: random.Random, **asked: Any
) -> SearchResult:
    """Search, and choose another move than the best one with the probability ``error``.

    Parameters
    ----------
    engine, state, asked
        As for `zermelo.engine.Engine.search`.
    error
        From 0 to 1.
    chooser
        Decides when to err, and how.

    Returns
    -------
    SearchResult
        Its action is the one to play. If it is an error, the principal variation is that action alone.
    """
    if error <= 0 or chooser.random() >= error:
        return engine.search(state, **asked)
    result = engine.search(state, root_values=True, **asked)
    others = [action for action in near_equal(result, engine.game.to_move(state)) if action != result.action]
    if not others:
        return result
    action = chooser.choice(others)
    return replace(result, action=action, principal_variation=(action,))


def near_equal(result: SearchResult, side: int) -> Sequence[Action]:
    """Return the actions that a search with values for each finds nearly as good as the best, for the player ``side``.

    A proven win stays a win: then there is only the best action. Actions that are proven to lose are left out, unless
    all are. Of the others, those count as nearly as good whose value is not below the mean of their values.
    """
    values, proofs = result.root_values, result.root_proofs or {}
    if values is None:
        return [result.action]
    worth = {action: side * value for action, value in values.items()}
    if any(worth[action] > 0 for action in proofs):
        return [result.action]
    open_ = [action for action in worth if action not in proofs or worth[action] == 0] or list(worth)
    mean = fmean(worth[action] for action in open_)
    return [action for action in open_ if worth[action] >= mean]
