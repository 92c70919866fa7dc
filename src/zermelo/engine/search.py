"""The depth-limited search: fail-soft principal variation search with a transposition table.

Values are scores (`zermelo.engine.scores`), for the player to move.

A search returns three words. ``value``: at most alpha says that the state is worth at most that, at least beta
that it is worth at least that, between them that it is worth exactly that (with ``depth`` plies to go).
``proven``: 1 if terminal states and proven bounds alone say so. ``anchor``: the least ply of the path whose state the
value depends on because play came back to it; `FREE` if there is none.

The anchor deals with the graph-history interaction (Campbell 1985): where play that comes back ends the game, the value
of a state depends on the path that led to it. A value with an anchor holds on its own path and is not stored. A value
without one is that of a game which begins at the state. Whether it holds on another path too depends on the game:

- Where coming back is worth the same to all states of a cycle, it does. Whoever can force more than that has a way
  on which the end comes nearer with each move, so no state of it comes back, on whatever path it begins.
- Elsewhere (`path_dependent`) it holds where no state of the path can be met again. That is known where a move leads to
  a higher tier, which no move lowers. At other states the table only tells which action to try first.
"""

from typing import Any, Final

from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import (
    actions,
    bounds,
    can_repeat,
    evaluate,
    is_terminal,
    key,
    noisy_actions,
    path_dependent,
    repetition,
    result,
    sufficient_actions,
    tier,
    to_move,
    utility,
    utility_range,
)
from zermelo.compiled.states import load_state
from zermelo.compiled.table_probe import UNSOLVED, solved_outcome
from zermelo.engine.job import RUNNING, SCALE, Job
from zermelo.engine.nodes import FIRST, canonical, enter, index_at, push, rank, reward
from zermelo.engine.scores import INFINITY, endless_score, grow, shrink, solved_score, turn_score, turn_window
from zermelo.engine.table import (
    AGES,
    EXACT,
    LOWER,
    UPPER,
    action_of,
    age_of,
    bound_of,
    depth_of,
    fetch_ahead,
    make_data,
    probe,
    proven_of,
    store,
    value_of,
)
from zermelo.game import MAX, Player, State

FREE: Final = 1 << 30
"""The anchor of a value that depends on no state of the path."""
Verdict = tuple[int, int, int]
"""Value, proven, anchor."""
_REDUCED_FROM: Final = 4
"""With reductions on, actions from that rank are searched less deep first."""


@kernel
def search_root(game: CompiledGame, words: Any, before: Any, depth: int, alpha: int, beta: int, job: Job) -> Verdict:
    """Search the state in ``words``, for the player to move there, after the states of ``before``.

    ``words`` is a state's flat form, int64 of shape (words,); each row of ``before``, of shape (plies, words), is one.
    Where no state is before, the place of the best action among those looked at is left in job.root_action.
    """
    state = load_state(game, words)
    job.root_action = -1
    job.previous_seen = 0
    job.age += 1
    ply = job.bottom
    for number in range(len(before)):
        earlier = load_state(game, before[number])
        step_on_path(game, earlier, key(game, earlier), ply, job)
        ply += 1
    return search(game, state, key(game, state), depth, alpha, beta, ply, job.bottom, job)


@subkernel
def step_on_path(game: CompiledGame, state: State, name: int, ply: int, job: Job) -> None:
    """Put a state on the path."""
    if can_repeat(game):
        job.path[ply] = name
    if path_dependent(game):
        job.tiers[ply] = tier(game, state)


