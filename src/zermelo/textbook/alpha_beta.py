"""System 2: ALPHA-BETA with the same table; states whose search was pruned are not stored.

This is exactly what the handout says, and that has a flaw: a node that failed low, because a
*child* of it was pruned, is stored as if its value were exact. `docs/explanation/errata.md` shows a game lost by
it; `zermelo.textbook.sound` is the corrected algorithm, which the players use by default.

Source: Rhodes College, CS 372, project 2, part B; Russell & Norvig, ALPHA-BETA-SEARCH.
"""

from math import inf

from zermelo.game import MAX, Game, State
from zermelo.result import MinimaxInfo, SearchCounts
from zermelo.textbook.minimax import Table
from zermelo.textbook.observer import Observer, watched
from zermelo.textbook.recursion import deep_recursion
from zermelo.textbook.rules import require_action


def alpha_beta_search(
    game: Game,
    state: State,
    alpha: float,
    beta: float,
    table: Table,
    counts: SearchCounts | None = None,
    observer: Observer | None = None,
) -> MinimaxInfo:
    """The value of ``state`` within the window, and the first action that reaches it.

    Parameters
    ----------
    game, state
        The rules, and where to start. The game must end along every line.
    alpha, beta
        What MAX and MIN are already sure of; ``-inf, inf`` at the root.
    table
        Filled with the states whose search was not pruned.
    counts
        Added to, if given. Each time the prune test fires is counted, even after a node's last action.
    observer
        Receives what happens, if given.

    Raises
    ------
    BadGame
        A state that is not terminal has no actions, or play does not end.
    """
    counts = SearchCounts() if counts is None else counts
    to_move, actions, result = game.to_move, game.actions, game.result
    is_terminal, utility = game.is_terminal, game.utility

    def search(state: State, alpha: float, beta: float, ply: int) -> MinimaxInfo:
        counts.nodes += 1
        if ply > counts.max_depth:
            counts.max_depth = ply
        if state in table:
            counts.table_hits += 1
            return table[state]
        if is_terminal(state):
            counts.leaves += 1
            table[state] = info = MinimaxInfo(utility(state), None)
            return info
        player = to_move(state)
        best_value, best_action = -player * inf, None
        for action in actions(state):
            value = visit(result(state, action), alpha, beta, ply + 1).value
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
        info = visit(state, alpha, beta, 0)
    counts.table_states = len(table)
    return info
