"""Merging: several threads merge sorted runs of keys, and solved shards become one stream.

A *part* is a file of ascending keys. A *run* is a list of parts whose keys ascend from one to the next, each key once.
Runs are merged in two steps:

1. All runs are cut at the same key. It is the least last key among those parts in memory whose runs go on. So only one
   part of each run is in memory at a time.
2. The keys between two cuts are divided into *ranges*, small enough to be sorted within the processor's cache. Each
   thread takes one range at a time.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.kernels.interleave import merge_two
from zermelo.solver.kernels.lookup import sorted_once, with_heads, without
from zermelo.solver.passes.threads import Scratch, Workers
from zermelo.solver.table.stores import Part

Keys = NDArray[np.int64]
Pair = tuple[Keys, NDArray[np.int32]]
"""Ascending keys and the outcome code of each, both of shape (n,)."""
Name = TypeVar("Name", bound=Hashable)
RANGE: Final = 1 << 20
"""The most keys in a range; so many can be sorted within the processor's cache."""
_SAMPLES: Final = 64
"""Keys sampled from each range, to choose where the ranges begin."""
_NO_KEYS: Final[Keys] = np.empty(0, dtype=np.int64)
_SPARSE: Final = 16
"""If there are at least this many known keys for each other key, a binary search for each of the others is quicker."""


class Range(NamedTuple):
    """The keys of all runs between two bounds."""

    runs: list[Keys]
    """The keys of each run, ascending and distinct."""
    known: list[Keys]
    """Ascending keys that the result leaves out."""

    def merged(self, scratch: Scratch) -> tuple[int, Keys]:
        """Return how many distinct keys the runs have, and those of them that are not known, ascending."""
        keys = _NO_KEYS
        if len(self.runs) == 1:  # its keys are ascending and distinct
            keys = self.runs[0]
        elif self.runs:
            count = sum(map(len, self.runs))
            keys = np.concatenate(self.runs, out=scratch.keys("merged", count))
            keys = sorted_once(keys, scratch.keys("room", count))
        met = len(keys)
        if not self.known:
            return met, keys.copy()
        for known in self.known:
            keys = _without(keys, known)
        return met, keys


def _without(keys: Keys, known: Keys) -> Keys:
    """Return those of some ascending keys that are not among the known ones."""
    if len(known) < _SPARSE * len(keys):
        new: Keys = without(keys, with_heads(known))
        return new
    places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return keys[known[places] != keys]


