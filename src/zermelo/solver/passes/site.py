"""What tasks work with: the problem, the threads, the parts, and the blocks that other tasks made.

A *part* is an array of keys, ascending, or of outcome codes, in the store: it is durable once the journal names it.
A *block* is what one task hands to another: arrays in memory. A task may be done twice, when a node died; it writes
the same files again.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import ZermeloError
from zermelo.solver.kernels.lookup import Sorted
from zermelo.solver.model.problem import Problem
from zermelo.solver.passes.merging import in_parts
from zermelo.solver.passes.plan import Plan
from zermelo.solver.passes.threads import Workers
from zermelo.solver.table.reading import TableFile
from zermelo.solver.table.stores import Part, Store

Keys = NDArray[np.int64]
Codes = NDArray[np.int32]
Filed = Part | Mapping[str, Any]
"""Outcome codes: a part, or a file of the table as its manifest names it, which has the keys, too."""
CHUNK: Final = 1 << 18
"""Positions that one thread takes at a time."""
_BYTES_OF_CHUNK: Final = 1024
"""Memory that a thread may need for each position of its chunk: some dozens of successors, a few times."""


class Moot(ZermeloError):
    """A task could not be done because one before it failed."""


class Block(NamedTuple):
    """Arrays on their way from one task to another."""

    node: str
    """Where they were made."""
    arrays: dict[Any, Any]
    """By tier, or by name."""


class Held(NamedTuple):
    """Positions of one tier and shard, with their outcome codes, to be looked up."""

    node: str
    known: Sorted
    codes: Codes

    @property
    def size(self) -> int:
        """Bytes."""
        return int(self.known.keys.nbytes + self.known.heads.nbytes + self.codes.nbytes)


@dataclass
class Spent:
    """What a task took from others."""

    received: int = 0
    """Bytes of blocks that were handed to it."""
    crossed: int = 0
    """Of these, bytes that came from other nodes."""
    fetched: dict[tuple[int, int], tuple[int, bool]] = field(default_factory=dict)
    """By tier and shard: bytes of a whole shard, and whether it came from another node."""


class Parts:
    """The parts of a store, of which some are kept in memory.

    Parameters
    ----------
    store
        Where they lie.
    room
        Bytes that the parts in memory may take; the least recently used are let go.
    """

    def __init__(self, store: Store, room: int) -> None:
        self.store, self.room = store, room
        self._kept: OrderedDict[str, NDArray[Any]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def write(self, name: str, array: NDArray[Any]) -> Part:
        """Write an array; it is durable after the next `Store.settle`."""
        part = self.store.write_array(name, array)
        self._keep(name, array)
        return part

    def read(self, part: Part, dtype: Any, last: bool = False) -> Any:
        """The items of a part; ``last`` if nobody will soon read it again.

        Raises
        ------
        TableError
            The file is missing, or is not what was written.
        """
        with self._lock:
            array = self._kept.pop(part.name, None)
            if array is not None:
                self._size -= array.nbytes
        if array is None:
            array = self.store.read_array(part, dtype)
        if not last:
            self._keep(part.name, array)
        return array

    def read_all(self, parts: Sequence[Part], dtype: Any, last: bool = False) -> Any:
        """Several parts as one array."""
        arrays = [self.read(part, dtype, last) for part in parts]
        return arrays[0] if len(arrays) == 1 else np.concatenate([np.empty(0, dtype=dtype), *arrays])

    def clear(self) -> None:
        """Let go of all parts in memory."""
        with self._lock:
            self._kept.clear()
            self._size = 0

    def _keep(self, name: str, array: NDArray[Any]) -> None:
        if array.nbytes > self.room:
            return
        with self._lock:
            replaced = self._kept.pop(name, None)
            self._size += array.nbytes - (0 if replaced is None else replaced.nbytes)
            self._kept[name] = array
            while self._size > self.room:
                self._size -= self._kept.popitem(last=False)[1].nbytes


@dataclass
class Site:
    """What the tasks of one process share."""

    plan: Plan
    problem: Problem
    parts: Parts
    node: str
    workers: Workers
    spent: Spent = field(default_factory=Spent)
    step: Callable[[int], None] = lambda count: None
    """Told of positions that the task at work has done."""

    @property
    def store(self) -> Store:
        """Where files lie."""
        return self.parts.store

    def take(self, blocks: Sequence[Block | None]) -> list[Block]:
        """Blocks of tasks that all came to their end; their bytes are counted.

        Raises
        ------
        Moot
            A task did not come to its end; the executor hears of that from the task itself.
        """
        came = checked(blocks)
        for block in came:
            size = sum(array.nbytes for array in block.arrays.values())
            self.spent.received += size
            self.spent.crossed += size * (block.node != self.node)
        return came

    def chunks(self, arrays: Iterable[Keys]) -> Iterator[tuple[int, Keys]]:
        """The keys of some arrays, so many as a thread takes at a time, each with its place in all of them."""
        size = min(CHUNK, max(1 << 12, self.plan.memory // (2 * self.workers.count * _BYTES_OF_CHUNK)))
        start = 0
        for keys in arrays:
            for begin in range(0, len(keys), size):
                yield start + begin, keys[begin : begin + size]
            start += len(keys)

    def keys_of(self, parts: Sequence[Part], last: bool = False) -> Iterator[Keys]:
        """The keys of parts, one part at a time."""
        return (self.parts.read(part, np.int64, last) for part in parts)

    def codes_of(self, filed: Filed) -> Codes:
        """Outcome codes that a task of the backward pass has written."""
        if isinstance(filed, Part):
            codes: Codes = self.parts.read(filed, np.int32)
            return codes
        return TableFile(self.store, filed).read_all(self.problem.game.utility_range)[1]

    def write(self, name: str, arrays: Iterable[Keys]) -> list[Part]:
        """Write ascending keys as parts."""

        def write(numbered: tuple[int, Keys]) -> Part:
            number, keys = numbered
            return self.parts.write(f"work/{name}-{number:05d}.keys", keys)

        return list(self.workers.in_order(write, enumerate(in_parts(iter(arrays), self.plan.part))))


def checked(blocks: Sequence[Block | None]) -> list[Block]:
    """Blocks of tasks that all came to their end; errors as `Site.take`."""
    if any(block is None for block in blocks):
        raise Moot("A task before this one failed.")
    return [Block(*block) for block in blocks if block is not None]


def filed_in(rows: Iterable[Any]) -> list[Filed]:
    """Outcome codes that come from a journal."""
    return [row if isinstance(row, Mapping) else Part(*row) for row in rows]
