"""Sorting keys, and finding them in sorted arrays.

Nothing here knows a game. For a sorted array, `with_heads` notes where the keys with the same upper bits begin. A
look-up goes there first, and then searches among a few keys, most of which lie in one cache line.
"""

from collections.abc import Callable
from functools import cache
from time import thread_time
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import inlined, shared_kernel
from zermelo.compiled.table_probe import place_of
from zermelo.compiled.word64 import prefetch

_DIGIT: Final = 11
"""The most bits in a digit of the radix sort: the nearest cache has lines for about 2**11 places to write to."""
_AHEAD: Final = 16
"""How many queries ahead a look-up asks the memory for keys; half and twice as many take equally long."""
_FEW: Final = 256
"""Arrays with fewer keys than this are sorted by comparisons."""
_TRIED: Final = 1 << 16
"""How many keys `numpy_is_faster` sorts in each way."""


class Sorted(NamedTuple):
    """Sorted keys, with an index by their upper bits."""

    keys: NDArray[np.int64]
    """Shape (n,): ascending and distinct."""
    heads: NDArray[np.int64]
    """``heads[i]`` is the first place in ``keys`` where ``(key - keys[0]) >> shift`` is at least ``i``."""
    shift: int
    """The number of lower bits that the index ignores."""


def with_heads(keys: NDArray[np.int64]) -> Sorted:
    """Return sorted keys, shape (n,), with an index, which takes at most half the memory of the keys."""
    if len(keys) == 0:
        return Sorted(keys, np.zeros(2, dtype=np.int64), 0)
    base, span = int(keys[0]), int(keys[-1]) - int(keys[0])
    shift = max(0, span.bit_length() - max(1, len(keys) // 4).bit_length())
    heads = np.empty((span >> shift) + 2, dtype=np.int64)
    fill_heads(keys, base, shift, heads)
    return Sorted(keys, heads, shift)


@shared_kernel
def fill_heads(keys: NDArray[np.int64], base: int, shift: int, heads: NDArray[np.int64]) -> None:
    """Write the index of `Sorted` for keys of which ``base`` is the least."""
    head = 0
    for number in range(len(keys)):
        while head <= (keys[number] - base) >> shift:
            heads[head] = number
            head += 1
    while head < len(heads):
        heads[head] = len(keys)
        head += 1


@inlined
def head_of(known: Sorted, query: int) -> int:
    """Return the place of a query in the index; 0 if the query is not between the least and the greatest key."""
    keys, _, shift = known
    return (query - keys[0]) >> shift if keys[0] <= query <= keys[-1] else 0


@shared_kernel
def find(known: Sorted, queries: NDArray[np.int64], places: NDArray[np.int64]) -> None:
    """Write the place of each query in the sorted keys, -1 if it is not among them.

    The memory that later queries will read is prefetched; `look_up` does the same.

    Parameters
    ----------
    known
        The sorted keys.
    queries, places
        Shape (queries,); ``places`` is written.
    """
    if len(known.keys) == 0:
        places[:] = -1
        return
    for number in range(len(queries)):
        if number + 2 * _AHEAD < len(queries):
            prefetch(known.heads, head_of(known, queries[number + 2 * _AHEAD]))
        if number + _AHEAD < len(queries):
            prefetch(known.keys, known.heads[head_of(known, queries[number + _AHEAD])])
        places[number] = place_of(known.keys, known.heads, known.shift, queries[number])


@shared_kernel
def look_up(known: Sorted, codes: NDArray[np.int32], queries: NDArray[np.int64], out: NDArray[np.int32]) -> int:
    """Write the outcome code of each query that is among the sorted keys, and leave the rest of ``out`` as it is.

    Parameters
    ----------
    known
        The sorted keys.
    codes
        Shape (keys,): the code of each key.
    queries, out
        Shape (queries,); ``out`` is written.

    Returns
    -------
    int
        How many queries were found.
    """
    if len(known.keys) == 0:
        return 0
    found = 0
    for number in range(len(queries)):
        if number + 2 * _AHEAD < len(queries):
            prefetch(known.heads, head_of(known, queries[number + 2 * _AHEAD]))
        if number + _AHEAD < len(queries):
            near = known.heads[head_of(known, queries[number + _AHEAD])]
            prefetch(known.keys, near)
            prefetch(codes, near)
        place = place_of(known.keys, known.heads, known.shift, queries[number])
        if place >= 0:
            out[number] = codes[place]
            found += 1
    return found


def places_of(known: Sorted, queries: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the place of each query in the sorted keys, shape (queries,); -1 if it is not among them."""
    places = np.empty(len(queries), dtype=np.int64)
    find(known, queries, places)
    return places


def sorted_once(keys: NDArray[np.int64], room: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Return the distinct keys in ascending order.

    Parameters
    ----------
    keys
        Shape (n,); overwritten. The result may lie in its memory, or in that of ``room``.
    room
        Shape (n,): scratch space; made here if None.
    """
    if len(keys) < _FEW or numpy_is_faster():
        keys.sort()
    else:
        keys = _sorted_by_digits(keys, np.empty_like(keys) if room is None else room)
    return keys[: keep_once(keys)]


@cache
def numpy_is_faster() -> bool:
    """Return whether NumPy sorts keys in less time than `sort_by_digits` on this processor.

    NumPy compares eight keys with one instruction where the processor has AVX-512, and is then the faster one; with
    AVX2, or without either, it is the slower one. So this tries both, once in a process.
    """
    keys = np.random.default_rng(0).integers(0, 1 << 31, _TRIED)

    def seconds(sort: Callable[[NDArray[np.int64]], object]) -> float:
        begun = thread_time()
        sort(keys.copy())
        return thread_time() - begun

    def by_digits(some: NDArray[np.int64]) -> object:
        return _sorted_by_digits(some, np.empty_like(some))

    times = [(seconds(np.ndarray.sort), seconds(by_digits)) for _ in range(3)]
    return min(numpy for numpy, _ in times) < min(digits for _, digits in times)


def _sorted_by_digits(keys: NDArray[np.int64], room: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the keys, shape (n,), at least one, in ascending order: in their own memory or in ``room``, shape (n,)."""
    base = int(keys.min())
    width = (int(keys.max()) - base).bit_length()
    passes = -(-width // _DIGIT)
    counts = np.zeros((passes, 1 << -(-width // max(1, passes))), dtype=np.int64)
    return room if sort_by_digits(keys, room, base, counts) else keys


@shared_kernel
def sort_by_digits(keys: NDArray[np.int64], room: NDArray[np.int64], base: int, counts: NDArray[np.int64]) -> bool:
    """Sort by the radix method, from the last digit to the first; return whether the result is in ``room``.

    For the successors of a tier, whose keys differ in about thirty bits, this is five times as fast as a sort that
    compares two keys at a time.

    Parameters
    ----------
    keys, room
        Shape (n,); both are changed.
    base
        The least key.
    counts
        Shape (digits, values of a digit), all 0: a row for each digit of ``key - base``, the last digit first.
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
            key = keys[number]
            value = key - base >> digit * step & size - 1
            place = row[value]
            room[place] = key
            row[value] = place + 1
        keys, room = room, keys
        moved = not moved
    return moved


@shared_kernel
def keep_once(keys: NDArray[np.int64]) -> int:
    """Move the distinct keys of a sorted array to its front; return how many there are."""
    kept = 0
    for number in range(len(keys)):
        key = keys[number]
        keys[kept] = key
        # Adding 0 or 1 takes less time than a branch that the processor cannot foresee.
        kept += 1 if number + 1 == len(keys) or keys[number + 1] != key else 0
    return kept


def without(keys: NDArray[np.int64], known: Sorted) -> NDArray[np.int64]:
    """Return those of ``keys``, shape (n,), that are not among the known ones."""
    return keys[places_of(known, keys) < 0]
