"""Everything that the rules say of a position, as an array of ints, to compare compiled rules with interpreted ones.

The same function asks the rules in both cases: compiled, it calls the machine code of a game; interpreted, it calls the
Python functions of the game.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.helpers import register
from zermelo.compiled.rules import (
    actions,
    bounds,
    evaluate,
    is_terminal,
    key,
    noisy_actions,
    order,
    repetition,
    result,
    sufficient_actions,
    symmetries,
    tier,
    to_move,
    utility,
)
from zermelo.compiled.states import load_state, words_of
from zermelo.game import State

ROOM: Final = 1 << 14
"""The length of the array; answers that do not fit are not compared."""
NAMES: Final = (
    "is_terminal", "to_move", "key", "tier", "utility", "evaluate", "bounds", "repetition",
    "actions", "order", "result", "sufficient_actions", "noisy_actions", "symmetries",
)  # fmt: skip
"""The functions, in the order of the numbers that stand before their answers."""
(_OVER, _MOVER, _KEY, _TIER, _UTILITY, _EVALUATE, _BOUNDS, _REPETITION,
 _ACTIONS, _ORDER, _RESULT, _SUFFICIENT, _NOISY, _SYMMETRIES) = range(len(NAMES))  # fmt: skip


@kernel
def answers(game: CompiledGame, words: NDArray[np.int64], out: NDArray[np.int64]) -> int:
    """`write_answers` of a flat state."""
    return write_answers(game, load_state(game, words), out)


def note(number: int, word: int, out: NDArray[np.int64], at: int) -> int:
    """Write the number of a function and an int of its answer, if there is room; returns where to go on."""
    if at + 2 > len(out):
        return at
    out[at], out[at + 1] = number, word
    return at + 2


register(note)


@subkernel
def write_answers(game: CompiledGame, state: State, out: NDArray[np.int64]) -> int:
    """Fill ``out`` with pairs of `note`; returns how many ints were written. Terminal states are asked little."""
    over = is_terminal(game, state)
    at = note(_OVER, 1 if over else 0, out, 0)
    at = note(_MOVER, to_move(game, state), out, at)
    at = note(_KEY, key(game, state), out, at)
    at = note(_TIER, tier(game, state), out, at)
    if over:
        return note(_UTILITY, utility(game, state), out, at)
    at = note(_EVALUATE, evaluate(game, state), out, at)
    low, high = bounds(game, state)
    at = note(_BOUNDS, high, out, note(_BOUNDS, low, out, at))
    at = note(_REPETITION, repetition(game, state), out, at)
    for action in actions(game, state):
        if at + 2 > len(out):  # rules may yield without end
            return at
        at = note(_ORDER, order(game, state, action), out, note(_ACTIONS, action, out, at))
        for word in words_of(game, result(game, state, action)):
            at = note(_RESULT, word, out, at)
    for action in sufficient_actions(game, state):
        if at + 2 > len(out):
            return at
        at = note(_SUFFICIENT, action, out, at)
    for action in noisy_actions(game, state):
        if at + 2 > len(out):
            return at
        at = note(_NOISY, action, out, at)
    for other in symmetries(game, state):
        if at + 2 > len(out):
            return at
        for word in words_of(game, other):
            at = note(_SYMMETRIES, word, out, at)
    return at
