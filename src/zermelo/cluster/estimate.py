"""What a solve on a cluster will take, before it is started: the local estimate, spread over nodes."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from zermelo.cluster.connect import Resources, connected
from zermelo.cluster.solve import SHARDS_EACH
from zermelo.game import Game, State
from zermelo.solver.study.estimate import EFFICIENCY, Estimate, estimate

OVERHEAD: Final = 1.5
"""Times the work of the local solver, as measured; see ``docs/scaling.md``."""
_HANDED_ON: Final = 8
"""Bytes of a successor on its way to its shard."""
_ASKED: Final = 12
"""Bytes of a successor that is asked for, and of the answer."""


@dataclass(frozen=True)
class ClusterEstimate:
    """What a solve on these nodes will take, as far as can be told."""

    local: Estimate
    """Positions and bytes of the table, which are the same everywhere; time and memory of one processor."""
    nodes: int
    shards: int
    seconds: float
    machine_hours: float
    """Of one node each."""
    exchanged_bytes: int
    """From task to task, at most."""
    crossed_bytes: int
    """Of these, between nodes."""
    node_bytes: int
    """On disk for each node, while the solve goes on, where no node holds more than its share."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, the local estimate among them."""
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
