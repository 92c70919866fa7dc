"""Sorting keys, and finding them in sorted arrays.

Nothing here knows a game. A sorted array is entered through a table of the keys' upper bits: where the keys with the
same upper bits begin. What is left is a search within a few keys, most of which one line of memory holds.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from zermelo.compiled.cache import shared_kernel
from zermelo.compiled.word64 import prefetch

_DIGIT: Final = 11
"""Bits of a digit at most: as many places to write to as the processor's nearest cache has lines for."""
_AHEAD: Final = 16
"""Queries that are on their way from memory at a time; half and twice as many take as long."""
_FEW: Final = 256
"""Keys that are sorted by comparisons."""


class Sorted(NamedTuple):
    """Sorted keys with a way in."""

    keys: Any
    """int64, ascending, each once."""
    heads: Any
    """int64: number ``i`` is where keys whose upper bits are at least ``i`` begin."""
    shift: int
    """How many lower bits the upper ones leave; bits are those of a key less the least one."""


def with_heads(keys: Any) -> Sorted:
    """Sorted keys with a way in; it takes at most half the memory of the keys."""
    if len(keys) == 0:
        return Sorted(keys, np.zeros(2, dtype=np.int64), 0)
    base, span = int(keys[0]), int(keys[-1]) - int(keys[0])
    shift = max(0, span.bit_length() - max(1, len(keys) // 4).bit_length())
    heads = np.empty((span >> shift) + 2, dtype=np.int64)
    fill_heads(keys, base, shift, heads)
    return Sorted(keys, heads, shift)


@shared_kernel
def fill_heads(keys: Any, base: int, shift: int, heads: Any) -> None:
    """Where the keys of each head begin."""
    head = 0
    for number in range(len(keys)):
        while head <= (keys[number] - base) >> shift:
            heads[head] = number
            head += 1
    while head < len(heads):
        heads[head] = len(keys)
        head += 1


@shared_kernel
def find(known: Sorted, queries: Any, places: Any) -> None:
    """Write where in the sorted keys each query is, -1 where it is not.

    As `zermelo.compiled.table_probe.place_of`, of many keys at once: what queries further on will read is asked of the
    memory now. Written out, since a call of another function costs as much as that gains.
    """
    keys, heads, shift = known
    if len(keys) == 0:
        places[:] = -1
        return
    first, last = keys[0], keys[-1]
    for number in range(len(queries)):
        if number + 2 * _AHEAD < len(queries):
            query = queries[number + 2 * _AHEAD]
            prefetch(heads, (query - first) >> shift if first <= query <= last else 0)
        if number + _AHEAD < len(queries):
            query = queries[number + _AHEAD]
            prefetch(keys, heads[(query - first) >> shift if first <= query <= last else 0])
        query = queries[number]
        places[number] = -1
        if first <= query <= last:
            head = (query - first) >> shift
            low, high = heads[head], heads[head + 1]
            while low < high:
                middle = (low + high) >> 1
                if keys[middle] < query:
                    low = middle + 1
                else:
                    high = middle
            if keys[low] == query:
                places[number] = low


@shared_kernel
def take(words: Any, places: Any, out: Any) -> int:
    """Write the words at these places, leave the others; returns how many there are."""
    found = 0
    for number in range(len(places)):
        if places[number] >= 0:
            out[number] = words[places[number]]
            found += 1
    return found


def look_up(known: Sorted, words: Any, queries: Any, out: Any) -> int:
    """Write the word of each query that is among the sorted keys, leave the others; returns how many were found."""
    return int(take(words, places_of(known, queries), out))


def places_of(known: Sorted, queries: Any) -> Any:
    """Where in the sorted keys each query is, -1 where it is not."""
    places = np.empty(len(queries), dtype=np.int64)
    find(known, queries, places)
    return places


def sorted_once(keys: Any) -> Any:
    """The keys in ascending order, each once; ``keys`` itself is used up."""
    if len(keys) < _FEW:
        keys.sort()
    else:
        room = np.empty_like(keys)
        width = (int(keys.max()) - int(keys.min())).bit_length()
        passes = -(-width // _DIGIT)
        counts = np.zeros((passes, 1 << -(-width // max(1, passes))), dtype=np.int64)
        if sort_by_digits(keys, room, int(keys.min()), counts):
            keys = room
    return keys[: keep_once(keys)]


@shared_kernel
def sort_by_digits(keys: Any, room: Any, base: int, counts: Any) -> bool:
    """Radix sort, from the last digit to the first; returns whether the keys are now in ``room``.

    Five times as quick as a sort by comparisons for the children of a tier, whose keys differ in some thirty bits.

    Parameters
    ----------
    keys, room
        int64, of one length; both are changed.
    base
        The least key.
    counts
        int64, zeros: a row for each digit of ``key - base``, the last one first, and a column for each value of it.
    """
    passes, size = counts.shape
    step = 0
    while 1 << step < size:
        step += 1
    for number in range(len(keys)):
        rest = keys[number] - base
        for digit in range(passes):
            counts[digit, rest >> digit * step & size - 1] += 1
    moved = False
    for digit in range(passes):
        row = counts[digit]
        before = 0
        for value in range(size):
            count = row[value]
            row[value] = before
            before += count
        for number in range(len(keys)):
            value = keys[number] - base >> digit * step & size - 1
            room[row[value]] = keys[number]
            row[value] += 1
        keys, room = room, keys
        moved = not moved
    return moved


@shared_kernel
def keep_once(keys: Any) -> int:
    """Move the first of equal neighbours to the front; returns how many there are."""
    kept = 0
    for number in range(len(keys)):
        if number == 0 or keys[number] != keys[kept - 1]:
            keys[kept] = keys[number]
            kept += 1
    return kept


def without(keys: Any, known: Sorted) -> Any:
    """The keys that are not among the known ones."""
    return keys[places_of(known, keys) < 0]
