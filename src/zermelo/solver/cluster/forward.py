"""Forward on a cluster: every position that can be reached, tier by tier, shard by shard.

As `zermelo.solver.forward`, whose kernels do the work. A wave of parts is expanded, the successors are handed to
their shards, and each shard makes its share durable as a run for each tier. When a tier's turn comes, the runs of a
shard are merged; a single one is taken as it is.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo.solver.cluster.crew import Crew, grouped
from zermelo.solver.cluster.plan import Journal, Plan, parts_of
from zermelo.solver.cluster.shards import split
from zermelo.solver.cluster.stores import Part, Store
from zermelo.solver.forward import Report
from zermelo.solver.problem import Problem

Run = list[Part]


@dataclass
class ClusterTier:
    """Positions that are solved together, by shard."""

    number: int
    shards: list[list[Part]]
    positions: int = 0
    """How many positions the keys stand for, symmetric ones counted."""
    loops: bool = False
    leads_to: list[int] = field(default_factory=list)
    children: int = 0
    """Successors of all of them, each as often as it is one."""

    @property
    def counts(self) -> list[int]:
        """Keys in each shard."""
        return [sum(part.size for part in parts) for parts in self.shards]

    @property
    def count(self) -> int:
        """Keys."""
        return sum(self.counts)


class ClusterForward:
    """The enumeration of a problem's positions on a cluster.

    Parameters
    ----------
    problem, plan, store, journal, crew
        What is solved, how, and by whom.
    report
        Told how far it is.
    """

    def __init__(
        self, problem: Problem, plan: Plan, store: Store, journal: Journal, crew: Crew, report: Report
    ) -> None:
        self.problem, self.plan, self.store = problem, plan, store
        self.journal, self.crew, self.report = journal, crew, report
        self.tiers: list[ClusterTier] = []
        self.pending: dict[int, list[list[Run]]] = {}

    def run(self) -> list[ClusterTier]:
        """Every tier, first to last.

        Raises
        ------
        Misfits
            The codec has no room for a state.
        """
        for number, keys in self.problem.start_keys().items():
            for shard, some, _ in split(keys, self.plan.shards):
                part = self.store.write_array(f"work/start-{number:06d}-{shard:05d}.keys", some)
                self._pending(number)[shard].append([part])
        while self.pending:
            self.tiers.extend(self._expand(self._merge(min(self.pending))))
        self.journal.flush()
        return self.tiers

    def _pending(self, number: int) -> list[list[Run]]:
        if number not in self.pending:
            self.pending[number] = [[] for _ in range(self.plan.shards)]
        return self.pending[number]

    def _unit(self, unit: str, kind: str, *arguments: Any) -> None:
        """Have a unit of work done that is one task, unless it is."""
        if unit not in self.journal:
            self.crew.start(kind, unit, *arguments, name=unit, done=lambda answer: self.journal.note(unit, answer))

    def _merge(self, number: int) -> ClusterTier:
        """The tier's positions that earlier tiers lead to."""
        runs = self.pending.pop(number)
        for shard, some in enumerate(runs):
            if len(some) > 1:
                self._unit(_name("tier", number, shard), "merge", some)
        self.crew.wait()
        shards = []
        merged = []
        for shard, some in enumerate(runs):
            if len(some) > 1:
                shards.append(parts_of(self.journal[_name("tier", number, shard)]))
                merged.extend(some)
            else:
                shards.append(some[0] if some else [])
        self._delete(merged)
        return ClusterTier(number, shards)

    def _delete(self, runs: list[Run]) -> None:
        """Delete files that no unit will need again, as the journal knows for good."""
        if runs:
            self.journal.flush()
            for run in runs:
                for part in run:
                    self.store.delete(part.name)

    def _expand(self, tier: ClusterTier) -> list[ClusterTier]:
        """Expand all of a tier; what it leads to is pending afterwards."""
        leads_to: set[int] = set()
        own: list[list[Run]] = [[] for _ in tier.shards]
        tier.positions = self._waves(tier, 0, tier.shards, own, leads_to)
        if not any(own):
            tier.leads_to = sorted(leads_to)
            return [tier]
        return self._close(tier, own, leads_to)

    def _waves(
        self, tier: ClusterTier, level: int, shards: list[list[Part]], own: list[list[Run]], leads_to: set[int]
    ) -> int:
        """Expand parts of a tier, wave by wave; returns how many positions they stand for."""
        total, done, positions = sum(part.size for parts in shards for part in parts), 0, 0
        parts = [part for parts in shards for part in parts]
        for number, wave in enumerate(grouped(parts, self.plan.wave)):
            unit = f"{_name('wave', tier.number, level)}-{number:06d}"
            if unit not in self.journal:
                self._wave(unit, wave)
            found = self.journal[unit]
            positions += found["reach"]
            tier.children += found["children"]
            for shard in range(self.plan.shards):
                for later, rows in self.journal[f"{unit}-{shard:05d}"]:
                    if later == tier.number:
                        own[shard].append(parts_of(rows))
                    else:
                        leads_to.add(later)
                        self._pending(later)[shard].append(parts_of(rows))
            done += sum(part.size for part in wave)
            self.report(tier.number, done, total)
        return positions

    def _wave(self, unit: str, wave: list[Part]) -> None:
        """Expand a wave of parts, and have each shard keep its share."""
        sums = {"reach": 0, "children": 0}

        def add(found: dict[str, int]) -> None:
            for name, count in (found or {}).items():
                sums[name] += count

        shards = self.plan.shards
        blocks = [
            self.crew.start("expand", part, returns=shards, name=f"{unit} part {number}", done=add)
            for number, part in enumerate(wave)
        ]
        for shard in range(shards):
            self._unit(f"{unit}-{shard:05d}", "collect", *(some[shard] for some in blocks))
        del blocks
        self.crew.wait()
        self.journal.note(unit, sums)

    def _close(self, tier: ClusterTier, own: list[list[Run]], leads_to: set[int]) -> list[ClusterTier]:
        """Add what moves within the tier lead to, until nothing new turns up."""
        levels = [tier.shards]
        known: list[list[Run]] = [[parts] if parts else [] for parts in tier.shards]
        layered = self.problem.game.tier is None
        reaches, children = [tier.positions], [tier.children]
        while any(own):
            number = len(levels)
            units = {
                shard: f"{_name('level', tier.number, shard)}-{number:05d}" for shard in range(len(own)) if own[shard]
            }
            for shard, unit in units.items():
                self._unit(unit, "level", own[shard], known[shard])
            self.crew.wait()
            self._delete([run for shard in units for run in own[shard]])
            new: list[list[Part]] = [[] for _ in own]
            met = 0
            for shard, unit in units.items():
                found = self.journal[unit]
                met += found["met"]
                new[shard] = parts_of(found["new"])
                known[shard] = [parts_of(segment) for segment in found["known"]]
            count = sum(part.size for parts in new for part in parts)
            layered = layered and count == met
            if count == 0:
                break
            levels.append(new)
            own = [[] for _ in tier.shards]
            tier.children = 0
            reaches.append(self._waves(tier, number, new, own, leads_to))
            children.append(tier.children)
        if layered:
            return [
                ClusterTier(number, parts, reach, False, [number + 1] if parts is not levels[-1] else [], met)
                for number, (parts, reach, met) in enumerate(zip(levels, reaches, children, strict=True), tier.number)
            ]
        for shard, segments in enumerate(known):
            if len(segments) > 1:
                self._unit(_name("closed", tier.number, shard), "merge", segments)
        self.crew.wait()
        closed = [
            parts_of(self.journal[_name("closed", tier.number, shard)])
            if len(segments) > 1
            else segments[0]
            if segments
            else []
            for shard, segments in enumerate(known)
        ]
        return [ClusterTier(tier.number, closed, sum(reaches), True, sorted(leads_to), sum(children))]


def _name(kind: str, tier: int, shard: int) -> str:
    """The name of a unit of work."""
    return f"{kind}-{tier:06d}-{shard:05d}"


def skew(tiers: list[ClusterTier]) -> float:
    """How much larger the largest shard is than the mean, all tiers together."""
    counts = np.sum([tier.counts for tier in tiers], axis=0)
    return float(counts.max() / counts.mean())
