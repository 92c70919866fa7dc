"""The sound table: alpha-beta whose entries say what their value proves.

The handouts' table stores a bare value. But alpha-beta often learns only that a state is worth *at
most* or *at least* so much, and a bound read back as an exact value can lose a drawn game
(`docs/explanation/errata.md`). Here an entry holds value, action, bound and depth:

EXACT   the value is the value;
LOWER   the true value is at least this (MAX was to move and pruned the node);
UPPER   the true value is at most this (MIN was to move and pruned it).

A player moves from EXACT entries only; a bound counts as absent.

The search is fail-soft: what it returns is exact inside the window, and otherwise a bound that may be
better than the window's edge. With IS-CUTOFF the value of a state depends on how far from the root it
was met, so an entry answers only at its own depth. Without IS-CUTOFF the depth does not matter and is None.

Source: the bounds, after Marsland, *Computer Chess and Search* (1992); the proof is the usual one.
"""

from collections.abc import MutableMapping
from math import inf
from typing import NamedTuple, TypeAlias

from zermelo.game import MAX, Action, Game, State
from zermelo.result import Bound, SearchCounts
from zermelo.textbook.observer import Observer, watched
from zermelo.textbook.recursion import deep_recursion
from zermelo.textbook.rules import IsCutoff, evaluation, require_action


class SoundInfo(NamedTuple):
    """An entry of the sound table; the first two fields are those of `MinimaxInfo`."""

    value: int
    action: Action
    bound: Bound
    depth: int | None
    """Plies from the root at which the state was met; None where the search had no IS-CUTOFF."""


SoundTable: TypeAlias = MutableMapping[State, SoundInfo]


def sound_search(
    game: Game,
    state: State,
    alpha: float,
    beta: float,
    table: SoundTable,
    is_cutoff: IsCutoff | None = None,
    counts: SearchCounts | None = None,
    observer: Observer | None = None,
) -> SoundInfo:
    """The value of ``state``, equal to minimax's where it lies within the window, and an action that reaches it.

    Parameters
    ----------
    game, state
        The rules, and where to start.
    alpha, beta
        The window, ``-inf, inf`` for the value itself. Needs ``alpha < beta``.
    table
        Filled with every state met, pruned ones too, each with what its value proves.
    is_cutoff
        IS-CUTOFF(state, depth), depth counting up from 0; without it the game is searched to its end.
    counts, observer
        Added to, and told what happens, if given.

    Raises
    ------
    BadGame
        A state that is not terminal has no actions, or play does not end.
    BadParameter
        ``is_cutoff`` is given and the game has no EVAL.
    """
    counts = SearchCounts() if counts is None else counts
    to_move, actions, result = game.to_move, game.actions, game.result
    is_terminal, utility = game.is_terminal, game.utility
    evaluate = None if is_cutoff is None else evaluation(game)

    def search(state: State, alpha: float, beta: float, ply: int) -> SoundInfo:
        counts.nodes += 1
        if ply > counts.max_depth:
            counts.max_depth = ply
        depth = None if is_cutoff is None else ply
        entry = table.get(state)
        if entry is not None and entry.depth == depth and _answers(entry, alpha, beta):
            counts.table_hits += 1
            return entry
        if is_terminal(state):
            counts.leaves += 1
            table[state] = info = SoundInfo(utility(state), None, "exact", depth)
            return info
        if is_cutoff is not None and evaluate is not None and is_cutoff(state, ply):
            counts.leaves += 1
            counts.cutoffs += 1
            table[state] = info = SoundInfo(evaluate(state), None, "exact", depth)
            return info
        player = to_move(state)
        best_value, best_action = -player * inf, None
        low, high = alpha, beta
        for action in actions(state):
            value = visit(result(state, action), low, high, ply + 1).value
            if value * player > best_value * player:
                best_value, best_action = value, action
                if player == MAX:
                    low = max(low, value)
                else:
                    high = min(high, value)
            if low >= high:
                counts.prune(player)
                break
        # Compared with the window as it came in: at or beyond an edge, the true value may lie further out.
        value = require_action(game, state, best_value)
        bound: Bound = "lower" if value >= beta else "upper" if value <= alpha else "exact"
        table[state] = info = SoundInfo(value, best_action, bound, depth)
        return info

    visit = watched(search, observer, counts)
    with deep_recursion():
        info = visit(state, alpha, beta, 0)
    counts.table_states = len(table)
    return info


def _answers(entry: SoundInfo, alpha: float, beta: float) -> bool:
    """Whether an entry settles a node with this window: exact, or a bound that lies outside it."""
    if entry.bound == "exact":
        return True
    return entry.value >= beta if entry.bound == "lower" else entry.value <= alpha
