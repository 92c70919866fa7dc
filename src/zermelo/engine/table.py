"""The transposition table of the depth-limited search: two words an entry, four entries a cache line.

The first word is ``key ^ data``, where ``key`` is the state's whole key. An entry whose two words were written by
different threads does not match its key and is not read (Hyatt and Mann 2002). The second word, ``data``, from
its low end::

    bits   0-31   value + 2**31, scaled, for the player to move
    bits  32-43   depth: plies searched below the state, at most 4095
    bits  44-45   bound: LOWER, UPPER or both, EXACT
    bit      46   proven: terminal states and proven bounds alone decided it
    bits  47-51   age: the number of the iteration that wrote it, modulo 32
    bits  52-63   1 + the index of the best action; 0 for none
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import subkernel
from zermelo.compiled.word64 import mix, prefetch, shift_down, shift_up, words_at
from zermelo.engine.job import Job

LOWER: Final = 1
UPPER: Final = 2
EXACT: Final = LOWER | UPPER
"""Bounds as bits."""
SLOTS: Final = 4
"""Entries of a bucket: a cache line of 64 bytes."""
AGES: Final = 31
_FADING: Final = 2
"""Plies of depth that an entry's worth loses in each iteration."""
_OFFSET: Final = 1 << 31
_ACTIONS: Final = (1 << 12) - 2


@subkernel
def value_of(data: int) -> int:
    """The entry's value."""
    return (data & 0xFFFFFFFF) - _OFFSET


@subkernel
def depth_of(data: int) -> int:
    """The entry's depth."""
    return (data >> 32) & 0xFFF


@subkernel
def bound_of(data: int) -> int:
    """The entry's bound: LOWER, UPPER or EXACT."""
    return (data >> 44) & 3


@subkernel
def proven_of(data: int) -> int:
    """1 if the entry is proven."""
    return (data >> 46) & 1


@subkernel
def unproven(data: int) -> int:
    """The same entry, not proven."""
    return data & ~(1 << 46)


@subkernel
def age_of(data: int) -> int:
    """The entry's age."""
    return (data >> 47) & AGES


@subkernel
def action_of(data: int) -> int:
    """The index of the best action, -1 for none."""
    return shift_down(data, 52) - 1


@subkernel
def make_data(value: int, depth: int, bound: int, proven: int, age: int, action: int) -> int:
    """An entry's second word."""
    kept = action + 1 if 0 <= action <= _ACTIONS else 0
    data = (value + _OFFSET) | min(depth, 0xFFF) << 32 | bound << 44 | proven << 46 | (age & AGES) << 47
    return data | shift_up(kept, 52)


@subkernel
def _words(job: Job) -> NDArray[np.int64]:
    return words_at(job.search_address, 2 * SLOTS << job.search_bits)


@subkernel
def _bucket(job: Job, key: int) -> int:
    return 2 * SLOTS * shift_down(mix(key), 64 - job.search_bits)


@subkernel
def fetch_ahead(job: Job, key: int) -> None:
    """Let the memory bring the entries of ``key`` while other work is done.

    Waiting for them was measured to be most of what a node costs.
    """
    prefetch(_words(job), _bucket(job, key))


@subkernel
def probe(job: Job, key: int) -> int:
    """The data of the state of that key, 0 if there is none."""
    words, first = _words(job), _bucket(job, key)
    for slot in range(first, first + 2 * SLOTS, 2):
        data = words[slot + 1]
        if words[slot] ^ data == key and data != 0:
            return data
    return 0


@subkernel
def store(job: Job, key: int, data: int) -> None:
    """Keep ``data``: in the state's own slot, or an empty one, or the one worth least."""
    words, first = _words(job), _bucket(job, key)
    chosen, least = first, 1 << 30
    for slot in range(first, first + 2 * SLOTS, 2):
        old = words[slot + 1]
        if old == 0 or words[slot] ^ old == key:
            if old != 0 and not proven_of(data) and _says_more(old, data):
                return
            job.table_states += old == 0
            chosen = slot
            break
        worth = _worth(job, old)
        if worth < least:
            chosen, least = slot, worth
    words[chosen] = key ^ data
    words[chosen + 1] = data


@subkernel
def _says_more(old: int, data: int) -> bool:
    """Whether an entry is exact and proven, or tells of a state before the horizon what new data tells from past it."""
    return (proven_of(old) == 1 and bound_of(old) == EXACT) or depth_of(data) == 0 < depth_of(old)


@subkernel
def _worth(job: Job, data: int) -> int:
    """How much an entry would be missed: deep ones more, and those of earlier iterations less."""
    return depth_of(data) - _FADING * ((job.age - age_of(data)) & AGES)
