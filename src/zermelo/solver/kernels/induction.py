"""Backing up: the outcome code of a position from those of its successors.

Nothing here knows a game. The caller keeps the best successor so far of each position, so that the successors may come
in several portions. That is how a table is used that does not fit into memory or lies on several machines.
"""

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import shared_kernel
from zermelo.solver.model.outcome_codes import ABSENT, UNKNOWN, one_ply_on, preference


@shared_kernel
def improve(
    own: NDArray[np.int32],
    ends: NDArray[np.int64],
    codes: NDArray[np.int32],
    zero: int,
    shift: int,
    best: NDArray[np.int32],
) -> None:
    """Replace the best successor so far of each position if one of these successors is better for the player to move.

    Parameters
    ----------
    own, ends
        Shape (positions,): see `zermelo.solver.model.expand.Batch`.
    codes
        Shape (successors,): the outcome codes of the successors; negative for those that this portion does not hold.
    zero, shift
        How to read the codes, see `zermelo.solver.model.outcome_codes.preference`.
    best
        Shape (positions,), changed: the code of each position's best successor, negative if none is known.
    """
    begin = 0
    for number in range(len(own)):
        sign = 1 if own[number] == UNKNOWN else -1
        chosen = best[number]
        liked = preference(chosen, sign, zero, shift) if chosen >= 0 else 0
        for place in range(begin, ends[number]):
            code = codes[place]
            if code >= 0:
                like = preference(code, sign, zero, shift)
                if chosen < 0 or like > liked:
                    chosen, liked = code, like
        begin = ends[number]
        best[number] = chosen


@shared_kernel
def settle(own: NDArray[np.int32], best: NDArray[np.int32], shift: int, out: NDArray[np.int32]) -> int:
    """Write the outcome code of each position: its own if it is terminal, else one ply more than its best successor.

    Parameters
    ----------
    own, best, shift
        As in `improve`.
    out
        Shape (positions,), written: the codes; `ABSENT` where no successor is known. It may be ``best`` itself.

    Returns
    -------
    int
        How many positions got `ABSENT`.
    """
    absent = 0
    for number in range(len(own)):
        if own[number] >= 0:
            out[number] = own[number]
        elif best[number] >= 0:
            out[number] = one_ply_on(best[number], shift)
        else:
            out[number] = ABSENT
            absent += 1
    return absent
