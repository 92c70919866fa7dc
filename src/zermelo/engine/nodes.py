"""What the searches share at a node: its place, the symmetric state that stands for it, and its actions."""

from typing import Final

from zermelo.compiled.cache import inlined, subkernel
from zermelo.compiled.clock import is_past
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import fill_actions, fill_sufficient_actions, key, symmetries
from zermelo.compiled.states import conform
from zermelo.engine.earlier import may_meet_earlier
from zermelo.engine.job import INTERRUPTED, MAX_PLY, OUT_OF_NODES, RUNNING, STACK, TOO_DEEP, Job
from zermelo.game import State

INDEX_BITS: Final = 12
INDEX: Final = (1 << INDEX_BITS) - 1
"""The most actions of a node, less one."""
_SELDOM: Final = 31
"""A search looks at the clock at one of so many nodes, and one."""


@subkernel
def enter(ply: int, base: int, job: Job) -> bool:
    """Count a node; whether the search may go on."""
    if job.nodes & _SELDOM == 0 and is_past(job.deadline):
        job.stop = 1
    job.nodes += 1
    job.max_ply = max(job.max_ply, ply)
    if job.stop:
        job.status = INTERRUPTED
    elif job.nodes > job.node_limit:
        job.status = OUT_OF_NODES
    elif ply >= MAX_PLY or base + INDEX >= STACK:
        job.status = TOO_DEEP
    return job.status == RUNNING


@subkernel
def canonical(game: CompiledGame, state: State, job: Job) -> State:
    """The state with the least key among ``state`` and those that are symmetric to it, where they count as one.

    Where play may come to a state before the root, it is ``state`` itself: a state that is only symmetric to an earlier
    one has not come back.
    """
    if job.folds and not may_meet_earlier(game, state, job):
        least = key(game, state)
        chosen = state
        for other in symmetries(game, state):
            other_key = key(game, other)
            if other_key < least:
                least, chosen = other_key, conform(game, other)
        return chosen
    return state


@subkernel
def is_symmetric(game: CompiledGame, state: State) -> bool:
    """Whether a symmetry leaves ``state`` as it is, such as a board that is equal to its mirror image."""
    own = key(game, state)
    for other in symmetries(game, state):
        if key(game, other) == own:
            return True
    return False


@subkernel
def list_actions(game: CompiledGame, state: State, base: int, job: Job) -> int:
    """Put the actions that are to be searched on the stack above ``base``, in the game's order; how many there are."""
    if job.sufficient_actions:
        end = fill_sufficient_actions(game, state, job.actions, base, base + INDEX + 1)
    else:
        end = fill_actions(game, state, job.actions, base, base + INDEX + 1)
    return fitting(end - base, job)


@inlined
def fitting(count: int, job: Job) -> int:
    """The number of actions that were listed; one more than a rank can tell apart ends the search."""
    if count > INDEX + 1:
        job.status = TOO_DEEP
        return INDEX + 1
    return count
