"""Predicting what a solve on a cluster will take: the estimate for one machine, spread over the nodes."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from zermelo.cluster.connect import Resources, connected
from zermelo.cluster.solve import SHARDS_EACH
from zermelo.game import Game, State
from zermelo.solver.study.estimate import EFFICIENCY, Estimate, estimate

OVERHEAD: Final = 1.5
"""How many times the work of one machine a cluster does, as measured; see ``docs/scaling.md``."""
_HANDED_ON: Final = 8
"""Bytes of a successor that a task sends to its shard."""
_ASKED: Final = 12
"""Bytes of a successor that is asked for, and of the answer."""


@dataclass(frozen=True)
class ClusterEstimate:
    """A prediction of what a solve will take on these nodes."""

    local: Estimate
    """The estimate for one machine; positions and bytes of the table are the same on a cluster."""
    nodes: int
    shards: int
    seconds: float
    machine_hours: float
    """Hours of all nodes together."""
    exchanged_bytes: int
    """Bytes that go from task to task, at most."""
    crossed_bytes: int
    """Of these, bytes that go from node to node."""
    node_bytes: int
    """Bytes on the disk of each node during the solve, if each node holds its share."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, and those of the estimate for one machine, as plain values for JSON."""
        own = {name: value for name, value in asdict(self).items() if name != "local"}
        return {**self.local.to_dict(), **own}


def estimate_on_cluster(
    game: Game,
    *,
    cluster: str = "auto",
    workers: int | None = None,
    memory_gb: float = 8.0,
    shards: int | None = None,
    starts: Sequence[State] = (),
    foresee: Callable[..., Estimate] = estimate,
) -> ClusterEstimate:
    """Predict what `zermelo.cluster.solve.solve_on_cluster` will take; parameters and errors are the same."""
    local = foresee(game, workers=1, starts=starts)
    memory = int(memory_gb * (1 << 30))
    with connected(cluster, workers, memory):
        have = Resources.found(memory)
    processors = have.tasks * have.threads
    seconds = OVERHEAD * local.seconds / (1 + EFFICIENCY * (processors - 1))
    exchanged = local.stored * local.successors * (_HANDED_ON + _ASKED)
    return ClusterEstimate(
        local=local,
        nodes=have.nodes,
        shards=shards or SHARDS_EACH * have.tasks,
        seconds=seconds,
        machine_hours=seconds * have.nodes / 3600,
        exchanged_bytes=round(exchanged),
        crossed_bytes=round(exchanged * (1 - 1 / have.nodes)),
        node_bytes=round((local.table_bytes + local.work_bytes + 4 * local.stored) / have.nodes),
    )
