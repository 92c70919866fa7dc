"""The whole of it on a cluster: plan, enumerate, solve backwards, publish; or go on where an earlier run stopped."""

import json
import math
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from zermelo.cluster.backward import ClusterBackward, Exchange, Loops
from zermelo.cluster.crew import OBJECTS, Counts, Crew, able, connected
from zermelo.cluster.forward import ClusterForward, ClusterTier, by_shard, skew
from zermelo.cluster.plan import WORK, Journal, Plan, drop_work, load_plan, save_plan
from zermelo.cluster.publish import Form, Publisher
from zermelo.cluster.source import source_of
from zermelo.errors import BadParameter, TableError
from zermelo.game import Game
from zermelo.solver.local.external_sort import PART
from zermelo.solver.local.memory import peak_memory_mb
from zermelo.solver.model.problem import Misfits, Problem, knowledge_of
from zermelo.solver.solve import (
    Progress,
    Solved,
    alone,
    check_same,
    manifest_of,
    reporter,
    room_on_disk,
)
from zermelo.solver.table.manifest import MANIFEST, find_manifest
from zermelo.solver.table.stores import Store, is_url, place_errors, store_at
from zermelo.solver.table.table import Table

SHARDS_EACH: Final = 2
"""Shards for each task that can be at work at the beginning, unless told otherwise."""
STRETCH: Final = 1 << 12, 1 << 26
"""Keys of one task, at least and at most."""
BYTES_OF_KEY: Final = 256
"""A task may need as many for each key of its stretch: its successors, twice, and itself."""
_LEAST_MEMORY: Final = 160 << 20
"""Bytes for the arrays of a task: what it takes to write a file of a million positions."""
WHOLE: Final = 1 << 17
"""Tiers that follow fewer positions than these are not spread over shards."""
BYTES_ON_THE_WAY: Final = 64
"""Of blocks, for each key of a wave of stretches."""


