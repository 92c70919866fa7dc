"""What the tasks of a cluster share: blocks, tickets, and what a worker knows.

A *part* is a durable array of a shard's keys or words, ascending by key. A *block* is what one task hands to another:
arrays by tier, and the node that they come from. A task may be done twice, when a node died: it writes the same again.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

from zermelo.cluster.plan import Plan
from zermelo.errors import Unsolvable, ZermeloError
from zermelo.solver.kernels.lookup import Sorted
from zermelo.solver.local.external_sort import in_parts
from zermelo.solver.local.threads import Workers
from zermelo.solver.model.problem import Problem
from zermelo.solver.passes.forward import CHUNK
from zermelo.solver.table.stores import Part, Store, store_at

_BYTES_OF_CHUNK = 1024
"""A thread may need as many for each of the keys that it expands at a time: some dozens of successors, some times."""


class Moot(ZermeloError):
    """A task could not be done since one before it failed, of which the driver hears, too."""


class Block(NamedTuple):
    """Arrays on their way to a shard."""

    node: str
    """Where they were made."""
    arrays: dict[Any, Any]
    """By tier, or by whoever asked."""


class Held(NamedTuple):
    """Positions of one tier and shard that can be looked up, and their outcome words."""

    node: str
    known: Sorted
    words: Any


@dataclass
class Ticket:
    """What a task tells of itself."""

    node: str
    process: int
    began: float
    ended: float = 0.0
    peak: int = 0
    """Bytes of memory of its own that its process has taken at most."""
    objects: int = 0
    """Bytes of memory that the node's object store has touched."""
    received: int = 0
    """Bytes of blocks that were handed to it."""
    crossed: int = 0
    """Those that came from other nodes."""
    fetched: dict[tuple[int, int], tuple[int, bool]] = field(default_factory=dict)
    """By tier and shard: bytes of a whole shard, and whether it came from another node."""
    answer: Any = None
    """Plain values."""
    error: ZermeloError | None = None
    misfits: Any = None


@dataclass
class Site:
    """What a worker's tasks share."""

    plan: Plan
    problem: Problem
    store: Store
    node: str
    workers: Workers
    spent: Ticket = field(default_factory=lambda: Ticket("", 0, 0.0))

    def take(self, blocks: Sequence[Block | None]) -> list[Block]:
        """Blocks of tasks that all came to their end, counted; the driver hears of the others from themselves.

        Raises
        ------
        Moot
            One did not.
        """
        came = checked(blocks)
        for block in came:
            size = sum(array.nbytes for array in block.arrays.values())
            self.spent.received += size
            self.spent.crossed += size * (block.node != self.node)
        return came

    def chunks(self, arrays: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        """The keys of some arrays, some at a time, for threads side by side, with where they begin in all."""
        size = min(CHUNK, max(1 << 12, self.plan.memory // (2 * self.workers.count * _BYTES_OF_CHUNK)))
        start = 0
        for keys in arrays:
            for begin in range(0, len(keys), size):
                yield start + begin, keys[begin : begin + size]
            start += len(keys)

    def keys_of(self, parts: Sequence[Part]) -> Iterator[Any]:
        """The keys of parts, one part in memory at a time."""
        return (self.store.read_array(part, np.int64) for part in parts)

    def write(self, name: str, arrays: Iterable[Any]) -> list[Part]:
        """Sorted keys in parts."""

        def write(numbered: tuple[int, Any]) -> Part:
            number, piece = numbered
            return self.store.write_array(f"work/{name}-{number:05d}.keys", piece)

        return list(self.workers.in_order(write, enumerate(in_parts(iter(arrays), self.plan.part))))

    def room_for(self, count: int, what: str) -> None:
        """Refuse arrays of so many keys where a task has no room for them.

        Raises
        ------
        Unsolvable
            It has none.
        """
        if 16 * count > self.plan.memory:
            enough = self.plan.shards * -(-16 * count // self.plan.memory)
            raise Unsolvable(
                f"{what} comes to {count:,} keys, more than a worker's memory has room for; "
                f"solve again with at least {enough} shards, or with more memory."
            )


def checked(blocks: Sequence[Block | None]) -> list[Block]:
    """Blocks of tasks that all came to their end; errors as `Site.take`."""
    if any(block is None for block in blocks):
        raise Moot("A task before this one failed.")
    return [Block(*block) for block in blocks if block is not None]


_SITES: Final[dict[str, Site]] = {}
"""The site of the latest plan."""


def site_of(plan: Plan, node: str) -> Site:
    """What this worker's tasks share; made at the first one of a plan."""
    source = plan.source
    same = repr((source.name, sorted(source.parameters.items()), plan.fingerprints, plan.place, plan.threads,
                 plan.samples, plan.fold))  # fmt: skip
    if same not in _SITES:
        _SITES.clear()
        problem = Problem.resumed(source.make(), plan.samples, plan.fold)
        _SITES[same] = Site(plan, problem, store_at(plan.place), node, Workers(plan.threads))
    site = _SITES[same]
    site.plan = plan
    return site