def ranges(runs: Sequence[Keys], known: Sequence[Keys], room: int) -> Iterator[Range]:
    """Yield ranges of about ``room`` keys at most into which runs are cut; the known keys are cut at the same bounds.

    Parameters
    ----------
    runs
        Arrays of ascending, distinct keys.
    known
        Arrays of ascending keys to leave out.
    room
        The number of keys in a range, known ones not counted.
    """
    arrays = [*runs, *known]
    total = sum(map(len, runs))
    pieces = -(-total // room)
    cuts = _NO_KEYS
    if pieces > 1:
        distance = max(1, room // _SAMPLES)
        sample = np.sort(np.concatenate([run[distance // 2 :: distance] for run in runs]))
        cuts = np.unique(sample[[len(sample) * piece // pieces for piece in range(1, pieces)]])
    ends = [[*np.searchsorted(array, cuts).tolist(), len(array)] for array in arrays]
    begins = [0] * len(arrays)
    for piece in range(len(cuts) + 1):
        slices = [array[begin : end[piece]] for array, begin, end in zip(arrays, begins, ends, strict=True)]
        begins = [end[piece] for end in ends]
        yield Range(
            [keys for keys in slices[: len(runs)] if len(keys)], [keys for keys in slices[len(runs) :] if len(keys)]
        )


def room_for_range(memory: int, workers: Workers) -> int:
    """Return how many keys a range may have.

    A thread needs twice the memory of a range's keys while it merges them, and some merged ranges wait for the caller.
    """
    return max(1 << 12, min(RANGE, memory // 8 // (4 * workers.count)))


def merged_arrays(workers: Workers, memory: int, groups: Mapping[Name, Sequence[Keys]]) -> dict[Name, Keys]:
    """Return the runs of each group, merged into one array of ascending, distinct keys.

    Parameters
    ----------
    workers
        The threads to use.
    memory
        Bytes that the ranges under way may take.
    groups
        By name, arrays of ascending, distinct keys.
    """
    room = room_for_range(memory, workers)
    several = {name: runs for name, runs in groups.items() if len(runs) > 1}
    pieces: dict[Name, list[Keys]] = {name: [] for name in several}
    tasks = ((name, some) for name, runs in several.items() for some in ranges(runs, (), room))

    def merge(task: tuple[Name, Range]) -> tuple[Name, Keys]:
        return task[0], task[1].merged(workers.scratch)[1]

    for name, keys in workers.in_order(merge, tasks):
        pieces[name].append(keys)
    return {
        name: runs[0] if len(runs) == 1 else _as_one(workers, pieces.pop(name))
        for name, runs in groups.items()
        if len(runs)
    }


def _as_one(workers: Workers, arrays: list[Keys]) -> Keys:
    return arrays[0] if len(arrays) == 1 else workers.as_one(list(map(len, arrays)), arrays.__getitem__)


def merged_pieces(workers: Workers, memory: int, runs: Sequence[Keys]) -> Iterator[Keys]:
    """Yield the keys of runs in memory in ascending order, each once, some at a time; parameters as `merged_arrays`."""
    tasks = ranges(runs, (), room_for_range(memory, workers))
    return (keys for _, keys in workers.in_order(lambda some: some.merged(workers.scratch), tasks))


def merged_runs(
    read: Callable[[Part], Keys],
    workers: Workers,
    memory: int,
    runs: Sequence[Sequence[Part]],
    known: Sequence[Sequence[Part]] = (),
    read_known: Callable[[Part], Keys] | None = None,
) -> Iterator[tuple[int, Keys]]:
    """Yield the keys of all runs in ascending order, each once, without the known ones.

    Parameters
    ----------
    read, read_known
        Read a part of ``runs``, and of ``known``. The default of ``read_known`` is ``read``.
    workers
        The threads to use.
    memory
        Bytes that the ranges under way may take.
    runs
        The runs to merge.
    known
        Runs of keys that are left out.

    Yields
    ------
    int, array
        For each range, in ascending order: how many distinct keys the runs have, and those of them that are not known.
    """
    room = room_for_range(memory, workers)
    readers = [read] * len(runs) + [read_known or read] * len(known)
    tasks = (
        some
        for slices in _cut_at_parts([*runs, *known], readers, len(runs))
        for some in ranges(slices[: len(runs)], slices[len(runs) :], room)
    )
    return workers.in_order(lambda some: some.merged(workers.scratch), tasks)


def _cut_at_parts(
    runs: Sequence[Sequence[Part]], readers: Sequence[Callable[[Part], Keys]], counted: int
) -> Iterator[list[Keys]]:
    """Yield slices of all runs between the same two keys, with one part of each run in memory.

    The slices end when the first ``counted`` runs have no more keys.
    """
    remaining = [list(run) for run in runs]
    held = [_NO_KEYS] * len(runs)
    while True:
        for number, parts in enumerate(remaining):
            if not len(held[number]) and parts:
                held[number] = readers[number](parts.pop(0))
        if not any(len(keys) for keys in held[:counted]):
            return
        open_ends = [keys[-1] for keys, parts in zip(held, remaining, strict=True) if parts]
        if open_ends:
            cuts = [int(np.searchsorted(keys, min(open_ends), side="right")) for keys in held]
        else:
            cuts = [len(keys) for keys in held]
        yield [keys[:cut] for keys, cut in zip(held, cuts, strict=True)]
        held = [keys[cut:] for keys, cut in zip(held, cuts, strict=True)]


def merged_shards(shards: Sequence[Iterator[Pair]], size: int) -> Iterator[Pair]:
    """Yield the keys and codes of all shards in ascending order of keys, ``size`` at a time; at the end, the rest.

    Parameters
    ----------
    shards
        For each shard, an iterator over its parts. One part of each is in memory.
    size
        The number of keys in a pair.
    """
    step = max(1, size // max(1, len(shards)))
    held = [next(shard, None) for shard in shards]
    waiting: list[Pair] = []
    count = 0
    while any(pair is not None for pair in held):
        ends = [pair[0][min(step, len(pair[0])) - 1] for pair in held if pair is not None]
        taken = []
        for number, pair in enumerate(held):
            if pair is not None:
                keys, codes = pair
                cut = int(np.searchsorted(keys, min(ends), side="right"))
                taken.append((keys[:cut], codes[:cut]))
                held[number] = (keys[cut:], codes[cut:]) if cut < len(keys) else next(shards[number], None)
        waiting.append(_joined([pair for pair in taken if len(pair[0])]))
        count += len(waiting[-1][0])
        while count >= size:
            keys, codes = _concatenated(waiting)
            yield keys[:size], codes[:size]
            waiting, count = [(keys[size:], codes[size:])], count - size
    if count:
        yield _concatenated(waiting)


def _concatenated(pairs: list[Pair]) -> Pair:
    if len(pairs) == 1:
        return pairs[0]
    return np.concatenate([keys for keys, _ in pairs]), np.concatenate([codes for _, codes in pairs])


def _joined(pairs: list[Pair]) -> Pair:
    """Merge pairs of sorted arrays into one pair."""
    while len(pairs) > 1:  # take the two that have waited longest, so that each key is moved as seldom as possible
        pairs.append(merge_two(*pairs.pop(0), *pairs.pop(0)))
    return pairs[0]


def in_parts(arrays: Iterator[Keys], size: int) -> Iterator[Keys]:
    """Yield the same keys in arrays of ``size``; the last one may be shorter."""
    waiting: list[Keys] = []
    count = 0
    for array in arrays:
        while count + len(array) >= size:
            cut = size - count
            yield np.concatenate([*waiting, array[:cut]]) if waiting else array[:cut]
            array, waiting, count = array[cut:], [], 0
        if len(array):
            waiting.append(array)
            count += len(array)
    if waiting:
        yield waiting[0] if len(waiting) == 1 else np.concatenate(waiting)
