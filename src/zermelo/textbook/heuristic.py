"""System 3: ALPHA-BETA with heuristics: IS-CUTOFF(state, depth) stops it, and EVAL rates the state there.

EVAL is never as large as the UTILITY of a win, so that a certain win is always better than a likely one. The
search runs before each move, from the current state and with an empty table: at another depth the same state
may have another value.

Source: Rhodes College, CS 372, project 2, part C; Russell & Norvig, HEURISTIC ALPHA-BETA.
"""

from math import inf

from zermelo.game import MAX, Game, State
from zermelo.result import MinimaxInfo, SearchCounts
from zermelo.textbook.minimax import Table
from zermelo.textbook.observer import Observer, watched
from zermelo.textbook.recursion import deep_recursion
from zermelo.textbook.rules import IsCutoff, evaluation, never, require_action


def alpha_beta_heuristic_search(
    game: Game,
    state: State,
    alpha: float,
    beta: float,
    depth: int,
    table: Table,
    is_cutoff: IsCutoff | None = None,
    counts: SearchCounts | None = None,
    observer: Observer | None = None,
) -> MinimaxInfo:
    """The heuristic value of ``state`` within the window, and the first action that reaches it.

    Parameters
    ----------
    game, state
        The rules, which need an EVAL, and where to start.
    alpha, beta
        What MAX and MIN are already sure of; ``-inf, inf`` at the root.
    depth
        Plies from the root: 0 there, counting up.
    table
        Filled with the states whose search was neither cut off nor pruned, and with the leaves.
    is_cutoff
        IS-CUTOFF(state, depth); the game's own if not given, else never.
    counts
        Added to, if given.
    observer
        Receives what happens, if given.

    Raises
    ------
    BadGame
        A state that is not terminal has no actions, or play does not end.
    BadParameter
        The game has no EVAL.
    """
    counts = SearchCounts() if counts is None else counts
    is_cutoff = is_cutoff or game.is_cutoff or never
    to_move, actions, result = game.to_move, game.actions, game.result
    is_terminal, utility, evaluate = game.is_terminal, game.utility, evaluation(game)
    root_depth = depth

    def search(state: State, alpha: float, beta: float, depth: int) -> MinimaxInfo:
        counts.nodes += 1
        if depth - root_depth > counts.max_depth:
            counts.max_depth = depth - root_depth
        if state in table:
            counts.table_hits += 1
            return table[state]
        if is_terminal(state):
            counts.leaves += 1
            table[state] = info = MinimaxInfo(utility(state), None)
            return info
        if is_cutoff(state, depth):
            counts.leaves += 1
            counts.cutoffs += 1
            table[state] = info = MinimaxInfo(evaluate(state), None)
            return info
        player = to_move(state)
        best_value, best_action = -player * inf, None
        for action in actions(state):
            value = visit(result(state, action), alpha, beta, depth + 1).value
            if value * player > best_value * player:
                best_value, best_action = value, action
                if player == MAX:
                    alpha = max(alpha, value)
                else:
                    beta = min(beta, value)
            if alpha >= beta:
                counts.prune(player)
                return MinimaxInfo(int(best_value), best_action)
        table[state] = info = MinimaxInfo(require_action(game, state, best_value), best_action)
        return info

    visit = watched(search, observer, counts)
    with deep_recursion():
        info = visit(state, alpha, beta, depth)
    counts.table_states = len(table)
    return info


def alpha_beta_heuristic(
    game: Game,
    state: State,
    alpha: float = -inf,
    beta: float = inf,
    depth: int = 1,
    table: Table | None = None,
    is_cutoff: IsCutoff | None = None,
    counts: SearchCounts | None = None,
) -> int:
    """The bare heuristic value, with the root at depth 1 as the handout counts; see `alpha_beta_heuristic_search`.

    IS-CUTOFF is asked with these depths, so that ``depth >= 4`` stops 3 plies below the root;
    ``depth_limit(4, root=1)`` looks 4 plies ahead.
    """
    table = {} if table is None else table
    return alpha_beta_heuristic_search(game, state, alpha, beta, depth, table, is_cutoff, counts).value
