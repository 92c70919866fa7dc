"""Solving a whole game on a Ray cluster."""

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from zermelo.cluster.connect import Resources, connected
from zermelo.cluster.executor import Counts, RayExecutor
from zermelo.cluster.greet import survey
from zermelo.cluster.source import source_of
from zermelo.cluster.worker import Orders
from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.solver.local.memory import peak_memory_mb
from zermelo.solver.model.problem import Problem, knowledge_of
from zermelo.solver.passes.executor import Executor
from zermelo.solver.passes.forward import by_shard, skew
from zermelo.solver.passes.plan import (
    BYTES_OF_KEY,
    NEVER,
    PART,
    WORK,
    Exchange,
    Form,
    Loops,
    Plan,
    drop_work,
    load_plan,
)
from zermelo.solver.passes.progress import Progress
from zermelo.solver.passes.run import Done, check_same, require_settled, run, with_codec
from zermelo.solver.solve import Solved, alone, room_on_disk
from zermelo.solver.table.manifest import find_manifest
from zermelo.solver.table.stores import Store, is_url, place_errors, store_at
from zermelo.solver.table.table import Table

STRETCH: Final = 1 << 12, 1 << 26
"""The least and the greatest number of keys that one task takes."""
_LEAST_MEMORY: Final = 160 << 20
"""The least memory for the arrays of a task, in bytes: writing a file of a million positions takes that much."""
WHOLE: Final = 1 << 15
"""A tier that n positions lead to lies in sqrt(n / WHOLE) shards, at most in all. The driver's time for a tier grows
with the number of shards s, that of the tasks with n / s, so their sum is least where s grows with the root of n."""
BYTES_ON_THE_WAY: Final = 64
"""Bytes of blocks for each key of a wave: the keys whose successors are in memory at the same time."""


@dataclass(frozen=True)
class ClusterSolved(Solved):
    """The result of a solve on a cluster, and what it took; `peak_memory_mb` is the driver's memory."""

    nodes: int
    """The number of machines; 0 if the table was complete already."""
    shards: int
    """The number of shards that each large tier is cut into."""
    exchanged_bytes: int
    """Bytes of blocks that tasks received from other tasks."""
    crossed_bytes: int
    """Of `exchanged_bytes`, those that came from other machines."""
    tasks: int
    """The number of tasks that the workers did."""
    units_resumed: int
    """Units of work that an earlier run had done."""
    skew: float
    """The size of the largest shard, divided by the mean size."""
    idle: float
    """The share of the workers' time in which they had nothing to do, between 0 and 1."""
    node_peak_mb: float
    """The most memory that the workers of one machine and its object store took together, in MiB."""
    worker_peak_mb: float
    """The most memory that one worker took, in MiB; what it shares with the object store does not count."""
    shard_bytes: list[int]
    """Bytes of keys and outcomes in each shard, over the tiers that are cut into shards."""


def solve_on_cluster(
    game: Game,
    place: Path | str,
    *,
    cluster: str = "auto",
    workers: int | None = None,
    memory_gb: float = 8.0,
    starts: Any = (),
    progress: Callable[[Progress], None] | None = None,
    shards: int | None = None,
    form: Form | None = None,
    exchange: Exchange = "auto",
    loops: Loops = "auto",
    whole: int = WHOLE,
) -> tuple[Table, ClusterSolved]:
    """Use a Ray cluster to solve every position that can be reached, and write the table.

    Parameters
    ----------
    game
        What to solve; its rules must compile.
    place
        Where to write the table: a folder that all machines see under the same path, or a URL of fsspec's.
    cluster
        ``auto``, ``local`` or an address; see `zermelo.cluster.connect.connected`.
    workers
        The number of processors of a local cluster; all processors of this machine if None.
    memory_gb
        Memory that the work on one machine should not exceed, in 2**30 bytes.
    starts, progress
        As in `zermelo.solver.solve.solve_timed`.
    shards
        The number of shards that each large tier is cut into. If None, it is 2 for each task that can run at the same
        time; but a single machine that writes to a folder works without shards, as `zermelo.solver.solve` does. The
        number cannot change once a solve has begun.
    form
        ``merged`` writes the same files as one machine does; ``shards`` writes separate files for each shard. If None,
        the form is ``merged`` in a folder and ``shards`` at a URL.
    exchange, loops
        How tasks learn the outcomes of successors, and how tiers with loops are solved; see
        `zermelo.solver.passes.backward`.
    whole
        A tier that n positions lead to lies in sqrt(n / whole) shards; 0 means that all tiers lie in all shards.

    Returns
    -------
    Table, ClusterSolved
        The table, and what it took.

    Raises
    ------
    NotCompilable, Unsolvable, TableError, BadParameter
        As in `zermelo.solver.solve.solve_timed`.
    ClusterError
        The cluster cannot be joined, its machines differ, or it failed; the same call continues the solve.
    """
    began = time.perf_counter()
    if not memory_gb > 0:
        raise BadParameter(f"memory_gb is {memory_gb}; it must be more than 0.")
    for name, number in (("workers", workers), ("shards", shards)):
        if number is not None and number < 1:
            raise BadParameter(f"The number of {name} is {number}; it must be at least 1.")
    store = store_at(str(place))
    problem = Problem(game, starts)
    memory = int(memory_gb * (1 << 30))
    attempt = None
    with room_on_disk(store.place), nullcontext() if store.path is None else alone(store.path):
        store.check()
        store.tidy()
        manifest = find_manifest(store)
        if manifest is not None:
            check_same(manifest["identity"], problem.identity, store.place)
            if load_plan(store) is not None or not store.names(WORK):  # a driver was killed at the very end
                drop_work(store)
        else:
            with connected(cluster, workers, memory), place_errors(store.place):
                attempt = _Attempt(problem, store, memory, Wishes(shards, form, exchange, loops, whole))
                attempt.run(progress)
    table = Table(store.place, game)
    return table, _solved(problem, table, attempt, time.perf_counter() - began)


