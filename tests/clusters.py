"""Clusters of several nodes on this machine, each with its own object store."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from zermelo import Game

STORE = 100 << 20
"""Bytes of a node's object store."""
SHARED = 0.6
"""GiB that the work on one node may take. A worker that compiles all kernels takes 0.51 with nothing else to do."""


@contextmanager
def cluster_of(nodes: int, processors: int = 1, head: int | None = None) -> Iterator[Any]:
    """A cluster of so many nodes, to which this process is connected; the first may have other processors."""
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    here = str(Path(__file__).parent)  # where workers find games that only tests have
    os.environ["PYTHONPATH"] = os.pathsep.join([here, os.environ.get("PYTHONPATH", "")])
    import ray
    from ray.cluster_utils import Cluster

    arguments = {"num_cpus": processors, "object_store_memory": STORE}
    first = {**arguments, "num_cpus": processors if head is None else head, "include_dashboard": False}
    first["_system_config"] = {"health_check_period_ms": 500}  # so that a node that was killed is soon known to be gone
    cluster = Cluster(initialize_head=True, head_node_args=first)
    try:
        for _ in range(nodes - 1):
            cluster.add_node(**arguments)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR", configure_logging=False)
        cluster.wait_for_nodes()
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a table."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def same_entries(game: Game, one: Any, two: Any) -> bool:
    """Whether two tables hold the same entries."""
    tiers = [tier["tier"] for tier in one.census()]
    assert [tier["tier"] for tier in two.census()] == tiers
    for tier in tiers:
        entries: list[dict[int, int]] = []
        for table in (one, two):
            pairs = (zip(keys.tolist(), words.tolist(), strict=True) for keys, words in table.row_groups(tier))
            entries.append({key: word for some in pairs for key, word in some})
        if entries[0] != entries[1]:
            return False
    return bool(one.census() == two.census())
