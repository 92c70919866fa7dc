"""The states that stood on the board before the root of a search. To come back to one of them ends the game.

They are like terminal states of a game of their own, and are compared by position, which leaves out counters. Values
that were found with other earlier states, or with none, do not hold in it, so wherever an earlier state can be met,
`table_key` adds a hash of all of them to the key of a state: entries of the transposition table that were written with
other earlier states are not found. No move lowers the tier, so at states of a higher tier than theirs earlier states no
longer matter, and all searches share the entries. (`zermelo.engine.lookups.recall` tells what searches for play do.)
"""

from collections.abc import Sequence
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import can_repeat, has_counters, key, path_dependent, position_key, tier
from zermelo.compiled.states import flatten, load_state
from zermelo.compiled.word64 import mix
from zermelo.engine.job import MAX_PLY, Job
from zermelo.errors import TerminalState
from zermelo.game import State


def earlier_states(game: CompiledGame, state: State, before: Sequence[State]) -> list[State]:
    """Return those states of a game so far that play from ``state`` may come back to.

    They are of the same tier, and at most the latest `MAX_PLY` of them. ``state`` itself is left out where it has come
    back and the game goes on, as in chess, which ends at the third occurrence of a position (`Game.occurrences`).

    Raises
    ------
    TerminalState
        ``state`` itself has come back so often that the game is over.
    """
    if not game.can_repeat:
        return []
    height, present = game.tier(state), position_key(game, state)
    # No move lowers the tier, so these are the latest states of the game.
    found = list(takewhile(lambda earlier: game.tier(earlier) == height, reversed(before[-MAX_PLY:])))[::-1]
    others = [earlier for earlier in found if position_key(game, earlier) != present]
    if len(found) - len(others) + 1 >= game.game.occurrences:
        raise TerminalState("This position has come back, so the game is over, and there is nothing to search.")
    return others


def rows_of(state: State, others: Sequence[State]) -> NDArray[np.int64]:
    """Return other states of the same game as ``state`` as rows of words, of shape (states, words)."""
    words = flatten(state)
    rows = np.empty((len(others), len(words)), dtype=words.dtype)
    for number, other in enumerate(others):
        rows[number] = flatten(other)
    return rows


@subkernel
def note_earlier(game: CompiledGame, before: NDArray[np.int64], job: Job) -> None:
    """Note the keys of the states in the rows of ``before``, their highest tier, and the hash for `table_key`."""
    job.earlier = 0
    job.earlier_mark = 0
    if can_repeat(game):
        for number in range(len(before)):
            state = load_state(game, before[number])
            state_key, height = position_key(game, state), tier(game, state)
            job.earlier_keys[number] = state_key
            job.earlier_tier = height if number == 0 else max(job.earlier_tier, height)
            if not path_dependent(game):  # otherwise no value is kept where an earlier state can be met
                job.earlier_mark = mix(job.earlier_mark ^ mix(state_key))
        job.earlier = len(before)


@subkernel
def may_meet_earlier(game: CompiledGame, state: State, job: Job) -> bool:
    """Whether play from ``state`` may come to an earlier state."""
    return can_repeat(game) and job.earlier > 0 and tier(game, state) <= job.earlier_tier


@subkernel
def stood_before(state_key: int, job: Job) -> bool:
    """Whether the position of that key is one of an earlier state."""
    for number in range(job.earlier):
        if job.earlier_keys[number] == state_key:
            return True
    return False


@subkernel
def table_key(game: CompiledGame, state: State, state_key: int, job: Job) -> int:
    """The key of a state in the transposition table; ``state_key`` is that of its position.

    Values can depend on counters, so states that differ in their counters have entries of their own.
    """
    if has_counters(game):
        state_key = key(game, state)
    return state_key ^ job.earlier_mark if may_meet_earlier(game, state, job) else state_key
