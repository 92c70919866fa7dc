"""The depth-limited search: fail-soft principal variation search with a transposition table.

Values are scores (`zermelo.engine.scores`), for the player to move. A search returns three ints, a `Verdict`:

``value``
    A value of at most alpha is an upper bound of the state's worth, a value of at least beta is a lower bound, and
    a value between them is exact, with ``depth`` plies to go.
``proven``
    1 if terminal states and proven bounds alone decided the value, else 0.
``path_ply``
    The least ply of the path whose state the value depends on, because play below came back to that state;
    `PATH_FREE` if there is none.

``path_ply`` is there because of the graph-history interaction (Campbell 1985): where a repeated position ends the game,
the value of a state depends on the path that led to it. A value that depends on the path holds on that path only, and
is not stored. A value that does not is that of a game which begins at the state. Whether it also holds on another path
depends on the game:

- Where a repetition is worth the same to all states of a cycle, it does. A player who can force more than that can also
  force it on a way that comes nearer to the end with each move, and on such a way no state comes back, whatever the
  path before it.
- In other games (`path_dependent`) it holds where no state of the path can be met again. That is so after a move to a
  higher tier, since no move lowers the tier. At other states the table only tells which action to try first.

States that stood on the board before the root of a search are like terminal states, whatever the path. All of the
above holds in the game that has them; `zermelo.engine.earlier` keeps its values apart from those of other such games.
"""

from typing import Final

from zermelo.compiled.cache import subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import (
    bounds,
    can_repeat,
    evaluate,
    fill_noisy_actions,
    is_terminal,
    path_dependent,
    position_key,
    repetition,
    result,
    tier,
    to_move,
    utility,
    utility_range,
)
from zermelo.compiled.table_probe import UNSOLVED, solved_outcome
from zermelo.engine.earlier import may_meet_earlier, stood_before, table_key
from zermelo.engine.job import RUNNING, SCALE, Job
from zermelo.engine.nodes import FIRST, INDEX, canonical, enter, fitting, index_at, list_actions, push, rank, reward
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

PATH_FREE: Final = 1 << 30
"""The ``path_ply`` of a value that depends on no state of the path."""
BEFORE_ROOT: Final = -1
"""The ``path_ply`` of a value that depends on a state before the root."""
Verdict = tuple[int, int, int]
"""``value``, ``proven`` and ``path_ply``; see above."""
_REDUCED_FROM: Final = 4
"""With reductions on, actions from that rank are searched less deep first."""


@subkernel
def search_root(
    game: CompiledGame, state: State, state_key: int, depth: int, alpha: int, beta: int, job: Job
) -> tuple[int, int]:
    """Search ``state`` for the player to move there; `note_earlier` knows what stood on the board before.

    Returns the value, and 1 if it is proven. Afterwards job.root_action is the index of the best action among those
    searched, -1 if the game is over in ``state``.
    """
    job.root_action = -1
    job.previous_seen = 0
    job.age += 1
    value, proven, _ = search(game, state, state_key, depth, alpha, beta, job.bottom, job.bottom, job)
    return value, proven


