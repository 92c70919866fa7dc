"""Comparing compiled rules with the same rules interpreted, function by function.

The same function calls the rules in both cases, and writes all their answers to an array (`zermelo.compiled.answers`).
"""

import random
import threading
from typing import Final

import numpy as np
from numba.core import config
from numpy.typing import NDArray

from zermelo.check.clock import Clock
from zermelo.check.inspector import Inspector, Position
from zermelo.compiled.answers import NAMES, ROOM, answers, write_answers
from zermelo.compiled.apart import compile_for
from zermelo.compiled.explain import explained
from zermelo.compiled.game import CompiledGame, compiled
from zermelo.compiled.states import flatten
from zermelo.errors import NotCompilable

PATIENCE: Final = 5.0
"""A comparison over s seconds counts as one that never returns after ``PATIENCE * (s + 1)`` seconds."""
LEAST: Final = 20
"""The fewest states to compare, however little time there is."""
SAMPLE: Final = 1_500
"""The most states to compare."""


def compare(inspector: Inspector, positions: list[Position], seed: int, seconds: float) -> int:
    """Compare compiled and interpreted rules at a sample of positions.

    Parameters
    ----------
    positions
        The positions from which to take the sample.
    seed
        The seed of the sample.
    seconds
        About how long the comparison may take, without compiling.

    Returns
    -------
    int
        The number of positions that were compared; 0 if the rules differ anywhere, never return, or do not compile.
    """
    if config.DISABLE_JIT:
        return 0
    try:
        rules = compiled(inspector.game)
        with explained(rules):
            start = flatten(inspector.game.initial)
            compile_for(answers, rules, start, start, start)
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


def _compare_all(
    inspector: Inspector, rules: CompiledGame, sample: list[Position], seconds: float, compared: list[Position]
) -> None:
    """Compare both at one position after the other, and add these to ``compared``; stop at the first difference."""
    clock = Clock()
    for position in sample:
        if (clock.now() > seconds and len(compared) >= LEAST) or inspector.has("compiled"):
            return
        _compare(inspector, rules, position)
        compared.append(position)


def _compare(inspector: Inspector, rules: CompiledGame, position: Position) -> None:
    """Compare compiled and interpreted rules at one position, and add a finding if they differ."""
    try:
        words = flatten(position.state)
        plain, fast, items = (np.zeros(ROOM, np.int64) for _ in range(3))
        many = write_answers.py_func(rules, position.state, plain, items)  # type: ignore[attr-defined]
        fault = _fault(rules, words, plain, fast, items, many)
        if fault:
            inspector.find("compiled", position, fault, _INTEGERS)
    except (NotCompilable, OverflowError, TypeError, ValueError) as error:
        said = str(error).rstrip(".")
        sentence = f"A number of the state or of what the rules give does not fit a word of 64 bits: {said}."
        inspector.find("compiled", position, sentence, _INTEGERS)


def _fault(
    rules: CompiledGame,
    words: NDArray[np.int64],
    plain: NDArray[np.int64],
    fast: NDArray[np.int64],
    items: NDArray[np.int64],
    many: int,
) -> str:
    """Return how the compiled answers differ from the interpreted ones; an empty str if they agree."""
    try:
        compiled_many = answers(rules, words, fast, items)
    except Exception as error:
        return f"Compiled, the rules raise {type(error).__name__} here: {error}; interpreted they do not."
    if compiled_many == many and (plain == fast).all():
        return ""
    at = int(np.flatnonzero(plain != fast)[0]) if (plain != fast).any() else 0
    name = NAMES[int(plain[at // 2 * 2])]
    return f"{name} differs: interpreted it gives {plain[at | 1]}, compiled {fast[at | 1]}."