@subkernel
def search(
    game: CompiledGame, state: State, name: int, depth: int, alpha: int, beta: int, ply: int, base: int, job: Job
) -> Verdict:
    """Search ``depth`` plies below ``state`` with the window (alpha, beta); the stack is free from ``base`` on."""
    # 1. Count the node; stop if told to, when the caller drops whatever comes back.
    if not enter(ply, base, job):
        return 0, 0, 0
    side = to_move(game, state)

    # 2. The rules ended the game: that is its value.
    if is_terminal(game, state):
        job.leaves += 1
        return side * utility(game, state) * job.scale, 1, FREE

    # 3. Play came back to a state of the path: worth what the rules say, as long as that state is on the path.
    step_on_path(game, state, name, ply, job)
    if can_repeat(game):
        for earlier in range(ply - 1, -1, -1):
            if job.path[earlier] == name:
                job.leaves += 1
                return endless_score(side * repetition(game, state), job), 1, earlier
    settled = not path_dependent(game) or ply == 0 or job.tiers[ply] > job.tiers[ply - 1]

    # 4. A solved table knows the state: its value, and how far off the end is.
    if job.solved_tables and ply > 0:
        known = solved_outcome(game, state, job.solved_address, job.solved_tables)
        if known != UNSOLVED:
            job.table_hits += 1
            return solved_score(side, known, job), 1, FREE

    # 5. The horizon: an opinion, proven by nothing. Where the game calls actions noisy, they are played out first;
    #    whoever moves may decline them all, so the opinion is a lower bound.
    best, best_index, best_proven, best_anchor = -INFINITY, -1, 0, FREE
    quiet = depth <= 0
    if quiet:
        job.horizons += 1
        best = side * evaluate(game, state) * job.scale
        count = line_up_noisy(game, state, side, ply, base, job) if job.quiescence and best < beta else 0
        if count == 0:
            job.leaves += 1
            return best, 0, FREE

    # 6. Proven bounds that leave nothing of the window decide; the remoteness within them is unknown.
    if job.bounds and ply > 0 and not quiet:
        low, high = bounds_for(game, state, side, job)
        if low >= beta:
            return low, 1, FREE
        if high <= alpha:
            return high, 1, FREE

    # 7. The table knows the state at least as deeply, and what it knows holds on this path (see above).
    first = -1
    if job.table and not quiet:
        data = probe(job, name)
        if data != 0:
            first = action_of(data)
            if ply > 0 and settled and answers(game, data, depth, alpha, beta, job):
                job.table_hits += 1
                return value_of(data), proven_of(data), FREE

    # 8. Line the actions up, most promising first, and call for their table entries.
    if not quiet:
        count = line_up(game, state, side, first, ply, base, job)

    # 9. Enhanced transposition cutoff: a child whose entry refutes saves the search of another.
    if job.transposition_cutoffs and job.table and depth > 1 and ply > 0:
        value, proven = transposition_cutoff(game, state, side, depth, beta, count, ply, base, job)
        if value >= beta:
            job.table_hits += 1
            return value, proven, FREE

    # 10. Search them. The best value is a lower bound by its own child, an upper bound by all of them.
    all_proven, anchor = int(not quiet), FREE
    ceiling = shrink(best_utility(game, side) * job.scale, job)
    if job.width and count > job.width:
        count, all_proven = job.width, 0
    for number in range(count):
        index = index_at(base + number, job)
        action = job.actions[base + number]
        child = canonical(game, result(game, state, action), job)
        child_name, same = key(game, child), to_move(game, child) == side
        floor = max(alpha, best)
        late = job.null_windows and number > 0 and beta - floor > 1
        reduced = int(job.reductions and number >= _REDUCED_FROM and depth > 2)
        # 10a. A late action is asked only whether it is better; if it is, it is searched again for its value.
        lower, upper = turn_window(floor, floor + 1 if late or reduced else beta, same, job)
        value, proven, leans = search(
            game, child, child_name, depth - 1 - reduced, lower, upper, ply + 1, base + count, job
        )
        value = turn_score(value, same, job)
        if ply == 0 and not reduced:
            note_better(index, value, floor, job)
        if job.status == RUNNING and value > floor and (reduced or (late and value < beta)):
            lower, upper = turn_window(floor, beta, same, job)
            value, proven, leans = search(game, child, child_name, depth - 1, lower, upper, ply + 1, base + count, job)
            value = turn_score(value, same, job)
        if job.status != RUNNING:
            return 0, 0, 0
        all_proven &= proven
        anchor = min(anchor, leans)
        if value > best:
            best, best_index, best_proven, best_anchor = value, index, proven, leans
            if ply == 0:
                job.root_action = index
        # 10b. Good enough that the opponent avoids this node, or nothing can be better: the rest need no look. A best
        #      value of at most alpha is an upper bound only, and no such reason, however great it is.
        if best >= beta or (best > alpha and best >= ceiling):
            reward(action, side, ply, depth, job)
            all_proven, anchor = best_proven, best_anchor
            break

    # 11. A win found within the horizon is the quickest: any line that is not proven is longer. An action that was left
    #     out, or searched less deep, might lead to a quicker one.
    whole = job.width == 0 and not job.reductions
    if best_proven and job.scale > 1 and not quiet and whole and best >= best_utility(game, side) * job.scale - depth:
        all_proven = 1

    # 12. What depends on this state itself, or on one below it, holds on every path that this state ends.
    if anchor >= ply:
        anchor = FREE
    if job.table and anchor == FREE and not quiet:
        bound = UPPER if best <= alpha else EXACT if best < beta or best >= ceiling else LOWER
        store(job, name, make_data(best, depth, bound, all_proven, job.age, best_index if best > alpha else first))
    return best, all_proven, anchor