@subkernel
def search(
    game: CompiledGame, state: State, state_key: int, depth: int, alpha: int, beta: int, ply: int, base: int, job: Job
) -> Verdict:
    """Search ``depth`` plies below ``state`` with the window (alpha, beta); the stack is free from ``base`` on."""
    # 1. Count the node. If the search must stop, the caller ignores what is returned here.
    if not enter(ply, base, job):
        return 0, 0, 0
    side = to_move(game, state)

    # 2. The rules, a repetition or a solved table decide the value without a search.
    found, value, path_ply = decided_at_once(game, state, state_key, side, ply, job)
    if found:
        return value, 1, path_ply

    # 3. At the horizon, the static evaluation stands for the value and proves nothing. Noisy actions are searched on;
    #    the player to move may decline them all, so the static evaluation is a lower bound.
    best, best_index, best_proven, best_path_ply, first = -INFINITY, -1, 0, PATH_FREE, -1
    quiescent = depth <= 0
    if quiescent:
        job.horizons += 1
        best = side * evaluate(game, state) * job.scale
        count = push_noisy_actions(game, state, side, ply, base, job) if job.quiescence and best < beta else 0
        if count == 0:
            job.leaves += 1
            return best, 0, PATH_FREE

    # 4. Above the horizon, bounds or the table may decide the window; if not, the actions go on the stack, best first.
    else:
        found, value, proven, first = look_up(game, state, state_key, side, depth, alpha, beta, ply, job)
        if not found:
            count = push_actions(game, state, side, first, ply, base, job)
            found, value, proven = look_up_children(game, state, side, depth, beta, count, ply, base, job)
        if found:
            return value, proven, PATH_FREE

    # 5. Search the actions. The best value is a lower bound by its own child, an upper bound by all children.
    all_proven, path_ply = int(not quiescent), PATH_FREE
    ceiling = shrink(best_utility(game, side) * job.scale, job)
    if 0 < job.width < count:
        count, all_proven = job.width, 0
    end = base + count
    for place in range(base, end):
        action, index = job.actions[place], index_at(place, job)
        child = canonical(game, result(game, state, action), job)
        child_key, same = position_key(game, child), to_move(game, child) == side
        floor = max(alpha, best)
        late = job.null_windows and place > base and beta - floor > 1
        reduced = int(job.reductions and place >= base + _REDUCED_FROM and depth > 2)
        # 5a. A null window asks whether a late action is better. If it is, a second search finds its value.
        lower, upper = turn_window(floor, floor + 1 if late or reduced else beta, same, job)
        value, proven, child_ply = search(game, child, child_key, depth - 1 - reduced, lower, upper, ply + 1, end, job)
        value = turn_score(value, same, job)
        if ply == 0 and not reduced:
            note_better(index, value, floor, job)
        if job.status == RUNNING and value > floor and (reduced or (late and value < beta)):
            lower, upper = turn_window(floor, beta, same, job)
            value, proven, child_ply = search(game, child, child_key, depth - 1, lower, upper, ply + 1, end, job)
            value = turn_score(value, same, job)
        if job.status != RUNNING:
            return 0, 0, 0
        all_proven &= proven
        path_ply = min(path_ply, child_ply)
        if value > best:
            best, best_index, best_proven, best_path_ply = value, index, proven, child_ply
            if ply == 0:
                job.root_action = index
        # 5b. Stop if the opponent avoids this node, or no action can be better. (At most alpha is an upper bound only.)
        if best >= beta or (best > alpha and best >= ceiling):
            reward(action, side, ply, depth, job)
            all_proven, path_ply = best_proven, best_path_ply
            break

    # 6. Decide what is proven and what holds on other paths, and remember it.
    all_proven |= is_quickest(game, side, best, best_proven, depth, job)
    path_ply = path_ply if path_ply < ply else PATH_FREE  # states from this one on are on every path that ends here
    if job.table and path_ply == PATH_FREE and not quiescent:
        bound = UPPER if best <= alpha else EXACT if best < beta or best >= ceiling else LOWER
        entry_key = table_key(game, state, state_key, job)
        store(job, entry_key, make_data(best, depth, bound, all_proven, job.age, best_index if best > alpha else first))
    return best, all_proven, path_ply


@subkernel
def step_on_path(game: CompiledGame, state: State, state_key: int, ply: int, job: Job) -> None:
    """Put a state on the path."""
    if can_repeat(game):
        job.path[ply] = state_key
    if path_dependent(game):
        job.tiers[ply] = tier(game, state)


@subkernel
def decided_at_once(
    game: CompiledGame, state: State, state_key: int, side: Player, ply: int, job: Job
) -> tuple[bool, int, int]:
    """Whether the rules, a repetition or a solved table know the value; the value, and its ``path_ply``."""
    if is_terminal(game, state):
        job.leaves += 1
        return True, side * utility(game, state) * job.scale, PATH_FREE
    step_on_path(game, state, state_key, ply, job)
    if can_repeat(game):  # the value holds as long as the earlier state is on the path
        for earlier in range(ply - 1, -1, -1):
            if job.path[earlier] == state_key:
                job.leaves += 1
                return True, endless_score(side * repetition(game, state), job), earlier
    may_meet = may_meet_earlier(game, state, job)
    if may_meet and stood_before(state_key, job):
        job.leaves += 1
        path_ply = BEFORE_ROOT if path_dependent(game) else PATH_FREE
        return True, endless_score(side * repetition(game, state), job), path_ply
    if job.solved_tables and ply > 0 and not may_meet:
        known = solved_outcome(game, state, job.solved_address, job.solved_tables)
        if known != UNSOLVED:
            job.table_hits += 1
            return True, solved_score(side, known, job), PATH_FREE
    return False, 0, PATH_FREE


