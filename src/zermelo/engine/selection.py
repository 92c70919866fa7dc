"""Which actions play leaves out, and which it searches less deep: prunings that can be wrong, each with its switch.

They ask for an action's rank, for what the exchange wins that it begins, and for the static evaluation. Nothing is
left out at the root, before an action has been searched, or while all actions so far lose.
"""

from typing import Final

from zermelo.compiled.cache import subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import gain, has_gain, has_urgent, result, urgent
from zermelo.engine.job import LOGARITHMS, Job
from zermelo.engine.nodes import INDEX_BITS
from zermelo.engine.ordering import counted_order, may_win, wins
from zermelo.engine.pruning import NULL_WINDOW, is_improving, is_lost, is_urgent
from zermelo.engine.scores import INFINITY
from zermelo.game import Action, Player, State

ALONE: Final = 1
AND_ALL_AFTER: Final = 2
"""What `left_out` returns of an action that is not searched."""
_NEAR: Final = 8
"""The greatest depth at which an action may be left out."""
_FUTILE_DEPTH: Final = 6
"""The greatest depth at which an action may be left out by the static evaluation."""
_TAKING: Final = 2
"""How much more an action that the game's order prefers, as one that takes something, may lose in the exchange."""
_REDUCED_DEPTH: Final = 3
"""The least depth at which late actions are searched less deep."""
_REDUCED_FROM: Final = 2
"""The first rank at which they are."""
_REDUCTION: Final = (40, 220)
"""A reduction is that many hundredths of a ply, and the product of both logarithms over so many hundredths more."""
_LESS_IN_WIDE: Final = 50
"""Hundredths of a ply by which the principal variation is reduced less."""
_TRUSTED: Final = 100
_MOST_TRUSTED: Final = 100
"""A reduction changes by a hundredth of a ply for so many counts of rank, and by so many hundredths at most. So killers
and countermoves are reduced less, and actions that lose in the exchange more."""


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
def left_out(
    game: CompiledGame,
    state: State,
    action: Action,
    side: Player,
    threat: bool,
    place: int,
    number: int,
    depth: int,
    alpha: int,
    beta: int,
    best: int,
    ply: int,
    job: Job,
) -> int:
    """Whether the action at that place of the stack need not be searched; ``number`` actions come before it.

    Late ones are left out even if they threaten. That makes the search quicker, as their children are never looked at.

    Returns
    -------
    int
        0 if it is searched, `ALONE` if it is left out, `AND_ALL_AFTER` if it is left out and so are all after it.
    """
    if 0 < job.width <= number:
        return AND_ALL_AFTER
    if depth <= 0:
        return ALONE if not threat and is_vain(game, state, action, job.statics[ply], alpha, job) else 0
    if not job.selective or number == 0 or ply == 0 or depth > _NEAR:
        return 0
    if beta - alpha > NULL_WINDOW or is_lost(game, side, best, job):
        return 0
    enough = (3 + depth * depth) >> (1 - is_improving(ply, job))
    if job.late_pruning and number >= enough and not wins(game, state, place, job):
        return ALONE if may_win(place, job) else AND_ALL_AFTER
    if not loses_too_much(game, state, action, depth, alpha, ply, job):
        return 0
    return ALONE if not has_urgent(game) or not urgent(game, result(game, state, action)) else 0


@subkernel
def loses_too_much(
    game: CompiledGame, state: State, action: Action, depth: int, alpha: int, ply: int, job: Job
) -> bool:
    """Whether an action loses much in the exchange, or wins too little to reach alpha."""
    worth = gain(game, state, action) if has_gain(game) and job.exchanges else 0
    if job.losing_pruning and worth < 0:
        most = job.losing_pruning * depth
        if -worth > (_TAKING * most if counted_order(game, state, action, job) > 0 else most):
            return True
    if not job.futility or depth > _FUTILE_DEPTH or job.statics[ply] == -INFINITY:
        return False
    return job.statics[ply] + (max(0, worth) + job.futility * (depth + 1)) * job.scale <= alpha


@subkernel
def plies_less(
    game: CompiledGame,
    state: State,
    child: State,
    place: int,
    number: int,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    job: Job,
) -> int:
    """By how many plies less to search the action at that place of the stack; ``number`` actions come before it.

    Actions that win an exchange, or threaten, are searched as deep as the first.
    """
    if not job.selective or not job.reductions or depth < _REDUCED_DEPTH or number < _REDUCED_FROM:
        return 0
    if is_urgent(game, child, job) or wins(game, state, place, job):
        return 0
    deep, late = min(depth, LOGARITHMS - 1), min(number, LOGARITHMS - 1)
    hundredths = _REDUCTION[0] + job.logarithms[deep] * job.logarithms[late] // _REDUCTION[1]
    if beta - alpha > NULL_WINDOW:
        hundredths -= _LESS_IN_WIDE
    if job.malus:
        rank = job.ranks[place] >> INDEX_BITS
        hundredths -= max(-_MOST_TRUSTED, min(_MOST_TRUSTED, rank // _TRUSTED))
    return max(0, min(depth - 2, hundredths // 100))
