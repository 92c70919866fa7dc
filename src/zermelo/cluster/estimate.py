"""Predicting what a solve on a cluster will take: the estimate for one machine, spread over all machines."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final

from zermelo.cluster.connect import Resources, connected
from zermelo.game import Game
from zermelo.solver.model.states import Given
from zermelo.solver.passes.exchange import width_of
from zermelo.solver.study.estimate import EFFICIENCY, Estimate, estimate

OVERHEAD: Final = 2.4
"""A cluster's work divided by that of one machine for the same game; measured, see ``docs/benchmarks/index.md``."""
OVERHEAD_ALONE: Final = 1.3
"""The same for a cluster of a single machine that works without shards."""
_HANDED_ON: Final = 8
"""Bytes that a task sends to a successor's shard: its key."""
_ASKED: Final = 12
"""Bytes that a task exchanges for a successor's outcome: the key in the question, and the outcome in the answer."""


@dataclass(frozen=True)
class ClusterEstimate:
    """A prediction of what a solve will take on a given cluster."""

    local: Estimate
    """The estimate for one machine; positions and bytes of the table are the same on a cluster."""
    nodes: int
    """The number of machines."""
    shards: int
    """The number of shards that each large tier is cut into."""
    seconds: float
    """The time of the solve, in seconds."""
    machine_hours: float
    """The time of the solve multiplied by the number of machines, in hours."""
    exchanged_bytes: int
    """The most bytes that tasks send to each other."""
    crossed_bytes: int
    """Of `exchanged_bytes`, those that are sent from machine to machine."""
    node_bytes: int
    """Bytes on the disk of each machine during the solve, if each machine holds an equal share."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, together with those of `local`, as plain values for JSON."""
        own = {name: value for name, value in asdict(self).items() if name != "local"}
        return {**self.local.to_dict(), **own}


def estimate_on_cluster(
    game: Game,
    *,
    cluster: str = "auto",
    workers: int | None = None,
    memory_gb: float = 8.0,
    shards: int | None = None,
    starts: Given = (),
    foresee: Callable[..., Estimate] = estimate,
) -> ClusterEstimate:
    """Predict what `zermelo.cluster.solve.solve_on_cluster` will take.

    The parameters that both functions have mean the same, and so do the errors. ``foresee`` makes the estimate for one
    machine.
    """
    local = foresee(game, workers=1, starts=starts)
    memory = int(memory_gb * (1 << 30))
    with connected(cluster, workers, memory):
        have = Resources.found(memory, sharded=shards is not None)
    processors = have.tasks * have.threads
    overhead = OVERHEAD_ALONE if have.shards == 1 else OVERHEAD
    seconds = overhead * local.seconds / (1 + EFFICIENCY * (processors - 1))
    steps = 1 if width_of(shards or have.shards, 1, 1) == 1 else 2
    exchanged = steps * local.stored * local.successors * (_HANDED_ON + _ASKED)
    return ClusterEstimate(
        local=local,
        nodes=have.nodes,
        shards=shards or have.shards,
        seconds=seconds,
        machine_hours=seconds * have.nodes / 3600,
        exchanged_bytes=round(exchanged),
        crossed_bytes=round(exchanged * (1 - 1 / have.nodes)),
        node_bytes=round((local.table_bytes + local.work_bytes + 4 * local.stored) / have.nodes),
    )
