"""What play may leave out: prunings that can be wrong, each of which is a switch (`zermelo.engine.switches`).

They ask for a static evaluation, and for what the game knows of passing, exchanges and threats. What they decide is
never proven. They stay away from scores of sure wins and losses, about which a static evaluation says nothing, and from
the principal variation, where a mistake would be played.
"""

from typing import Final

from zermelo.compiled.cache import subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import evaluate, gain, has_gain, has_null_state, has_urgent, null_state, to_move, urgent
from zermelo.engine.job import LOGARITHMS, Job
from zermelo.engine.lookups import best_utility
from zermelo.engine.scores import INFINITY
from zermelo.game import Action, Player, State

PASSED: Final = -(1 << 62)
"""What `Job.played` holds at a ply where the player passed."""
LEFT_OUT: Final = -1
"""What `plies_less` returns for an action that need not be searched."""
NULL_WINDOW: Final = 2
"""The width of a null window, which grows as it is handed down past 0 (`zermelo.engine.scores.grow`)."""
SEARCHES: Final = 0
DECIDED: Final = 1
PASSES: Final = 2
"""What `first_thought` returns."""
PASSING_DEPTH: Final = 2
"""The least depth at which passing is tried."""
FUTILE_DEPTH: Final = 6
"""The greatest depth at which a static evaluation may decide."""
_LATE_DEPTH: Final = 4
"""The greatest depth at which late actions are left out."""
_REDUCED_DEPTH: Final = 3
"""The least depth at which late actions are searched less deep."""
_REDUCED_FROM: Final = 2
"""The first rank at which they are."""
_REDUCTION: Final = (40, 220)
"""A reduction is that many hundredths of a ply, and the product of both logarithms over so many hundredths more."""
_LESS_IN_WIDE: Final = 50
"""Hundredths of a ply by which the principal variation is reduced less."""


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
    passing may show it: a search of the state after a pass, which never follows another pass.
    """
    static = -INFINITY if threat else side * evaluate(game, state) * job.scale
    job.statics[ply] = static
    if ply == 0 or static < beta or beta - alpha > NULL_WINDOW:
        return SEARCHES, static
    if is_won(game, side, beta, job) or is_lost(game, side, beta, job):
        return SEARCHES, static
    if job.futility and depth <= FUTILE_DEPTH and static - job.futility * depth * job.scale >= beta:
        return DECIDED, static
    passes = has_null_state(game) and job.null_move and depth >= PASSING_DEPTH and job.played[ply - 1] != PASSED
    return PASSES if passes and to_move(game, null_state(game, state)) != side else SEARCHES, static


@subkernel
def depth_after_passing(depth: int) -> int:
    """How deep to search after a pass: two plies less than after an action, and more where there is depth enough.

    E. Heinz (1999, "Adaptive null-move pruning") takes two plies near the horizon and three far from it.
    """
    return depth - 3 - depth // 6


@subkernel
def is_vain(game: CompiledGame, state: State, action: Action, static: int, alpha: int, job: Job) -> bool:
    """Whether a noisy action past the horizon loses in the exchange, or wins too little to reach alpha."""
    if not has_gain(game) or not (job.exchanges or job.delta):
        return False
    worth = gain(game, state, action)
    if job.exchanges and worth < 0:
        return True
    return job.delta > 0 and static + (worth + job.delta) * job.scale <= alpha


@subkernel
def plies_less(
    game: CompiledGame,
    state: State,
    action: Action,
    child: State,
    side: Player,
    threat: bool,
    number: int,
    depth: int,
    alpha: int,
    beta: int,
    best: int,
    ply: int,
    job: Job,
) -> int:
    """By how many plies less to search an action than those before it; `LEFT_OUT` to leave it out.

    ``number`` actions come before it. Actions that win an exchange, or threaten, are searched as deep as the first.
    """
    if 0 < job.width <= number:
        return LEFT_OUT
    if depth <= 0:
        return LEFT_OUT if not threat and is_vain(game, state, action, job.statics[ply], alpha, job) else 0
    if not job.selective or number == 0 or is_urgent(game, child, job):
        return 0
    worth = gain(game, state, action) if has_gain(game) and job.exchanges else 0
    if worth > 0:
        return 0
    narrow = beta - alpha <= NULL_WINDOW
    if narrow and ply > 0 and not is_lost(game, side, best, job):
        static = job.statics[ply]
        better = ply > 1 and static > job.statics[ply - 2]
        if worth == 0 and job.late_pruning and depth <= _LATE_DEPTH and number >= (3 + depth * depth) >> (1 - better):
            return LEFT_OUT
        if job.futility and depth <= FUTILE_DEPTH and static != -INFINITY:
            reach = job.futility * (depth + 1) if worth == 0 else worth + job.futility * (depth + 1)
            if static + reach * job.scale <= alpha:
                return LEFT_OUT
    if not job.reductions or depth < _REDUCED_DEPTH or number < _REDUCED_FROM:
        return 0
    deep, late = min(depth, LOGARITHMS - 1), min(number, LOGARITHMS - 1)
    product = job.logarithms[deep] * job.logarithms[late]
    hundredths = _REDUCTION[0] + product // _REDUCTION[1] - (0 if narrow else _LESS_IN_WIDE)
    return max(0, min(depth - 2, hundredths // 100))
