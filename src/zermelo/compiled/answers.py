"""All answers of the rules at a position, as an array of ints, to compare compiled rules with interpreted ones.

The same function, `write_answers`, calls the rules in both cases. Compiled, it calls the machine code of a game;
interpreted, it calls the Python functions of the game.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.helpers import register
from zermelo.compiled.rules import (
    bounds,
    count_actions,
    evaluate,
    fill_actions,
    fill_noisy_actions,
    fill_sufficient_actions,
    gain,
    has_gain,
    has_null_state,
    has_urgent,
    has_window_bounds,
    is_stopped,
    is_terminal,
    key,
    null_state,
    order,
    proof_order,
    repetition,
    result,
    symmetries,
    tier,
    to_move,
    urgent,
    utility,
    utility_range,
    window_bounds,
)
from zermelo.compiled.seen import seen_words
from zermelo.compiled.states import load_state, words_of
from zermelo.game import State

ROOM: Final = 1 << 14
"""The length of the array, in ints; answers that do not fit are not compared."""
NAMES: Final = (
    "is_terminal", "to_move", "key", "tier", "is_stopped", "utility", "evaluate", "bounds", "repetition",
    "actions", "order", "proof_order", "result", "sufficient_actions", "noisy_actions", "symmetries", "gain",
    "null_state", "urgent", "window_bounds", "features",
)  # fmt: skip
"""The functions of the rules; in the array, a function's index in this tuple stands before each of its answers."""
(_OVER, _MOVER, _KEY, _TIER, _STOPPED, _UTILITY, _EVALUATE, _BOUNDS, _REPETITION,
 _ACTIONS, _ORDER, _PROOF_ORDER, _RESULT, _SUFFICIENT, _NOISY, _SYMMETRIES, _GAIN,
 _NULL, _URGENT, _WINDOW, _FEATURES) = range(len(NAMES))  # fmt: skip


@kernel
def answers(game: CompiledGame, words: NDArray[np.int64], out: NDArray[np.int64], items: NDArray[np.int64]) -> int:
    """Call `write_answers` for a flat state; ``words`` has shape (ints of a state,)."""
    return write_answers(game, load_state(game, words), out, items)


def note(number: int, word: int, out: NDArray[np.int64], at: int) -> int:
    """Write a function's number and an int of its answer at ``at``, if there is room; return the next free place."""
    if at + 2 > len(out):
        return at
    out[at], out[at + 1] = number, word
    return at + 2


register(note)


@subkernel
def write_answers(game: CompiledGame, state: State, out: NDArray[np.int64], items: NDArray[np.int64]) -> int:
    """Write the answers of the rules at a state to ``out``, as pairs of a function's number and an int of its answer.

    At a terminal state it calls only is_terminal, to_move, key, tier, is_stopped and utility.

    Parameters
    ----------
    out
        Shape (`ROOM`,), int64: where to write.
    items
        The same shape: room for lists of actions.

    Returns
    -------
    int
        The number of ints written.
    """
    over = is_terminal(game, state)
    at = note(_OVER, 1 if over else 0, out, 0)
    at = note(_MOVER, to_move(game, state), out, at)
    at = note(_KEY, key(game, state), out, at)
    at = note(_TIER, tier(game, state), out, at)
    at = note(_STOPPED, 1 if is_stopped(game, state) else 0, out, at)
    if over:
        return note(_UTILITY, utility(game, state), out, at)
    at = note(_EVALUATE, evaluate(game, state), out, at)
    low, high = bounds(game, state)
    at = note(_BOUNDS, high, out, note(_BOUNDS, low, out, at))
    at = note(_REPETITION, repetition(game, state), out, at)
    begin = at - at  # not the literal 0, for which the lists would be compiled anew
    end = fill_actions(game, state, items, begin, len(items))
    if end > len(items):  # rules may yield without end
        return at
    at = note(_ACTIONS, count_actions(game, state), out, at)
    for place in range(end):
        action = items[place]
        at = note(_ORDER, order(game, state, action), out, note(_ACTIONS, action, out, at))
        at = note(_PROOF_ORDER, proof_order(game, state, action), out, at)
        for word in words_of(game, result(game, state, action)):
            at = note(_RESULT, word, out, at)
        if has_gain(game):
            at = note(_GAIN, gain(game, state, action), out, at)
    for place in range(min(len(items), fill_sufficient_actions(game, state, items, begin, len(items)))):
        at = note(_SUFFICIENT, items[place], out, at)
    for place in range(min(len(items), fill_noisy_actions(game, state, items, begin, len(items)))):
        at = note(_NOISY, items[place], out, at)
    if has_null_state(game):
        for word in words_of(game, null_state(game, state)):
            at = note(_NULL, word, out, at)
    if has_urgent(game):
        at = note(_URGENT, 1 if urgent(game, state) else 0, out, at)
    if has_window_bounds(game):
        least, most = utility_range(game)
        low, high = window_bounds(game, state, (least + most) // 2)
        at = note(_WINDOW, high, out, note(_WINDOW, low, out, at))
    words = seen_words(game, state)
    for place in range(len(words_of(game, state)), len(words)):
        at = note(_FEATURES, words[place], out, at)
    for other in symmetries(game, state):
        if at + 2 > len(out):
            return at
        for word in words_of(game, other):
            at = note(_SYMMETRIES, word, out, at)
    return at
