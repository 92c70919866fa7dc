"""Whether compiled rules say what the same rules say interpreted: looked at before a game is first searched.

Python's ints have no end, and the machine's have 64 bits: rules that leave them, if only on the way to a result, give
other answers compiled, and nothing that a search proves by them would be true. So random games are played by both, and
every answer to every position on the way is compared. What was found in order is noted beside the machine code.
"""

import contextlib
import math
import random
import threading
import time
from collections.abc import Iterator
from functools import cache
from itertools import islice
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
"""Positions that are compared, at most."""
SECONDS: Final = 0.3
"""Of work, after which no other game is begun; one is played in any case, but not for longer than:"""
MOST_SECONDS: Final = 1.5
PLIES: Final = 300
"""Of one game, at most."""
ACTIONS: Final = 20_000
"""Of one position, at most: rules may yield without end."""
PATIENCE: Final = 20.0
"""Seconds after which compiled rules are taken for ones that never return."""
ADVICE: Final = (
    "Compiled ints have 64 bits: keep numbers, and all that they are computed from, below 2**63, and use zermelo.bits "
    "for shifts and complements of words of 64 bits. The game still plays with zermelo.textbook."
)


def require_agreement(game: CompiledGame) -> None:
    """Refuse a game whose compiled rules answer otherwise than the interpreted ones; done once for each game.

    Raises
    ------
    NotCompilable
        A number does not fit into 64 bits, or an answer differs; the message says which.
    """
    if game.agrees or config.DISABLE_JIT:
        return
    file = None if game.code.startswith(UNNAMED) else cache_folder() / game.code / f"agrees-{_method()}"
    if file is None or read_sealed(file) is None:
        _compare(game)
        if file is not None:
            with contextlib.suppress(OSError):  # then the next process compares again
                write_sealed(file, b"")
    game.agrees = True


@cache
def _method() -> str:
    return digest(answers, _random_positions, POSITIONS, PLIES)


def _compare(game: CompiledGame) -> None:
    """Play and compare, in a thread that can be given up: rules that end in Python may never end compiled."""
    with explained(game):
        words = flatten(game.initial)
        compile_for(answers, game, words, words)
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
    """When the call of machine code under way began; never, where none is."""

    began = math.inf


def _random_positions(game: CompiledGame) -> Iterator[State]:
    """The positions of random games, one after the other; always the same ones, as far as they come."""
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
            except Exception:  # that rules raise is for `zermelo check` to say
                break
        if time.thread_time() - began > SECONDS:
            return


def difference(game: CompiledGame, state: State, call: _Call) -> str:
    """What the compiled rules say of a position and the interpreted ones do not; empty where they agree.

    Raises
    ------
    NotCompilable
        An int of the state, or of one that it leads to, does not fit into 64 bits.
    """
    words, plain, fast = flatten(state), np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int64)
    try:
        if game.key is not None and not -(1 << 63) <= game.key(state) < 1 << 64:
            return "key gives a number that does not fit into 64 bits"
        many = write_answers.py_func(game, state, plain)  # type: ignore[attr-defined]
    except OverflowError:
        return f"{NAMES[int(plain[np.flatnonzero(plain)[-1]])]} gives a number that does not fit into 64 bits"
    except NotCompilable:
        raise
    except Exception:  # as above
        return ""
    try:
        call.began = time.monotonic()
        compiled_many = answers(game, words, fast)
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
