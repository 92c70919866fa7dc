"""Sorting more keys than memory holds: sorted runs, in memory or on disk, merged range by range.

The keys of a tier arrive as runs, each sorted and without repeats, in any order. To merge them, the keys are cut
into ranges small enough to be sorted in memory; each range takes its slice of every run. The merged keys are handed
on in portions of `PART` keys, however they came, so that equal tiers make equal files.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from zermelo.solver.lookup import sorted_once
from zermelo.solver.workers import Workers

PART: Final = 1 << 22
"""Keys in a file."""
_RANGE: Final = 1 << 20
"""Keys of a range, at most: they are sorted within the processor's cache."""
_SAMPLES: Final = 64
"""Keys of a run that are looked at to choose the ranges."""


class Runs:
    """The runs of one tier.

    Parameters
    ----------
    folder
        Where runs go that memory has no room for.
    name
        Of the files there.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.runs: list[Any] = []
        self.files: list[Path] = []

    @property
    def in_memory(self) -> int:
        """Bytes."""
        return sum(run.nbytes for run in self.runs if not isinstance(run, np.memmap))

    def add(self, keys: Any) -> None:
        """Another run, sorted and without repeats."""
        if len(keys):
            self.runs.append(keys)

    def spill(self, durable: bool = False) -> None:
        """Move all runs to files; where they must outlive a crash, onto the disk."""
        for number, run in enumerate(self.runs):
            if not isinstance(run, np.memmap):
                path = self.folder / f"{self.name}-{len(self.files):05d}.run"
                path.write_bytes(np.ascontiguousarray(run).data)
                self.files.append(path)
                self.runs[number] = np.memmap(path, dtype=np.int64, mode="r")
        if durable:
            for path in self.files:
                with path.open("rb") as file:
                    os.fsync(file.fileno())

    def take_up(self, names: list[str]) -> None:
        """Runs that an earlier solve left on disk."""
        self.files = [self.folder / name for name in names]
        self.runs = [np.memmap(path, dtype=np.int64, mode="r") for path in self.files]

    def drop(self) -> None:
        """Forget the runs and their files."""
        self.runs = []
        for path in self.files:
            path.unlink(missing_ok=True)
        self.files = []

    def merged(self, workers: Workers, memory: int) -> Iterator[Any]:
        """All keys in ascending order, each once, in arrays of any length; ``memory`` bytes may be used."""
        if len(self.runs) == 1:
            yield np.asarray(self.runs[0])
            return
        # While ranges are merged, each needs its keys twice; the results of some wait for their turn.
        room = max(1 << 16, memory // 8 // (4 * workers.count))
        yield from workers.in_order(self._merge, self._ranges(min(room, _RANGE)))

    def _ranges(self, room: int) -> list[list[Any]]:
        """For each range of at most about ``room`` keys, its slices of the runs."""
        total = sum(map(len, self.runs))
        pieces = -(-total // room)
        if pieces <= 1:
            return [self.runs] if total else []
        sample = np.sort(np.concatenate([_spaced(run, total, pieces) for run in self.runs]))
        cuts = np.unique(sample[[len(sample) * piece // pieces for piece in range(1, pieces)]])
        edges = [[0, *np.searchsorted(run, cuts), len(run)] for run in self.runs]
        return [
            [run[edge[piece] : edge[piece + 1]] for run, edge in zip(self.runs, edges, strict=True)]
            for piece in range(len(cuts) + 1)
        ]

    @staticmethod
    def _merge(slices: list[Any]) -> Any:
        return sorted_once(np.concatenate(slices))


def _spaced(run: Any, total: int, pieces: int) -> Any:
    """Keys at equal distances in a run, as many for each key as in the other runs."""
    distance = max(1, total // (pieces * _SAMPLES))
    return np.array(run[distance // 2 :: distance])


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
