"""What the searches share at a node: its place, the symmetric state that stands for it, its actions and their order."""

from typing import Final

from zermelo.compiled.cache import inlined, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import fill_actions, fill_sufficient_actions, key, order, symmetries
from zermelo.compiled.states import conform
from zermelo.compiled.word64 import mix
from zermelo.engine.earlier import may_meet_earlier
from zermelo.engine.job import HISTORY, INTERRUPTED, MAX_PLY, OUT_OF_NODES, RUNNING, STACK, TOO_DEEP, Job
from zermelo.game import MAX, Action, Player, State

INDEX_BITS: Final = 12
INDEX: Final = (1 << INDEX_BITS) - 1
"""The most actions of a node, less one."""
FIRST: Final = 1 << 50
ORDER: Final = 1 << 23
ORDER_LIMIT: Final = 1 << 26
KILLER: Final = 1 << 22
"""Ranks: the table's action before all, the game's order before killers, killers before history."""


@subkernel
def enter(ply: int, base: int, job: Job) -> bool:
    """Count a node; whether the search may go on."""
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
    """The state with the least key among ``state`` and those that are symmetric to it.

    Where play may come to a state before the root, it is ``state`` itself: a state that is only symmetric to an earlier
    one has not come back.
    """
    if job.symmetries and not may_meet_earlier(game, state, job):
        least = key(game, state)
        chosen = state
        for other in symmetries(game, state):
            other_key = key(game, other)
            if other_key < least:
                least, chosen = other_key, conform(game, other)
        return chosen
    return state


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


@subkernel
def rank(game: CompiledGame, state: State, action: Action, side: Player, ply: int, job: Job) -> int:
    """How early to try an action: by the game's order, then killers, then history."""
    worth = 0
    if job.order:
        worth = ORDER * max(-ORDER_LIMIT, min(ORDER_LIMIT, order(game, state, action)))
    if job.killers and (job.killer_actions[ply, 0] == action or job.killer_actions[ply, 1] == action):
        worth += KILLER
    if job.history:
        worth += job.history_counts[int(side == MAX), action & (HISTORY - 1)]
    if job.jitter:  # threads order equal actions differently, so that they do not all search the same
        worth += mix(action + ply) & job.jitter & 3
    return worth


@subkernel
def push(action: Action, worth: int, index: int, base: int, job: Job) -> None:
    """Insert an action among the ``index`` actions that stand above ``base``, best first.

    The index is kept in the rank's low bits, so that equal actions keep the order of ACTIONS. An action too many for
    these bits, or for the stack, ends the search.
    """
    if index > INDEX:
        job.status = TOO_DEEP
        return
    whole = (worth << INDEX_BITS) | (INDEX - index)
    place = base + index
    while place > base and job.ranks[place - 1] < whole:
        job.ranks[place] = job.ranks[place - 1]
        job.actions[place] = job.actions[place - 1]
        place -= 1
    job.ranks[place] = whole
    job.actions[place] = action


@subkernel
def index_at(place: int, job: Job) -> int:
    """The index among ACTIONS of the action at that place of the stack."""
    return INDEX - (job.ranks[place] & INDEX)


@subkernel
def reward(action: Action, side: Player, ply: int, depth: int, job: Job) -> None:
    """Remember an action that cut off, for its siblings and for the rest of the tree."""
    if side == MAX:
        job.prunings_max += 1
    else:
        job.prunings_min += 1
    if job.killer_actions[ply, 0] != action:
        job.killer_actions[ply, 1] = job.killer_actions[ply, 0]
        job.killer_actions[ply, 0] = action
    number, fold = int(side == MAX), action & (HISTORY - 1)
    job.history_counts[number, fold] = min(job.history_counts[number, fold] + depth * depth + 1, KILLER - 4)
