"""Counting the nodes of the game tree: the standard test of a move generator."""

from zermelo.game import Action, Game, State


def perft(game: Game, state: State, depth: int) -> int:
    """How many nodes lie exactly ``depth`` plies below ``state``; a game that ended earlier adds none.

    Where the rules only stop a game (`Game.is_stopped`), the moves that are left count, as in published counts.

    >>> from zermelo.games import tictactoe
    >>> game = tictactoe()
    >>> [perft(game, game.initial, depth) for depth in range(4)]
    [1, 9, 72, 504]
    """
    if depth == 0:
        return 1
    if game.is_terminal(state) and not (game.is_stopped is not None and game.is_stopped(state)):
        return 0
    if depth == 1:
        return sum(1 for _ in game.actions(state))
    return sum(perft(game, game.result(state, action), depth - 1) for action in game.actions(state))


def divide(game: Game, state: State, depth: int) -> dict[Action, int]:
    """`perft` per first action: where two generators differ, it shows under which move.

    ``depth`` is at least 1.
    """
    return {action: perft(game, game.result(state, action), depth - 1) for action in game.legal_actions(state)}
