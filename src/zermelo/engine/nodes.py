"""What the searches share at a node: its place, the symmetry that stands for it, and the order of its actions."""

from typing import Final

from zermelo.compiled.cache import subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import key, order, symmetries
from zermelo.compiled.states import conform
from zermelo.compiled.word64 import mix
from zermelo.engine.job import HISTORY, INTERRUPTED, MAX_PLY, OUT_OF_NODES, RUNNING, STACK, TOO_DEEP, Job
from zermelo.game import MAX, Action, Player, State

INDEX_BITS: Final = 12
INDEX: Final = (1 << INDEX_BITS) - 1
"""At most that many actions a node."""
FIRST: Final = 1 << 50
ORDER: Final = 1 << 23
ORDER_LIMIT: Final = 1 << 26
KILLER: Final = 1 << 22
"""Ranks: the table's action before all, the game's order before killers, killers before history."""


@subkernel
def enter(ply: int, base: int, job: Job) -> bool:
    """Count a node; whether the search may go on there."""
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
    """Of the states that are the same by symmetry, the one of the least key."""
    if job.symmetries:
        least = key(game, state)
        chosen = state
        for other in symmetries(game, state):
            name = key(game, other)
            if name < least:
                least, chosen = name, conform(game, other)
        return chosen
    return state


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
    if job.jitter:  # other threads differ among equals, so that they do not all search the same
        worth += mix(action + ply) & job.jitter & 3
    return worth


@subkernel
def push(action: Action, worth: int, index: int, base: int, job: Job) -> None:
    """Insert an action into the stack above ``base``, ``index`` actions being there, best first.

    The index stands in the rank's low bits: equal actions keep the order of ACTIONS.
    """
    if index > INDEX:  # more actions than a rank can tell apart, or the stack hold
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
    """The place among ACTIONS of the action on the stack."""
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
