"""The searches of the assignment, written without zermelo's own."""

from math import inf

from zermelo.game import MAX
from zermelo.result import MinimaxInfo

prunings = 0
"""Add 1 whenever a state's remaining moves are pruned. It is set to 0 before each search."""


def minimax_search(game, state, table):
    """Part A: return MinimaxInfo(value, action) of a state, and put every state that is reached into the table.

    Values are MAX's. Of several best actions, take the first. A terminal state has its utility and no action (None).
    """
    if state in table:
        return table[state]
    if game.is_terminal(state):
        info = MinimaxInfo(game.utility(state), None)
    else:
        player = game.to_move(state)
        value, best = -player * inf, None
        for action in game.actions(state):
            child = minimax_search(game, game.result(state, action), table).value
            if child * player > value * player:
                value, best = child, action
        info = MinimaxInfo(value, best)
    table[state] = info
    return info


def alpha_beta_search(game, state, alpha, beta, table):
    """Part B: minimax with a table, within a window. Stop as soon as alpha >= beta; do not store a pruned state.

    Update alpha and beta first, then test. Return the best value found, also where the rest is pruned. Count prunings.
    """
    global prunings
    if state in table:
        return table[state]
    if game.is_terminal(state):
        table[state] = MinimaxInfo(game.utility(state), None)
        return table[state]
    player = game.to_move(state)
    value, best = -player * inf, None
    for action in game.actions(state):
        child = alpha_beta_search(game, game.result(state, action), alpha, beta, table).value
        if child * player > value * player:
            value, best = child, action
            if player == MAX:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
        if alpha >= beta:
            prunings += 1
            return MinimaxInfo(value, best)
    table[state] = MinimaxInfo(value, best)
    return table[state]


def alpha_beta_heuristic_search(game, state, alpha, beta, depth, table):
    """Part C: alpha-beta with a table, but where game.is_cutoff(state, depth), the value is game.evaluate(state).

    The root has depth 0. Ask whether the game is over before you ask for the cutoff. Store cutoff states, but no state
    that was pruned. Update alpha and beta first, then test. Count prunings.
    """
    global prunings
    if state in table:
        return table[state]
    if game.is_terminal(state):
        table[state] = MinimaxInfo(game.utility(state), None)
        return table[state]
    if game.is_cutoff(state, depth):
        table[state] = MinimaxInfo(game.evaluate(state), None)
        return table[state]
    player = game.to_move(state)
    value, best = -player * inf, None
    for action in game.actions(state):
        child = alpha_beta_heuristic_search(game, game.result(state, action), alpha, beta, depth + 1, table).value
        if child * player > value * player:
            value, best = child, action
            if player == MAX:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
        if alpha >= beta:
            prunings += 1
            return MinimaxInfo(value, best)
    table[state] = MinimaxInfo(value, best)
    return table[state]


def minimax_max(game, state, depth_so_far, alpha, beta, max_depth, max_width):
    """Part D: return (value, path), as the player to move at the root values them, of the best line.

    Look max_depth plies ahead, at the first max_width actions of each state. The path is a tuple of actions. A state's
    value begins at alpha for the root's player and at beta for the other, and a move must be better than that.
    """
    root = game.to_move(state)

    def search(state, depth, alpha, beta):
        if game.is_terminal(state):
            return root * game.utility(state), ()
        if depth == max_depth:
            return root * game.evaluate(state), ()
        path = ()
        maximizes = game.to_move(state) == root
        for action in list(game.actions(state))[:max_width]:
            value, line = search(game.result(state, action), depth + 1, alpha, beta)
            if maximizes and value > alpha:
                alpha, path = value, (action, *line)
            elif not maximizes and value < beta:
                beta, path = value, (action, *line)
            if alpha >= beta:
                break
        return (alpha if maximizes else beta), path

    return search(state, depth_so_far, alpha, beta)


def alpha_beta_decision(game, state, limit):
    """Part E: return MinimaxInfo(value, action), looking limit plies ahead, with MAX-VALUE and MIN-VALUE and no table.

    The first window is game.utility_range. Stop where v >= beta for MAX, and where v <= alpha for MIN.
    """

    def value(state, alpha, beta, left):
        if game.is_terminal(state):
            return MinimaxInfo(game.utility(state), None)
        if left == 0:
            return MinimaxInfo(game.evaluate(state), None)
        return (max_value if game.to_move(state) == MAX else min_value)(state, alpha, beta, left)

    def max_value(state, alpha, beta, left):
        v, best = -inf, None
        for action in game.actions(state):
            child = value(game.result(state, action), alpha, beta, left - 1).value
            if child > v:
                v, best = child, action
            if v >= beta:
                break
            alpha = max(alpha, v)
        return MinimaxInfo(v, best)

    def min_value(state, alpha, beta, left):
        v, best = inf, None
        for action in game.actions(state):
            child = value(game.result(state, action), alpha, beta, left - 1).value
            if child < v:
                v, best = child, action
            if v <= alpha:
                break
            beta = min(beta, v)
        return MinimaxInfo(v, best)

    return value(state, *game.utility_range, limit)


def choose(game, state, seconds):
    """For the tournament: return a legal action within so many seconds."""
    return alpha_beta_decision(game, state, 3).action
