"""The forward pass: it finds every position that can be reached, tier by tier.

A *part* is a file of ascending keys, and a *run* is a list of parts whose keys ascend from one to the next. A *stretch*
is the neighbouring parts of a shard that one task takes, and a *wave* is the stretches whose successors are in memory
at the same time. A *unit of work* is a task, or a group of tasks, whose result the journal keeps under a name.

A tier begins with the positions that earlier tiers lead to. The pass expands a tier wave by wave: tasks find the
successors of each stretch, and then a task for each shard collects the shard's successors and writes them, one run for
each tier. When the pass comes to a tier, it merges the runs of each shard. If moves stay within the tier, it adds the
positions that they lead to level by level, until it finds no new ones.

A game that names no tiers has one tier. If no position of such a game can be reached in two different numbers of plies,
the plies become its tiers.

A tier that few positions lead to lies in few shards, since more would not be done sooner. If the tier turns out to be
large, its runs are scattered over more shards; over all, if moves stay within it, since each shard must then fit into
the memory of a task.
"""

from dataclasses import dataclass, field
from math import isqrt
from typing import Any, Final

from zermelo.solver.kernels.shards import split
from zermelo.solver.passes.exchange import bundles_of, to_shards, width_of
from zermelo.solver.passes.executor import Report, Solve, grouped
from zermelo.solver.passes.merging import in_parts
from zermelo.solver.passes.plan import keys_in, parts_of, stretches
from zermelo.solver.table.stores import Part

_GROWTH: Final = 8
"""A tier is scattered over more shards if its runs have so many times the keys that would be enough for more."""
Run = list[Part]
"""Parts with ascending keys."""
Shards = list[list[Run]]
"""The runs of each shard."""


@dataclass
class Tier:
    """Positions that are solved together."""

    number: int
    shards: list[Run]
    """The keys of each shard."""
    positions: int = 0
    """The number of positions that the keys stand for, symmetric ones included."""
    loops: bool = False
    """Whether positions lead to others of the same tier."""
    leads_to: list[int] = field(default_factory=list)
    """The later tiers that a move may lead to."""
    children: int = 0
    """The number of successors, summed over all positions; a successor of two positions counts twice."""

    @property
    def counts(self) -> list[int]:
        """The number of keys in each shard."""
        return [keys_in(parts) for parts in self.shards]

    @property
    def count(self) -> int:
        """The number of keys."""
        return sum(self.counts)


