"""Joining a Ray cluster, and finding out what resources it has."""

import logging
import math
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from zermelo.errors import ClusterError

RETRIES: Final = 20
"""How many times Ray repeats a task whose worker or machine died."""
OBJECTS: Final = 0.3
"""The share of a machine's memory that Ray's object store may take."""
SHARDS_EACH: Final = 2
"""Shards for each task that can run at the same time."""
_SECONDS: Final = 5.0
"""How long to wait for an answer from an address, in seconds."""


def able() -> list[dict[str, Any]]:
    """Return what Ray reports of each live machine that has processors for tasks; a head node often has none.

    Raises
    ------
    ClusterError
        Ray is not installed, or no machine has a processor for tasks.
    """
    ray = imported()
    nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
    if not nodes:
        raise ClusterError("No node of the cluster has a processor for tasks; start one with 'ray start --address'.")
    return nodes


def processors() -> int:
    """Return the number of processors of all machines together; it raises the errors of `able`."""
    return int(sum(node["Resources"]["CPU"] for node in able()))


@contextmanager
def connected(cluster: str, workers: int | None, memory: int) -> Iterator[None]:
    """Connect to a cluster for the length of a ``with`` block.

    Parameters
    ----------
    cluster
        ``local`` starts a cluster on this machine and ends it afterwards. ``auto`` joins the cluster of
        ``$RAY_ADDRESS`` or of this machine; if there is none, it does the same as ``local``. Anything else is the
        address of a cluster, HOST:PORT. If this process is connected to a cluster already, that one is used.
    workers
        The number of processors of a local cluster; all processors of this machine if None.
    memory
        The memory that a local cluster may take, in bytes.

    Raises
    ------
    ClusterError
        Ray is not installed, or the cluster cannot be joined.
    """
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_DEDUP_LOGS", "0")
    ray = imported()
    logging.getLogger("ray").setLevel(logging.ERROR)  # otherwise Ray prints a warning when it starts
    # Otherwise Ray prints among the results that a worker failed and its task runs again. No setting prevents that.
    ray._private.worker._worker_logs_enabled = False
    if ray.is_initialized():  # the caller has joined a cluster already
        yield
        return
    common = {"logging_level": "ERROR", "log_to_driver": False, "configure_logging": False}
    try:
        if cluster not in ("auto", "local"):
            _knock(cluster)
            ray.init(address=cluster, **common)
        elif cluster == "local" or not _joined(ray, common):
            store = max(80 << 20, int(OBJECTS * memory))
            ray.init(address="local", num_cpus=workers, object_store_memory=store, include_dashboard=False, **common)
    except (ConnectionError, RuntimeError, OSError) as error:
        raise ClusterError(f"The cluster {cluster} cannot be joined: {first_line(error)}.") from None
    try:
        yield
    finally:
        ray.shutdown()


def imported() -> Any:
    """Return the module of Ray.

    Raises
    ------
    ClusterError
        Ray is not installed.
    """
    try:
        import ray
    except ImportError:
        raise ClusterError("Ray is not installed, which clusters need; pip install 'zermelo[cluster]'.") from None
    return ray


def _joined(ray: Any, common: dict[str, Any]) -> bool:
    """Join the cluster of ``$RAY_ADDRESS`` or of this machine; return whether there is one."""
    try:
        ray.init(address="auto", **common)
    except ConnectionError:
        return False
    return True


def _knock(address: str) -> None:
    """Raise `ClusterError` if nothing listens at an address; Ray itself takes long to report that."""
    bare = address.removeprefix("ray://")
    host, colon, port = bare.rpartition(":")
    if not colon or not port.isdigit() or not 0 < int(port) < 65536:
        raise ClusterError(f"{address!r} is no address of a cluster; it must be auto, local or HOST:PORT.")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_SECONDS).close()
    except OSError as error:
        raise ClusterError(f"No cluster answers at {address}: {error.strerror or error}.") from None


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message, without its full stop; the error's type if there is no message."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


@dataclass(frozen=True)
class Resources:
    """The resources of a cluster."""

    nodes: int
    """The number of machines."""
    threads: int
    """Processors of a task: half of the smallest machine's, so that one task computes while another waits for the disk
    or the network. Without shards, a task has all processors."""
    tasks: int
    """The number of tasks that can run at the same time on all machines together."""
    tasks_each: int
    """The greatest number of tasks that can run at the same time on one machine."""
    objects: int
    """Bytes of blocks that a machine may hold."""
    shards: int
    """The number of shards of a large tier, unless the caller chooses one; 1 if the cluster works without shards."""

    @classmethod
    def found(cls, memory: int, sharded: bool = False) -> "Resources":
        """Return the resources of the cluster that this process is connected to.

        Parameters
        ----------
        memory
            The memory that the work on each machine may take, in bytes.
        sharded
            Whether there must be shards; otherwise a single machine works without them.

        Raises
        ------
        ClusterError
            No machine of the cluster has a processor for tasks.
        """
        nodes = [node["Resources"] for node in able()]
        processors = [int(node["CPU"]) for node in nodes]
        alone = len(nodes) == 1 and not sharded
        threads = processors[0] if alone else max(1, min(processors) // 2)
        tasks = sum(count // threads for count in processors)
        # The object store and the tasks take the same memory.
        store = min(node.get("object_store_memory", math.inf) for node in nodes)
        return cls(
            nodes=len(nodes),
            threads=threads,
            tasks=tasks,
            tasks_each=max(count // threads for count in processors),
            objects=int(min(store, OBJECTS * memory)),
            shards=1 if alone else SHARDS_EACH * tasks,
        )
