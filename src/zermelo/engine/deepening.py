"""Iterative deepening: search one ply, two plies, and so on; each iteration orders the actions of the next.

An iteration that was interrupted can still give a result: an action that proved better than the best action of the last
whole iteration, if that one was searched first. Its value is a lower bound for the player to move.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import to_move
from zermelo.compiled.states import flatten
from zermelo.engine.earlier import rows_of
from zermelo.engine.job import RUNNING, Job
from zermelo.engine.scores import INFINITY, shrink
from zermelo.engine.search import search_root
from zermelo.game import Action, State

WINDOW: Final = 64
"""The first aspiration window reaches so many thousandths of the utility range to either side."""


class Iteration(NamedTuple):
    """What one iteration found. Scores are scaled, and for the player to move at the root."""

    depth: int
    score: int
    proven: bool
    action: Action
    scores: dict[Action, int] | None
    """The score of every root action, if it was asked for."""
    whole: bool = True
    """False after an interruption: then ``action`` is better than the one before, and worth at least ``score``."""
    sure: frozenset[Action] = frozenset()
    """The root actions whose scores are proven, if every action has a score."""


def deepen(
    game: CompiledGame,
    state: State,
    legal: Sequence[Action],
    before: Sequence[State],
    job: Job,
    depths: Iterable[int],
    say: Callable[[Any], None],
) -> None:
    """Search to each of ``depths`` in turn until the value is proven or the job is stopped.

    ``before`` are the states to which play from ``state`` may come back; that ends the game.
    """
    words, score, earlier = flatten(state), None, rows_of(state, before)
    job.previous_action = -1
    for depth in depths:
        job.better_action = -1
        score, proven = aspire(game, words, earlier, depth, score, job)
        if job.status != RUNNING:
            if job.better_action >= 0:
                say(Iteration(depth, int(job.better_score), False, legal[job.better_action], None, whole=False))
            return
        job.previous_action = job.root_action
        say(Iteration(depth, score, proven, legal[job.root_action], None))
        if proven:
            return


def aspire(
    game: CompiledGame,
    words: NDArray[np.int64],
    before: NDArray[np.int64],
    depth: int,
    guess: int | None,
    job: Job,
) -> tuple[int, bool]:
    """Search with a narrow window around ``guess``, and with wider ones until the score lies within.

    ``words`` and ``before`` are as in `search_root`.
    """
    reach = max(1, WINDOW * (game.utility_range[1] - game.utility_range[0]) * int(job.scale) // 1000)
    alpha, beta = -INFINITY, INFINITY
    if guess is not None and job.aspiration:
        alpha, beta = guess - reach, guess + reach
    while True:
        score, proven, _ = search_root(game, words, before, depth, alpha, beta, job)
        if job.status != RUNNING or alpha < score < beta:
            return score, bool(proven)
        if score <= alpha:
            alpha = -INFINITY
        else:
            beta = INFINITY


def deepen_each(
    game: CompiledGame,
    state: State,
    legal: Sequence[Action],
    before: Sequence[State],
    job: Job,
    depths: Iterable[int],
    say: Callable[[Any], None],
) -> None:
    """As `deepen`, with a whole window for every root action, so that each gets a score of its own.

    An action's score is that of the position that it leads to. If values depend on the path, or the game has earlier
    states, to come back to the root ends the game, too.
    """
    side = to_move(game, state)
    earlier = rows_of(state, [*before, state] if before or game.path_dependent else ())
    children = {action: game.result(state, action) for action in legal}
    scores = dict.fromkeys(legal, 0)
    proven = dict.fromkeys(legal, False)
    for depth in depths:
        for action in sorted(legal, key=lambda action: -scores[action]):
            if proven[action]:
                continue
            same = to_move(game, children[action]) == side
            guess = scores[action] if same else -scores[action]
            score, sure = aspire(game, flatten(children[action]), earlier, depth - 1, guess if depth > 1 else None, job)
            if job.status != RUNNING:
                return
            scores[action], proven[action] = (score if same else -score), sure
        nearer = {action: _one_ply_up(score, job) for action, score in scores.items()}
        best = max(legal, key=lambda action: nearer[action])
        known = frozenset(action for action in legal if proven[action])
        say(Iteration(depth, nearer[best], all(proven.values()), best, nearer, sure=known))
        if all(proven.values()):
            return


_one_ply_up = getattr(shrink, "py_func", shrink)
"""`shrink` in Python: for a few scores, machine code is not worth compiling."""
