"""Which actions to try first: ranks, the stack of actions, and what a search learns about actions.

The table's action comes before all others. Ranks then follow the game's ``order``, then killers, then countermoves,
then history. With the switch ``losing_last``, actions that lose in the exchange come after all others.
"""

from typing import Final

from zermelo.compiled.cache import inlined, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import fill_noisy_actions, gain, has_gain, order
from zermelo.compiled.word64 import mix
from zermelo.engine.job import FOLLOW_UPS, FOLLOWED, HISTORY, TOO_DEEP, Job
from zermelo.engine.nodes import INDEX, INDEX_BITS, fitting, list_actions
from zermelo.game import MAX, Action, Player, State

FIRST: Final = 1 << 50
ORDER: Final = 1 << 23
ORDER_LIMIT: Final = 1 << 26
KILLER: Final = 1 << 22
COUNTER: Final = 1 << 21
"""Ranks: the table's action before all, the game's order before killers, these before countermoves and history."""
LOSING: Final = ORDER * ORDER_LIMIT
"""By how much the rank of an action that loses in the exchange is lowered."""
_SPREAD: Final = 40503
"""An odd number, near the golden ratio of `FOLLOW_UPS`: multiples of it fall into different places."""
_FULL: Final = 14
"""Bits of a count of the history heuristic where failures count, too."""
_STRONGEST: Final = 1 << 11
"""The most that one success or failure counts."""


@subkernel
def counted_order(game: CompiledGame, state: State, action: Action, job: Job) -> int:
    """The number that the game's order gives to an action, 0 if the switch ``order_from`` leaves it out."""
    number = order(game, state, action)
    return number if number >= job.order_from or job.order_from == 0 else 0


@subkernel
def rank(game: CompiledGame, state: State, action: Action, side: Player, ply: int, job: Job) -> int:
    """How early to try an action: by the game's order, then killers, then countermoves, then history."""
    worth = 0
    if job.order:
        worth = ORDER * max(-ORDER_LIMIT, min(ORDER_LIMIT, counted_order(game, state, action, job)))
    if job.killers and (job.killer_actions[ply, 0] == action or job.killer_actions[ply, 1] == action):
        worth += KILLER
    if job.countermoves and ply > 0 and action == job.counter_actions[_reply(side, ply, job)]:
        worth += COUNTER
    if job.history:
        worth += job.history_counts[int(side == MAX), action & (HISTORY - 1)]
    return worth


@inlined
def note_followed(ply: int, job: Job) -> None:
    """Note the hashes of the actions that an action at this ply follows, for `following`."""
    if job.follow_ups:
        for back in range(1, min(ply, FOLLOWED) + 1):
            job.followed[back] = mix(job.played[ply - back] + back) & (FOLLOW_UPS - 1)


@inlined
def following(action: Action, ply: int, job: Job) -> int:
    """How well an action follows the last ones, which `note_followed` has noted."""
    worth = 0
    if job.follow_ups:
        for back in range(1, min(ply, FOLLOWED) + 1):
            worth += job.follow_counts[_follow_up(action, back, job)]
    return worth


@subkernel
def give_rank(place: int, worth: int, index: int, job: Job) -> None:
    """Rank the action at that place of the stack, which is the ``index``-th of its node's ACTIONS.

    The index is kept in the rank's low bits, so that equal actions keep the order of ACTIONS. An action too many for
    these bits, or for the stack, ends the search.
    """
    if index > INDEX:
        job.status = TOO_DEEP
        return
    job.ranks[place] = (worth << INDEX_BITS) | (INDEX - index)


@subkernel
def take_best(place: int, end: int, job: Job) -> Action:
    """Bring the best action of those from ``place`` to ``end`` to that place of the stack, and return it.

    Most nodes need one or two actions only, so it costs less to look for each of them than to sort them all.
    """
    best, most = place, job.ranks[place]
    for other in range(place + 1, end):
        if job.ranks[other] > most:
            best, most = other, job.ranks[other]
    action = job.actions[best]
    if best > place:
        job.ranks[best], job.actions[best] = job.ranks[place], job.actions[place]
        job.ranks[place], job.actions[place] = most, action
    return action


@subkernel
def index_at(place: int, job: Job) -> int:
    """The index among ACTIONS of the action at that place of the stack."""
    return INDEX - (job.ranks[place] & INDEX)


@subkernel
def wins(game: CompiledGame, state: State, place: int, job: Job) -> bool:
    """Whether the action at that place of the stack wins in the exchange; only those that `order` prefers can."""
    if not has_gain(game) or not job.exchanges or not may_win(place, job):
        return False
    return gain(game, state, job.actions[place]) > 0


@inlined
def may_win(place: int, job: Job) -> bool:
    """Whether the game's order prefers the action at that place of the stack; no action after others is preferred."""
    return job.ranks[place] >> INDEX_BITS >= ORDER - KILLER


