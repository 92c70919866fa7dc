"""From solved shards to a table: one folder of the very files that one machine writes, or a file for each shard.

The first is merged tier by tier, in the order of keys, with no more than a part of each shard in memory. The second is
written shard by shard, and can be probed in a bucket: the shard of a key is computed, and a block of its file is read.
"""

from functools import partial
from typing import Any, Literal

from zermelo.cluster.crew import Crew
from zermelo.cluster.forward import ClusterTier
from zermelo.cluster.plan import Journal, Plan
from zermelo.solver.table.stores import Part

Form = Literal["merged", "shards"]


class Publisher:
    """Has tiers written as soon as they are solved.

    Parameters
    ----------
    plan, journal, crew
        As `zermelo.cluster.forward.ClusterForward`.
    form
        Of the table.
    """

    def __init__(self, plan: Plan, journal: Journal, crew: Crew, form: Form) -> None:
        self.plan, self.journal, self.crew, self.form = plan, journal, crew, form
        self._said: list[tuple[ClusterTier, list[Any], list[str]]] = []

    def publish(self, tier: ClusterTier, words: list[list[Part]], outcomes: list[Any]) -> None:
        """Have a tier written; the caller need not wait."""
        shards = list(zip(tier.shards, words, strict=True))
        units = []
        if self.form == "merged":
            units.append(f"publish-{tier.number:06d}")
            self._start(units[-1], tier, "publish_merged", shards)
        else:
            for shard, parts in enumerate(shards):
                if parts[0]:
                    units.append(f"publish-{tier.number:06d}-{shard:05d}")
                    self._start(units[-1], tier, "publish_shard", shard, parts)
        self._said.append((tier, outcomes, units))

    def _start(self, unit: str, tier: ClusterTier, kind: str, *arguments: Any) -> None:
        if unit not in self.journal:
            done = partial(self.journal.note, unit)
            self.crew.start(kind, tier.number, *arguments, tier=tier.number, done=done)

    def tiers(self) -> list[dict[str, Any]]:
        """The tiers' entries in the manifest, first to last, once all is written."""
        return [
            {
                "tier": tier.number,
                "positions": tier.positions,
                "stored": tier.count,
                "outcomes": outcomes,
                **({"shards": len(tier.shards)} if self.form == "shards" else {}),
                "files": [entry for unit in units for entry in self.journal[unit]],
            }
            for tier, outcomes, units in reversed(self._said)
        ]
