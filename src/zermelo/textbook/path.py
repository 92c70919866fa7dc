"""System 4: a maximizing and a minimizing method that call each other, limited in depth and in width.

Both rate every position for the player at the root: UTILITY at the end of the game, else EVAL, turned
to that player's side. The maximizing method takes the moves of the player at the root, the minimizing
one those of the opponent; a player who moves twice in a row stays in the same method. They return the
value, the best path and the situation after the best move.

This is the one system whose values are the root player's and not MAX's; `zermelo.textbook.systems`
translates. As in the handout, a rating is returned as it is, even outside the window; a method whose moves
all miss the window returns the edge that they missed, and no path, since no move was better than it.

Source: M. Redmond, La Salle University, CSC 456, *Minimax Alpha-Beta Pruning Added Pseudo Code*; the limit on
width after C. Shannon's type B strategy, *Programming a Computer for Playing Chess* (1950).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from zermelo.game import MAX, Action, Game, Player, State
from zermelo.result import SearchCounts
from zermelo.textbook.observer import Observer, watched
from zermelo.textbook.recursion import deep_recursion
from zermelo.textbook.rules import evaluation


class Path(NamedTuple):
    """What the two methods return."""

    value: float
    """For the player at the root; a value at or beyond an edge of the window is a bound."""
    path: tuple[Any, ...]
    """The best line from this position, as actions; the null path, ``()``, if no move was better."""
    situation: State
    """The state after the best move; None if the path is null."""


Method = Callable[[State, float, float, int], Path]


def minimax_max(
    game: Game,
    state: State,
    depth_so_far: int,
    alpha: float,
    beta: float,
    max_depth: int,
    max_width: int,
    *,
    player: Player | None = None,
    counts: SearchCounts | None = None,
    observer: Observer | None = None,
) -> Path:
    """The best that the player to move at ``state`` can reach, rated for that player.

    Parameters
    ----------
    game, state
        The rules, which need an EVAL, and where to start.
    depth_so_far
        Plies from the root; 0 there.
    alpha, beta
        The window, from the root player's point of view.
    max_depth
        How many plies from the root to look ahead.
    max_width
        How many of a position's moves to look at, best first.
    player
        The player at the root; the one to move at ``state`` if not given.
    counts
        Added to, if given.
    observer
        Receives what happens, if given; values and windows are the root player's.

    Raises
    ------
    BadParameter
        The game has no EVAL.
    """
    player = game.to_move(state) if player is None else player
    maximize, _ = _methods(game, player, max_depth, max_width, counts or SearchCounts(), observer)
    with deep_recursion():
        return maximize(state, alpha, beta, depth_so_far)


def minimax_min(
    game: Game,
    state: State,
    depth_so_far: int,
    alpha: float,
    beta: float,
    max_depth: int,
    max_width: int,
    *,
    player: Player | None = None,
    counts: SearchCounts | None = None,
    observer: Observer | None = None,
) -> Path:
    """The worst that the player to move at ``state`` can hold the other, who is at the root, to; see `minimax_max`."""
    player = -game.to_move(state) if player is None else player
    _, minimize = _methods(game, player, max_depth, max_width, counts or SearchCounts(), observer)
    with deep_recursion():
        return minimize(state, alpha, beta, depth_so_far)


def _methods(
    game: Game, player: Player, max_depth: int, max_width: int, counts: SearchCounts, observer: Observer | None
) -> tuple[Method, Method]:
    """The two methods, bound to what stays the same during a search."""
    rate = _rating(game, player)
    successors = best_successors(game, max_width, counts)

    def enter(state: State, depth: int) -> list[tuple[Action, State]]:
        """Count the node, and find its successors; none where the position is to be rated."""
        counts.nodes += 1
        counts.max_depth = max(counts.max_depth, depth)
        if not game.is_terminal(state) and depth >= max_depth:
            counts.cutoffs += 1
            return []
        return successors(state)

    def method_for(state: State) -> Method:
        return watched_maximize if game.to_move(state) == player else watched_minimize

    def maximize(state: State, alpha: float, beta: float, depth: int) -> Path:
        moves = enter(state, depth)
        if not moves:
            counts.leaves += 1
            return Path(rate(state), (), None)
        best_path: tuple[Any, ...] = ()
        situation = None
        for action, child in moves:
            found = method_for(child)(child, alpha, beta, depth + 1)
            if found.value > alpha:
                alpha = found.value
                best_path, situation = (action, *found.path), child
            if alpha >= beta:
                counts.prune(player)
                break
        return Path(alpha, best_path, situation)

    def minimize(state: State, alpha: float, beta: float, depth: int) -> Path:
        moves = enter(state, depth)
        if not moves:
            counts.leaves += 1
            return Path(rate(state), (), None)
        best_path: tuple[Any, ...] = ()
        situation = None
        for action, child in moves:
            found = method_for(child)(child, alpha, beta, depth + 1)
            if found.value < beta:
                beta = found.value
                best_path, situation = (action, *found.path), child
            if alpha >= beta:
                counts.prune(-player)
                break
        return Path(beta, best_path, situation)

    watched_maximize, watched_minimize = (watched(method, observer, counts) for method in (maximize, minimize))
    return watched_maximize, watched_minimize


def _rating(game: Game, player: Player) -> Callable[[State], int]:
    """A position's rating for ``player``, whoever is to move there."""
    evaluate = evaluation(game)
    return lambda state: player * (game.utility(state) if game.is_terminal(state) else evaluate(state))


def best_successors(game: Game, max_width: int, counts: SearchCounts) -> Callable[[State], list[tuple[Action, State]]]:
    """A function that finds the best ``max_width`` successors of a state, best first for the player to move there."""
    order, rate = game.order, _rating(game, MAX)

    def successors(state: State) -> list[tuple[Action, State]]:
        if game.is_terminal(state):
            return []
        moves = [(action, game.result(state, action)) for action in game.actions(state)]
        # Python's sort is stable: equal moves stay in the handout's order.
        if order is not None:
            moves.sort(key=lambda move: order(state, move[0]), reverse=True)
        else:
            mover = game.to_move(state)
            moves.sort(key=lambda move: mover * rate(move[1]), reverse=True)
        counts.dropped += max(0, len(moves) - max_width)
        return moves[:max_width]

    return successors
