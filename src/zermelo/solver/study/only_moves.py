"""Only moves: positions in which exactly one of several moves keeps the result."""

import numpy as np
from numpy.typing import NDArray

from zermelo.game import Game
from zermelo.solver.model.outcome_codes import values_of
from zermelo.solver.table.scan import Neighbours


def results_of(codes: NDArray[np.int32], game: Game) -> NDArray[np.int64]:
    """Return the results that outcome codes, shape (n,), mean.

    A result is the sign of the value if the game only counts who wins, and the value itself if the margin counts.
    """
    values = values_of(codes, game.utility_range)
    return np.sign(values) if game.outcomes == "wdl" else values


def only_moves(found: Neighbours, codes: NDArray[np.int32], game: Game) -> NDArray[np.bool_]:
    """Return which positions have exactly one action that keeps the result, and others that do not.

    Parameters
    ----------
    found
        The positions with their successors.
    codes
        Shape (positions,): their outcome codes.

    Returns
    -------
    numpy.ndarray
        Shape (positions,), bool.
    """
    counts = np.diff(found.ends, prepend=0)
    owners = np.repeat(np.arange(len(counts)), counts)
    kept = results_of(found.children, game) == results_of(codes, game)[owners]
    keepers = np.bincount(owners[kept], minlength=len(counts))
    return (found.own < 0) & (keepers == 1) & (counts > 1)
