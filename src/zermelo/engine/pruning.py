"""Which states play does not search, or not deep: prunings that can be wrong, each with its switch.

They ask for a static evaluation, and for what the game knows of passing and threats. What they decide is never proven.
They stay away from scores of sure wins and losses, about which a static evaluation says nothing, and from the principal
variation, where a mistake would be played. `zermelo.engine.selection` has those that leave out actions.
"""

from typing import Final

from zermelo.compiled.cache import subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import has_null_state, has_urgent, null_state, to_move, urgent
from zermelo.engine.job import Job
from zermelo.engine.lookups import best_utility
from zermelo.engine.network import static_score
from zermelo.engine.scores import INFINITY
from zermelo.game import Player, State

PASSED: Final = -(1 << 62)
"""What `Job.played` holds at a ply where the player passed."""
NULL_WINDOW: Final = 2
"""The width of a null window, which grows as it is handed down past 0 (`zermelo.engine.scores.grow`)."""
SEARCHES: Final = 0
DECIDED: Final = 1
PASSES: Final = 2
DROPS: Final = 3
"""What `first_thought` returns."""
PASSING_DEPTH: Final = 2
"""The least depth at which passing is tried."""
_FUTILE_DEPTH: Final = 8
"""The greatest depth at which a static evaluation may decide."""
_DROPPED_DEPTH: Final = 4
_DROPPED_MARGINS: Final = 3
"""The greatest depth at which a state may be searched as if past the horizon, and how many margins of futility the
static evaluation must miss alpha by for each ply."""
_PASSED_MARGINS: Final = 3
_PASSED_MOST: Final = 3
"""The search after a pass is one ply less deep for every so many margins of futility by which the static evaluation is
above beta; and by how many plies at most."""
_UNKNOWN_DEPTH: Final = 4
"""The least depth at which a state whose best action nobody knows is searched one ply less deep."""


@subkernel
def is_won(game: CompiledGame, side: Player, score: int, job: Job) -> bool:
    """Whether a score is that of a sure win for ``side``, the player to move: its greatest utility."""
    return score > best_utility(game, side) * job.scale - (job.scale + 1) // 2


@subkernel
def is_lost(game: CompiledGame, side: Player, score: int, job: Job) -> bool:
    """Whether a score is that of a sure loss for ``side``."""
    return is_won(game, -side, -score, job)


@subkernel
def is_urgent(game: CompiledGame, state: State, job: Job) -> bool:
    """Whether the player to move faces a threat that a static evaluation does not see."""
    return has_urgent(game) and job.urgent and urgent(game, state)


@subkernel
def first_thought(
    game: CompiledGame,
    state: State,
    side: Player,
    threat: bool,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    job: Job,
) -> tuple[int, int]:
    """What to do before any action is searched, and the static evaluation for ``side``; under a threat there is none.

    `DECIDED` means that the static evaluation is so good that the opponent avoids the state. `PASSES` means that
    passing may show it: a search of the state after a pass, which never follows another pass. `DROPS` means that the
    evaluation is so bad that only noisy actions may help.
    """
    static = -INFINITY if threat else static_score(game, state, side, job)
    job.statics[ply] = static
    if ply == 0 or threat or beta - alpha > NULL_WINDOW:
        return SEARCHES, static
    if is_won(game, side, beta, job) or is_lost(game, side, beta, job):
        return SEARCHES, static
    margin = job.futility * job.scale
    if margin and depth <= _FUTILE_DEPTH and static - margin * (depth - is_improving(ply, job)) >= beta:
        return DECIDED, static
    if margin and depth <= _DROPPED_DEPTH and static + _DROPPED_MARGINS * margin * depth <= alpha:
        return DROPS, static
    if static < beta:
        return SEARCHES, static
    passes = has_null_state(game) and job.null_move and depth >= PASSING_DEPTH and job.played[ply - 1] != PASSED
    return PASSES if passes and to_move(game, null_state(game, state)) != side else SEARCHES, static


@subkernel
def is_improving(ply: int, job: Job) -> bool:
    """Whether the static evaluation is better than at the player's last turn."""
    return ply > 1 and job.statics[ply] > job.statics[ply - 2]


@subkernel
def depth_after_passing(depth: int, beta: int, ply: int, job: Job) -> int:
    """How deep to search after a pass: three plies less than after an action, and more where there is depth enough.

    The more, too, the better the static evaluation is. E. Heinz (1999, "Adaptive null-move pruning") began with two
    plies near the horizon and three far from it; programs have become bolder since.
    """
    above = (job.statics[ply] - beta) // (_PASSED_MARGINS * job.futility * job.scale) if job.futility else 0
    return depth - 4 - depth // 3 - min(_PASSED_MOST, above)


@subkernel
def is_unknown(first: int, depth: int, job: Job) -> bool:
    """Whether to search a state one ply less deep, since the table knows no action to try ``first``."""
    return first < 0 and job.selective and job.reductions and depth >= _UNKNOWN_DEPTH
