"""How threads share a search: each searches the children that no other thread is searching.

All threads search the same tree in the same order, and share one table. Where a child is much work, a thread marks the
child that it searches; other threads put that child off and take the next one. Only the first child of a node is
searched by all threads that come there: until it is known whether it cuts off, work on the other children may be
useless (young brothers wait; the marks are those of ABDADA, Weill 1996, simplified by Kerrigan 2012). A proof marks
children near the root, and a depth-limited search those of nodes that are deep enough.

Marks are hints. One that is overwritten, or seen late, costs time and never changes a value.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import inlined, subkernel
from zermelo.compiled.word64 import mix, shift_down, words_at
from zermelo.engine.job import OVERTAKEN, RUNNING, Job
from zermelo.engine.proof_table import narrowed_by_table
from zermelo.game import Action

SHARED_PLIES: Final = 12
"""The last ply at which children are shared; further down, a child is less work than the marks."""
ALONE: Final = -1
"""In place of `SHARED_PLIES`, for a thread that works on a state of its own."""
SHARED_DEPTH: Final = 3
"""The least depth at which actions of a depth-limited search are shared, on all plies."""
MARK_BITS: Final = 12
"""There are 2 to this power places for marks: far more than all threads have nodes on their paths."""
_FAR: Final = 1 << 31
_SELDOM: Final = 255
"""A thread looks at its path once in so many nodes, less one."""


@inlined
def _marks(job: Job) -> NDArray[np.int64]:
    return words_at(job.marks_address, 1 << MARK_BITS)


@inlined
def _place(key: int) -> int:
    return shift_down(mix(key), 64 - MARK_BITS)


@inlined
def action_key(state_key: int, action: Action) -> int:
    """The key of the mark of an action in a state; a proof marks children by their own keys.

    It is hardly ever 0, which an empty place looks like; `mix` of 0 is 0.
    """
    return mix(state_key ^ mix(action + 1))


@inlined
def mark(key: int, job: Job) -> None:
    """Mark the child of that key, which is about to be searched."""
    _marks(job)[_place(key)] = key


@inlined
def mark_action(state_key: int, action: Action, shared: bool, job: Job) -> None:
    """Mark an action of a depth-limited search, if it is ``shared``."""
    if shared:
        mark(action_key(state_key, action), job)


@inlined
def unmark_action(state_key: int, action: Action, shared: bool, job: Job) -> None:
    """Take the mark off an action that has been searched, if it is ``shared``."""
    if shared:
        unmark(action_key(state_key, action), job)


@inlined
def is_marked(key: int, job: Job) -> bool:
    """Whether another thread is searching the child of that key."""
    return _marks(job)[_place(key)] == key


@inlined
def unmark(key: int, job: Job) -> None:
    """Take the mark off the child of that key, which has been searched."""
    _marks(job)[_place(key)] = 0


@subkernel
def choose(place: int, base: int, end: int, job: Job) -> None:
    """Bring the next child that no other thread is searching to ``place`` on the stack, if any, and mark it."""
    if place > base:
        chosen = place
        while chosen < end and is_marked(job.keys[chosen], job):
            chosen += 1
        if chosen < end:
            action, key = job.actions[chosen], job.keys[chosen]
            for later in range(chosen, place, -1):
                job.actions[later], job.keys[later] = job.actions[later - 1], job.keys[later - 1]
            job.actions[place], job.keys[place] = action, key
    mark(job.keys[place], job)


@inlined
def announce(key: int, alpha: int, ply: int, job: Job) -> None:
    """Note the null window that is searched at this ply, for `overtaken`."""
    job.path[ply] = key
    job.alphas[ply] = alpha


@inlined
def overtaken(ply: int, job: Job) -> bool:
    """Whether another thread has answered a null window on the path; asks the table only now and then."""
    if job.shared_plies < 0 or job.nodes & _SELDOM:
        return False
    return _overtaken(ply, job)


@subkernel
def _overtaken(ply: int, job: Job) -> bool:
    for above in range(min(ply, job.shared_plies + 1)):
        alpha = job.alphas[above]
        low, high = narrowed_by_table(job.path[above], -_FAR, _FAR, job)
        if low > alpha or high <= alpha:
            job.answer = low if low > alpha else high
            job.overtaken_ply = above
            job.status = OVERTAKEN
            return True
    return False


@inlined
def answer_for(ply: int, job: Job) -> int:
    """The value of a node whose child was broken off: the other thread's, if it was broken off for that."""
    if job.status == OVERTAKEN and job.overtaken_ply == ply:
        job.status = RUNNING
        return job.answer
    return 0