@dataclass(frozen=True)
class Wishes:
    """The parts of the plan that the caller may choose; see `solve_on_cluster`."""

    shards: int | None
    form: Form | None
    exchange: Exchange
    loops: Loops
    whole: int


class _Attempt:
    """A solve by the cluster that this process is connected to, with counts of what it took."""

    def __init__(self, problem: Problem, store: Store, memory: int, wishes: Wishes) -> None:
        self.problem, self.store, self.memory, self.wishes = problem, store, memory, wishes
        self.began = time.perf_counter()
        # Without shards, tiers with loops may have files that are read in small pieces, which is slow at a URL.
        self.resources = Resources.found(memory, sharded=wishes.shards is not None or store.path is None)
        self.counts = Counts()
        self.done: Done | None = None

    def run(self, progress: Callable[[Progress], None] | None) -> None:
        """Check the machines, make the plan, and solve."""
        some = next(iter(self.problem.start_keys().values()))[:1]
        idle = survey(self._orders(self._plan(0), self.problem), some)
        plan = self._plan(idle)
        require_settled(self.store, {"shards": self.wishes.shards, "form": self.wishes.form})

        def executor_of(problem: Problem, plan: Plan, store: Store) -> Executor:
            self.counts = Counts()
            return RayExecutor(self._orders(plan, problem), self.counts)

        self.done = run(self.problem, plan, self.store, executor_of, "a cluster", progress)

    def _orders(self, plan: Plan, problem: Problem) -> Orders:
        """Return what the workers need to know of the solve."""
        game = problem.game
        fingerprints = game.fingerprint, knowledge_of(game)
        plan = with_codec(plan, problem)
        return Orders(plan, source_of(game), fingerprints, self.store.place, self.resources.threads)

    def _plan(self, idle: int) -> Plan:
        """Return the plan for workers that take ``idle`` bytes of memory before their first task.

        Raises
        ------
        BadParameter
            The memory is too little for the tasks of one machine.
        """
        have, wishes = self.resources, self.wishes
        each = (self.memory - have.objects) // have.tasks_each - idle
        if each < _LEAST_MEMORY:
            least = (have.tasks_each * (idle + _LEAST_MEMORY) + have.objects) / (1 << 30)
            raise BadParameter(
                f"memory_gb is {self.memory / (1 << 30):.2f}; the workers of a node and its object store take more "
                f"with nothing to do: give it at least {least + 0.01:.2f}."
            )
        least, most = STRETCH
        stretch = max(least, min(most, each // BYTES_OF_KEY))
        return Plan(
            shards=wishes.shards or have.shards,
            stretch=stretch,
            part=min(PART, stretch),
            wave=max(4, have.nodes * have.objects // (stretch * BYTES_ON_THE_WAY)),
            whole=NEVER if have.shards == 1 else wishes.whole,
            form=wishes.form or ("shards" if is_url(self.store.place) else "merged"),
            memory=each,
            objects=have.objects // 2,
            nodes=have.nodes,
            exchange=wishes.exchange,
            loops=wishes.loops,
        )


def _solved(problem: Problem, table: Table, attempt: _Attempt | None, took: float) -> ClusterSolved:
    """Return the result of a solve; ``attempt`` is None if the table was complete already."""
    entry = table[problem.start]
    counts = Counts() if attempt is None else attempt.counts
    done = None if attempt is None else attempt.done
    tasks = 0 if attempt is None else attempt.resources.tasks
    peaks = [sum(some.values()) + counts.objects.get(node, 0) for node, some in counts.peaks.items()]
    idle = 0.0
    if attempt is not None and counts.busy:
        idle = max(0.0, 1 - sum(counts.busy.values()) / ((time.perf_counter() - attempt.began) * tasks))
    return ClusterSolved(
        positions=len(table),
        stored=int(table.manifest["stored"]),
        value=entry.value,
        remoteness=entry.remoteness,
        seconds=took,
        positions_per_second=None if done is None or done.resumed else len(table) / took,
        peak_memory_mb=peak_memory_mb(),
        bytes=sum(file["bytes"] for tier in table.manifest["tiers"] for file in tier["files"]),
        nodes=0 if attempt is None else attempt.resources.nodes,
        shards=int(table.manifest.get("shards", 0)) if done is None else done.plan.shards,
        exchanged_bytes=counts.exchanged,
        crossed_bytes=counts.crossed,
        tasks=counts.tasks,
        units_resumed=0 if done is None else done.resumed,
        skew=1.0 if done is None else skew(done.tiers),
        idle=idle,
        node_peak_mb=max(peaks, default=0) / (1 << 20),
        worker_peak_mb=max((peak for some in counts.peaks.values() for peak in some.values()), default=0) / (1 << 20),
        shard_bytes=[] if done is None else [12 * count for count in by_shard(done.tiers)],
    )
