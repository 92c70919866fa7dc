"""The depth-limited search: fail-soft principal variation search with a transposition table.

Values are scores (`zermelo.engine.scores`), for the player to move. A search returns three ints, a `Verdict`:

``value``
    A value of at most alpha is an upper bound of the state's worth, a value of at least beta is a lower bound, and
    a value between them is exact, with ``depth`` plies to go.
``proven``
    `PROVEN` if terminal states and proven bounds alone decided the value, else 0; `SURE` if it is a win, or a loss,
    that is proven except for its distance, since a pruning may have left out a quicker win.
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

from zermelo.compiled.cache import subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import null_state, position_key, result, to_move
from zermelo.engine.job import RUNNING, Job
from zermelo.engine.lookups import (
    PATH_FREE,
    PROVEN,
    SURE,
    best_utility,
    bounded_leaf,
    decided_at_once,
    fetch_entries,
    keeps,
    kept_twin,
    look_up,
    look_up_children,
)
from zermelo.engine.network import static_score
from zermelo.engine.nodes import canonical, is_symmetric
from zermelo.engine.ordering import index_at, learn, next_action, push_actions, push_noisy_actions
from zermelo.engine.pruning import (
    DECIDED,
    DROPS,
    PASSED,
    PASSES,
    SEARCHES,
    depth_after_passing,
    first_thought,
    is_lost,
    is_unknown,
    is_urgent,
    is_won,
)
from zermelo.engine.scores import INFINITY, shrink, turn_score, turn_window
from zermelo.engine.selection import AND_ALL_AFTER, left_out, plies_less
from zermelo.engine.sharing import SHARED_DEPTH, action_key, is_marked, mark_action, unmark_action
from zermelo.engine.table import EXACT, LOWER, UPPER, make_data, store
from zermelo.game import Player, State

Verdict = tuple[int, int, int]
"""``value``, ``proven`` and ``path_ply``; see above."""


@subkernel
def search_root(
    game: CompiledGame, state: State, state_key: int, depth: int, alpha: int, beta: int, job: Job
) -> tuple[int, int]:
    """Search ``state`` for the player to move there; `note_earlier` knows what stood on the board before.

    Symmetric states count as one only if ``state`` is symmetric to itself. Below other states hardly any two of them
    are met, and a node that is searched as its twin has its actions in another order.

    Returns the value, and what is ``proven`` of it. Afterwards job.root_action is the index of the best action among
    those searched, -1 if the game is over in ``state``.
    """
    job.root_action = -1
    job.previous_seen = 0
    job.nodes_before = job.nodes_so_far = job.nodes
    job.age += 1
    job.folds = int(job.folds and is_symmetric(game, state))
    value, proven, _ = search(game, state, state_key, depth, alpha, beta, job.bottom, job.bottom, job)
    return value, proven


@subkernel
def search(
    game: CompiledGame, state: State, state_key: int, depth: int, alpha: int, beta: int, ply: int, base: int, job: Job
) -> Verdict:
    """Search ``depth`` plies below ``state`` with the window (alpha, beta); the stack is free from ``base`` on."""
    # 1. The rules, a repetition or a solved table may decide the value without a search; and so may the end of time.
    side, entry_key = to_move(game, state), fetch_entries(game, state, state_key, depth, job)
    found, value, path_ply = decided_at_once(game, state, state_key, side, ply, base, job)
    if found:
        return value, PROVEN, path_ply

    # 2. Bounds, the table or the static evaluation may decide the window; so may a pass, which some action beats.
    threat = is_urgent(game, state, job)
    depth += threat and depth >= 0
    thought, value, proven, first = think(game, state, state_key, entry_key, side, threat, depth, alpha, beta, ply, job)
    if thought == PASSES:
        job.played[ply] = PASSED
        child, deep = canonical(game, null_state(game, state), job), depth_after_passing(depth, beta, ply, job)
        child_key, (lower, upper) = position_key(game, child), turn_window(beta - 1, beta, False, job)
        value, _, path_ply = search(game, child, child_key, deep, lower, upper, ply + 1, base, job)
        if job.status != RUNNING or turn_score(value, False, job) >= beta:
            return beta, 0, path_ply if path_ply < ply else PATH_FREE
    if thought == DECIDED:
        return value, proven, PATH_FREE
    depth = min(depth, 0) if thought == DROPS else depth - is_unknown(first, depth, job)
    count, found, best, proven = push_best(game, state, side, threat, first, depth, beta, ply, base, job)
    if found:
        return best, proven, PATH_FREE

    # 3. Search the actions. The best value is a lower bound by its own child, an upper bound by all children.
    all_proven, path_ply = PROVEN if depth > 0 or threat else job.bottom, PATH_FREE
    best_proven, best_path_ply = job.bottom, PATH_FREE
    ceiling, end = shrink(best_utility(game, side) * job.scale, job), base + count
    put_off, shared, place = end, job.threads > 1 and depth >= SHARED_DEPTH, base - 1
    while place + 1 < end:
        # 3a. Other threads may have searched the state by now. Actions that they are searching are put off.
        place, floor = place + 1, max(alpha, best)
        if shared and place > base:
            put_off = put_off_shared(game, state, state_key, depth, place, put_off, end, job)
            found, value, proven, _ = look_up(game, state, state_key, entry_key, side, depth, alpha, beta, ply, job)
            if found:
                return value, proven, PATH_FREE
        action, index = next_action(game, state, depth, place, put_off, job), index_at(place, job)
        number = place - base + (end - put_off if place < put_off else 0)
        out = left_out(game, state, action, side, threat, place, number, depth, floor, beta, best, ply, job)
        if out and place < put_off:
            all_proven, place = 0, put_off - 1 if out == AND_ALL_AFTER else place
            continue
        child = kept_twin(game, result(game, state, action), depth - 1, job)
        child_key, same = position_key(game, child), to_move(game, child) == side
        less = plies_less(game, state, child, place, number, depth, floor, beta, ply, job)
        job.played[ply] = action
        mark_action(state_key, action, shared and place > base, job)
        # 3b. A null window asks whether a late action is better. If so, ask again in full depth, then for the value.
        narrow = less > 0 or (job.null_windows and place > base and beta - floor > 1)
        while True:
            lower, upper = turn_window(floor, floor + 1 if narrow else beta, same, job)
            value, proven, child_ply = search(game, child, child_key, depth - 1 - less, lower, upper, ply + 1, end, job)
            value = turn_score(value, same, job)
            if job.status != RUNNING:
                return 0, 0, 0
            note_better(index, value, floor, ply + less, job)
            if value <= floor or (less == 0 and (not narrow or value >= beta)):
                break
            narrow, less = less > 0 and job.null_windows and beta - floor > 1, 0
        unmark_action(state_key, action, shared and place > base, job)
        all_proven, path_ply = all_proven & proven, min(path_ply, child_ply)
        if value > best:
            best, best_proven, best_path_ply, first = value, proven, child_ply, index if value > alpha else first
            job.root_action = index if ply == 0 else job.root_action
        # 3c. Stop if the opponent avoids this node, or no action can be better. (At most alpha is an upper bound only.)
        if best >= beta or (best > alpha and best >= ceiling):
            learn(game, state, side, depth, base, place, ply, job)
            all_proven, path_ply = best_proven, best_path_ply
            break

    # 4. Decide what is proven and what holds on other paths, and remember it.
    all_proven = what_is_proven(game, side, best, best_proven, all_proven, alpha, beta, depth, job)
    path_ply = path_ply if path_ply < ply else PATH_FREE  # states from this one on are on every path that ends here
    remember(state_key, entry_key, best, depth, alpha, beta, ceiling, all_proven, path_ply, first, job)
    return best, all_proven, path_ply


@subkernel
def put_off_shared(
    game: CompiledGame, state: State, state_key: int, depth: int, place: int, put_off: int, end: int, job: Job
) -> int:
    """Bring the best action that no other thread is searching to that place of the stack; if there is none, the best.

    Those that come before it are put off: they go to the end of those before ``put_off``, which is where the actions
    begin that were put off already. Returns where they begin now.
    """
    while place < put_off:
        action = next_action(game, state, depth, place, put_off, job)
        if not is_marked(action_key(state_key, action), job):
            break
        put_off -= 1
        job.actions[place], job.actions[put_off] = job.actions[put_off], job.actions[place]
        job.ranks[place], job.ranks[put_off] = job.ranks[put_off], job.ranks[place]
    if place >= put_off:
        next_action(game, state, depth, place, end, job)
    return put_off


@subkernel
def push_best(
    game: CompiledGame,
    state: State,
    side: Player,
    threat: bool,
    first: int,
    depth: int,
    beta: int,
    ply: int,
    base: int,
    job: Job,
) -> tuple[int, bool, int, int]:
    """Put the actions that are searched on the stack above ``base``, best first.

    Returns how many there are, whether the value is found without a search, a lower bound of it, or the value itself if
    it is found, and what is ``proven`` of that.
    """
    if depth <= 0:
        count, best = push_past_horizon(game, state, side, threat, beta, ply, base, job)
        return count, count == 0, best, job.bottom
    count = push_actions(game, state, side, first, ply, base, job)
    found, value, proven = look_up_children(game, state, side, depth, beta, count, ply, base, job)
    return count, found, value if found else -INFINITY, proven


@subkernel
def push_past_horizon(
    game: CompiledGame, state: State, side: Player, threat: bool, beta: int, ply: int, base: int, job: Job
) -> tuple[int, int]:
    """Put the actions that are searched past the horizon on the stack above ``base``, best first.

    Returns how many there are, and a lower bound of the value: the static evaluation, as the player to move may decline
    all noisy actions. It proves nothing. Under a threat all actions are searched, and there is no such bound.
    """
    job.horizons += 1
    best = -INFINITY
    if threat:
        count = push_actions(game, state, side, job.bottom - 1, ply, base, job)
    else:
        best = job.statics[ply] = static_score(game, state, side, job)
        count = push_noisy_actions(game, state, side, ply, base, job) if job.quiescence and best < beta else 0
    job.leaves += count == 0
    return count, best


@subkernel
def think(
    game: CompiledGame,
    state: State,
    state_key: int,
    entry_key: int,
    side: Player,
    threat: bool,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    job: Job,
) -> tuple[int, int, int, int]:
    """What to do before any action is listed: `SEARCHES`, `DECIDED`, `PASSES` or `DROPS` (`zermelo.engine.pruning`).

    Returns that, the value if it is decided, what is ``proven`` of it, and the index of the action to try first.
    """
    if depth <= 0 and not keeps(depth, job):
        found, value, proven = bounded_leaf(game, state, side, alpha, beta, ply, job)
        return DECIDED if found else SEARCHES, value, proven, -1
    found, value, proven, first = look_up(game, state, state_key, entry_key, side, max(0, depth), alpha, beta, ply, job)
    if found:
        return DECIDED, value, proven, first
    if depth <= 0 or not job.selective:
        return SEARCHES, 0, 0, first
    thought, value = first_thought(game, state, side, threat, depth, alpha, beta, ply, job)
    return thought, value, 0, first


@subkernel
def what_is_proven(
    game: CompiledGame,
    side: Player,
    best: int,
    best_proven: int,
    all_proven: int,
    alpha: int,
    beta: int,
    depth: int,
    job: Job,
) -> int:
    """What is ``proven`` of the best score, where ``all_proven`` is proven of all of them.

    If the best score is a proven win within the horizon, no line that is not proven can win more quickly. An action
    that was left out, or searched less deep, might. Then only the win is sure, in at most so many plies.
    """
    if not job.selective:
        quickest = depth > 0 and job.scale > 1 and best >= best_utility(game, side) * job.scale - depth
        return PROVEN if best_proven and quickest else all_proven
    won, lost = is_won(game, side, best, job), is_lost(game, side, best, job)
    if won and best_proven:
        all_proven |= SURE
    if all_proven != SURE:
        return all_proven
    if not won and not lost:
        return PROVEN if best_proven == PROVEN else 0
    return PROVEN if (won and best >= beta) or (lost and best <= alpha) else SURE


@subkernel
def remember(
    state_key: int,
    entry_key: int,
    best: int,
    depth: int,
    alpha: int,
    beta: int,
    ceiling: int,
    proven: int,
    path_ply: int,
    index: int,
    job: Job,
) -> None:
    """Store a score in the table, unless it depends on the path; and past the horizon, only if the table keeps that.

    The distance of a sure win is an upper bound, and proven only as such.
    """
    if not job.table or path_ply != PATH_FREE or not keeps(depth, job):
        return
    bound = UPPER if best <= alpha else EXACT if best < beta or best >= ceiling else LOWER
    if proven == SURE and bound == EXACT:
        bound, proven = LOWER if best > 0 else UPPER, PROVEN
    data = make_data(best, max(0, depth), bound, int(proven == PROVEN), job.age, index if depth > 0 else -1)
    sound = proven == PROVEN or not job.selective
    store(job, entry_key if sound else state_key, data)


@subkernel
def note_better(index: int, value: int, floor: int, ply: int, job: Job) -> None:
    """Note a root action that is better than the previous iteration's, once that one has been searched.

    It is better even if the iteration is never finished. The root is ply 0. Note also the nodes of the best action.
    """
    if ply > 0:
        return
    if value > floor:
        job.best_nodes = job.nodes - job.nodes_so_far
    job.nodes_so_far = job.nodes
    if index == job.previous_action:
        job.previous_seen = 1
    elif job.previous_seen and value > floor:
        job.better_action, job.better_score = index, value
