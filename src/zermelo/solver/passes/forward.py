"""Forward: every position that can be reached, tier by tier.

A tier begins with the positions that earlier tiers lead to. If moves stay within it, what they lead to is added until
nothing new turns up. A game that names no tiers has one; if no position of it can be reached in two numbers of plies,
the plies are tiers after all.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from functools import partial
from typing import Any, Final

import numpy as np

from zermelo.solver.kernels.lookup import Sorted, sorted_once, with_heads, without
from zermelo.solver.local.external_sort import PART, Runs, in_parts
from zermelo.solver.local.threads import Workers
from zermelo.solver.local.workdir import Storage, Tier, tier_to_dict
from zermelo.solver.model.problem import Problem

CHUNK: Final = 1 << 18
"""Positions of one task."""
Report = Callable[[int, int, int], None]
"""Told the tier, and how many of so many of its positions are done."""


class Forward:
    """The enumeration of a problem's positions.

    Parameters
    ----------
    problem
        What is to be solved.
    storage
        Where keys are kept.
    workers
        Who works.
    report
        Told how far it is.
    """

    def __init__(self, problem: Problem, storage: Storage, workers: Workers, report: Report) -> None:
        self.problem, self.storage, self.workers, self.report = problem, storage, workers, report
        self.tiers: list[Tier] = []
        self.pending: dict[int, Runs] = {}

    def run(self, state: dict[str, Any] | None) -> list[Tier]:
        """Every tier, first to last; ``state`` is where an earlier run came to.

        Raises
        ------
        Misfits
            The codec has no room for a state.
        """
        merged = self._take_up(state)
        if merged is None:
            for tier, keys in self.problem.start_keys().items():
                self._pending(tier).add(keys)
        while merged is not None or self.pending:
            if merged is None:
                merged = self._merge(min(self.pending))
                self._save(merged)
            self.tiers.extend(self._expand(merged))
            merged = None
        return self.tiers

    def _take_up(self, state: dict[str, Any] | None) -> Tier | None:
        """Go on where an earlier run came to: the tier that it had merged, but not expanded."""
        if state is None:
            return None
        self.tiers = [Tier(**tier) for tier in state["tiers"]]
        for number, files in state["pending"].items():
            self._pending(int(number)).take_up(files)
        return Tier(**state["merged"])

    def said(self) -> dict[str, Any]:
        """What of the state is known so far."""
        layout = self.problem.codec.samples
        return {"identity": self.problem.identity, "samples": layout, "tiers": list(map(tier_to_dict, self.tiers))}

    def _save(self, merged: Tier) -> None:
        for runs in self.pending.values():
            runs.spill(durable=True)
        pending = {number: list(runs.sums.items()) for number, runs in self.pending.items()}
        self.storage.commit({**self.said(), "merged": tier_to_dict(merged), "pending": pending})

    def _pending(self, number: int) -> Runs:
        if number not in self.pending:
            self.pending[number] = Runs(self.storage, f"tier-{number:06d}")
        return self.pending[number]

    def _merge(self, number: int) -> Tier:
        """The tier's positions that earlier tiers lead to, in files."""
        runs = self.pending.pop(number)
        # The files of the runs stay until a state is on the disk that no longer names them.
        return self._write(number, runs.merged(self.workers, self.storage.memory // 2))

    def _write(self, number: int, keys: Iterable[Any], kind: str = "tier") -> Tier:
        tier = Tier(number, [], [], [])
        written: list[Future[str]] = []
        for part in in_parts(iter(keys), PART):
            name = f"{kind}-{number:06d}-{len(tier.files):05d}.keys"
            tier.files.append(name)
            tier.counts.append(len(part))
            written.append(self.workers.later(partial(self.storage.write, name, part)))
            if len(written) > self.workers.count:
                tier.sums.append(written.pop(0).result())
        tier.sums.extend(future.result() for future in written)
        return tier

    def _expand(self, tier: Tier) -> list[Tier]:
        """Expand all of a tier; what it leads to is pending afterwards."""
        own = Runs(self.storage, f"within-{tier.number:06d}")
        leads_to: set[int] = set()
        chunks = (part[i : i + CHUNK] for part in self.storage.parts(tier) for i in range(0, len(part), CHUNK))
        tier.positions += self._expand_chunks(tier, chunks, tier.count, own, leads_to)
        if not own.runs:
            tier.leads_to = sorted(leads_to)
            return [tier]
        return self._close(tier, own, leads_to)

    def _expand_chunks(
        self, tier: Tier, chunks: Iterable[Any], total: int, own: Runs, leads_to: set[int], before: int = 0
    ) -> int:
        """Expand positions of a tier: what stays within it goes to ``own``; so many were expanded ``before``."""
        positions = done = 0
        for count, reach, found in self.workers.in_order(self._successors, chunks):
            positions += reach
            done += count
            for number, keys in found.items():
                if number == tier.number:
                    own.add(keys)
                else:
                    leads_to.add(number)
                    self._pending(number).add(keys)
            if own.in_memory + sum(runs.in_memory for runs in self.pending.values()) > self.storage.memory // 3:
                for runs in (own, *self.pending.values()):
                    runs.spill()
            self.report(tier.number, before + done, before + total)
        return positions

    def _successors(self, keys: Any) -> tuple[int, int, dict[int, Any]]:
        """How many positions, how many they stand for, and the keys that they lead to, by tier."""
        reach, found = successors(self.problem, keys)
        return len(keys), reach, {number: sorted_once(children) for number, children in found.items()}

    def _close(self, tier: Tier, own: Runs, leads_to: set[int]) -> list[Tier]:
        """Add what moves within the tier lead to, until nothing new turns up."""
        levels = [np.concatenate(list(self.storage.parts(tier)))]
        known: list[Sorted] = [with_heads(levels[0])]
        layered = self.problem.game.tier is None
        reaches = [tier.positions]
        while own.runs:
            met = np.concatenate(list(own.merged(self.workers, self.storage.memory // 4)))
            own.drop()
            new = met
            for before in known:
                new = without(new, before)
            layered = layered and len(new) == len(met)
            if len(new) == 0:
                break
            done = sum(map(len, levels))
            levels.append(new)
            known = _with(known, new)
            chunks = (new[i : i + CHUNK] for i in range(0, len(new), CHUNK))
            reach = self._expand_chunks(tier, chunks, len(new), own, leads_to, done)
            reaches.append(reach)
        if layered:
            tiers = []
            for number, (keys, reach) in enumerate(zip(levels, reaches, strict=True), start=tier.number):
                tiers.append(self._write(number, [keys], "closed"))
                tiers[-1].positions = reach
                tiers[-1].leads_to = [number + 1] if number < tier.number + len(levels) - 1 else []
            return tiers
        del known
        everything = Runs(self.storage, f"all-{tier.number:06d}")
        for keys in levels:
            everything.add(keys)
        closed = self._write(tier.number, everything.merged(self.workers, self.storage.memory // 4), "closed")
        closed.positions, closed.loops, closed.leads_to = sum(reaches), True, sorted(leads_to)
        return [closed]


def successors(problem: Problem, keys: Any) -> tuple[int, dict[int, Any]]:
    """How many positions the keys stand for, and the keys that they lead to, by tier, in any order."""
    found: dict[int, list[Any]] = {}
    reach = 0
    for _, expansion in problem.expand(keys):
        reach += int(expansion.weights.sum())
        children, tiers = expansion.children, expansion.tiers
        if len(children) and tiers[0] == tiers[-1] and (tiers == tiers[0]).all():
            found.setdefault(int(tiers[0]), []).append(children.copy())
        else:
            for number in np.unique(tiers):
                found.setdefault(int(number), []).append(children[tiers == number])
    return reach, {number: np.concatenate(arrays) for number, arrays in found.items()}


def _with(known: list[Sorted], new: Any) -> list[Sorted]:
    """Known keys with new ones: a few sorted arrays, each more than twice as long as the next."""
    while known and len(known[-1].keys) < 2 * len(new):
        new = sorted_once(np.concatenate([known.pop().keys, new]))
    return [*known, with_heads(new)]
