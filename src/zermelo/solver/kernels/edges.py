"""Edges by their targets: of many edges in any order, lists of the predecessors of each position.

A *bucket* is the positions of a tier from a multiple of a ``width`` up to the next multiple. Positions are numbers.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import shared_kernel

Places = NDArray[np.int64]
Numbers = NDArray[np.int32]


def by_bucket(targets: Numbers, sources: Numbers, width: int, buckets: int) -> list[Numbers]:
    """Return the edges to each bucket, as arrays of shape (2, edges): a row of targets and a row of sources.

    Parameters
    ----------
    targets, sources
        Shape (edges,): where each edge leads, and where it begins.
    width
        The number of positions in a bucket.
    buckets
        The number of buckets.
    """
    counts = np.zeros(buckets, dtype=np.int64)
    count_by_bucket(targets, width, counts)
    found = [np.empty((2, count), dtype=np.int32) for count in counts]
    both = np.empty((2, len(targets)), dtype=np.int32)
    ends = np.cumsum(counts)
    divide(targets, sources, width, ends - counts, both)
    for edges, end in zip(found, ends, strict=True):
        edges[:] = both[:, end - edges.shape[1] : end]
    return found


@shared_kernel
def count_by_bucket(targets: Numbers, width: int, counts: Places) -> None:
    """Add to ``counts``, shape (buckets,), the number of edges that lead to each bucket."""
    for edge in range(len(targets)):
        counts[targets[edge] // width] += 1


@shared_kernel
def divide(targets: Numbers, sources: Numbers, width: int, cursors: Places, both: Any) -> None:
    """Write the target and the source of each edge at the cursor of its bucket, and move that cursor on."""
    for edge in range(len(targets)):
        bucket = targets[edge] // width
        both[0, cursors[bucket]] = targets[edge]
        both[1, cursors[bucket]] = sources[edge]
        cursors[bucket] += 1


@shared_kernel
def count_targets(targets: Numbers, first: int, counts: Numbers) -> None:
    """Add to ``counts``, shape (positions,), the number of edges to each position from ``first`` on."""
    for edge in range(len(targets)):
        counts[targets[edge] - first] += 1


@shared_kernel
def turn(targets: Numbers, sources: Numbers, first: int, cursors: Places, turned: Numbers) -> None:
    """Write the source of each edge at the cursor of its target, and move that cursor on.

    Parameters
    ----------
    targets, sources
        Shape (edges,): where each edge leads, and where it begins.
    first
        The first position of the bucket.
    cursors
        Shape (positions,), changed: where the next predecessor of each position of the bucket goes.
    turned
        Written.
    """
    for edge in range(len(targets)):
        place = targets[edge] - first
        turned[cursors[place]] = sources[edge]
        cursors[place] += 1


@shared_kernel
def gather(positions: Places, starts: Places, begin: int, sources: Numbers, values: Numbers, out: Places) -> int:
    """Write the predecessors of some positions, and return how many there are.

    Parameters
    ----------
    positions
        Some positions.
    starts
        Shape (positions of the tier + 1,): the number of the first edge to each position.
    begin
        The number of the first edge of ``sources``.
    sources
        The sources of some edges, those to all of the ``positions`` among them.
    values
        Shape (positions of the tier,): a predecessor is left out if its value is another; or shape (0,).
    out
        Written at its beginning; there must be room for the predecessors of all values.
    """
    count = 0
    every = len(values) == 0
    for position in positions:
        for edge in range(starts[position] - begin, starts[position + 1] - begin):
            source = sources[edge]
            if every or values[source] == values[position]:
                out[count] = source
                count += 1
    return count


@shared_kernel
def add_one(places: Places, left: Numbers) -> None:
    """Add 1 to ``left``, shape (positions,), for each of some places."""
    for place in places:
        left[place] += 1
