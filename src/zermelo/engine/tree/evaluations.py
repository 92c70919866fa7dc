"""How large static evaluations of a game are, so that they can be squashed to rewards."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import kernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import evaluate, fill_actions, is_terminal, result
from zermelo.compiled.states import load_state
from zermelo.engine.tree.chance import advance, below, seeded

GAMES: Final = 64
PLIES: Final = 200


@kernel
def typical_evaluation(game: CompiledGame, words: NDArray[np.int64], actions: NDArray[np.int64]) -> float:
    """Return the mean absolute static evaluation over the positions of some random games; at least 1."""
    start, total, count = load_state(game, words), 0.0, 0
    for number in range(GAMES):
        state, word = start, seeded(0, number)
        for _ in range(PLIES):
            if is_terminal(game, state):
                break
            total, count = total + abs(evaluate(game, state)), count + 1
            many = fill_actions(game, state, actions, 0, len(actions))
            word = advance(word)
            state = result(game, state, actions[below(min(many, len(actions)), word)])
    return max(1.0, total / max(1, count))
