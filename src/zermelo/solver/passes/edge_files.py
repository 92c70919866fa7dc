"""The reversed edges of a tier in files, so that they need not fit in memory.

A *bucket* is the positions of a tier from a multiple of a ``width`` up to the next multiple. Each bucket has a file
with the predecessors of its first position, then those of its second one, and so on. A frontier of positions in
ascending order reads these files from their beginning to their end, and skips what no position of the frontier needs.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.kernels.edges import by_bucket, count_targets, gather, turn
from zermelo.solver.passes.site import Site
from zermelo.solver.table.sealed import sum_of
from zermelo.solver.table.stores import Part, Store

Numbers = NDArray[np.int32]
Places = NDArray[np.int64]
EDGE: Final = 4
"""Bytes of an edge in the file of a bucket."""
_GAP: Final = 1 << 14
"""Edges between those of two positions of a frontier: if there are more, they are skipped, and not read."""
_READ: Final = 1 << 20
"""Edges that are read at a time, unless a single position has more."""
_ALL: Final = np.empty(0, dtype=np.int32)
"""In place of values: predecessors of all values."""


class Sorter:
    """Collects edges in any order, and writes them to files, each with edges to one bucket.

    Parameters
    ----------
    site
        Where the files go.
    name
        How the names of the files begin.
    width, buckets
        The number of positions in a bucket, and of buckets.
    room
        The number of edges in memory.
    """

    def __init__(self, site: Site, name: str, width: int, buckets: int, room: int) -> None:
        self._site, self._name, self._width, self._room = site, name, width, room
        self.parts: list[list[Part]] = [[] for _ in range(buckets)]
        """By bucket: the files, which `turned` reads."""
        self._held: list[tuple[Numbers, Numbers]] = []
        self._count = self._flushes = 0

    def add(self, targets: Numbers, sources: Numbers) -> None:
        """Add edges, given where each leads and where it begins; both arrays have the shape (edges,)."""
        self._held.append((targets, sources))
        self._count += len(targets)
        if self._count >= self._room:
            self.flush()

    def flush(self) -> None:
        """Write the edges that are in memory."""
        if not self._count:
            return
        targets, sources = (np.concatenate(some) for some in zip(*self._held, strict=True))
        self._held.clear()
        divided = by_bucket(targets, sources, self._width, len(self.parts))
        del targets, sources
        store = self._site.store

        def write(task: tuple[int, Numbers]) -> tuple[int, Part]:
            bucket, edges = task
            return bucket, store.write_array(f"work/{self._name}-{self._flushes:05d}-{bucket:05d}.edges", edges.ravel())

        tasks = ((bucket, edges) for bucket, edges in enumerate(divided) if edges.size)
        for bucket, part in self._site.workers.in_order(write, tasks):
            self.parts[bucket].append(part)
        self._count, self._flushes = 0, self._flushes + 1


def turned(site: Site, name: str, parts: list[Part], first: int, count: int) -> tuple[Part, Numbers]:
    """Write the file of a bucket.

    Parameters
    ----------
    name
        The name of the file.
    parts
        Files of a `Sorter` with all edges to the bucket.
    first, count
        The first position of the bucket, and the number of its positions.

    Returns
    -------
    Part
        The file.
    array
        Shape (count,): the number of predecessors of each position.
    """
    counts = np.zeros(count, dtype=np.int32)
    edges = [site.store.read_array(part, np.int32).reshape(2, -1) for part in parts]
    for targets, _ in edges:
        count_targets(targets, first, counts)
    ends = np.cumsum(counts, dtype=np.int64)
    sources = np.empty(int(ends[-1]), dtype=np.int32)
    cursors = ends - counts
    for targets, some in edges:
        turn(targets, some, first, cursors, sources)
    content = sources.view(np.uint8)
    site.store.write_soon(name, content.data)
    return Part(name, len(sources), sum_of(content)), counts


class EdgeFiles:
    """The predecessors of all positions of a tier.

    Parameters
    ----------
    store
        Where the files lie.
    files
        The file of each bucket.
    starts
        Shape (positions + 1,): the number of the first edge to each position, where all edges are counted from bucket
        to bucket.
    width
        The number of positions in a bucket.
    step
        Receives how many more edges have been read.

    Raises
    ------
    TableError
        A file is missing or damaged.
    """

    def __init__(
        self, store: Store, files: list[Part], starts: Places, width: int, step: Callable[[int], None]
    ) -> None:
        self._store, self._files, self._starts, self._width, self._step = store, files, starts, width, step
        for file in files:
            _require(store, file)

    def predecessors(self, positions: NDArray[Any], values: Numbers = _ALL) -> Iterator[Places]:
        """Yield the predecessors of some positions, many at a time; one of two positions comes twice.

        Parameters
        ----------
        positions
            Shape (n,): ascending.
        values
            Shape (positions of the tier,): if given, predecessors of another value than the position's are left out.
        """
        for some, begin, sources in self._runs(positions):
            out = np.empty(len(sources), dtype=np.int64)
            yield out[: gather(some, self._starts, begin, sources, values, out)]

    def _runs(self, positions: NDArray[Any]) -> Iterator[tuple[Places, int, Numbers]]:
        """Yield some positions, the number of the first edge that was read for them, and the sources of these edges."""
        place = 0
        while place < len(positions):
            # The numbers of edges are 8 bytes for each position, so they are looked up for some positions at a time.
            some = positions[place : place + _READ].astype(np.int64)
            place += len(some)
            begins, ends = self._starts[some], self._starts[some + 1]
            breaks = (begins[1:] - ends[:-1] > _GAP) | (some[1:] // self._width != some[:-1] // self._width)
            for run in np.split(np.arange(len(some)), np.flatnonzero(breaks) + 1):
                low, high = int(run[0]), int(run[-1]) + 1
                while low < high:
                    room = max(int(begins[low]) + _READ, int(ends[low]))
                    stop = low + int(np.searchsorted(ends[low:high], room, side="right"))
                    if ends[stop - 1] > begins[low]:
                        yield some[low:stop], int(begins[low]), self._read(some[low], begins[low], ends[stop - 1])
                    low = stop

    def _read(self, position: int, begin: int, end: int) -> Numbers:
        """Return the sources of the edges from ``begin`` to ``end``, which lead to the bucket of a position."""
        bucket = int(position) // self._width
        first = int(self._starts[bucket * self._width])
        content = self._store.piece(self._files[bucket].name, EDGE * (int(begin) - first), EDGE * (int(end) - first))
        self._step(int(end - begin))
        return np.frombuffer(content, dtype=np.int32)


def _require(store: Store, file: Part) -> None:
    """Raise `TableError` if the file of a bucket is missing or damaged."""
    try:
        content = np.frombuffer(store.read(file.name), dtype=np.uint8)
    except FileNotFoundError:
        raise store.damaged(file.name, "is missing") from None
    if sum_of(content) != file.sum:
        raise store.damaged(file.name)
