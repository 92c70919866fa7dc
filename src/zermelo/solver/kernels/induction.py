"""Backing values up: the outcome of a position from those of its successors.

Nothing here knows a game. The best successor so far is kept beside a position, so that successors may come in
several portions: a table that does not fit into memory, or lies on several machines, is looked at part by part.
"""

from typing import Any

from zermelo.compiled.cache import shared_kernel
from zermelo.solver.model.outcome_codes import ABSENT, UNKNOWN, one_ply_on, preference


@shared_kernel
def improve(own: Any, ends: Any, words: Any, zero: int, shift: int, best: Any) -> None:
    """Let the best successor so far of each position give way to a better one.

    Parameters
    ----------
    own, ends
        As `zermelo.solver.model.expand.Batch` has them.
    words
        The outcomes of the successors; negative where they are not among these.
    zero, shift
        How words are to be read, see `zermelo.solver.model.outcome_codes.preference`.
    best
        Changed: the outcome of each position's best successor, negative where none is known.
    """
    begin = 0
    for number in range(len(own)):
        sign = 1 if own[number] == UNKNOWN else -1
        chosen = best[number]
        liked = preference(chosen, sign, zero, shift) if chosen >= 0 else 0
        for place in range(begin, ends[number]):
            word = words[place]
            if word >= 0:
                like = preference(word, sign, zero, shift)
                if chosen < 0 or like > liked:
                    chosen, liked = word, like
        begin = ends[number]
        best[number] = chosen


@shared_kernel
def settle(own: Any, best: Any, shift: int, out: Any) -> int:
    """The outcome of each position, a ply on from its best successor; returns how many have none."""
    untold = 0
    for number in range(len(own)):
        if own[number] >= 0:
            out[number] = own[number]
        elif best[number] >= 0:
            out[number] = one_ply_on(best[number], shift)
        else:
            out[number] = ABSENT
            untold += 1
    return untold
