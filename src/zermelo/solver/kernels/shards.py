"""Which shard a position belongs to: a hash of its key, and nothing else.

How many shards there are is fixed when a solve begins; how many nodes there are may change while it runs.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo.compiled.cache import shared_kernel
from zermelo.compiled.word64 import mix, shift_down


@shared_kernel
def shard_of(key: int, shards: int) -> int:
    """The shard of a key: the upper bits of its mixture, scaled; a division would take as long as all the rest."""
    return shift_down(mix(key), 33) * shards >> 31


@shared_kernel
def sort_by_shard(keys: Any, starts: Any, numbers: Any, grouped: Any, places: Any) -> None:
    """Put the keys of each shard side by side, in the order in which they came.

    Parameters
    ----------
    keys
        int64.
    starts
        int64, zeros, one more than there are shards; filled: where each shard begins.
    numbers
        int32, one for each key: room for its shard.
    grouped, places
        int64, one for each key; filled: the keys, and where each of them was.
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
        grouped[cursors[number]] = keys[place]
        places[cursors[number]] = place
        cursors[number] += 1


def split(keys: Any, shards: int) -> Iterator[tuple[int, Any, Any]]:
    """The shards that keys belong to: number, keys, and where they were; shards that have none are left out."""
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