@subkernel
def look_up(
    game: CompiledGame,
    state: State,
    state_key: int,
    side: Player,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    job: Job,
) -> tuple[bool, int, int, int]:
    """Ask the game's bounds and the transposition table.

    Returns whether they decide the window, the value, whether it is proven, and the index of the action to try first
    (-1 for none).
    """
    if job.bounds and ply > 0:  # bounds do not tell the remoteness
        low, high = bounds_for(game, state, side, job)
        if low >= beta or high <= alpha:
            return True, low if low >= beta else high, 1, -1
    data = probe(job, table_key(game, state, state_key, job)) if job.table else 0
    if data == 0:
        return False, 0, 0, -1
    holds = not path_dependent(game) or job.tiers[ply] > job.tiers[ply - 1]
    if ply > 0 and holds and answers(game, data, depth, alpha, beta, job):
        job.table_hits += 1
        return True, value_of(data), proven_of(data), -1
    return False, 0, 0, action_of(data)


@subkernel
def is_quickest(game: CompiledGame, side: Player, best: int, best_proven: int, depth: int, job: Job) -> int:
    """1 if the best score is proven and a win within the horizon: no line that is not proven can win more quickly.

    An action that was left out, or searched less deep, might.
    """
    whole = job.width == 0 and not job.reductions and depth > 0
    return int(best_proven and job.scale > 1 and whole and best >= best_utility(game, side) * job.scale - depth)


@subkernel
def note_better(index: int, value: int, floor: int, job: Job) -> None:
    """Note a root action that is better than the previous iteration's, once that one has been searched.

    It is better even if the iteration is never finished.
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
    """The game's bounds for ``side`` as scores, wide enough for every remoteness that a value may have."""
    low, high = bounds(game, state)
    if side != MAX:
        low, high = -high, -low
    slack = SCALE // 2 - 1 if job.scale > 1 else 0
    return low * job.scale - (slack if low > 0 else 0), high * job.scale + (slack if high < 0 else 0)


@subkernel
def answers(game: CompiledGame, data: int, depth: int, alpha: int, beta: int, job: Job) -> bool:
    """Whether an entry is deep enough, and its bound decides the window.

    Where states can come back, an unproven value counts only in the search that stored it: otherwise entries of earlier
    searches would be taken over again and again, each time at a greater depth, and never be proven.
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
def push_actions(game: CompiledGame, state: State, side: Player, first: int, ply: int, base: int, job: Job) -> int:
    """Put the actions on the stack above ``base``, best first; how many there are. ``first`` is one's index, or -1."""
    count = list_actions(game, state, base, job)
    for index in range(count):
        action = job.actions[base + index]
        worth = FIRST if index == first else rank(game, state, action, side, ply, job)
        push(action, worth, index, base, job)
    return count


@subkernel
def push_noisy_actions(game: CompiledGame, state: State, side: Player, ply: int, base: int, job: Job) -> int:
    """Put the noisy actions on the stack above ``base``, best first; how many there are."""
    count = fitting(fill_noisy_actions(game, state, job.actions, base, base + INDEX + 1) - base, job)
    for index in range(count):
        action = job.actions[base + index]
        push(action, rank(game, state, action, side, ply, job), index, base, job)
    return count


@subkernel
def look_up_children(
    game: CompiledGame, state: State, side: Player, depth: int, beta: int, count: int, ply: int, base: int, job: Job
) -> tuple[bool, int, int]:
    """Enhanced transposition cutoff: a child whose table entry is worth at least beta saves the search of the others.

    Returns whether there is one, its value for ``side``, and whether that is proven.
    """
    if not (job.transposition_cutoffs and job.table and depth > 1 and ply > 0):
        return False, 0, 0
    wanted = -grow(-beta, job)
    for place in range(base, base + count):
        child = canonical(game, result(game, state, job.actions[place]), job)
        fetch_ahead(job, table_key(game, child, position_key(game, child), job))
    for place in range(base, base + count):
        child = canonical(game, result(game, state, job.actions[place]), job)
        data = probe(job, table_key(game, child, position_key(game, child), job))
        if data == 0 or (path_dependent(game) and tier(game, child) <= job.tiers[ply]):
            continue
        if to_move(game, child) == side:
            value, bound, lower, upper = value_of(data), LOWER, -INFINITY, wanted
        else:
            value, bound, lower, upper = -value_of(data), UPPER, -wanted, INFINITY
        if bound_of(data) & bound and value >= wanted and answers(game, data, depth - 1, lower, upper, job):
            job.table_hits += 1
            return True, shrink(value, job), proven_of(data)
    return False, 0, 0
