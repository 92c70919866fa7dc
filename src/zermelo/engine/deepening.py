"""Iterative deepening: search one ply, two plies, and so on; each iteration orders the actions of the next.

An iteration that was interrupted can still give a result: an action that proved better than the best action of the last
whole iteration, if that one was searched first. Its value is a lower bound for the player to move.

The loop itself is machine code: between two iterations of a search of a thousand nodes, Python would take longer than
the search.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import position_key, to_move, utility_range
from zermelo.compiled.states import flatten, load_state
from zermelo.engine.earlier import note_earlier, rows_of
from zermelo.engine.job import MAX_PLY, RUNNING, Job
from zermelo.engine.line import action_at, principal_variation, write_line
from zermelo.engine.lookups import PROVEN, SURE
from zermelo.engine.scores import INFINITY, shrink
from zermelo.engine.search import search_root
from zermelo.game import Action, State

WINDOW: Final = 64
"""The first aspiration window reaches so many thousandths of the utility range to either side; but only half as far as
the margin of the switch ``futility``, if there is one."""
WIDENING: Final = 4
"""By how much a window that was too narrow is widened."""
NO_GUESS: Final = 2 * INFINITY
"""In place of a score: nothing is known of it."""


class Iteration(NamedTuple):
    """What one iteration found. Scores are scaled, and for the player to move at the root."""

    depth: int
    score: int
    proven: bool
    variation: tuple[Action, ...]
    """The principal variation; it begins with the best action."""
    scores: dict[Action, int] | None = None
    """The score of every root action, if it was asked for."""
    whole: bool = True
    """False after an interruption: then the action is better than the one before, and worth at least ``score``."""
    quickest: bool = True
    """False if a win or loss is proven, but there may be a quicker one, which a pruning has left out."""
    sure: frozenset[Action] = frozenset()
    """The root actions whose scores are proven, if every action has a score."""


@kernel
def search_deeper(
    game: CompiledGame,
    words: NDArray[np.int64],
    before: NDArray[np.int64],
    depth: int,
    deepest: int,
    guess: int,
    each: int,
    line: NDArray[np.int64],
    job: Job,
) -> tuple[int, int, int, int]:
    """Search to ``depth``, then ever deeper, until the score is proven, ``deepest`` is reached or the job is stopped.

    Parameters
    ----------
    words
        The flat state, of shape (words,).
    before
        Flat states, of shape (states, words), at most MAX_PLY: the game ends if play comes back to one of them.
    guess
        What the score may be; `NO_GUESS` if nothing is known.
    each
        1 to return after the first iteration.
    line
        Of shape (plies,); receives the principal variation of the last whole iteration, as far as there is room.

    Returns
    -------
    tuple of int
        Of the last whole iteration its depth, the score, what is ``proven`` of it (`zermelo.engine.search`), and the
        length of the line. If no iteration was whole, the depth is less than ``depth``.
    """
    note_earlier(game, before, job)
    return search_on(game, load_state(game, words), depth, deepest, guess, each, line, job)


@subkernel
def search_on(
    game: CompiledGame,
    state: State,
    depth: int,
    deepest: int,
    guess: int,
    each: int,
    line: NDArray[np.int64],
    job: Job,
) -> tuple[int, int, int, int]:
    """As `search_deeper`, from ``state``; what stood on the board before has been noted."""
    state_key = position_key(game, state)
    reached, score, proven, length = depth - 1, guess, job.bottom, 0
    while reached < deepest and not is_over(reached, score, proven, job):
        job.better_action = -1
        value, sure = aspire(game, state, state_key, reached + 1, score, job)
        if job.status != RUNNING:
            break
        reached, score, proven = reached + 1, value, sure
        job.previous_action = job.root_action
        if job.root_action >= 0:  # the game goes on in this state
            line[0] = action_at(game, state, job.root_action, job)
            length = write_line(game, state, line, job)
        if each:
            break
    return reached, score, proven, length


@subkernel
def is_over(depth: int, score: int, proven: int, job: Job) -> bool:
    """Whether no deeper search is needed. A sure win is searched down to its own end, where quicker wins would show."""
    distance = abs((score + job.scale // 2) // job.scale * job.scale - score)
    return proven == PROVEN or (proven == SURE and depth >= distance)


@subkernel
def aspire(game: CompiledGame, state: State, state_key: int, depth: int, guess: int, job: Job) -> tuple[int, int]:
    """Search with a narrow window around ``guess``, and with wider ones until the score lies within.

    Returns the score, and what is ``proven`` of it.
    """
    low, high = utility_range(game)
    widest = WINDOW * (high - low) * job.scale // 1000
    reach = max(1, min(widest, job.futility * job.scale // 2) if job.futility else widest)
    alpha, beta = -INFINITY, INFINITY
    if guess != NO_GUESS and job.aspiration:
        alpha, beta = guess - reach, guess + reach
    while True:
        score, proven = search_root(game, state, state_key, depth, alpha, beta, job)
        if job.status != RUNNING or alpha < score < beta:
            return score, proven
        reach *= WIDENING
        if score <= alpha:
            alpha = score - reach if reach < widest else -INFINITY
        else:
            beta = score + reach if reach < widest else INFINITY


def deepen(
    game: CompiledGame,
    state: State,
    legal: Sequence[Action],
    before: Sequence[State],
    job: Job,
    deepest: int,
    each: bool,
    say: Callable[[Any], None],
    enough: Callable[[Iteration], bool] = lambda found: False,
) -> None:
    """Search one ply and more, up to ``deepest``, until the value is proven or the job is stopped.

    Parameters
    ----------
    legal
        The root actions that are searched.
    before
        The states to which play from ``state`` may come back; that ends the game.
    each
        Whether to pass every iteration to ``say``; if not, only the last.
    enough
        Called after each iteration that is passed to ``say``; whether to stop.
    """
    words, earlier, line = flatten(state), rows_of(state, before), np.zeros(MAX_PLY, dtype=np.int64)
    reached, score, proven = 0, NO_GUESS, 0
    job["previous_action"] = -1
    while reached < deepest and not _is_over(reached, score, proven, job):
        depth = reached + 1
        reached, score, proven, length = search_deeper(
            game, words, earlier, depth, deepest, score, int(each), line, job
        )
        if reached >= depth:
            found = Iteration(reached, score, proven > 0, tuple(line[:length].tolist()), quickest=proven != SURE)
            say(found)
            if enough(found):
                return
        if job["status"] != RUNNING:
            if job["better_action"] >= 0:
                variation = principal_variation(game, job, state, legal[job["better_action"]])
                say(Iteration(reached + 1, int(job["better_score"]), False, variation, whole=False))
            return


def deepen_each(
    game: CompiledGame,
    state: State,
    legal: Sequence[Action],
    before: Sequence[State],
    job: Job,
    deepest: int,
    say: Callable[[Any], None],
) -> None:
    """As `deepen`, with a whole window for every root action, so that each gets a score of its own.

    Every iteration is passed to ``say``. An action's score is that of the position that it leads to. If values depend
    on the path, or the game has earlier states, to come back to the root ends the game, too.
    """
    side = to_move(game, state)
    earlier = rows_of(state, [*before, state] if before or game.path_dependent else ())
    children = {action: game.result(state, action) for action in legal}
    scores = dict.fromkeys(legal, 0)
    proven = dict.fromkeys(legal, False)
    line = np.zeros(1, dtype=np.int64)
    for depth in range(1, deepest + 1):
        for action in sorted(legal, key=lambda action: -scores[action]):
            if proven[action]:
                continue
            same = to_move(game, children[action]) == side
            guess = NO_GUESS if depth == 1 else scores[action] if same else -scores[action]
            words = flatten(children[action])
            _, score, sure, _ = search_deeper(game, words, earlier, depth - 1, depth - 1, guess, 1, line, job)
            if job.status != RUNNING:
                return
            scores[action], proven[action] = (score if same else -score), sure == PROVEN
        nearer = {action: _one_ply_up(score, job) for action, score in scores.items()}
        best = max(legal, key=lambda action: nearer[action])
        known = frozenset(action for action in legal if proven[action])
        variation = principal_variation(game, job, state, best)
        say(Iteration(depth, nearer[best], all(proven.values()), variation, nearer, sure=known))
        if all(proven.values()):
            return


_one_ply_up = getattr(shrink, "py_func", shrink)
_is_over = getattr(is_over, "py_func", is_over)
"""`shrink` and `is_over` in Python: for a few scores, machine code is not worth compiling."""
