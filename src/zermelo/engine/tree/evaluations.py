"""Static evaluations as a tree search asks them, and how large they are, so that they can be squashed to rewards."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import fill_actions, is_terminal, result, to_move
from zermelo.compiled.states import load_state
from zermelo.engine.network import static_score
from zermelo.engine.tree.chance import advance, below, seeded
from zermelo.engine.tree.pool import Tree
from zermelo.game import State

GAMES: Final = 64
PLIES: Final = 200


@subkernel
def evaluation_of(game: CompiledGame, state: State, tree: Tree) -> int:
    """Return the static evaluation for MAX, times ``tree.scale``: the learned one if there is one, else EVAL."""
    side = to_move(game, state)
    return side * static_score(game, state, side, tree)


@kernel
def typical_evaluation(game: CompiledGame, words: NDArray[np.int64], actions: NDArray[np.int64], tree: Tree) -> float:
    """Return the mean absolute static evaluation over the positions of some random games; at least 1."""
    start, total, count = load_state(game, words), 0.0, 0
    for number in range(GAMES):
        state, word = start, seeded(0, number)
        for _ in range(PLIES):
            if is_terminal(game, state):
                break
            total, count = total + abs(evaluation_of(game, state, tree)), count + 1
            many = fill_actions(game, state, actions, 0, len(actions))
            word = advance(word)
            state = result(game, state, actions[below(min(many, len(actions)), word)])
    return max(1.0, total / max(1, count))