@subkernel
def note_better(index: int, value: int, floor: int, job: Job) -> None:
    """Note a root action that is better than the previous iteration's, once that has been searched: it is sound even
    if the iteration is never finished.
    """
    if job.status != RUNNING:
        return
    if index == job.previous_action:
        job.previous_seen = 1
    elif job.previous_seen and value > floor:
        job.better_action, job.better_score = index, value


@subkernel
def best_utility(game: CompiledGame, side: Player) -> int:
    """The greatest utility for ``side``."""
    low, high = utility_range(game)
    return high if side == MAX else -low


@subkernel
def bounds_for(game: CompiledGame, state: State, side: Player, job: Job) -> tuple[int, int]:
    """The game's bounds for ``side``, scaled: widened by every remoteness that a value may have."""
    low, high = bounds(game, state)
    if side != MAX:
        low, high = -high, -low
    slack = SCALE // 2 - 1 if job.scale > 1 else 0
    return low * job.scale - (slack if low > 0 else 0), high * job.scale + (slack if high < 0 else 0)


@subkernel
def answers(game: CompiledGame, data: int, depth: int, alpha: int, beta: int, job: Job) -> bool:
    """Whether an entry is deep enough, and its bound decides the window.

    Where states come back, opinions of earlier searches would hand each other on for ever, deeper and deeper but
    never proven; there they count in the search that formed them only.
    """
    if can_repeat(game) and not proven_of(data) and age_of(data) != job.age & AGES:
        return False
    if job.same_depth:
        if depth_of(data) != depth:
            return False
    elif depth_of(data) < depth and not proven_of(data):
        return False
    bound, value = bound_of(data), value_of(data)
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)


@subkernel
def line_up(game: CompiledGame, state: State, side: Player, first: int, ply: int, base: int, job: Job) -> int:
    """Put the actions on the stack above ``base``, best first; how many there are."""
    count = 0
    if job.sufficient_actions:
        for action in sufficient_actions(game, state):
            worth = FIRST if count == first else rank(game, state, action, side, ply, job)
            push(action, worth, count, base, job)
            count += 1
    else:
        for action in actions(game, state):
            worth = FIRST if count == first else rank(game, state, action, side, ply, job)
            push(action, worth, count, base, job)
            count += 1
    return count


@subkernel
def line_up_noisy(game: CompiledGame, state: State, side: Player, ply: int, base: int, job: Job) -> int:
    """Put the noisy actions on the stack above ``base``, best first; how many there are."""
    count = 0
    for action in noisy_actions(game, state):
        push(action, rank(game, state, action, side, ply, job), count, base, job)
        count += 1
    return count


@subkernel
def transposition_cutoff(
    game: CompiledGame, state: State, side: Player, depth: int, beta: int, count: int, ply: int, base: int, job: Job
) -> tuple[int, int]:
    """The value and proof of a child whose table entry is worth at least beta to ``side``; -INFINITY if none is."""
    wanted = -grow(-beta, job)
    for place in range(base, base + count):
        fetch_ahead(job, key(game, canonical(game, result(game, state, job.actions[place]), job)))
    for place in range(base, base + count):
        child = canonical(game, result(game, state, job.actions[place]), job)
        data = probe(job, key(game, child))
        if data == 0 or (path_dependent(game) and tier(game, child) <= job.tiers[ply]):
            continue
        if to_move(game, child) == side:
            if (
                bound_of(data) & LOWER
                and value_of(data) >= wanted
                and answers(game, data, depth - 1, -INFINITY, wanted, job)
            ):
                return shrink(value_of(data), job), proven_of(data)
        elif (
            bound_of(data) & UPPER
            and value_of(data) <= -wanted
            and answers(game, data, depth - 1, -wanted, INFINITY, job)
        ):
            return shrink(-value_of(data), job), proven_of(data)
    return -INFINITY, 0
