"""Forward on a cluster: every position that can be reached, tier by tier, shard by shard.

As `zermelo.solver.passes.forward`, whose kernels do the work. A wave of stretches, which are neighbouring parts, is
expanded; the successors are handed to their shards, and each shard makes its share durable as a run for each tier. When
a tier's turn comes, the runs of a shard are merged; a single one is taken as it is.

A tier that few positions lead to lies in one shard: it is done before others could help. Should it become a large one
in the end, its runs are scattered over all shards then.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from zermelo.cluster.crew import Crew, grouped
from zermelo.cluster.plan import Journal, Plan, parts_of, stretches
from zermelo.solver.kernels.shards import split
from zermelo.solver.model.problem import Problem
from zermelo.solver.passes.forward import Report
from zermelo.solver.table.stores import Part, Store

_GROWTH: Final = 8
"""A tier that lies in one shard is scattered if it is so many times larger than was to be expected."""
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
        """By tier and shard, what leads there; how many shards there are, is how many the tier has."""

    def run(self) -> list[ClusterTier]:
        """Every tier, first to last.

        Raises
        ------
        Misfits
            The codec has no room for a state.
        """
        for number, keys in self.problem.start_keys().items():
            pending = self._pending(number, self._shards_after(len(keys)))
            for shard, some, _ in split(keys, len(pending)):
                part = self.store.write_array(f"work/start-{number:06d}-{shard:05d}.keys", some)
                pending[shard].append([part])
        while self.pending:
            self.tiers.extend(self._expand(self._merge(min(self.pending))))
        self.journal.flush()
        return self.tiers

    def _pending(self, number: int, shards: int) -> list[list[Run]]:
        """What leads to a tier, which has so many shards if it is a new one."""
        if number not in self.pending:
            self.pending[number] = [[] for _ in range(shards)]
        return self.pending[number]

    def _shards_after(self, count: int) -> int:
        """In how many shards a tier lies that so many positions lead to."""
        return 1 if count < self.plan.whole else self.plan.shards

    def _unit(self, unit: str, tier: int, kind: str, *arguments: Any) -> None:
        """Have a unit of work done that is one task, unless it is."""
        if unit not in self.journal:
            self.crew.start(kind, unit, *arguments, tier=tier, done=partial(self.journal.note, unit))

    def _merge(self, number: int) -> ClusterTier:
        """The tier's positions that earlier tiers lead to."""
        runs = self.pending.pop(number)
        if self._has_grown(runs):
            once = runs[0]
            runs = self._scattered(_name("scatter", number, 0), number, once)
            self._delete(once)
        for shard, some in enumerate(runs):
            if len(some) > 1:
                self._unit(_name("tier", number, shard), number, "merge", some)
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

    def _has_grown(self, runs: list[list[Run]]) -> bool:
        """Whether what lies in one shard had better lie in all."""
        count = sum(part.size for some in runs for run in some for part in run)
        return len(runs) == 1 and self._shards_after(count // _GROWTH) > 1

    def _scattered(self, name: str, number: int, runs: list[Run]) -> list[list[Run]]:
        """The runs of a tier that lay in one shard, now in all of them."""
        scattered: list[list[Run]] = [[] for _ in range(self.plan.shards)]
        parts = [some for run in runs for some in stretches(run, self.plan.stretch)]
        for place, wave in enumerate(grouped(parts, self.plan.wave)):
            unit = f"{name}-{place:06d}"
            if unit not in self.journal:
                self._wave(unit, number, "scatter", wave, number, self.plan.shards, returns=self.plan.shards)
            for shard, some in enumerate(scattered):
                some.extend(parts_of(rows) for _, rows in self.journal[f"{unit}-{shard:05d}"])
        return scattered

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
        """Expand the parts of a tier, wave by wave; returns how many positions they stand for."""
        total, done, positions = sum(part.size for parts in shards for part in parts), 0, 0
        parts = [some for shard in shards for some in stretches(shard, self.plan.stretch)]
        new = self._shards_after(total)
        for number, wave in enumerate(grouped(parts, self.plan.wave)):
            unit = f"{_name('wave', tier.number, level)}-{number:06d}"
            spread = {later: len(runs) for later, runs in self.pending.items()} | {tier.number: len(own)}
            count = max([new, *spread.values()])
            if unit not in self.journal:
                self._wave(unit, tier.number, "expand", wave, spread, new, returns=count)
            found = self.journal[unit]
            positions += found["reach"]
            tier.children += found["children"]
            for shard in range(count):
                for later, rows in self.journal[f"{unit}-{shard:05d}"]:
                    if later == tier.number:
                        own[shard].append(parts_of(rows))
                    else:
                        leads_to.add(later)
                        self._pending(later, new)[shard].append(parts_of(rows))
            done += sum(part.size for some in wave for part in some)
            self.report(tier.number, done, total)
        return positions

    def _wave(self, unit: str, tier: int, kind: str, wave: list[list[Part]], *arguments: Any, returns: int) -> None:
        """Have a task make blocks of each stretch of a wave, and each shard keep its share."""
        sums = {"reach": 0, "children": 0}

        def add(found: dict[str, int]) -> None:
            for name, count in (found or {}).items():
                sums[name] += count

        blocks = [self.crew.start(kind, some, *arguments, returns=returns, tier=tier, done=add) for some in wave]
        for shard in range(returns):
            self._unit(f"{unit}-{shard:05d}", tier, "collect", *(some[shard] for some in blocks))
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
            if self._has_grown(own):
                once = own[0]
                own = self._scattered(_name("scatter", tier.number, number), tier.number, once)
                self._delete(once)
                known = self._scattered(_name("known", tier.number, number), tier.number, known[0])
            units = {
                shard: f"{_name('level', tier.number, shard)}-{number:05d}" for shard in range(len(own)) if own[shard]
            }
            for shard, unit in units.items():
                self._unit(unit, tier.number, "level", own[shard], known[shard])
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
            own = [[] for _ in new]
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
                self._unit(_name("closed", tier.number, shard), tier.number, "merge", segments)
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


def by_shard(tiers: list[ClusterTier]) -> list[int]:
    """How many keys each shard holds, of the tiers that lie in shards; of all if there is no such."""
    shards = max(len(tier.shards) for tier in tiers)
    return [sum(counts) for counts in zip(*(tier.counts for tier in tiers if len(tier.shards) == shards), strict=True)]


def skew(tiers: list[ClusterTier]) -> float:
    """How much larger the largest shard is than the mean."""
    counts = by_shard(tiers)
    return max(counts) * len(counts) / sum(counts)
