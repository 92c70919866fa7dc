"""Asking a learned evaluation about many states at once, without a search."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.apart import call_apart
from zermelo.compiled.cache import kernel
from zermelo.compiled.game import CompiledGame, compiled
from zermelo.compiled.rules import to_move
from zermelo.compiled.seen import seen_words
from zermelo.compiled.states import flatten, load_state
from zermelo.engine.job import MOST_CELLS
from zermelo.engine.network import WHOLE, Network, Plan, read_cells, squashed, sum_of
from zermelo.game import MAX, Game, State


def ask(evaluation: Network, game: Game, states: Sequence[State]) -> NDArray[np.float64]:
    """What an evaluation of ``game`` thinks of states that are not terminal.

    Returns
    -------
    numpy.ndarray
        float64, one for each state: from -1, where MIN is sure to win, to 1, where MAX is.
    """
    if not len(states):
        return np.zeros(0)
    rows, found = np.array([flatten(state) for state in states]), np.zeros(len(states), dtype=np.int64)
    symbols = np.zeros(MOST_CELLS, dtype=np.int64)
    call_apart(_ask, compiled(game, evaluation.open_words), rows, evaluation.plan, evaluation.weights, symbols, found)
    return found / WHOLE


@kernel
def _ask(
    game: CompiledGame,
    rows: NDArray[np.int64],
    plan: Plan,
    weights: NDArray[np.int16],
    symbols: NDArray[np.int64],
    found: NDArray[np.int64],
) -> None:
    """Write what the evaluation thinks of each state, in units of 1 / `WHOLE`."""
    for number in range(len(rows)):
        state = load_state(game, rows[number])
        side = to_move(game, state)
        view = 0 if side == MAX else 1
        read_cells(plan, seen_words(game, state), view, symbols)
        found[number] = side * squashed(plan, sum_of(plan, symbols, view, weights))
