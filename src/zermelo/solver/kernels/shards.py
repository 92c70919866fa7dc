"""Which shard a position belongs to: this depends on a hash of its key, and on nothing else.

The number of shards is fixed when a solve begins. The number of machines may change while it runs.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import shared_kernel
from zermelo.compiled.word64 import mix, shift_down


@shared_kernel
def shard_of(key: int, shards: int) -> int:
    """Return the shard of a key: the upper bits of its hash, scaled to 0 ... ``shards - 1``.

    A division would take as long as all the rest.
    """
    return shift_down(mix(key), 33) * shards >> 31


@shared_kernel
def sort_by_shard(
    keys: NDArray[np.int64],
    starts: NDArray[np.int64],
    numbers: NDArray[np.int32],
    grouped: NDArray[np.int64],
    places: NDArray[np.int64],
) -> None:
    """Put the keys of each shard side by side, in the order in which they came.

    Parameters
    ----------
    keys
        Shape (n,).
    starts
        Shape (shards + 1,), all 0; written: where in ``grouped`` each shard begins, and ``n``.
    numbers
        Shape (n,): scratch space.
    grouped, places
        Shape (n,), written: the keys, and the place of each in ``keys``.
    """
    shards = len(starts) - 1
    for place in range(len(keys)):
        number = shard_of(keys[place], shards)
        numbers[place] = number
        starts[number + 1] += 1
    for number in range(shards):
        starts[number + 1] += starts[number]
    cursors = starts.copy()
    for place in range(len(keys)):
        number = numbers[place]
        cursor = cursors[number]
        cursors[number] = cursor + 1
        grouped[cursor] = keys[place]
        places[cursor] = place


def split(keys: NDArray[np.int64], shards: int) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
    """Yield the number of each shard that keys, shape (n,), belong to, with its keys and their places in ``keys``."""
    if shards == 1:
        if len(keys):
            yield 0, keys, np.arange(len(keys))
        return
    starts = np.zeros(shards + 1, dtype=np.int64)
    grouped, places = np.empty(len(keys), dtype=np.int64), np.empty(len(keys), dtype=np.int64)
    sort_by_shard(keys, starts, np.empty(len(keys), dtype=np.int32), grouped, places)
    for number in range(shards):
        chosen = slice(starts[number], starts[number + 1])
        if starts[number] < starts[number + 1]:
            yield number, grouped[chosen], places[chosen]


def shares(keys: NDArray[np.int64], shards: int) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield the number of each shard that keys, shape (n,), belong to, with its keys; nothing for 0 shards."""
    if shards == 1:
        if len(keys):
            yield 0, keys
    elif shards > 1:
        yield from ((shard, some) for shard, some, _ in split(keys, shards))