class Forward:
    """The enumeration of a problem's positions.

    Parameters
    ----------
    solve
        The solve under way.
    report
        Receives the progress.
    """

    def __init__(self, solve: Solve, report: Report) -> None:
        self.solve, self.report = solve, report
        self.plan, self.journal = solve.plan, solve.journal
        self.tiers: list[Tier] = []
        """The tiers that are complete, first to last."""
        self.pending: dict[int, Shards] = {}
        """By later tier: the runs found for it so far, in a list for each of its shards."""

    def run(self) -> list[Tier]:
        """Find every tier, and return them, first to last.

        Raises
        ------
        Misfits
            The codec has no key for a state.
        Unsolvable
            The rules give something that a table cannot hold.
        TableError
            The journal or a part is damaged.
        """
        for number, starts in self.solve.problem.start_keys().items():
            pending = self._pending(number, self._shards_after(len(starts)))
            for shard, some, _ in split(starts, len(pending)):
                name = f"work/{_unit('start', number, shard)}"
                pieces = enumerate(in_parts(iter([some]), self.plan.part))
                write = self.solve.store.write_array
                pending[shard].append([write(f"{name}-{piece:05d}.keys", keys) for piece, keys in pieces])
        while self.pending:
            number = min(self.pending)
            self.tiers.extend(self._expand(Tier(number, self._merge(number, self.pending.pop(number)))))
        self.journal.flush()
        self.solve.executor.forget()
        return self.tiers

    def _pending(self, number: int, shards: int) -> Shards:
        """Return the runs found for a tier so far; a tier that is met for the first time gets this number of shards."""
        return self.pending.setdefault(number, [[] for _ in range(shards)])

    def _shards_after(self, count: int) -> int:
        """Return the number of shards of a new tier, given how many positions lead to it."""
        whole, shards = self.plan.whole, self.plan.shards
        return min(shards, max(1, isqrt(count // whole))) if whole else shards

    # Merging.

    def _merge(self, number: int, runs: Shards) -> list[Run]:
        """Return the tier's positions that earlier tiers lead to, as one run for each shard."""
        count = _keys_of(runs)
        if self._shards_after(count // _GROWTH) > len(runs):
            runs = self._scattered(_unit("scatter", number, 0), number, runs, self._shards_after(count))
        return self._merged("tier", number, runs)

    def _merged(self, kind: str, number: int, shards: Shards) -> list[Run]:
        """Merge the runs of each shard, and return one run for each; a single run stays as it is."""
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

    def _scattered(self, name: str, number: int, runs: Shards, shards: int, delete: bool = True) -> Shards:
        """Distribute a tier's runs over so many shards, and return them; ``delete`` deletes the old ones."""
        scattered: Shards = [[] for _ in range(shards)]
        parts = [piece for some in runs for run in some for piece in stretches(run, self.plan.stretch)]
        for place, wave in enumerate(self.plan.waves(parts, keys_in)):
            unit = f"{name}-{place:06d}"
            if unit not in self.journal:
                self._wave(unit, number, "scatter", wave, number, shards, shards=shards)
            for shard, some in enumerate(scattered):
                some.extend(parts_of(rows) for _, rows in self.journal[f"{unit}-{shard:05d}"])
        if delete:
            for some in runs:
                self._delete(some)
        return scattered

    def _delete(self, runs: list[Run]) -> None:
        for run in runs:
            self.journal.delete(run)

    # Expanding.

    def _expand(self, tier: Tier) -> list[Tier]:
        """Expand all positions of a tier, put their successors into `pending`, and return the tiers that come of it."""
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
        level
            The number of the level: 0 for the positions that earlier tiers lead to.
        shards
            The keys of the level, one run for each shard.
        own
            Changed: the runs of successors within the tier are added to it.
        leads_to
            Changed: the later tiers that the level leads to are added to it.
        before
            The number of positions in earlier levels.

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

        for number, wave in enumerate(self.plan.waves(parts, keys_in)):
            unit = f"{_unit('wave', tier.number, level)}-{number:06d}"
            spread = {later: len(runs) for later, runs in self.pending.items()} | {tier.number: len(own)}
            count = max([new, *spread.values()])
            size = sum(map(keys_in, wave))
            finished = done + size
            if unit not in self.journal:
                self._wave(unit, tier.number, "expand", wave, size, spread, new, shards=count, step=step)
            found = self.journal[unit]
            reach, children = reach + found["reach"], children + found["children"]
            for shard in range(count):
                for later, rows in self.journal[f"{unit}-{shard:05d}"]:
                    if later == tier.number:
                        own[shard].append(parts_of(rows))
                    else:
                        leads_to.add(later)
                        self._pending(later, new)[shard].append(parts_of(rows))
            if done < finished:  # some executors report no steps, and an earlier run may have done the wave
                step(finished - done)
        return reach, children

    def _wave(
        self, unit: str, tier: int, kind: str, wave: list[Run], *arguments: Any, shards: int, step: Any = None
    ) -> None:
        """Start a task for each stretch of a wave, and one for each shard, which writes its keys; wait for them."""
        sums = {"reach": 0, "children": 0}

        def add(found: dict[str, int] | None) -> None:
            for name, count in (found or {}).items():
                sums[name] += count

        executor, width = self.solve.executor, width_of(shards, sum(map(keys_in, wave)), len(wave))
        count = len(bundles_of(range(shards), width))
        bundles = [
            executor.start(kind, some, *arguments, width, returns=count, tier=tier, done=add, step=step)
            for some in wave
        ]
        for shard, blocks in enumerate(to_shards(executor, bundles, shards, width, tier)):
            self.solve.unit(f"{unit}-{shard:05d}", tier, "collect", *blocks)
        del bundles, blocks
        self.solve.executor.wait()
        self.journal.note(unit, sums)

    # Moves that stay within the tier.

    def _close(self, tier: Tier, own: Shards, leads_to: set[int]) -> list[Tier]:
        """Add the positions that moves within the tier lead to, level by level, and return the tier.

        If the game names no tiers and no level repeats a position of an earlier one, return each level as a tier.

        Parameters
        ----------
        own
            The runs of successors within the tier that the first level led to.
        leads_to
            Changed: the later tiers that the levels lead to are added to it.
        """
        levels = [tier.shards]
        known: Shards = [[parts] if parts else [] for parts in tier.shards]
        layered = self.solve.problem.game.tier is None
        counted = [(tier.positions, tier.children)]
        while any(own):
            number, shards = len(levels), self.plan.shards
            if len(own) < shards and self._shards_after((_keys_of(own) + _keys_of(known)) // _GROWTH) > 1:
                own = self._scattered(_unit("scatter", tier.number, number), tier.number, own, shards)
                known = self._scattered(_unit("known", tier.number, number), tier.number, known, shards, delete=False)
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
        """Return how many distinct keys ``own`` has, and the new ones among them by shard; add those to ``known``."""
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


def _keys_of(shards: Shards) -> int:
    """Return how many keys the runs of all shards hold together."""
    return sum(keys_in(run) for runs in shards for run in runs)


def _unit(kind: str, tier: int, shard: int) -> str:
    """Return the name of a unit of work."""
    return f"{kind}-{tier:06d}-{shard:05d}"


def by_shard(tiers: list[Tier]) -> list[int]:
    """Return the number of keys in each shard, summed over the tiers that lie in the greatest number of shards."""
    shards = max(len(tier.shards) for tier in tiers)
    return [sum(counts) for counts in zip(*(tier.counts for tier in tiers if len(tier.shards) == shards), strict=True)]


def skew(tiers: list[Tier]) -> float:
    """Return the size of the largest shard divided by the mean size of a shard, as `by_shard` counts."""
    counts = by_shard(tiers)
    return max(counts) * len(counts) / sum(counts)
