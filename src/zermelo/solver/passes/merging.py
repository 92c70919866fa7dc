"""Sorted runs of keys merged by several threads, and solved shards merged into one stream.

A *run* is a list of parts whose keys ascend, each key once. Runs are merged in two steps. First they are cut where the
parts in memory end, so that one part of each run is in memory at a time. Then what lies between two cuts is divided
into ranges of keys, small enough to be sorted within the processor's cache; threads take one range each.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.kernels.interleave import merge_two
from zermelo.solver.kernels.lookup import sorted_once, with_heads, without
from zermelo.solver.passes.threads import Workers
from zermelo.solver.table.stores import Part

Keys = NDArray[np.int64]
Pair = tuple[Keys, NDArray[np.int32]]
"""Keys, ascending, and the outcome code of each."""
Name = TypeVar("Name", bound=Hashable)
RANGE: Final = 1 << 20
"""Keys in a range, at most: they are sorted within the processor's cache."""
_SAMPLES: Final = 64
"""Keys of each range that are looked at to choose the ranges."""
_NO_KEYS: Final[Keys] = np.empty(0, dtype=np.int64)
_SPARSE: Final = 16
"""If there are so many times more known keys than others, a binary search for each of the others is quicker."""


class Range(NamedTuple):
    """Keys between two bounds."""

    runs: list[Keys]
    known: list[Keys]
    """Keys that are left out of the result."""

    def merged(self) -> tuple[int, Keys]:
        """How many different keys the runs have, and those of them that are not known, ascending."""
        # A run has no repeats of its own.
        keys = np.array(self.runs[0]) if len(self.runs) == 1 else sorted_once(np.concatenate([_NO_KEYS, *self.runs]))
        met = len(keys)
        for known in self.known:
            keys = _without(keys, known)
        return met, keys


def _without(keys: Keys, known: Keys) -> Keys:
    if len(known) < _SPARSE * len(keys):
        new: Keys = without(keys, with_heads(known))
        return new
    places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return keys[known[places] != keys]


def ranges(runs: Sequence[Keys], known: Sequence[Keys], room: int) -> Iterator[Range]:
    """Runs cut into ranges of at most about ``room`` keys, and the known keys cut likewise."""
    arrays = [*runs, *known]
    total = sum(map(len, runs))
    pieces = -(-total // room)
    begins = [0] * len(arrays)
    if pieces > 1:
        distance = max(1, room // _SAMPLES)
        sample = np.sort(np.concatenate([run[distance // 2 :: distance] for run in runs]))
        for cut in np.unique(sample[[len(sample) * piece // pieces for piece in range(1, pieces)]]):
            ends = [int(np.searchsorted(array, cut)) for array in arrays]
            yield _range(arrays, begins, ends, len(runs))
            begins = ends
    yield _range(arrays, begins, [len(array) for array in arrays], len(runs))


def _range(arrays: Sequence[Keys], begins: list[int], ends: list[int], runs: int) -> Range:
    slices = [array[begin:end] for array, begin, end in zip(arrays, begins, ends, strict=True)]
    return Range([keys for keys in slices[:runs] if len(keys)], [keys for keys in slices[runs:] if len(keys)])


def room_for_range(memory: int, workers: Workers) -> int:
    """Keys of a range: while ranges are merged, each needs its keys twice, and the results of some wait."""
    return max(1 << 12, min(RANGE, memory // 8 // (4 * workers.count)))


def merged_arrays(workers: Workers, memory: int, groups: Mapping[Name, Sequence[Keys]]) -> dict[Name, Keys]:
    """The runs of each group as one."""
    room = room_for_range(memory, workers)
    several = {name: runs for name, runs in groups.items() if len(runs) > 1}
    pieces: dict[Name, list[Keys]] = {name: [] for name in several}
    tasks = ((name, some) for name, runs in several.items() for some in ranges(runs, (), room))

    def merge(task: tuple[Name, Range]) -> tuple[Name, Keys]:
        return task[0], task[1].merged()[1]

    for name, keys in workers.in_order(merge, tasks):
        pieces[name].append(keys)
    return {
        name: runs[0] if len(runs) == 1 else _as_one(pieces.pop(name)) for name, runs in groups.items() if len(runs)
    }


def _as_one(arrays: list[Keys]) -> Keys:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def merged_runs(
    read: Callable[[Part], Keys],
    workers: Workers,
    memory: int,
    runs: Sequence[Sequence[Part]],
    known: Sequence[Sequence[Part]] = (),
    read_known: Callable[[Part], Keys] | None = None,
) -> Iterator[tuple[int, Keys]]:
    """The keys of all runs in ascending order, each once, without the known ones.

    Parameters
    ----------
    read, read_known
        Read a part of ``runs``, and of ``known``.
    memory
        Bytes that ranges under way may take.

    Yields
    ------
    int, array
        How many different keys the runs have in the next range, and those of them that are not known.
    """
    room = room_for_range(memory, workers)
    readers = [read] * len(runs) + [read_known or read] * len(known)
    tasks = (
        some
        for slices in _cut_at_parts([*runs, *known], readers, len(runs))
        for some in ranges(slices[: len(runs)], slices[len(runs) :], room)
    )
    return workers.in_order(Range.merged, tasks)


def _cut_at_parts(
    runs: Sequence[Sequence[Part]], readers: Sequence[Callable[[Part], Keys]], counted: int
) -> Iterator[list[Keys]]:
    """Slices of all runs between the same two keys, with one part of each run in memory.

    It ends when the first ``counted`` runs have no more keys.
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
    """Keys and codes of all shards in ascending order of keys, ``size`` at a time.

    Each shard is an iterator over its parts; one part of each is in memory.
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
    """Sorted arrays as one."""
    while len(pairs) > 1:  # the two that have waited longest, so that each key is moved as seldom as possible
        pairs.append(merge_two(*pairs.pop(0), *pairs.pop(0)))
    return pairs[0]


def in_parts(arrays: Iterator[Keys], size: int) -> Iterator[Keys]:
    """The same keys in arrays of ``size``, the last one shorter."""
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
