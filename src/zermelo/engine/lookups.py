"""What is known of a state without searching it: by the rules, a repetition, a solved table, bounds, or the table."""

from typing import Final

from zermelo.compiled.cache import inlined, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import (
    bounds,
    can_repeat,
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
from zermelo.engine.job import SCALE, Job
from zermelo.engine.nodes import canonical, enter
from zermelo.engine.scores import INFINITY, endless_score, grow, shrink, solved_score
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
    probe,
    proven_of,
    unproven,
    value_of,
)
from zermelo.game import MAX, Player, State

PATH_FREE: Final = 1 << 30
"""The ``path_ply`` of a value that depends on no state of the path."""
BEFORE_ROOT: Final = -1
"""The ``path_ply`` of a value that depends on a state before the root."""
PROVEN: Final = 3
SURE: Final = 2
"""What `zermelo.engine.search` calls ``proven``."""


@subkernel
def step_on_path(game: CompiledGame, state: State, state_key: int, ply: int, job: Job) -> None:
    """Put a state on the path."""
    if can_repeat(game):
        job.path[ply] = state_key
    if path_dependent(game):
        job.tiers[ply] = tier(game, state)


@inlined
def keeps(depth: int, job: Job) -> bool:
    """Whether the table keeps states with so many plies to go; past the horizon, only in a search for play."""
    return depth > 0 or (job.quiescence_table and job.selective)


@subkernel
def kept_twin(game: CompiledGame, state: State, depth: int, job: Job) -> State:
    """The canonical state in the place of ``state``, if the table keeps states with so many plies to go."""
    return canonical(game, state, job) if keeps(depth, job) else state


@subkernel
def decided_at_once(
    game: CompiledGame, state: State, state_key: int, side: Player, ply: int, base: int, job: Job
) -> tuple[bool, int, int]:
    """Count a node. Whether the rules, a repetition or a solved table know the value; the value, and its ``path_ply``.

    If the search must stop, any value will do.
    """
    if not enter(ply, base, job):
        return True, 0, PATH_FREE
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
    entry_key: int,
    side: Player,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    job: Job,
) -> tuple[bool, int, int, int]:
    """Ask the game's bounds and the transposition table.

    Returns whether they decide the window, the value, what is ``proven`` of it, and the index of the action to try
    first (-1 for none).
    """
    if job.bounds and ply > 0:  # bounds do not tell the remoteness
        low, high = bounds_for(game, state, side, job)
        if low >= beta or high <= alpha:
            return True, low if low >= beta else high, PROVEN, -1
    data = recall(entry_key, state_key, job) if job.table else 0
    if data == 0:
        return False, 0, 0, -1
    holds = not path_dependent(game) or job.tiers[ply] > job.tiers[ply - 1]
    if ply > 0 and holds and answers(game, data, depth, alpha, beta, job):
        job.table_hits += 1
        return True, value_of(data), PROVEN * proven_of(data), -1
    return False, 0, 0, action_of(data)


@subkernel
def bounded_leaf(
    game: CompiledGame, state: State, side: Player, alpha: int, beta: int, ply: int, job: Job
) -> tuple[bool, int, int]:
    """Ask the game's bounds about a state at the horizon, if the switches say so.

    Returns whether they decide the window, or leave one utility; the value; and what is ``proven`` of it. If only the
    remoteness is open, the value stands for the latest end.
    """
    if not (job.leaf_bounds and job.bounds) or ply == 0:
        return False, 0, 0
    low, high = bounds_for(game, state, side, job)
    if low >= beta or high <= alpha:
        return True, low if low >= beta else high, PROVEN
    slack = SCALE // 2 - 1 if job.scale > 1 else 0
    return high - low <= slack, low if low > 0 else high, PROVEN * (low == high)


@subkernel
def fetch_entries(game: CompiledGame, state: State, state_key: int, depth: int, job: Job) -> int:
    """Let the memory bring what `recall` will look up, while the rules tell whether the game is over.

    Returns the key of the state in the table.
    """
    entry_key = table_key(game, state, state_key, job)
    if job.table and keeps(depth, job):
        fetch_ahead(job, entry_key)
        if job.selective and entry_key != state_key:
            fetch_ahead(job, state_key)
    return entry_key


@subkernel
def recall(entry_key: int, state_key: int, job: Job) -> int:
    """The table's data of the state whose key in the table is ``entry_key``, 0 if there is none.

    In a search with prunings that can be wrong, what was stored with other states before the root counts, too, but not
    as proven: from one move to the next, most values stay the same.
    """
    data = probe(job, entry_key)
    if data == 0 and job.selective and entry_key != state_key:
        return unproven(probe(job, state_key))
    return data


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
    searches would be taken over again and again, each time at a greater depth, and never be proven. A search with
    prunings that can be wrong is for play, and takes it all the same.
    """
    if can_repeat(game) and not job.selective and not proven_of(data) and age_of(data) != job.age & AGES:
        return False
    if job.same_depth:
        if depth_of(data) != depth:
            return False
    elif depth_of(data) < depth and not proven_of(data):
        return False
    bound, value = bound_of(data), value_of(data)
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)


@subkernel
def look_up_children(
    game: CompiledGame, state: State, side: Player, depth: int, beta: int, count: int, ply: int, base: int, job: Job
) -> tuple[bool, int, int]:
    """Enhanced transposition cutoff: a child whose table entry is worth at least beta saves the search of the others.

    Returns whether there is one, its value for ``side``, and what is ``proven`` of that.
    """
    if not (job.transposition_cutoffs and job.table and depth > 1 and ply > 0):
        return False, 0, 0
    wanted = -grow(-beta, job)
    for place in range(base, base + count):
        child = canonical(game, result(game, state, job.actions[place]), job)
        fetch_ahead(job, table_key(game, child, position_key(game, child), job))
    for place in range(base, base + count):
        child = canonical(game, result(game, state, job.actions[place]), job)
        child_key = position_key(game, child)
        data = recall(table_key(game, child, child_key, job), child_key, job)
        if data == 0 or (path_dependent(game) and tier(game, child) <= job.tiers[ply]):
            continue
        if to_move(game, child) == side:
            value, bound, lower, upper = value_of(data), LOWER, -INFINITY, wanted
        else:
            value, bound, lower, upper = -value_of(data), UPPER, -wanted, INFINITY
        if bound_of(data) & bound and value >= wanted and answers(game, data, depth - 1, lower, upper, job):
            job.table_hits += 1
            return True, shrink(value, job), PROVEN * proven_of(data)
    return False, 0, 0
