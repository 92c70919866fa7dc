"""Publishing: solved shards become the files of a table.

A table has one run of files for each tier (``merged``), or one for each tier and shard (``shards``). The second form
suits look-ups in a bucket: a look-up computes the shard of a key, and reads one row group of that shard's files.

If each part of a tier holds the positions of one file of the table, the tasks that solve the tier write these files
themselves. Otherwise other tasks publish the tier; they may run while earlier tiers are solved.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from zermelo.solver.passes.executor import Solve
from zermelo.solver.passes.forward import Tier
from zermelo.solver.passes.journal import Journal
from zermelo.solver.passes.outcomes import Files, is_publishable
from zermelo.solver.passes.site import Filed
from zermelo.solver.table.reading import fault_of
from zermelo.solver.table.stores import Store


class Publisher:
    """Writes solved tiers as files of the table.

    Parameters
    ----------
    solve
        The solve under way.
    """

    def __init__(self, solve: Solve) -> None:
        self.solve, self.form = solve, solve.plan.form
        self._entries: list[dict[str, Any]] = []
        """The manifest's entries of the tiers so far, last tier first."""
        self._units: list[list[tuple[int, str]]] = []
        """For each tier of ``_entries``: the shards and names of the units of work that publish it. The list is empty
        if the tasks that solve the tier write its files."""

    def files(self, tier: Tier, shard: int, unit: str, first: int = 0) -> Files:
        """Return where the task of a unit writes outcomes; ``first`` is the number of its first part in the shard."""
        return Files(unit, self._stem(tier, shard) if self._is_direct(tier) else None, first)

    def publish(self, tier: Tier, filed: list[list[Filed]], outcomes: list[Any]) -> None:
        """Start publishing a solved tier; the caller need not wait. Tiers come from last to first.

        Parameters
        ----------
        tier
            The tier.
        filed
            By shard, where the outcome codes of each part are.
        outcomes
            Rows for the manifest, as `zermelo.solver.passes.outcomes.outcome_rows` returns them.
        """
        entry: dict[str, Any] = {
            "tier": tier.number, "positions": tier.positions, "stored": tier.count, "outcomes": outcomes,
            **({"shards": len(tier.shards)} if self.form == "shards" else {}),
        }  # fmt: skip
        units: list[tuple[int, str]] = []
        if self._is_direct(tier):
            entry["files"] = [self._entry(shard, some) for shard, files in enumerate(filed) for some in files]
        else:
            shards = list(zip(tier.shards, filed, strict=True))
            if self.form == "merged":
                units.append((0, self._start(tier, 0, shards)))
            else:
                units += [(shard, self._start(tier, shard, [one])) for shard, one in enumerate(shards) if one[0]]
        self._entries.append(entry)
        self._units.append(units)

    def tiers(self) -> list[dict[str, Any]]:
        """Return the manifest's entries of all tiers, first to last; call this when all files are written."""
        for entry, units in zip(self._entries, self._units, strict=True):
            if units:
                journal = self.solve.journal
                entry["files"] = [self._entry(shard, some) for shard, unit in units for some in journal[unit]]
        return self._entries[::-1]

    def _is_direct(self, tier: Tier) -> bool:
        """Return whether the tasks that solve a tier write its files."""
        return (self.form == "shards" or len(tier.shards) == 1) and all(map(is_publishable, tier.shards))

    def _stem(self, tier: Tier, shard: int) -> str:
        """Return how the names of a tier's files begin."""
        return f"tier-{tier.number:06d}" + (f"-s{shard:05d}" if self.form == "shards" else "")

    def _start(self, tier: Tier, shard: int, shards: list[Any]) -> str:
        """Start a unit of work that publishes some shards as one run of files, and return its name."""
        unit = f"publish-{tier.number:06d}-{shard:05d}"
        self.solve.unit(unit, tier.number, "publish", self._stem(tier, shard), shards)
        return unit

    def _entry(self, shard: int, filed: Any) -> dict[str, Any]:
        """Return the manifest's entry of a file."""
        return {**filed, "shard": shard} if self.form == "shards" else dict(filed)


def forget_damaged(store: Store, journal: Journal) -> None:
    """Forget the units that wrote files of the table which are now damaged or missing, so that they are done again."""

    def is_damaged(unit: str) -> bool:
        return any(fault_of(store, entry) is not None for entry in _entries_in(journal[unit]))

    units = [unit for unit in journal.done if unit.startswith(("solve-", "web-", "publish-"))]
    with ThreadPoolExecutor() as pool:
        for unit, damaged in zip(units, pool.map(is_damaged, units), strict=True):
            if damaged:
                journal.forget(unit)


def _entries_in(found: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the manifest's entries of files in the result of a unit."""
    if isinstance(found, Mapping) and "file" in found:
        yield found
    elif isinstance(found, Mapping):
        yield from _entries_in(found.get("codes", ()))
    elif isinstance(found, list):
        for item in found:
            yield from _entries_in(item)
