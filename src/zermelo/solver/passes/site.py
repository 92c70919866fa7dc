"""What tasks work with: the problem, the threads, the parts, and the blocks that other tasks made.

A *part* is a file in the store with an array: ascending keys, or outcome codes. It is durable once the journal names
it. A *block* holds arrays in memory that one task hands to another. A task may run twice, if a node died; it then
writes the same files again.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import ZermeloError
from zermelo.solver.kernels.compact import Compact
from zermelo.solver.kernels.lookup import Sorted, look_up
from zermelo.solver.model.problem import Problem
from zermelo.solver.passes.merging import in_parts
from zermelo.solver.passes.plan import Plan
from zermelo.solver.passes.threads import Workers
from zermelo.solver.table.reading import TableFile
from zermelo.solver.table.stores import Part, Store

Keys = NDArray[np.int64]
Codes = NDArray[np.int32]
Filed = Part | Mapping[str, Any]
"""Where outcome codes are: in a part, or in a file of the table, given by its entry in the manifest; such a file also
has the keys."""
CHUNK: Final = 1 << 18
"""The most positions that one thread takes at a time."""
_BYTES_OF_CHUNK: Final = 1024
"""Bytes that a thread may need for each position of its chunk: a few times those of some dozens of successors."""


class Moot(ZermeloError):
    """A task could not be done, because one before it failed."""


class Block(NamedTuple):
    """Arrays that one task hands to another."""

    node: str
    """The node where they were made."""
    arrays: dict[Any, Any]
    """The arrays, by tier or by name."""


class Held(NamedTuple):
    """Positions of one tier and shard that can be looked up, with their outcome codes."""

    node: str
    """The node where this was made."""
    known: Sorted
    """The keys, with their index."""
    codes: Codes
    """Shape (keys,): the outcome code of each."""

    @property
    def size(self) -> int:
        """The size in bytes."""
        return int(self.known.keys.nbytes + self.known.heads.nbytes + self.codes.nbytes)

    def look_up(self, queries: Keys, out: Codes) -> int:
        """Do what `zermelo.solver.kernels.lookup.look_up` does."""
        return look_up(self.known, self.codes, queries, out)


class HeldCompact(NamedTuple):
    """What `Held` is, in a fifth of the memory; a look-up takes longer."""

    node: str
    """The node where this was made."""
    compact: Compact
    """The keys and outcome codes."""

    @property
    def size(self) -> int:
        """The size in bytes."""
        return self.compact.size

    def look_up(self, queries: Keys, out: Codes) -> int:
        """Do what `zermelo.solver.kernels.lookup.look_up` does."""
        return self.compact.look_up(queries, out)


@dataclass
class Spent:
    """What a task received from other tasks."""

    received: int = 0
    """Bytes of the blocks that the task received."""
    crossed: int = 0
    """Those of these bytes that came from other nodes."""
    fetched: dict[tuple[int, int], tuple[int, bool]] = field(default_factory=dict)
    """By tier and shard: the bytes of a whole shard, and whether it came from another node."""


class Parts:
    """The parts of a store, some of which are also in memory.

    Parameters
    ----------
    store
        Where the parts lie.
    room
        Bytes for parts in memory. If they take more, the least recently used are dropped.
    """

    def __init__(self, store: Store, room: int) -> None:
        self.store, self.room = store, room
        self._kept: OrderedDict[str, NDArray[Any]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def write(self, name: str, array: NDArray[Any]) -> Part:
        """Write an array as a part; it is durable after the next `Store.settle`."""
        part = self.store.write_array(name, array)
        self._keep(name, array)
        return part

    def read(self, part: Part, dtype: Any, last: bool = False) -> Any:
        """Return the items of a part.

        Parameters
        ----------
        part
            The part.
        dtype
            The type of its items.
        last
            Whether no task will soon read the part again; it is then not kept in memory.

        Raises
        ------
        TableError
            The file is missing or damaged.
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

    def clear(self) -> None:
        """Drop all parts in memory."""
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
    """The name of the machine."""
    workers: Workers
    spent: Spent = field(default_factory=Spent)
    """What the current task has received from other tasks."""
    step: Callable[[int], None] = lambda count: None
    """A function that receives how many more positions the current task has done."""

    @property
    def store(self) -> Store:
        """The store of the files."""
        return self.parts.store

    def take(self, blocks: Sequence[Block | None]) -> list[Block]:
        """Return the blocks, and add their sizes to this task's counts.

        Raises
        ------
        Moot
            A block is missing, because its task failed. That task reports its error to the executor itself.
        """
        came = checked(blocks)
        for block in came:
            size = sum(array.nbytes for array in block.arrays.values())
            self.spent.received += size
            self.spent.crossed += size * (block.node != self.node)
        return came

    def chunks(self, arrays: Iterable[Keys]) -> Iterator[tuple[int, Keys]]:
        """Yield the keys of some arrays in chunks for one thread, each with its place in all the arrays together."""
        size = min(CHUNK, max(1 << 12, self.plan.memory // (2 * self.workers.count * _BYTES_OF_CHUNK)))
        start = 0
        for keys in arrays:
            for begin in range(0, len(keys), size):
                yield start + begin, keys[begin : begin + size]
            start += len(keys)

    def keys_of(self, parts: Sequence[Part], last: bool = False) -> Iterator[Keys]:
        """Yield the keys of each part, one part at a time; parameters and errors as in `Parts.read`."""
        return (self.parts.read(part, np.int64, last) for part in parts)

    def read_keys(self, parts: Sequence[Part], last: bool = False) -> Keys:
        """Return the keys of several parts as one array, read by all threads; parameters and errors as `Parts.read`."""
        if len(parts) == 1:
            return next(self.keys_of(parts, last))
        sizes = [part.size for part in parts]
        return self.workers.as_one(sizes, lambda number: self.parts.read(parts[number], np.int64, last))

    def codes_of(self, filed: Filed) -> Codes:
        """Return outcome codes that a task of the backward pass has written."""
        if isinstance(filed, Part):
            codes: Codes = self.parts.read(filed, np.int32)
            return codes
        return TableFile(self.store, filed).read_codes(self.problem.game.utility_range)

    def write(self, name: str, arrays: Iterable[Keys]) -> list[Part]:
        """Write ascending keys as parts, whose names begin with ``name``, and return the parts."""

        def write(numbered: tuple[int, Keys]) -> Part:
            number, keys = numbered
            return self.parts.write(f"work/{name}-{number:05d}.keys", keys)

        return list(self.workers.in_order(write, enumerate(in_parts(iter(arrays), self.plan.part))))


def checked(blocks: Sequence[Block | None]) -> list[Block]:
    """Return the blocks.

    Raises
    ------
    Moot
        A block is missing, because its task failed.
    """
    if any(block is None for block in blocks):
        raise Moot("A task before this one failed.")
    return [Block(*block) for block in blocks if block is not None]


def filed_in(rows: Iterable[Any]) -> list[Filed]:
    """Return where outcome codes are, given rows of the journal."""
    return [row if isinstance(row, Mapping) else Part(*row) for row in rows]
