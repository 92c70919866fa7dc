"""Counting the nodes of the game tree: the standard test of a move generator."""

from zermelo.game import Action, Game, State


def perft(game: Game, state: State, depth: int) -> int:
    """How many nodes lie exactly ``depth`` plies below ``state``; a game that ended earlier adds none.

    Where the rules only stop a game (`Game.is_stopped`), the moves that are left count, as in published counts.

    Examples
    --------
    >>> from zermelo.games import tictactoe
    >>> game = tictactoe()
    >>> [perft(game, game.initial, depth) for depth in range(4)]
    [1, 9, 72, 504]
    """
    if depth == 0:
        return 1
    actions = moves_left(game, state)
    if depth == 1:
        return len(actions)
    return sum(perft(game, game.result(state, action), depth - 1) for action in actions)


def divide(game: Game, state: State, depth: int) -> dict[Action, int]:
    """`perft` per first action: where two generators differ, it shows under which move.

    ``depth`` is at least 1.
    """
    return {action: perft(game, game.result(state, action), depth - 1) for action in moves_left(game, state)}


def moves_left(game: Game, state: State) -> list[Action]:
    """The actions that perft counts: the legal ones, and those that are left where the rules only stop the game."""
    stopped = game.is_stopped is not None and game.is_stopped(state)
    return list(game.actions(state)) if stopped else game.legal_actions(state)
