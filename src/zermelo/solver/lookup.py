"""Finding keys in sorted arrays of keys.

Nothing here knows a game. A sorted array is entered through a table of the keys' upper bits: where the keys with the
same upper bits begin. What is left is a search within a few keys, most of which one line of memory holds.
"""

from typing import Any, NamedTuple

import numpy as np

from zermelo.compiled.cache import shared_kernel
from zermelo.compiled.probing import place_of


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
    """Write where in the sorted keys each query is, -1 where it is not."""
    for number in range(len(queries)):
        places[number] = place_of(known.keys, known.heads, known.shift, queries[number])


@shared_kernel
def look_up(known: Sorted, words: Any, queries: Any, out: Any) -> int:
    """Write the word of each query that is among the sorted keys, leave the others; returns how many were found."""
    found = 0
    for number in range(len(queries)):
        place = place_of(known.keys, known.heads, known.shift, queries[number])
        if place >= 0:
            out[number] = words[place]
            found += 1
    return found


def places_of(known: Sorted, queries: Any) -> Any:
    """Where in the sorted keys each query is, -1 where it is not."""
    places = np.empty(len(queries), dtype=np.int64)
    find(known, queries, places)
    return places


def sorted_once(keys: Any) -> Any:
    """The keys in ascending order, each once; ``keys`` itself is used up."""
    keys.sort()
    return keys[: keep_once(keys)]


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
