"""The proof search: exact values from questions of one bit, "is it worth more than that?".

Each question is a fail-soft search with a window of no width, to the end of the game; its answer comes with a bound
that is often far better than the question, and what it learnt stays in the table for the next one.

Only for games in which no state comes back: every line ends, and every value is of the state alone.
"""

from typing import Any

from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import (
    actions,
    bounds,
    is_terminal,
    key,
    result,
    sufficient_actions,
    to_move,
    utility,
    utility_range,
)
from zermelo.compiled.states import load_state
from zermelo.engine.job import RUNNING, Job
from zermelo.engine.nodes import FIRST, canonical, enter, index_at, push, rank, reward
from zermelo.engine.proofs import (
    call_for_proof,
    forget,
    known_action,
    known_bound,
    known_value,
    make_known,
    probe_proof,
    store_proof,
)
from zermelo.engine.search import INFINITY
from zermelo.engine.table import EXACT, LOWER, UPPER
from zermelo.game import MAX, Player, State

Interval = tuple[int, int]
"""What a value lies between, both ends included."""


@kernel
def prove_all(game: CompiledGame, states: Any, lows: Any, highs: Any, fresh: int, job: Job) -> int:
    """Narrow down the values, for MAX, of the states in the rows of ``states``; how many were done.

    What a value lies between is read from ``lows`` and ``highs`` and written there: one number twice once it is
    proven. With ``fresh``, nothing learnt from one state is used for the next.
    """
    for number in range(len(states)):
        if fresh:
            forget(job)
        state = load_state(game, states[number])
        lows[number], highs[number] = narrow(game, state, lows[number], highs[number], job)
        if job.status != RUNNING:
            return number
    return len(states)


@subkernel
def narrow(game: CompiledGame, state: State, low: int, high: int, job: Job) -> Interval:
    """Ask questions until the value of ``state``, for MAX and within [low, high], is known, or time is up."""
    side = to_move(game, state)
    if not is_terminal(game, state) and job.bounds:
        least, most = bounds(game, state)
        low, high = max(low, least), min(high, most)
    if side != MAX:
        low, high = -high, -low
    state = canonical(game, state, job)
    name = key(game, state)
    while low < high:
        alpha = question(low, high)
        value = prove(game, state, name, alpha, job.bottom, job.bottom, job)
        if job.status != RUNNING:
            break
        if value > alpha:
            low = max(low, value)
        else:
            high = min(high, value)
    return (low, high) if side == MAX else (-high, -low)


@subkernel
def question(low: int, high: int) -> int:
    """What to compare the value with next: who wins, whether at all, then ever nearer from the side of the draw."""
    if low < 0 <= high:
        return -1 if high == 0 else 0
    if low >= 0:
        return low + (high - low) // 8
    return high - 1 - (high - 1 - low) // 8


@subkernel
def prove(game: CompiledGame, state: State, name: int, alpha: int, ply: int, base: int, job: Job) -> int:
    """Whether ``state`` is worth more than ``alpha`` to the player to move.

    A value above alpha means that the state is worth at least that, one of alpha or less that it is worth at most that.
    """
    # 1. Count the node; stop if told to, when the caller drops whatever comes back.
    if not enter(ply, base, job):
        return 0
    side = to_move(game, state)

    # 2. The rules ended the game.
    if is_terminal(game, state):
        job.leaves += 1
        return side * utility(game, state)

    # 3. What the rules prove at a glance.
    floor, ceiling = bounds_of(game, state, side, job)
    if floor > alpha:
        return floor
    if ceiling <= alpha:
        return ceiling

    # 4. What the table knows.
    first = -1
    if job.table:
        known = probe_proof(job, name)
        if known != 0:
            value, bound = known_value(known, job), known_bound(known)
            if (bound & LOWER and value > alpha) or (bound & UPPER and value <= alpha):
                job.table_hits += 1
                return value
            first = known_action(known, job)

    # 5. Line the actions up, call for their children's entries, and look whether one of these answers already.
    count = line_up(game, state, side, first, ply, base, job)
    if job.transposition_cutoffs and job.table:
        for place in range(base, base + count):
            child = result(game, state, job.actions[place])
            value = known_to_parent(game, child, job.names[base + index_at(place, job)], side, job)
            if value > alpha:
                job.table_hits += 1
                return value

    # 6. Search them until one is worth more than alpha; if none is, the best of them bounds the value.
    best, best_index = -INFINITY, -1
    for place in range(base, base + count):
        action = job.actions[place]
        index = index_at(place, job)
        child = canonical(game, result(game, state, action), job)
        if to_move(game, child) == side:
            value = prove(game, child, job.names[base + index], alpha, ply + 1, base + count, job)
        else:
            value = -prove(game, child, job.names[base + index], -alpha - 1, ply + 1, base + count, job)
        if job.status != RUNNING:
            return 0
        if value > best:
            best, best_index = value, index
            if value > alpha:
                reward(action, side, ply, 1, job)
                break

    # 7. Remember it; a bound that meets the opposite one of the rules is the value.
    if job.table:
        bound = LOWER if best > alpha else UPPER
        if (best > alpha and best >= ceiling) or (best <= alpha and best <= floor):
            bound = EXACT
        store_proof(job, name, make_known(best, bound, best_index if best > alpha else first, job))
    return best


@subkernel
def bounds_of(game: CompiledGame, state: State, side: Player, job: Job) -> Interval:
    """The game's bounds for ``side``; the range of utilities where they are off."""
    low, high = bounds(game, state) if job.bounds else utility_range(game)
    return (low, high) if side == MAX else (-high, -low)


@subkernel
def line_up(game: CompiledGame, state: State, side: Player, first: int, ply: int, base: int, job: Job) -> int:
    """Put the actions on the stack above ``base``, best first, and their children's names; how many there are."""
    count = 0
    if job.sufficient_actions:
        for action in sufficient_actions(game, state):
            announce(game, state, action, count, first, side, ply, base, job)
            count += 1
    else:
        for action in actions(game, state):
            announce(game, state, action, count, first, side, ply, base, job)
            count += 1
    return count


@subkernel
def announce(
    game: CompiledGame, state: State, action: int, index: int, first: int, side: Player, ply: int, base: int, job: Job
) -> None:
    """Put one action on the stack, name its child and call for its entry."""
    name = key(game, canonical(game, result(game, state, action), job))
    if job.table:
        call_for_proof(job, name)
    job.names[base + index] = name
    push(action, FIRST if index == first else rank(game, state, action, side, ply, job), index, base, job)


@subkernel
def known_to_parent(game: CompiledGame, child: State, name: int, side: Player, job: Job) -> int:
    """A lower bound of a child's value for its parent's ``side``, from the table; -INFINITY if there is none."""
    known = probe_proof(job, name)
    if known == 0:
        return -INFINITY
    if to_move(game, child) == side:
        return known_value(known, job) if known_bound(known) & LOWER else -INFINITY
    return -known_value(known, job) if known_bound(known) & UPPER else -INFINITY
