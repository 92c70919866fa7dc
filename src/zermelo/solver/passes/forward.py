"""The forward pass: every position that can be reached, tier by tier.

A tier begins with the positions that earlier tiers lead to. A *wave* of stretches, which are neighbouring parts, is
expanded; each shard collects its successors, and writes them as a run for each tier. When a tier's turn comes, the runs
of each shard are merged. If moves stay within the tier, what they lead to is added level by level, until nothing new
turns up. A game that names no tiers has one; if no position of it can be reached in two numbers of plies, the plies
are tiers after all.

A tier that few positions lead to lies in one shard: several would not be done sooner. If it turns out to be large, its
runs are scattered over all shards.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from zermelo.solver.kernels.shards import split
from zermelo.solver.passes.executor import Report, Solve, grouped
from zermelo.solver.passes.plan import keys_in, parts_of, stretches
from zermelo.solver.table.stores import Part

_GROWTH: Final = 8
"""A tier that lies in one shard is scattered if it is so many times larger than was to be expected."""
Run = list[Part]
"""Ascending keys."""
Shards = list[list[Run]]
"""The runs of each shard."""


@dataclass
class Tier:
    """Positions that are solved together."""

    number: int
    shards: list[Run]
    """The keys of each shard."""
    positions: int = 0
    """How many positions the keys stand for, symmetric ones counted."""
    loops: bool = False
    """Whether positions lead to others of the same tier."""
    leads_to: list[int] = field(default_factory=list)
    """Later tiers that a move may lead to."""
    children: int = 0
    """Successors of all positions, each as often as it is one."""

    @property
    def counts(self) -> list[int]:
        """Keys in each shard."""
        return [keys_in(parts) for parts in self.shards]

    @property
    def count(self) -> int:
        """Keys."""
        return sum(self.counts)


class Forward:
    """The enumeration of a problem's positions.

    Parameters
    ----------
    solve
        The solve under way.
    report
        Told how far it is.
    """

    def __init__(self, solve: Solve, report: Report) -> None:
        self.solve, self.report = solve, report
        self.plan, self.journal = solve.plan, solve.journal
        self.tiers: list[Tier] = []
        self.pending: dict[int, Shards] = {}
        """The runs that lead to each tier to come; there are as many shards as the tier has."""

    def run(self) -> list[Tier]:
        """Every tier, first to last.

        Raises
        ------
        Misfits
            The codec has no room for a state.
        """
        for number, keys in self.solve.problem.start_keys().items():
            pending = self._pending(number, self._shards_after(len(keys)))
            for shard, some, _ in split(keys, len(pending)):
                part = self.solve.store.write_array(f"work/{_unit('start', number, shard)}.keys", some)
                pending[shard].append([part])
        while self.pending:
            number = min(self.pending)
            self.tiers.extend(self._expand(Tier(number, self._merge(number, self.pending.pop(number)))))
        self.journal.flush()
        self.solve.executor.forget()
        return self.tiers

    def _pending(self, number: int, shards: int) -> Shards:
        """The runs that lead to a tier; a new tier has so many shards."""
        return self.pending.setdefault(number, [[] for _ in range(shards)])

    def _shards_after(self, count: int) -> int:
        """In how many shards a tier lies that so many positions lead to."""
        return 1 if count < self.plan.whole else self.plan.shards

    # Merging.

    def _merge(self, number: int, runs: Shards) -> list[Run]:
        """The tier's positions that earlier tiers lead to."""
        if self._has_grown(runs):
            runs = self._scattered(_unit("scatter", number, 0), number, runs[0])
        return self._merged("tier", number, runs)

    def _merged(self, kind: str, number: int, shards: Shards) -> list[Run]:
        """The runs of each shard as one; a single run is taken as it is."""
        step = 0
        while any(len(runs) > 1 for runs in shards):
            groups = [list(grouped(runs, self.plan.fan_in)) for runs in shards]
            units = {
                (shard, place): f"{_unit(kind, number, shard)}-{step:02d}-{place:05d}"
                for shard, some in enumerate(groups)
                for place, group in enumerate(some)
                if len(group) > 1
            }
            for (shard, place), unit in units.items():
                self.solve.unit(unit, number, "merge", groups[shard][place])
            self.solve.executor.wait()
            shards = [
                [
                    parts_of(self.journal[units[shard, place]]) if (shard, place) in units else group[0]
                    for place, group in enumerate(some)
                ]
                for shard, some in enumerate(groups)
            ]
            for shard, place in units:
                self._delete(groups[shard][place])
            step += 1
        return [runs[0] if runs else [] for runs in shards]

    def _has_grown(self, runs: Shards) -> bool:
        """Whether a tier that lies in one shard had better lie in all."""
        count = sum(keys_in(run) for some in runs for run in some)
        return len(runs) == 1 and self._shards_after(count // _GROWTH) > 1

    def _scattered(self, name: str, number: int, runs: list[Run], delete: bool = True) -> Shards:
        """The runs of a tier that lay in one shard, now in all of them."""
        scattered: Shards = [[] for _ in range(self.plan.shards)]
        parts = [some for run in runs for some in stretches(run, self.plan.stretch)]
        for place, wave in enumerate(grouped(parts, self.plan.wave)):
            unit = f"{name}-{place:06d}"
            if unit not in self.journal:
                self._wave(unit, number, "scatter", wave, number, self.plan.shards, returns=self.plan.shards)
            for shard, some in enumerate(scattered):
                some.extend(parts_of(rows) for _, rows in self.journal[f"{unit}-{shard:05d}"])
        if delete:
            self._delete(runs)
        return scattered

    def _delete(self, runs: list[Run]) -> None:
        for run in runs:
            self.journal.delete(run)

    # Expanding.

    def _expand(self, tier: Tier) -> list[Tier]:
        """Expand all of a tier; what it leads to is pending afterwards."""
        leads_to: set[int] = set()
        own: Shards = [[] for _ in tier.shards]
        tier.positions, tier.children = self._waves(tier, 0, tier.shards, own, leads_to)
        if not any(own):
            tier.leads_to = sorted(leads_to)
            return [tier]
        return self._close(tier, own, leads_to)

    def _waves(
        self, tier: Tier, level: int, shards: list[Run], own: Shards, leads_to: set[int], before: int = 0
    ) -> tuple[int, int]:
        """Expand a level of a tier, wave by wave.

        Parameters
        ----------
        own
            Changed: the runs that stay within the tier.
        leads_to
            Changed: the tiers that the level leads to.
        before
            Positions of earlier levels.

        Returns
        -------
        int, int
            How many positions the keys stand for, and how many successors they have.
        """
        total, done, reach, children = sum(map(keys_in, shards)), 0, 0, 0
        parts = [some for shard in shards for some in stretches(shard, self.plan.stretch)]
        new = self._shards_after(total)

        def step(count: int) -> None:
            nonlocal done
            done += count
            self.report(tier.number, before + done, before + total)

        for number, wave in enumerate(grouped(parts, self.plan.wave)):
            unit = f"{_unit('wave', tier.number, level)}-{number:06d}"
            spread = {later: len(runs) for later, runs in self.pending.items()} | {tier.number: len(own)}
            count = max([new, *spread.values()])
            finished = done + sum(map(keys_in, wave))
            if unit not in self.journal:
                self._wave(unit, tier.number, "expand", wave, spread, new, returns=count, step=step)
            found = self.journal[unit]
            reach, children = reach + found["reach"], children + found["children"]
            for shard in range(count):
                for later, rows in self.journal[f"{unit}-{shard:05d}"]:
                    if later == tier.number:
                        own[shard].append(parts_of(rows))
                    else:
                        leads_to.add(later)
                        self._pending(later, new)[shard].append(parts_of(rows))
            if done < finished:  # by tasks that tell nothing before their end, or by an earlier run
                step(finished - done)
        return reach, children

    def _wave(
        self, unit: str, tier: int, kind: str, wave: list[Run], *arguments: Any, returns: int, step: Any = None
    ) -> None:
        """Start a task for each stretch of a wave, and one for each shard, which writes the shard's share."""
        sums = {"reach": 0, "children": 0}

        def add(found: dict[str, int] | None) -> None:
            for name, count in (found or {}).items():
                sums[name] += count

        start = self.solve.executor.start
        blocks = [start(kind, some, *arguments, returns=returns, tier=tier, done=add, step=step) for some in wave]
        for shard in range(returns):
            self.solve.unit(f"{unit}-{shard:05d}", tier, "collect", *(some[shard] for some in blocks))
        del blocks
        self.solve.executor.wait()
        self.journal.note(unit, sums)

    # Moves that stay within the tier.

    def _close(self, tier: Tier, own: Shards, leads_to: set[int]) -> list[Tier]:
        """Add what moves within the tier lead to, until nothing new turns up."""
        levels = [tier.shards]
        known: Shards = [[parts] if parts else [] for parts in tier.shards]
        layered = self.solve.problem.game.tier is None
        counted = [(tier.positions, tier.children)]
        while any(own):
            number = len(levels)
            if self._has_grown(own):
                own = self._scattered(_unit("scatter", tier.number, number), tier.number, own[0])
                known = self._scattered(_unit("known", tier.number, number), tier.number, known[0], delete=False)
            met, new = self._level(tier.number, number, own, known)
            count = sum(map(keys_in, new))
            layered = layered and count == met
            if count == 0:
                break
            before = sum(keys_in(parts) for some in levels for parts in some)
            levels.append(new)
            own = [[] for _ in new]
            counted.append(self._waves(tier, number, new, own, leads_to, before))
        if layered:
            last = tier.number + len(levels) - 1
            return [
                Tier(number, parts, reach, False, [number + 1] if number < last else [], children)
                for number, (parts, (reach, children)) in enumerate(zip(levels, counted, strict=True), tier.number)
            ]
        closed = self._merged("closed", tier.number, known)
        kept = {part.name for parts in closed for part in parts}
        self._delete([[part for part in parts if part.name not in kept] for some in levels for parts in some])
        positions, children = (sum(numbers) for numbers in zip(*counted, strict=True))
        return [Tier(tier.number, closed, positions, True, sorted(leads_to), children)]

    def _level(self, tier: int, level: int, own: Shards, known: Shards) -> tuple[int, list[Run]]:
        """How many keys are in the runs that stay within the tier, and the new ones by shard; ``known`` is changed."""
        units = {shard: f"{_unit('level', tier, shard)}-{level:05d}" for shard, runs in enumerate(own) if runs}
        for shard, unit in units.items():
            self.solve.unit(unit, tier, "level", own[shard], known[shard])
        self.solve.executor.wait()
        met = 0
        new: list[Run] = [[] for _ in own]
        for shard, unit in units.items():
            found = self.journal[unit]
            met += found["met"]
            new[shard] = parts_of(found["new"])
            known[shard] = [parts_of(run) for run in found["known"]]
            self._delete(own[shard])
        return met, new


def _unit(kind: str, tier: int, shard: int) -> str:
    """The name of a unit of work."""
    return f"{kind}-{tier:06d}-{shard:05d}"


def by_shard(tiers: list[Tier]) -> list[int]:
    """How many keys each shard holds, of the tiers that lie in shards; of all tiers if there is no such."""
    shards = max(len(tier.shards) for tier in tiers)
    return [sum(counts) for counts in zip(*(tier.counts for tier in tiers if len(tier.shards) == shards), strict=True)]


def skew(tiers: list[Tier]) -> float:
    """How many times the mean shard the largest shard is."""
    counts = by_shard(tiers)
    return max(counts) * len(counts) / sum(counts)
