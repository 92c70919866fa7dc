"""The principal variation, read from the transposition table."""

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import can_repeat, fill_actions, is_terminal, key, position_key, result
from zermelo.compiled.states import flatten, load_state
from zermelo.engine.earlier import may_meet_earlier, stood_before, table_key
from zermelo.engine.job import MAX_PLY, Job
from zermelo.engine.lookups import recall
from zermelo.engine.nodes import INDEX, canonical, list_actions
from zermelo.engine.table import EXACT, action_of, bound_of
from zermelo.game import Action, State


def principal_variation(game: CompiledGame, job: Job, state: State, action: Action) -> tuple[Action, ...]:
    """The line of play from ``state`` that the table knows, beginning with ``action``.

    Kernels write to the path and the stack of ``job``, so no thread may be searching with it.
    """
    line = np.full(MAX_PLY, action, dtype=np.int64)
    length = follow_line(game, flatten(state), line, job)
    return tuple(line[:length].tolist())


@kernel
def follow_line(game: CompiledGame, words: NDArray[np.int64], line: NDArray[np.int64], job: Job) -> int:
    """As `write_line`, from the state in ``words``."""
    return write_line(game, load_state(game, words), line, job)


@subkernel
def write_line(game: CompiledGame, state: State, line: NDArray[np.int64], job: Job) -> int:
    """Write the best actions from ``state`` on into ``line``, as far as the table knows them; how many.

    ``line[0]`` holds the first action when it is called. The table holds one of several symmetric states, so the action
    to play is one that leads to a state symmetric to where that state's best action leads. The line ends where a state
    comes back.
    """
    length = 0
    action = line[0]
    while True:
        line[length] = action
        if can_repeat(game):
            job.path[length] = position_key(game, state)
        length += 1
        state = result(game, state, action)
        if length == len(line) or is_terminal(game, state) or comes_back(game, state, length, job):
            return length
        twin = canonical(game, state, job)
        twin_key = position_key(game, twin)
        data = recall(table_key(game, twin, twin_key, job), twin_key, job)
        if data == 0 or bound_of(data) != EXACT or action_of(data) < 0:
            return length
        best = action_at(game, twin, action_of(data), job)
        goal = key(game, canonical(game, result(game, twin, best), job))
        found = False
        end = fill_actions(game, state, job.actions, job.bottom, job.bottom + INDEX + 1)
        for place in range(job.bottom, min(end, job.bottom + INDEX + 1)):
            candidate = job.actions[place]
            if not found and key(game, canonical(game, result(game, state, candidate), job)) == goal:
                action, found = candidate, True
        if not found:
            return length


@subkernel
def comes_back(game: CompiledGame, state: State, length: int, job: Job) -> bool:
    """Whether ``state`` is one of the first ``length`` of the path, or stood on the board before it."""
    if can_repeat(game):
        state_key = position_key(game, state)
        for earlier in range(length):
            if job.path[earlier] == state_key:
                return True
        return may_meet_earlier(game, state, job) and stood_before(state_key, job)
    return False


@subkernel
def action_at(game: CompiledGame, state: State, index: int, job: Job) -> Action:
    """The action of that index among those that a search looks at."""
    count = list_actions(game, state, job.bottom, job)
    return job.actions[job.bottom + index] if index < count else 0
