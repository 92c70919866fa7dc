"""The rules as machine code against the same rules interpreted, function by function.

What asks the questions is written once: compiled it calls the machine code of a game, and its Python body calls the
functions as they stand, with the very state. Both write what they learn into an array of words.
"""

import random
import threading
from typing import Any, Final

import numpy as np
from numba.core import config

from zermelo.check.clock import Clock
from zermelo.check.inspector import Inspector, Position
from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.explain import explained
from zermelo.compiled.game import CompiledGame, compiled
from zermelo.compiled.rules import (
    actions,
    bounds,
    evaluate,
    is_terminal,
    key,
    noisy_actions,
    order,
    result,
    sufficient_actions,
    symmetries,
    to_move,
    utility,
)
from zermelo.compiled.states import flatten, load_state, words_of
from zermelo.errors import NotCompilable
from zermelo.game import State

ROOM: Final = 1 << 14
"""Words that one state may need."""
PATIENCE: Final = 5.0
"""Times the seconds, and one more, after which compiled rules are taken for ones that never return."""
LEAST: Final = 20
"""States to compare, however little time there is."""
SAMPLE: Final = 1_500
"""States to compare, at most."""
FACTS: Final = ("is_terminal", "to_move", "key", "utility", "evaluate", "bounds", "bounds")
LISTS: Final = ("actions", "order", "result", "sufficient_actions", "noisy_actions", "symmetries")


@kernel
def facts(game: CompiledGame, words: Any, out: Any) -> int:
    """`write_facts` of a flat state."""
    return write_facts(game, load_state(game, words), out)


@kernel
def lists(game: CompiledGame, words: Any, out: Any) -> int:
    """`write_lists` of a flat state."""
    return write_lists(game, load_state(game, words), out)


@subkernel
def write_facts(game: CompiledGame, state: State, out: Any) -> int:
    """What a state is: one word for each of `FACTS`; how many were written."""
    over = is_terminal(game, state)
    out[0], out[1], out[2] = over, to_move(game, state), key(game, state)
    if over:
        out[3] = utility(game, state)
        return 4
    low, high = bounds(game, state)
    out[3], out[4], out[5], out[6] = 0, evaluate(game, state), low, high
    return 7


@subkernel
def write_lists(game: CompiledGame, state: State, out: Any) -> int:
    """What a state leads to: rows of a number of `LISTS` and a word; how many words were written.

    It is asked of states that are not terminal. Where the room is full it stops.
    """
    at = 0
    for action in actions(game, state):
        child = words_of(game, result(game, state, action))
        if at + 2 * (len(child) + 2) > len(out):
            return at
        out[at], out[at + 1], out[at + 2], out[at + 3] = 0, action, 1, order(game, state, action)
        at += 4
        for word in child:
            out[at], out[at + 1] = 2, word
            at += 2
    for action in sufficient_actions(game, state):
        if at + 2 > len(out):
            return at
        out[at], out[at + 1] = 3, action
        at += 2
    for action in noisy_actions(game, state):
        if at + 2 > len(out):
            return at
        out[at], out[at + 1] = 4, action
        at += 2
    for other in symmetries(game, state):
        image = words_of(game, other)
        if at + 2 * len(image) > len(out):
            return at
        for word in image:
            out[at], out[at + 1] = 5, word
            at += 2
    return at


def compare(inspector: Inspector, positions: list[Position], seed: int, seconds: float) -> int:
    """Compare both kinds of rules on a sample of positions for some seconds; on how many they agree, 0 if they differ.

    Compiling comes on top of the time.
    """
    if config.DISABLE_JIT:
        return 0
    try:
        rules = compiled(inspector.game)
        with explained(rules):
            start = flatten(inspector.game.initial)
            facts.compile(_signature(rules, start))  # type: ignore[attr-defined]
            lists.compile(_signature(rules, start))  # type: ignore[attr-defined]
    except NotCompilable as refusal:
        advice = "To play the engine and to solve quickly, write it so; everything interpreted works as it is."
        inspector.find("not compilable", None, str(refusal), advice, "note")
        return 0
    sample = random.Random(seed).sample(positions, min(SAMPLE, len(positions)))
    compared: list[Position] = []
    worker = threading.Thread(target=_compare_all, args=(inspector, rules, sample, seconds, compared), daemon=True)
    worker.start()
    worker.join(PATIENCE * (seconds + 1))
    if worker.is_alive():
        sentence = "The compiled rules do not return from some position, and the interpreted ones do."
        inspector.find("compiled hangs", None, sentence, _INTEGERS)
        return 0
    return 0 if inspector.has("compiled") else len(compared)


_INTEGERS: Final = (
    "Compiled ints have 64 bits, // and % and >> of mixed widths may differ: keep numbers below 2**63, "
    "and use zermelo.bits for shifts and complements of 64-bit words."
)


def _signature(rules: CompiledGame, words: Any) -> tuple[Any, ...]:
    import numba

    return tuple(numba.typeof(one) for one in (rules, words, words))


def _compare_all(
    inspector: Inspector, rules: CompiledGame, sample: list[Position], seconds: float, compared: list[Position]
) -> None:
    clock = Clock()
    for position in sample:
        if (clock.now() > seconds and len(compared) >= LEAST) or inspector.has("compiled"):
            return
        _compare(inspector, rules, position)
        compared.append(position)


def _compare(inspector: Inspector, rules: CompiledGame, position: Position) -> None:
    """One position both ways."""
    try:
        words = flatten(position.state)
        for ask, plainly, names in ((facts, write_facts, FACTS), (lists, write_lists, LISTS)):
            if ask is lists and position.terminal is not False:
                return
            plain, fast = np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int64)
            many = plainly.py_func(rules, position.state, plain)  # type: ignore[attr-defined]
            fault = _fault(names, ask, rules, words, plain, fast, many)
            if fault:
                inspector.find("compiled", position, fault, _INTEGERS)
                return
    except (OverflowError, TypeError, ValueError) as error:
        sentence = f"A number of the state or of what the rules give does not fit a word of 64 bits: {error}."
        inspector.find("compiled", position, sentence, _INTEGERS)


def _fault(names: Any, ask: Any, rules: Any, words: Any, plain: Any, fast: Any, many: int) -> str:
    """What the compiled kernel gives that the interpreted one did not; empty where they agree."""
    try:
        compiled_many = ask(rules, words, fast)
    except Exception as error:
        return f"Compiled, the rules raise {type(error).__name__} here: {error}; interpreted they do not."
    if compiled_many == many and (plain == fast).all():
        return ""
    at = int(np.flatnonzero(plain != fast)[0]) if (plain != fast).any() else 0
    name = names[at] if ask is facts else names[int(plain[at - at % 2])]
    return f"{name} differs: interpreted it gives {plain[at]}, compiled {fast[at]}."
