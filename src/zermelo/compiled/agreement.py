"""Comparing compiled rules with the same rules interpreted, before a game is first searched.

Python's ints have any length, and compiled ints have 64 bits. If a number exceeds 64 bits, even in an intermediate
result, compiled rules give other answers, and a proof by such rules would be worth nothing. So this module plays random
games, and compares every answer at every position. A file beside the machine code notes that a game has passed.
"""

import contextlib
import math
import random
import threading
import time
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
from numba.core import config

from zermelo.compiled.answers import NAMES, ROOM, answers, write_answers
from zermelo.compiled.apart import compile_for
from zermelo.compiled.cache import cache_folder
from zermelo.compiled.explain import explained
from zermelo.compiled.game import UNNAMED, CompiledGame
from zermelo.compiled.reach import digest
from zermelo.compiled.sealed import read_sealed, write_sealed
from zermelo.compiled.states import flatten
from zermelo.errors import NotCompilable
from zermelo.game import State

POSITIONS: Final = 400
"""The most positions to compare."""
SECONDS: Final = 0.3
"""Seconds of processor time after which no other random game begins."""
MOST_SECONDS: Final = 1.5
"""Seconds of processor time after which the running game ends, too."""
PLIES: Final = 300
"""The most plies of one game."""
ACTIONS: Final = 20_000
"""The most actions to read at one position, since rules may yield without end."""
PATIENCE: Final = 20.0
"""Seconds after which a call of compiled rules counts as one that never returns."""
ADVICE: Final = (
    "Compiled ints have 64 bits: keep numbers, and all that they are computed from, below 2**63, and use zermelo.bits "
    "for shifts and complements of words of 64 bits. The game still plays with zermelo.textbook."
)


def require_agreement(game: CompiledGame) -> None:
    """Refuse a game whose compiled rules give other answers than the interpreted ones; each game is checked once.

    Raises
    ------
    NotCompilable
        A rule does not compile, a number does not fit into 64 bits, or an answer differs; the message says which.
    """
    if config.DISABLE_JIT:
        return
    if not is_compared(game):
        _compare(game)
        file = _file(game)
        if file is not None:
            with contextlib.suppress(OSError):  # then the next process compares again
                write_sealed(file, b"")
    game.agrees = True


def is_compared(game: CompiledGame) -> bool:
    """Return whether the rules are known to agree, in this process or by the file beside the machine code."""
    file = _file(game)
    return game.agrees or (file is not None and read_sealed(file) is not None)


def _file(game: CompiledGame) -> Path | None:
    """Return the file that notes that a game has passed; None if its machine code is not kept."""
    return None if game.code.startswith(UNNAMED) else cache_folder() / game.code / f"agrees-{_method()}"


@cache
def _method() -> str:
    """Return a hash of how the rules are compared; it is part of the file's name."""
    return digest(answers, _random_positions, POSITIONS, PLIES)


def _compare(game: CompiledGame) -> None:
    """Compare the rules in a thread that can be abandoned, since compiled rules may never return.

    Raises
    ------
    NotCompilable
        As in `require_agreement`.
    """
    with explained(game):
        words = flatten(game.initial)
        compile_for(answers, game, words, words, words)
    faults: list[str | BaseException] = []
    call = _Call()

    def body() -> None:
        try:
            states = _random_positions(game)
            faults.append(next(filter(None, (difference(game, state, call) for state in states)), ""))
        except BaseException as error:  # raised again below, in the thread that asked
            faults.append(error)

    worker = threading.Thread(target=body, daemon=True)
    worker.start()
    while worker.is_alive():
        worker.join(0.05)
        if time.monotonic() - call.began > PATIENCE:
            faults.append("compiled, the rules do not return from a position where interpreted they do")
            break
    if isinstance(faults[0], BaseException):
        raise faults[0]
    if faults[0]:
        raise NotCompilable(f"{game.game!r} cannot be compiled: {faults[0]}. {ADVICE}")


class _Call:
    """When the running call of machine code began; infinity if none is running."""

    began = math.inf


def _random_positions(game: CompiledGame) -> Iterator[State]:
    """Yield the positions of random games. They are the same in every run, but a slow machine yields fewer of them."""
    chooser, began, count = random.Random(0), time.thread_time(), 0
    while count < POSITIONS:
        state = game.initial
        for _ in range(PLIES):
            yield state
            count += 1
            if time.thread_time() - began > MOST_SECONDS:
                return
            try:
                legal = [] if game.is_terminal(state) else list(islice(game.actions(state), ACTIONS))
                if not legal:
                    break
                state = game.result(state, chooser.choice(legal))
            except Exception:  # `zermelo check` reports rules that raise
                break
        if time.thread_time() - began > SECONDS:
            return


def difference(game: CompiledGame, state: State, call: _Call) -> str:
    """Return how the compiled and the interpreted rules differ at a position; an empty str if they agree.

    Parameters
    ----------
    game
        The compiled game.
    state
        The position.
    call
        Notes when the call of machine code begins.

    Raises
    ------
    NotCompilable
        An int of the state, or of a state that it leads to, does not fit into 64 bits.
    """
    words, items = flatten(state), np.zeros(ROOM, np.int64)
    plain, fast = np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int64)
    try:
        if game.key is not None and not -(1 << 63) <= game.key(state) < 1 << 64:
            return "key gives a number that does not fit into 64 bits"
        many = write_answers.py_func(game, state, plain, items)  # type: ignore[attr-defined]
    except OverflowError:
        return f"{NAMES[int(plain[np.flatnonzero(plain)[-1]])]} gives a number that does not fit into 64 bits"
    except NotCompilable:
        raise
    except Exception:  # `zermelo check` reports rules that raise
        return ""
    try:
        call.began = time.monotonic()
        compiled_many = answers(game, words, fast, items)
    except Exception as error:
        return f"compiled, the rules raise {type(error).__name__} where interpreted they do not: {error}"
    finally:
        call.began = math.inf
    if compiled_many == many and (plain == fast).all():
        return ""
    at = int(np.flatnonzero(plain != fast)[0]) if (plain != fast).any() else 0
    return (
        f"{NAMES[int(plain[at // 2 * 2])]} differs, and gives {plain[at | 1]} interpreted and {fast[at | 1]} compiled"
    )
