"""Counting the nodes of the game tree, compiled: the fast twin of `zermelo.textbook.perft`."""

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.agreement import require_agreement
from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.explain import explained
from zermelo.compiled.game import CompiledGame, compiled
from zermelo.compiled.rules import actions, is_terminal, result
from zermelo.compiled.states import flatten, load_state
from zermelo.game import Game, State


def perft(game: Game, state: State, depth: int) -> int:
    """Return how many nodes lie exactly ``depth`` plies below ``state``; games that end earlier do not count.

    Raises
    ------
    NotCompilable
        The game's rules do not compile, or give other answers compiled than interpreted.
    """
    rules = compiled(game)
    require_agreement(rules)
    with explained(rules):
        return _perft(rules, flatten(state), depth)


@kernel
def _perft(game: CompiledGame, words: NDArray[np.int64], depth: int) -> int:
    return _count(game, load_state(game, words), depth)


@subkernel
def _count(game: CompiledGame, state: State, depth: int) -> int:
    if depth == 0:
        return 1
    if is_terminal(game, state):
        return 0
    total = 0
    if depth == 1:
        for _ in actions(game, state):
            total += 1
        return total
    for action in actions(game, state):
        total += _count(game, result(game, state, action), depth - 1)
    return total
