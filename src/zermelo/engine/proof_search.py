"""The proof search: exact values from null windows, each of which asks "is it worth more than that?".

Each null window is searched fail-soft and to the end of the game. The answer often bounds the value far better than the
window asked for, and what it learnt stays in the table for the next one.

Only for games in which no state comes back: every line ends, and every value is of the state alone.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import inlined, kernel, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import (
    bounds,
    has_previews,
    has_proof_order,
    has_window_bounds,
    is_terminal,
    key,
    proof_order,
    result,
    to_move,
    utility,
    utility_range,
    window_bounds,
)
from zermelo.compiled.states import load_state
from zermelo.compiled.table_probe import PLIES, UNSOLVED, solved_outcome
from zermelo.engine.job import RUNNING, Job
from zermelo.engine.nodes import canonical, enter, list_actions
from zermelo.engine.ordering import rank, reward
from zermelo.engine.previews import forget_sizes, is_large, note_size, worth_by_preview
from zermelo.engine.proof_table import (
    fetch_proof_ahead,
    forget,
    known_bound,
    known_value,
    make_known,
    narrowed_by_table,
    probe_proof,
    store_proof,
)
from zermelo.engine.scores import INFINITY
from zermelo.engine.sharing import announce, answer_for, choose, overtaken, unmark
from zermelo.engine.table import LOWER, UPPER
from zermelo.engine.windows import next_alpha
from zermelo.game import MAX, Action, Player, State

Interval = tuple[int, int]
"""The least and the greatest value possible."""
SYMMETRIC_PLIES: Final = 16
"""Symmetric states count as one as far from the root as that; further on they seldom meet."""
choose_alpha: Final = subkernel(next_alpha)


@kernel
def prove_all(
    game: CompiledGame,
    states: NDArray[np.int64],
    lows: NDArray[np.int64],
    highs: NDArray[np.int64],
    fresh: int,
    line: NDArray[np.int64],
    job: Job,
) -> int:
    """Narrow down the values, for MAX, of the states in the rows of ``states``; how many were done.

    ``lows`` and ``highs``, one number for each state, say what the values lie between; they are narrowed in place, and
    are equal where a value is proven. With ``fresh``, nothing learnt from one state is used for the next.

    If ``line`` has more than one place, the best play from the last state is written there from place 1 on, and its
    length to place 0. The nodes that this takes are not counted.
    """
    for number in range(len(states)):
        if fresh:
            forget(job)
        state = load_state(game, states[number])
        lows[number], highs[number] = narrow(game, state, lows[number], highs[number], job)
        if job.status != RUNNING:
            return number
        if len(line) > 1 and number == len(states) - 1 and lows[number] == highs[number]:
            nodes, leaves = job.nodes, job.leaves
            line[0] = keep(game, state, lows[number], line, job)
            job.nodes, job.leaves, job.status = nodes, leaves, RUNNING
    return len(states)


@subkernel
def keep(game: CompiledGame, state: State, value: int, line: NDArray[np.int64], job: Job) -> int:
    """Write actions that keep the proven ``value`` of ``state``, for MAX, to ``line`` from place 1 on; how many.

    Nearly all of what it asks is in the table, since the proof came by.
    """
    for length in range(len(line) - 1):
        if is_terminal(game, state):
            return length
        found = False
        side = to_move(game, state)
        count = push_all_actions(game, state, side, length, job)
        for search in range(2):  # first what is known, then what is to be searched
            for place in range(job.bottom, job.bottom + count):
                if not found:
                    line[length + 1] = job.actions[place]
                    child = representative(game, result(game, state, job.actions[place]), length + 1, job)
                    found = keeps(game, child, side, side * value, search, job.bottom + count, job)
        if not found or job.status != RUNNING:
            return length
        state = result(game, state, line[length + 1])
    return len(line) - 1


@subkernel
def push_all_actions(game: CompiledGame, state: State, side: Player, ply: int, job: Job) -> int:
    """Put the actions on the stack in the order in which `prove` tries them; how many there are.

    In this order the table most likely knows the action that keeps a value, or the search finds it soonest.
    """
    count = list_actions(game, state, job.bottom, job)
    for done in range(count):
        action = job.actions[job.bottom + done]
        worth = worth_trying(game, state, action, side, ply, job)
        push_with_key(action, 0, worth, job.bottom, job.bottom + done, job)
    return count


@subkernel
def keeps(game: CompiledGame, child: State, side: Player, worth: int, search: int, base: int, job: Job) -> bool:
    """Whether ``child`` is worth ``worth`` to ``side``; it is worth no more. Without ``search``, if that is known."""
    low, high = limits(game, child, side, job)
    mover, child_key = to_move(game, child), key(game, child)
    if low < worth <= high and job.table:
        if mover == side:
            low, high = narrowed_by_table(child_key, low, high, job)
        else:
            least, most = narrowed_by_table(child_key, -high, -low, job)
            low, high = -most, -least
    if search and low < worth <= high:
        if mover == side:
            low = prove(game, child, child_key, worth - 1, job.bottom, base, job)
        else:
            low = -prove(game, child, child_key, -worth, job.bottom, base, job)
    return low >= worth


@subkernel
def narrow(game: CompiledGame, state: State, low: int, high: int, job: Job) -> Interval:
    """Search null windows until the value of ``state``, for MAX and within [low, high], is known, or time is up."""
    side = to_move(game, state)
    least, most = limits(game, state, MAX, job)
    low, high = max(low, least), min(high, most)
    if side != MAX:
        low, high = -high, -low
    state = representative(game, state, job.bottom, job)
    state_key = key(game, state)
    if job.table:
        low, high = narrowed_by_table(state_key, low, high, job)
    forget_sizes(job)
    while low < high:
        alpha = choose_alpha(low, high)
        value = prove(game, state, state_key, alpha, job.bottom, job.bottom, job)
        if job.status != RUNNING:
            break
        if value > alpha:
            low = max(low, value)
        else:
            high = min(high, value)
    return (low, high) if side == MAX else (-high, -low)


@subkernel
def prove(game: CompiledGame, state: State, state_key: int, alpha: int, ply: int, base: int, job: Job) -> int:
    """Whether ``state`` is worth more than ``alpha`` to the player to move.

    A value above alpha means that the state is worth at least that, one of alpha or less that it is worth at most that.
    The caller has made sure that neither the rules nor the game's bounds answer.
    """
    # 1. Count the node. If the search must stop, the caller ignores what is returned here.
    if not enter(ply, base, job) or overtaken(ply, job):
        return 0
    side = to_move(game, state)

    # 2. Ask the table, unless step 4 of the parent did and no other thread can have answered since.
    shared = ply <= job.shared_plies
    if job.table and (shared or not job.transposition_cutoffs):
        low, high = narrowed_by_table(state_key, -INFINITY, INFINITY, job)
        if low > alpha or high <= alpha:
            job.table_hits += 1
            return low if low > alpha else high

    # 3. Put the actions on the stack whose children the rules and bounds leave open, and fetch the children's entries.
    #    A child that answers is found here, before any is searched; each other decided child bounds the value.
    before = job.nodes - job.previewed
    best, count = push_open_actions(game, state, side, alpha, ply, base, job)
    if best > alpha or job.status != RUNNING:
        return best
    forced = count == 1

    # 4. The same with what the table knows of the children (enhanced transposition cutoffs).
    if job.table and job.transposition_cutoffs:
        best, count = drop_known_actions(game, state, side, alpha, best, count, base, job)
        if best > alpha:
            return best

    # 5. Search the others until one is worth more than alpha; if none is, the best of all bounds the value.
    if shared:
        announce(state_key, alpha, ply, job)
    for place in range(base, base + count):
        if shared:
            choose(place, base, base + count, job)
        child, child_key = representative(game, result(game, state, job.actions[place]), ply + 1, job), job.keys[place]
        if to_move(game, child) == side:
            value = prove(game, child, child_key, alpha, ply + 1, base + count, job)
        else:
            value = -prove(game, child, child_key, -alpha - 1, ply + 1, base + count, job)
        if shared:
            unmark(child_key, job)
        if job.status != RUNNING:
            return answer_for(ply, job)
        if value > best:
            best = value
            if value > alpha:
                if not has_proof_order(game):
                    reward(job.actions[place], side, ply, 1, job)
                break

    if has_previews(game):
        note_size(job.nodes - job.previewed - before, ply, job)

    # 6. Remember it, unless one action was open: that is as quickly searched again as looked up.
    if job.table and not forced:
        store_proof(job, state_key, make_known(best, LOWER if best > alpha else UPPER, job))
    return best


@inlined
def limits(game: CompiledGame, state: State, side: Player, job: Job) -> Interval:
    """The least and the greatest value of ``state`` for ``side``, by the rules and solved tables alone.

    Not by the bounds of a game with `window_bounds`, which `limits_in_window` asks: they would be compiled for nothing.
    """
    if is_terminal(game, state):
        low = high = utility(game, state)
    elif job.bounds and not has_window_bounds(game):
        low, high = bounds(game, state)
    else:
        low, high = utility_range(game)
    if job.solved_tables and low < high:
        known = solved_outcome(game, state, job.solved_address, job.solved_tables)
        if known != UNSOLVED:
            low = high = known // PLIES
    return (low, high) if side == MAX else (-high, -low)


@inlined
def limits_in_window(game: CompiledGame, state: State, side: Player, alpha: int, job: Job) -> Interval:
    """As `limits`, for a search that only asks whether the value for ``side`` is more than ``alpha``."""
    low, high = limits(game, state, side, job)
    if has_window_bounds(game) and job.bounds and low <= alpha < high:
        least, most = window_bounds(game, state, alpha if side == MAX else -alpha - 1)
        low, high = (max(low, least), min(high, most)) if side == MAX else (max(low, -most), min(high, -least))
    return low, high


@inlined
def representative(game: CompiledGame, state: State, ply: int, job: Job) -> State:
    """The state to search in place of ``state``: near the root, where it pays, the same for all symmetric states."""
    return canonical(game, state, job) if ply <= SYMMETRIC_PLIES else state


@inlined
def push_open_actions(
    game: CompiledGame, state: State, side: Player, alpha: int, ply: int, base: int, job: Job
) -> Interval:
    """Put the open actions on the stack, best first: the bound that the other actions give, and how many are open."""
    best, count = -INFINITY, 0
    end, large = base + list_actions(game, state, base, job), has_previews(game) and is_large(ply, base, job)
    for place in range(base, end):
        action = job.actions[place]
        child = representative(game, result(game, state, action), ply + 1, job)
        low, high = limits_in_window(game, child, side, alpha, job)
        if low > alpha or high <= alpha:
            job.leaves += 1
            best = max(best, low if low > alpha else high)
            if best > alpha:
                break
            continue
        child_key = key(game, child)
        if job.table:
            fetch_proof_ahead(job, child_key)
        if large:
            worth = worth_by_preview(game, state, action, child, side, end, job)
            if job.status != RUNNING:
                break
        else:
            worth = worth_trying(game, state, action, side, ply, job)
        push_with_key(action, child_key, worth, base, base + count, job)
        count += 1
    return best, count


@inlined
def worth_trying(game: CompiledGame, state: State, action: Action, side: Player, ply: int, job: Job) -> int:
    """How early to try an action: by the game's order alone where there is one.

    Refined by killers and history, that order was measured to cost 2 to 14 times the nodes on long proofs: actions that
    are always tried in the same order meet the same states again, and states met again cost nothing.
    """
    if has_proof_order(game) and job.order:
        return proof_order(game, state, action)
    return rank(game, state, action, side, ply, job)


@inlined
def push_with_key(action: Action, key: int, worth: int, base: int, place: int, job: Job) -> None:
    """Insert an action and its child's key into the stack from ``base`` up to ``place``, best first."""
    while place > base and job.ranks[place - 1] < worth:
        job.ranks[place] = job.ranks[place - 1]
        job.actions[place] = job.actions[place - 1]
        job.keys[place] = job.keys[place - 1]
        place -= 1
    job.ranks[place] = worth
    job.actions[place] = action
    job.keys[place] = key


@inlined
def drop_known_actions(
    game: CompiledGame, state: State, side: Player, alpha: int, best: int, count: int, base: int, job: Job
) -> Interval:
    """Drop the actions whose children the table decides: the bound that they give, and how many actions stay."""
    kept = base
    for place in range(base, base + count):
        action, child_key = job.actions[place], job.keys[place]
        known = probe_proof(job, child_key)
        if known != 0:
            value, bound = known_value(known, job), known_bound(known)
            if to_move(game, result(game, state, action)) != side:
                value, bound = -value, turned(bound)
            if (bound & LOWER and value > alpha) or (bound & UPPER and value <= alpha):
                job.table_hits += 1
                best = max(best, value)
                if best > alpha:
                    break
                continue
        job.actions[kept] = action
        job.keys[kept] = child_key
        kept += 1
    return best, kept - base


@inlined
def turned(bound: int) -> int:
    """A bound as the opponent sees it: LOWER for UPPER and the other way round."""
    return (bound & LOWER) << 1 | bound >> 1