@subkernel
def next_action(game: CompiledGame, state: State, depth: int, place: int, end: int, job: Job) -> Action:
    """Bring the action to try next to ``place``, and return it; those that lose in the exchange come after all others.

    Only an action that the game's order puts before killers can come too early. It is looked at when its turn comes,
    since a cutoff may come before. Past the horizon, the search leaves out such actions anyway.
    """
    action = take_best(place, end, job)
    while job.losing_last and depth > 0 and ORDER - KILLER <= job.ranks[place] >> INDEX_BITS < FIRST:
        if gain(game, state, action) >= 0:
            break
        job.ranks[place] -= LOSING << INDEX_BITS
        action = take_best(place, end, job)
    return action


@subkernel
def push_actions(game: CompiledGame, state: State, side: Player, first: int, ply: int, base: int, job: Job) -> int:
    """Put the actions on the stack above ``base``, with their ranks; how many there are.

    ``first`` is the index of the one to try first, or -1.
    """
    count = list_actions(game, state, base, job)
    note_followed(ply, job)
    for index in range(count):
        action, worth = job.actions[base + index], FIRST
        if index != first:
            worth = rank(game, state, action, side, ply, job) + following(action, ply, job)
        give_rank(base + index, worth, index, job)
    return count


@subkernel
def push_noisy_actions(game: CompiledGame, state: State, side: Player, ply: int, base: int, job: Job) -> int:
    """Put the noisy actions on the stack above ``base``, with their ranks; how many there are."""
    count = fitting(fill_noisy_actions(game, state, job.actions, base, base + INDEX + 1) - base, job)
    note_followed(ply, job)
    for index in range(count):
        action = job.actions[base + index]
        worth = rank(game, state, action, side, ply, job) + following(action, ply, job)
        give_rank(base + index, worth, index, job)
    return count


@subkernel
def reward(action: Action, side: Player, ply: int, depth: int, job: Job) -> None:
    """Remember an action that cut off, for its siblings and for the rest of the tree."""
    count_pruning(side, job)
    note_killer(action, ply, job)
    number, fold = int(side == MAX), action & (HISTORY - 1)
    job.history_counts[number, fold] = min(job.history_counts[number, fold] + depth * depth + 1, KILLER - 4)


@inlined
def count_pruning(side: Player, job: Job) -> None:
    """Count a cutoff at a node of ``side``."""
    if side == MAX:
        job.prunings_max += 1
    else:
        job.prunings_min += 1


@inlined
def note_killer(action: Action, ply: int, job: Job) -> None:
    """Remember an action that cut off for its siblings."""
    if job.killer_actions[ply, 0] != action:
        job.killer_actions[ply, 1] = job.killer_actions[ply, 0]
        job.killer_actions[ply, 0] = action


@subkernel
def learn(
    game: CompiledGame, state: State, side: Player, depth: int, base: int, place: int, ply: int, job: Job
) -> None:
    """Remember that the action at that place of the stack cut off, and that those from ``base`` on did not.

    Where failures count, actions that win in the exchange do not: the game's order knows more about them.
    """
    action = job.actions[place]
    if not job.malus:
        reward(action, side, ply, depth, job)
    elif wins(game, state, place, job):
        count_pruning(side, job)
        return
    else:
        count_pruning(side, job)
        note_killer(action, ply, job)
        note_followed(ply, job)
        much = min(16 * depth * depth, _STRONGEST)
        for earlier in range(base, place):
            shift_counts(job.actions[earlier], side, -much, ply, job)
        shift_counts(action, side, much, ply, job)
    if job.countermoves and ply > 0:
        job.counter_actions[_reply(side, ply, job)] = action


@subkernel
def shift_counts(action: Action, side: Player, much: int, ply: int, job: Job) -> None:
    """Move the counts of an action in the history heuristic up or down."""
    number, fold = int(side == MAX), action & (HISTORY - 1)
    job.history_counts[number, fold] = shifted(job.history_counts[number, fold], much)
    if job.follow_ups:
        for back in range(1, min(ply, FOLLOWED) + 1):
            spot = _follow_up(action, back, job)
            job.follow_counts[spot] = shifted(job.follow_counts[spot], much)


@inlined
def shifted(count: int, much: int) -> int:
    """A count moved up or down, the less the nearer it is to its limit."""
    return count + much - ((count * abs(much)) >> _FULL)


@inlined
def _follow_up(action: Action, back: int, job: Job) -> int:
    """Where it is counted how well an action follows the one so many plies back."""
    return (job.followed[back] + action * _SPREAD) & (FOLLOW_UPS - 1)


@inlined
def _reply(side: Player, ply: int, job: Job) -> tuple[int, int]:
    """Where the countermove of ``side`` to the action of the ply before is kept."""
    return int(side == MAX), job.played[ply - 1] & (HISTORY - 1)
