"""System 5: ALPHA-BETA-SEARCH as the player of a MAIN loop: MAX-VALUE and MIN-VALUE with CUTOFF and EVAL.

The first window is the range of the utilities (-1000 to +1000 in the handout), and each value carries
its action, so that nothing has to search for "the action with value v" afterwards. There is no table.

`alpha_beta_decision` looks a given number of plies ahead. `timed_decision` keeps the handout's clock:
it searches one ply deeper each time, and when the time is up it returns the result of the last depth at
which every action of the root was searched; it never uses a search that was cut off in the middle.

Source: E. K. Wong, New York University, CS 4613; Russell & Norvig, ALPHA-BETA-SEARCH.
"""

from collections.abc import Callable
from math import inf
from time import perf_counter
from typing import Final

from zermelo.errors import BadParameter
from zermelo.game import MAX, Game, State
from zermelo.result import MinimaxInfo, SearchCounts, SearchResult, StoppedBy
from zermelo.textbook.observer import Observer, watched
from zermelo.textbook.recursion import deep_recursion
from zermelo.textbook.rules import IsCutoff, depth_limit, evaluation, require_action

Value = Callable[[State, float, float, int], MinimaxInfo]

CLOCK_NODES: Final = 64
"""The clock is read once in so many nodes, since reading it takes a tenth of the time of a node."""


class OutOfTime(Exception):
    """The deadline passed in the middle of a search; only functions of this file raise and catch it."""


def alpha_beta_decision(
    game: Game, state: State, limit: int, counts: SearchCounts | None = None, observer: Observer | None = None
) -> MinimaxInfo:
    """The best action at ``state`` and its value, looking ``limit`` plies ahead.

    Parameters
    ----------
    game, state
        The rules, which need an EVAL, and where to start.
    limit
        CUTOFF: how many plies to look ahead, 1 or more.
    counts
        Added to, if given.
    observer
        Receives what happens, if given.

    Raises
    ------
    BadParameter
        The limit is below 1, or the game has no EVAL.
    """
    counts = SearchCounts() if counts is None else counts
    low, high = game.utility_range
    with deep_recursion():
        return _value_function(game, depth_limit(limit), counts, inf, observer)(state, low, high, 0)


def timed_decision(
    game: Game, state: State, seconds: float, max_depth: int | None = None, counts: SearchCounts | None = None
) -> SearchResult:
    """The best action at ``state`` that ``seconds`` suffice to find.

    Parameters
    ----------
    game, state
        The rules, which need an EVAL, and where to start.
    seconds
        All of it is used, unless the value is proven before.
    max_depth
        Stop when this depth, in plies, has been searched whole.
    counts
        Added to, if given.

    Returns
    -------
    SearchResult
        `depth` is the last whole depth; the counts are those of all depths together, the broken-off one
        included. Depth 1 is always searched whole, however short the time.

    Raises
    ------
    BadParameter
        Seconds are not above 0, the depth is below 1, or the game has no EVAL.
    """
    if not seconds > 0:
        raise BadParameter(f"The time is {seconds} seconds; it must be more than 0.")
    start = perf_counter()
    counts = SearchCounts() if counts is None else counts
    info, depth, proven = MinimaxInfo(0, None), 0, False
    stopped_by: StoppedBy = "finished"
    low, high = game.utility_range
    with deep_recursion():
        while not proven and stopped_by == "finished":
            cutoffs_before = counts.cutoffs
            deadline = start + seconds if depth else inf
            value = _value_function(game, depth_limit(depth + 1), counts, deadline)
            try:
                info = value(state, low, high, 0)
            except OutOfTime:
                stopped_by = "time"
                break
            depth += 1
            # No leaf was estimated, or the value is one that no estimate reaches: it is the game's own.
            proven = counts.cutoffs == cutoffs_before or info.value in (low, high)
            if not proven and depth == max_depth:
                stopped_by = "depth"
            elif not proven and perf_counter() > start + seconds:
                stopped_by = "time"
    return SearchResult.from_counts(
        counts,
        value=info.value,
        action=info.action,
        proven=proven,
        principal_variation=(info.action,),
        depth=depth,
        seconds=perf_counter() - start,
        stopped_by=stopped_by,
        game=game,
        state=state,
    )


def _value_function(
    game: Game, cutoff: IsCutoff, counts: SearchCounts, deadline: float, observer: Observer | None = None
) -> Value:
    """MAX-VALUE or MIN-VALUE of a state, whoever is to move there; raises `OutOfTime` past the deadline."""
    to_move, actions, result = game.to_move, game.actions, game.result
    is_terminal, utility, evaluate = game.is_terminal, game.utility, evaluation(game)

    def value(state: State, alpha: float, beta: float, depth: int) -> MinimaxInfo:
        counts.nodes += 1
        counts.max_depth = max(counts.max_depth, depth)
        if counts.nodes % CLOCK_NODES == 0 and perf_counter() > deadline:
            raise OutOfTime
        if is_terminal(state):
            counts.leaves += 1
            return MinimaxInfo(utility(state), None)
        if cutoff(state, depth):
            counts.leaves += 1
            counts.cutoffs += 1
            return MinimaxInfo(evaluate(state), None)
        return max_value(state, alpha, beta, depth) if to_move(state) == MAX else min_value(state, alpha, beta, depth)

    def max_value(state: State, alpha: float, beta: float, depth: int) -> MinimaxInfo:
        v, best = -inf, None
        for action in actions(state):
            child = visit(result(state, action), alpha, beta, depth + 1).value
            if child > v:
                v, best = child, action
            if v >= beta:
                counts.prunings_max += 1
                return MinimaxInfo(int(v), best)
            alpha = max(alpha, v)
        return MinimaxInfo(require_action(game, state, v), best)

    def min_value(state: State, alpha: float, beta: float, depth: int) -> MinimaxInfo:
        v, best = inf, None
        for action in actions(state):
            child = visit(result(state, action), alpha, beta, depth + 1).value
            if child < v:
                v, best = child, action
            if v <= alpha:
                counts.prunings_min += 1
                return MinimaxInfo(int(v), best)
            beta = min(beta, v)
        return MinimaxInfo(require_action(game, state, v), best)

    visit = watched(value, observer, counts)
    return visit
