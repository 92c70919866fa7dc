"""The table of the proof search: one word an entry, so that a look-up costs one access to memory.

A state's key is mixed into another word, one to one. The top ``proof_bits`` bits of that word are the entry's place;
the others are in the entry. Together they are the whole key, so no two keys are ever confused. The free bits of an
entry, as many as the place has, hold what is known::

    from the low end:  2 bits bound, the rest value + limit

An aligned word is written in one step, so threads that share the table never see half an entry.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import inlined, subkernel
from zermelo.compiled.word64 import mix, prefetch, shift_down, shift_up, words_at
from zermelo.engine.job import JOURNAL, Job
from zermelo.engine.table import LOWER, UPPER

_BOUND: Final = 3


@inlined
def _words(job: Job) -> NDArray[np.int64]:
    return words_at(job.proof_address, 1 << job.proof_bits)


@inlined
def fetch_proof_ahead(job: Job, key: int) -> None:
    """Let the memory bring the entry of ``key`` while other work is done."""
    prefetch(_words(job), shift_down(mix(key), 64 - job.proof_bits))


@inlined
def probe_proof(job: Job, key: int) -> int:
    """What is known of the state of that key; 0 for nothing."""
    mixed = mix(key)
    entry = _words(job)[shift_down(mixed, 64 - job.proof_bits)]
    known = entry & ((1 << job.proof_bits) - 1)
    return known if entry ^ known == shift_up(mixed, job.proof_bits) else 0


@inlined
def store_proof(job: Job, key: int, known: int) -> None:
    """Remember what is known of a state, in place of what stood there; a bound that meets the other one is exact."""
    mixed = mix(key)
    place = shift_down(mixed, 64 - job.proof_bits)
    words = _words(job)
    if words[place] == 0:
        job.table_states += 1
        if job.journal_length < JOURNAL:
            job.journal[job.journal_length] = place
        job.journal_length += 1
    elif words[place] ^ shift_up(mixed, job.proof_bits) == known ^ _BOUND:  # the same state, the same value
        known |= _BOUND
    words[place] = shift_up(mixed, job.proof_bits) | known


@inlined
def make_known(value: int, bound: int, job: Job) -> int:
    """The free bits of an entry."""
    return bound | (value + job.value_limit) << 2


@inlined
def known_bound(known: int) -> int:
    """LOWER, UPPER or EXACT."""
    return known & _BOUND


@inlined
def known_value(known: int, job: Job) -> int:
    """The value, for the player to move."""
    return (known >> 2) - job.value_limit


@subkernel
def narrowed_by_table(key: int, low: int, high: int, job: Job) -> tuple[int, int]:
    """The interval [low, high] of a value, for the player to move, narrowed by what the table knows."""
    known = probe_proof(job, key)
    if known != 0:
        value, bound = known_value(known, job), known_bound(known)
        if bound & LOWER:
            low = max(low, min(value, high))
        if bound & UPPER:
            high = min(high, max(value, low))
    return low, high


@subkernel
def forget(job: Job) -> None:
    """Empty the table: only the places that were written, if they are few."""
    words = _words(job)
    if job.journal_length <= JOURNAL:
        for number in range(job.journal_length):
            words[job.journal[number]] = 0
    else:
        words[:] = 0
    job.journal_length = 0
