"""The assignment: write the body of each function. You may add functions and files of your own."""

from math import inf

from zermelo.game import MAX
from zermelo.result import MinimaxInfo

prunings = 0
"""Add 1 whenever a state's remaining moves are pruned. It is set to 0 before each search."""


def minimax_search(game, state, table):
    """Part A: return MinimaxInfo(value, action) of a state, and put every state that is reached into the table.

    Values are MAX's. Of several best actions, take the first. A terminal state has its utility and no action (None).
    """
    raise NotImplementedError("Write this.")


def alpha_beta_search(game, state, alpha, beta, table):
    """Part B: minimax with a table, within a window. Stop as soon as alpha >= beta; do not store a pruned state.

    Update alpha and beta first, then test. Return the best value found, also where the rest is pruned. Count prunings.
    """
    raise NotImplementedError("Write this.")


def alpha_beta_heuristic_search(game, state, alpha, beta, depth, table):
    """Part C: alpha-beta with a table, but where game.is_cutoff(state, depth), the value is game.evaluate(state).

    The root has depth 0. Ask whether the game is over before you ask for the cutoff. Store cutoff states, but no state
    that was pruned. Update alpha and beta first, then test. Count prunings.
    """
    raise NotImplementedError("Write this.")


def minimax_max(game, state, depth_so_far, alpha, beta, max_depth, max_width):
    """Part D: return (value, path), as the player to move at the root values them, of the best line.

    Look max_depth plies ahead, at the first max_width actions of each state. The path is a tuple of actions. A state's
    value begins at alpha for the root's player and at beta for the other, and a move must be better than that.
    """
    raise NotImplementedError("Write this.")


def alpha_beta_decision(game, state, limit):
    """Part E: return MinimaxInfo(value, action), looking limit plies ahead, with MAX-VALUE and MIN-VALUE and no table.

    The first window is game.utility_range. Stop where v >= beta for MAX, and where v <= alpha for MIN.
    """
    raise NotImplementedError("Write this.")


def choose(game, state, seconds):
    """For the tournament: return a legal action within so many seconds."""
    return next(iter(game.actions(state)))
