"""System 1: MINIMAX with a transposition table of `MinimaxInfo(value, action)`.

The whole game is searched once, and the table then holds every reachable state: to play, look a state up.

Source: Rhodes College, CS 372, project 2, part A; Russell & Norvig, *Artificial Intelligence*, MINIMAX-SEARCH.
"""

from collections.abc import MutableMapping
from math import inf
from typing import TypeAlias

from zermelo.game import Game, State
from zermelo.result import MinimaxInfo, SearchCounts
from zermelo.textbook.observer import Observer, watched
from zermelo.textbook.recursion import deep_recursion
from zermelo.textbook.rules import require_action

Table: TypeAlias = MutableMapping[State, MinimaxInfo]
"""A transposition table: what the search found for each state. A plain dict will do."""


def minimax_search(
    game: Game, state: State, table: Table, counts: SearchCounts | None = None, observer: Observer | None = None
) -> MinimaxInfo:
    """The minimax value of ``state`` and the first action that reaches it.

    Parameters
    ----------
    game, state
        The rules, and where to start. The game must end along every line.
    table
        Filled with every state reached; terminal ones have action None.
    counts
        Added to, if given.
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

    def search(state: State, ply: int) -> MinimaxInfo:
        counts.nodes += 1
        if ply > counts.max_depth:
            counts.max_depth = ply
        if state in table:
            counts.table_hits += 1
            return table[state]
        if is_terminal(state):
            counts.leaves += 1
            info = MinimaxInfo(utility(state), None)
        else:
            # MAX (+1) takes the highest value and MIN (-1) the lowest: the highest of value * player.
            player = to_move(state)
            best_value, best_action = -player * inf, None
            for action in actions(state):
                value = visit(result(state, action), ply + 1).value
                if value * player > best_value * player:
                    best_value, best_action = value, action
            info = MinimaxInfo(require_action(game, state, best_value), best_action)
        table[state] = info
        return info

    visit = watched(search, observer, counts)
    with deep_recursion():
        info = visit(state, 0)
    counts.table_states = len(table)
    return info


def minimax(game: Game, state: State, table: Table, counts: SearchCounts | None = None) -> int:
    """The minimax value of ``state`` alone: the handouts' MINIMAX; see `minimax_search`."""
    return minimax_search(game, state, table, counts).value
