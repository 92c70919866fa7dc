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
