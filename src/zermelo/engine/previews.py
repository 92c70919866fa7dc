"""Previews: a proof orders the actions of its largest nodes by short searches with the static evaluation.

A node counts as large if the nodes of its ply took many nodes lately. The order changes the work of a proof, and never
its value.
"""

from typing import Final

from numba import types

from zermelo.compiled.cache import inlined, subkernel
from zermelo.compiled.game import CompiledGame, GameType
from zermelo.compiled.link_late import PART
from zermelo.compiled.overloads import Body, overload
from zermelo.compiled.rules import is_terminal, proof_order, result, to_move, utility
from zermelo.engine.job import RUNNING, STACK, Job
from zermelo.engine.network import static_score
from zermelo.engine.nodes import INDEX, enter, list_actions
from zermelo.engine.scores import INFINITY
from zermelo.game import Action, Player, State

PREVIEW_PLIES: Final = 2
"""Plies that a preview searches below a child."""
LARGE: Final = 3000
"""A node with more nodes below it is large."""
_FRESH: Final = 8 * LARGE
"""The size of the nodes at a ply of which none is done yet."""
_FADING: Final = 3
"""A node's size counts for 1 / 2 to this power in the mean of its ply."""


@subkernel
def forget_sizes(job: Job) -> None:
    """Forget how many nodes a node of each ply took: another proof begins."""
    if job.previews:
        job.sizes[:] = _FRESH


@inlined
def note_size(nodes: int, ply: int, job: Job) -> None:
    """Note how many nodes, without those of previews, one at ``ply`` took."""
    if job.previews:
        job.sizes[ply] += (nodes - job.sizes[ply]) >> _FADING


@inlined
def is_large(ply: int, base: int, job: Job) -> bool:
    """Whether previews are on and a node at ``ply`` is expected to be large; they need room on the stack."""
    return job.previews > 0 and job.sizes[ply] > LARGE and base + (PREVIEW_PLIES + 2) * (INDEX + 1) < STACK


def worth_by_preview(
    game: CompiledGame, state: State, action: Action, child: State, side: Player, base: int, job: Job
) -> int:
    """How early to try an action that leads to ``child``; the stack is free from ``base`` on. 0 without previews."""
    return preview(game, state, action, child, side, base, job) if game.has_previews else 0


@overload(worth_by_preview, strict=False, jit_options=PART)
def _worth_by_preview(game: GameType, *_arguments: types.Type) -> Body:
    if game.rules.has_previews:
        return lambda game, state, action, child, side, base, job: preview(game, state, action, child, side, base, job)
    return lambda game, state, action, child, side, base, job: 0


@subkernel
def preview(game: CompiledGame, state: State, action: Action, child: State, side: Player, base: int, job: Job) -> int:
    """As `worth_by_preview`, in a game with previews."""
    mover, infinity = to_move(game, child), job.bottom + INFINITY
    score = look_ahead(game, child, mover, job.bottom + PREVIEW_PLIES, -infinity, infinity, base, job)
    worth = job.previews * (score if mover == side else -score)
    return worth + job.scale * proof_order(game, state, action) if job.order else worth


@subkernel
def look_ahead(
    game: CompiledGame, state: State, side: Player, depth: int, alpha: int, beta: int, base: int, job: Job
) -> int:
    """The value of depth-limited minimax as a score for ``side``, who is to move: alpha-beta, fail-soft.

    Its nodes count like those of the proof. If the search must stop, any value will do.
    """
    job.previewed += 1
    if not enter(job.bottom, base, job):
        return 0
    if is_terminal(game, state):
        return side * utility(game, state) * job.scale
    if depth == 0:
        job.horizons += 1
        return static_score(game, state, side, job)
    end = base + list_actions(game, state, base, job)
    best = -INFINITY
    for place in range(base, end):
        child = result(game, state, job.actions[place])
        mover = to_move(game, child)
        if mover == side:
            score = look_ahead(game, child, mover, depth - 1, max(alpha, best), beta, end, job)
        else:
            score = -look_ahead(game, child, mover, depth - 1, -beta, -max(alpha, best), end, job)
        best = max(best, score)
        if best >= beta or job.status != RUNNING:
            break
    return best
