"""Searches as students write them, as text: right ones, which tests turn into wrong ones."""

IMPORTS = "from math import inf\nfrom zermelo.game import MAX\nfrom zermelo.result import MinimaxInfo\n"
BODY = """
    global prunings
    if state in table:
        return table[state]
    if game.is_terminal(state):
        table[state] = MinimaxInfo(game.utility(state), None)
        return table[state]
    sign, best = game.to_move(state), None
    value = -sign * inf
    for action in game.actions(state):
        child = SELF(game.result(state, action)).value
        if sign * child > sign * value:
            value, best = child, action
            if sign == MAX:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
        if alpha >= beta:
            prunings += 1
            return MinimaxInfo(value, best)
    table[state] = MinimaxInfo(value, best)
    return table[state]
"""


def search(name, parameters, call, body=BODY):
    """A student's function: ``call`` is how it calls itself, with CHILD for the child."""
    return f"\ndef {name}({parameters}):{body}".replace("SELF(game.result(state, action))", call)


CHILD = "game.result(state, action)"
ALPHA_BETA = search(
    "alpha_beta_search", "game, state, alpha, beta, table", f"alpha_beta_search(game, {CHILD}, alpha, beta, table)"
)
MINIMAX = search("minimax_search", "game, state, table", f"minimax_search(game, {CHILD}, table)").replace(
    """            if sign == MAX:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
        if alpha >= beta:
            prunings += 1
            return MinimaxInfo(value, best)
""",
    "",
)
MINIMAX = MINIMAX.replace("    global prunings\n", "")
BARE = """
def minimax(game, state):
    if game.is_terminal(state):
        return game.utility(state)
    values = [minimax(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)
"""

HEAD = f"\n{IMPORTS}prunings = 0\n"
HEURISTIC = search(
    "alpha_beta_heuristic_search",
    "game, state, alpha, beta, depth, table",
    f"alpha_beta_heuristic_search(game, {CHILD}, alpha, beta, depth + 1, table)",
    BODY.replace(
        "    sign, best",
        """    if game.is_cutoff(state, depth):
        table[state] = MinimaxInfo(game.evaluate(state), None)
        return table[state]
    sign, best""",
    ),
)
BARE_ALPHA_BETA = (
    ALPHA_BETA
    + """
def alpha_beta(game, state, alpha, beta, table):
    return alpha_beta_search(game, state, alpha, beta, table).value
"""
)
BARE_HEURISTIC = (
    HEURISTIC
    + """
def alpha_beta_heuristic(game, state, alpha, beta, depth, table):
    return alpha_beta_heuristic_search(game, state, alpha, beta, depth, table).value
"""
)
BARE_TABLE = """
def minimax(game, state, table):
    if state not in table:
        if game.is_terminal(state):
            table[state] = game.utility(state)
        else:
            values = [minimax(game, game.result(state, action), table) for action in game.actions(state)]
            table[state] = max(values) if game.to_move(state) == MAX else min(values)
    return table[state]
"""
DECISION = """
prunings_max = prunings_min = nodes = 0

def alpha_beta_decision(game, state, limit):
    return value(game, state, *game.utility_range, limit)

def value(game, state, alpha, beta, left):
    global nodes
    nodes += 1
    if game.is_terminal(state):
        return game.utility(state), None
    if left == 0:
        return game.evaluate(state), None
    return (max_value if game.to_move(state) == MAX else min_value)(game, state, alpha, beta, left)

def max_value(game, state, alpha, beta, left):
    global prunings_max
    v, best = -inf, None
    for action in game.actions(state):
        child, _ = value(game, game.result(state, action), alpha, beta, left - 1)
        if child > v:
            v, best = child, action
        if v >= beta:
            prunings_max += 1
            return v, best
        alpha = max(alpha, v)
    return v, best

def min_value(game, state, alpha, beta, left):
    global prunings_min
    v, best = inf, None
    for action in game.actions(state):
        child, _ = value(game, game.result(state, action), alpha, beta, left - 1)
        if child < v:
            v, best = child, action
        if v <= alpha:
            prunings_min += 1
            return v, best
        beta = min(beta, v)
    return v, best
"""
PATH = """
def minimax_max(game, state, depth, alpha, beta, max_depth, max_width):
    return method(game, state, depth, alpha, beta, max_depth, max_width, game.to_move(state), True)

def method(game, state, depth, alpha, beta, max_depth, max_width, player, maximizing):
    if depth == max_depth or game.is_terminal(state):
        return player * (game.utility(state) if game.is_terminal(state) else game.evaluate(state)), None, None
    path, situation = None, None
    for action in list(game.actions(state))[:max_width]:
        child = game.result(state, action)
        found, rest, _ = method(
            game, child, depth + 1, alpha, beta, max_depth, max_width, player, game.to_move(child) == player
        )
        if maximizing and found > alpha:
            alpha, path, situation = found, (action, *(rest or ())), child
        if not maximizing and found < beta:
            beta, path, situation = found, (action, *(rest or ())), child
        if alpha >= beta:
            break
    return (alpha if maximizing else beta), path, situation
"""
MIRRORED = """
def alpha_beta_search(game, state, alpha, beta, table):
    if state in table:
        return table[state]
    if game.is_terminal(state):
        info = MinimaxInfo(game.utility(state), None)
        table[state] = info
        return info
    if game.to_move(state) == MAX:
        best_value, best_action = -inf, None
        for action in game.actions(state):
            child = alpha_beta_search(game, game.result(state, action), alpha, beta, table)
            if child.value > best_value:
                best_value, best_action = child.value, action
                alpha = max(alpha, best_value)
            if best_value >= beta:
                return MinimaxInfo(best_value, best_action)
    else:
        best_value, best_action = inf, None
        for action in game.actions(state):
            child = alpha_beta_search(game, game.result(state, action), alpha, beta, table)
            if child.value < best_value:
                best_value, best_action = child.value, action
                beta = min(beta, best_value)
            if best_value <= alpha:
                return MinimaxInfo(best_value, best_action)
    info = MinimaxInfo(best_value, best_action)
    table[state] = info
    return info
"""
RIGHT = {
    "minimax_search": MINIMAX,
    "minimax": BARE,
    "alpha_beta_search": ALPHA_BETA,
    "alpha_beta": BARE_ALPHA_BETA,
    "alpha_beta_heuristic_search": HEURISTIC,
    "alpha_beta_heuristic": BARE_HEURISTIC,
    "minimax_max": PATH,
    "alpha_beta_decision": DECISION,
}