@dataclass(frozen=True)
class ClusterSolved(Solved):
    """What a solve on a cluster came to; `peak_memory_mb` is the driver's."""

    nodes: int
    shards: int
    exchanged_bytes: int
    """Of blocks that tasks handed to others."""
    crossed_bytes: int
    """Of these, between nodes."""
    tasks: int
    units_resumed: int
    """Units of work that an earlier run had done."""
    skew: float
    """The largest shard over the mean one."""
    idle: float
    """The share of the workers' time in which they had nothing to do."""
    node_peak_mb: float
    """The most memory that the workers of one node and its object store have taken."""
    worker_peak_mb: float
    """Of its own, without what it shares with the object store."""
    shard_bytes: list[int]
    """Of keys and outcomes, by shard; of those tiers that lie in shards."""


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
    """Solve every position that can be reached on a Ray cluster, and write the table.

    Parameters
    ----------
    game
        What to solve; its rules must compile.
    place
        Where the table goes: a folder that all nodes see under the same path, or a URL of fsspec's.
    cluster
        ``auto``, ``local`` or an address; see `zermelo.cluster.crew.connected`.
    workers
        Of a local cluster.
    memory_gb
        Memory that the work on one node should not exceed, in 2**30 bytes.
    starts, progress
        As `zermelo.solver.solve.solve_timed`.
    shards
        How many; 2 for each task that can be at work if None. Fixed when a solve begins.
    form
        ``merged``: the files that one machine writes; ``shards``: a file for each shard. Merged in a folder, and shards
        at a URL, if None.
    exchange, loops
        How parts learn of their successors, and how tiers with loops are solved; see `zermelo.cluster.backward`.
    whole
        Tiers that follow fewer positions than these lie in one shard.

    Returns
    -------
    Table, ClusterSolved
        The table, and what it took.

    Raises
    ------
    NotCompilable, Unsolvable, TableError, BadParameter
        As `zermelo.solver.solve.solve_timed`.
    ClusterError
        The cluster cannot be joined, its nodes do not agree, or it failed; the same call goes on.
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
    run = None
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
                chosen: Form = form or ("shards" if is_url(str(place)) else "merged")
                run = _Run(problem, store, memory, shards, chosen, exchange, loops, whole, progress)
                run.run()
    table = Table(store.place, game)
    return table, _solved(problem, table, store, run, time.perf_counter() - began)


@dataclass(frozen=True)
class Resources:
    """What a cluster has."""

    nodes: int
    threads: int
    """Of a task."""
    tasks: int
    """That can be at work, on all nodes together."""
    tasks_each: int
    """On one node, at most."""
    objects: int
    """Bytes of blocks that a node may hold."""

    @classmethod
    def found(cls, memory: int) -> "Resources":
        """Those of the cluster that this process is connected to, for so many bytes of memory on each node."""
        nodes = [node["Resources"] for node in able()]
        processors = [int(node["CPU"]) for node in nodes]
        threads = max(1, min(processors) // 2)
        # The object store lies in the same memory as the tasks do.
        store = min(node.get("object_store_memory", math.inf) for node in nodes)
        return cls(
            nodes=len(nodes),
            threads=threads,
            tasks=sum(count // threads for count in processors),
            tasks_each=max(count // threads for count in processors),
            objects=int(min(store, OBJECTS * memory)),
        )


class _Run:
    """One run of a driver."""

    def __init__(
        self,
        problem: Problem,
        store: Store,
        memory: int,
        shards: int | None,
        form: Form,
        exchange: Exchange,
        loops: Loops,
        whole: int,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.problem, self.store, self.memory, self.form = problem, store, memory, form
        self.exchange, self.loops, self.whole, self.progress = exchange, loops, whole, progress
        self.began, self.shards = time.perf_counter(), shards
        self.resources = Resources.found(memory)
        self.plan = self._plan(shards, 0)
        self.plan = self._plan(shards, self._survey())
        self.counts = Counts()
        self.resumed = 0
        self.tiers: list[ClusterTier] = []

    def run(self) -> None:
        """All of it; begins again with a wider codec when a state turns up that has no key."""
        while True:
            settled = load_plan(self.store)
            if settled is None:
                if self.store.names(WORK):
                    raise TableError(
                        f"{self.store.place}/work holds what no solve on a cluster wrote; choose another place, "
                        "or move it away."
                    )
                settled = json.loads(json.dumps(self.plan.settled(self.problem.identity)))
                save_plan(self.store, settled)
            check_same(settled["identity"], self.problem.identity, self.store.place)
            if self.shards not in (None, settled["shards"]):
                raise BadParameter(
                    f"The solve in {self.store.place} was begun with {settled['shards']} shards, "
                    f"and not {self.shards}; say so, or delete {self.store.place}/work to begin again."
                )
            self.plan = self.plan.resumed(settled)
            self.problem.take_up(self.plan.samples)
            try:
                self._solve(settled)
                return
            except Misfits as misfits:
                self.problem.widen(misfits)
                self.plan = replace(self.plan, samples=self.problem.codec.samples)
                save_plan(self.store, self.plan.settled(self.problem.identity))

    def _survey(self) -> int:
        """See that all nodes are made of the same; returns how many bytes a worker takes that has nothing to do."""
        crew = Crew(self.plan)
        try:
            some = next(iter(self.problem.start_keys().values()))[:1]
            return crew.greet(self.plan.fingerprints, some)
        finally:
            crew.drop()

    def _plan(self, shards: int | None, worker: int) -> Plan:
        """The plan for workers of which each takes so many bytes before it begins."""
        game, have = self.problem.game, self.resources
        each = (self.memory - have.objects) // have.tasks_each - worker
        if each < _LEAST_MEMORY:
            least = (have.tasks_each * (worker + _LEAST_MEMORY) + have.objects) / (1 << 30)
            raise BadParameter(
                f"memory_gb is {self.memory / (1 << 30):.2f}; a node with {have.tasks_each} tasks at work and an "
                f"object store takes more with nothing to do: give it at least {least + 0.01:.2f}."
            )
        least, most = STRETCH
        stretch = max(least, min(most, each // BYTES_OF_KEY))
        return Plan(
            source=source_of(game),
            fingerprints=(game.fingerprint, knowledge_of(game)),
            place=self.store.place,
            shards=shards or SHARDS_EACH * have.tasks,
            part=min(PART, stretch),
            stretch=stretch,
            wave=max(4, have.nodes * have.objects // (stretch * BYTES_ON_THE_WAY)),
            memory=each,
            threads=have.threads,
            whole=self.whole,
            samples=self.problem.codec.samples,
            fold=self.problem.fold,
        )

    def _solve(self, settled: dict[str, Any]) -> None:
        journal = Journal(self.store, settled)
        self.resumed = journal.resumed
        crew = Crew(self.plan)
        self.counts = crew.counts
        try:
            report = reporter(self.progress, "forward")
            forward = ClusterForward(self.problem, self.plan, self.store, journal, crew, report)
            self.tiers = forward.run()
            publisher = Publisher(self.plan, journal, crew, self.form)
            report = reporter(self.progress, "backward", self.tiers)
            ClusterBackward(
                self.problem, self.plan, journal, crew, report, publisher, self.tiers, self.resources.nodes,
                self.resources.objects // 2,
                self.exchange, self.loops,
            ).run()  # fmt: skip
        finally:
            crew.drop()
            journal.flush()
        more = {} if self.form == "merged" else {"shards": self.plan.shards}
        self.store.write(MANIFEST, manifest_of(self.problem, publisher.tiers(), more))
        drop_work(self.store)


def _solved(problem: Problem, table: Table, store: Store, run: _Run | None, took: float) -> ClusterSolved:
    entry = table[problem.start]
    counts = Counts() if run is None else run.counts
    peaks = [sum(some.values()) + counts.objects.get(node, 0) for node, some in counts.peaks.items()]
    idle = 0.0
    if run is not None and counts.busy:
        idle = max(0.0, 1 - sum(counts.busy.values()) / ((time.perf_counter() - run.began) * run.resources.tasks))
    return ClusterSolved(
        positions=len(table),
        stored=int(table.manifest["stored"]),
        value=entry.value,
        remoteness=entry.remoteness,
        seconds=took,
        positions_per_second=len(table) / took,
        peak_memory_mb=peak_memory_mb(),
        bytes=sum(file["bytes"] for tier in table.manifest["tiers"] for file in tier["files"]),
        nodes=0 if run is None else run.resources.nodes,
        shards=int(table.manifest.get("shards", 0)) if run is None else run.plan.shards,
        exchanged_bytes=counts.exchanged,
        crossed_bytes=counts.crossed,
        tasks=counts.tasks,
        units_resumed=0 if run is None else run.resumed,
        skew=1.0 if run is None else skew(run.tiers),
        idle=idle,
        node_peak_mb=max(peaks, default=0) / (1 << 20),
        worker_peak_mb=max((peak for some in counts.peaks.values() for peak in some.values()), default=0) / (1 << 20),
        shard_bytes=[] if run is None else [12 * count for count in by_shard(run.tiers)],
    )
