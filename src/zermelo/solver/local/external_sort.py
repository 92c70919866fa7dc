"""Sorting more keys than memory holds: sorted runs, in memory or on disk, merged range by range.

The keys of a tier arrive as runs, each sorted and without repeats, in any order. To merge them, the keys are cut
into ranges small enough to be sorted in memory; each range takes its slice of every run. The merged keys are handed
on in portions of `PART` keys, however they came, so that equal tiers make equal files.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from zermelo.files import unlink
from zermelo.solver.kernels.lookup import sorted_once
from zermelo.solver.local.threads import Workers
from zermelo.solver.local.workdir import Storage

PART: Final = 1 << 20
"""Keys in a file."""
_RANGE: Final = 1 << 20
"""Keys of a range, at most: they are sorted within the processor's cache."""
_STRIDE: Final = 512
_NO_KEYS: Final = np.empty(0, dtype=np.int64)
_SAMPLES: Final = 64
"""Keys of a run that are looked at to choose the ranges."""


class FiledRun:
    """A run in a file, of which only what is asked for comes into memory.

    Parameters
    ----------
    path
        Of int64 keys, ascending.
    index
        Every `_STRIDE`-th of them.
    """

    def __init__(self, path: Path, index: Any) -> None:
        self.path, self.index = path, index
        self._count = path.stat().st_size // 8

    def __len__(self) -> int:
        return int(self._count)

    def between(self, start: int, end: int) -> Any:
        """The keys from one place up to another."""
        return np.fromfile(self.path, dtype=np.int64, count=end - start, offset=8 * start)

    def spaced(self, distance: int) -> Any:
        """Keys at about that distance."""
        return self.index[:: max(1, distance // _STRIDE)]

    def place_of(self, key: int) -> int:
        """How many keys are less than that one."""
        block = max(0, int(np.searchsorted(self.index, key)) - 1) * _STRIDE
        return block + int(np.searchsorted(self.between(block, min(block + _STRIDE, len(self))), key))


class HeldRun:
    """A run in memory; as `FiledRun`."""

    def __init__(self, keys: Any) -> None:
        self.keys = keys

    def __len__(self) -> int:
        return len(self.keys)

    def between(self, start: int, end: int) -> Any:
        """The keys from one place up to another."""
        return self.keys[start:end]

    def spaced(self, distance: int) -> Any:
        """Keys at that distance."""
        return self.keys[distance // 2 :: distance]

    def place_of(self, key: int) -> int:
        """How many keys are less than that one."""
        return int(np.searchsorted(self.keys, key))


class Runs:
    """The runs of one tier.

    Parameters
    ----------
    storage
        Where runs go that memory has no room for.
    name
        Of the files there.
    """

    def __init__(self, storage: Storage, name: str) -> None:
        self.storage, self.name = storage, name
        self.runs: list[FiledRun | HeldRun] = []
        self.sums: dict[str, str] = {}
        """Of each file, the checksum of its keys."""
        self._durable = 0

    @property
    def in_memory(self) -> int:
        """Bytes."""
        return sum(8 * len(run) for run in self.runs if isinstance(run, HeldRun))

    def add(self, keys: Any) -> None:
        """Another run, sorted and without repeats."""
        if len(keys):
            self.runs.append(HeldRun(keys))

    def spill(self, durable: bool = False) -> None:
        """Move all runs to files; where they must outlive a crash, onto the disk."""
        for number, run in enumerate(self.runs):
            if isinstance(run, HeldRun):
                name = f"{self.name}-{len(self.sums):05d}.run"
                self.sums[name] = self.storage.write(name, run.keys, durable=False)
                self.runs[number] = FiledRun(self.storage.folder / name, run.keys[::_STRIDE].copy())
        if durable:
            for name in list(self.sums)[self._durable :]:
                self.storage.sync(name)
            self._durable = len(self.sums)

    def take_up(self, sums: Iterable[tuple[str, str]]) -> None:
        """Runs that an earlier solve left on disk, and their checksums; each is compared."""
        for name, checksum in sums:
            keys = self.storage.read(name, None, checksum)
            self.sums[name] = checksum
            self.runs.append(FiledRun(self.storage.folder / name, keys[::_STRIDE].copy()))
        self._durable = len(self.sums)

    def drop(self) -> None:
        """Forget the runs, and delete their files; those that a state names are deleted by `Storage.commit` alone."""
        self.runs = []
        for name in self.sums:
            unlink(self.storage.folder / name)
        self.sums, self._durable = {}, 0

    def merged(self, workers: Workers, memory: int) -> Iterator[Any]:
        """All keys in ascending order, each once, in arrays of any length; ``memory`` bytes may be used."""
        return merged(self.runs, workers, memory)


def merged(runs: Sequence[FiledRun | HeldRun], workers: Workers, memory: int) -> Iterator[Any]:
    """All keys of some runs in ascending order, each once, in arrays of any length; ``memory`` bytes may be used."""
    # While ranges are merged, each needs its keys twice; the results of some wait for their turn.
    room = max(1 << 12, min(_RANGE, memory // 8 // (4 * workers.count)))

    def merge(places: list[tuple[int, int]]) -> Any:
        slices = [run.between(*place) for run, place in zip(runs, places, strict=True) if place[0] < place[1]]
        # A run has no repeats of its own.
        return np.array(slices[0]) if len(slices) == 1 else sorted_once(np.concatenate([_NO_KEYS, *slices]))

    return workers.in_order(merge, _ranges(runs, room))


def _ranges(runs: Sequence[FiledRun | HeldRun], room: int) -> Iterator[list[tuple[int, int]]]:
    """For each range of at most about ``room`` keys, where it begins and ends in each run."""
    total = sum(map(len, runs))
    pieces = -(-total // room)
    begins = [0] * len(runs)
    if pieces > 1:
        sample = np.sort(np.concatenate([run.spaced(max(1, room // _SAMPLES)) for run in runs]))
        for cut in np.unique(sample[[len(sample) * piece // pieces for piece in range(1, pieces)]]):
            ends = [run.place_of(cut) for run in runs]
            yield list(zip(begins, ends, strict=True))
            begins = ends
    yield list(zip(begins, map(len, runs), strict=True))


def in_parts(arrays: Iterator[Any], size: int) -> Iterator[Any]:
    """The same keys in arrays of ``size``, the last one shorter."""
    waiting: list[Any] = []
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
        yield np.concatenate(waiting)
