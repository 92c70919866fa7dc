"""Joining a Ray cluster, and what it has."""

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
"""How often Ray repeats a task whose worker or node died."""
OBJECTS: Final = 0.3
"""The share of a node's memory that is for Ray's object store."""
_SECONDS: Final = 5.0
"""Seconds to wait for an answer from an address."""


def able() -> list[dict[str, Any]]:
    """Ray's facts of each living node that has processors for tasks; a head node often has none.

    Raises
    ------
    ClusterError
        No node has any.
    """
    ray = imported()
    nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
    if not nodes:
        raise ClusterError("No node of the cluster has a processor for tasks; start one with 'ray start --address'.")
    return nodes


def processors() -> int:
    """The number of processors of all nodes together."""
    return int(sum(node["Resources"]["CPU"] for node in able()))


@contextmanager
def connected(cluster: str, workers: int | None, memory: int) -> Iterator[None]:
    """Connect to a cluster for the length of a ``with`` block.

    Parameters
    ----------
    cluster
        ``local``: start a cluster on this machine, and end it afterwards. ``auto``: join the cluster of
        ``$RAY_ADDRESS`` or of this machine; if there is none, as ``local``. Otherwise the address of a cluster.
    workers
        Processors of a local cluster; those of the machine if None.
    memory
        Bytes that a local cluster may take.

    Raises
    ------
    ClusterError
        Ray is not installed, or nothing answers at the address.
    """
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_DEDUP_LOGS", "0")
    ray = imported()
    logging.getLogger("ray").setLevel(logging.ERROR)  # otherwise it prints a warning when it starts
    if ray.is_initialized():  # the caller has chosen a cluster already
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
    """Return Ray, if it is installed.

    Raises
    ------
    ClusterError
        It is not.
    """
    try:
        import ray
    except ImportError:
        raise ClusterError("Ray is not installed, which clusters need; pip install 'zermelo[cluster]'.") from None
    return ray


def _joined(ray: Any, common: dict[str, Any]) -> bool:
    try:
        ray.init(address="auto", **common)
    except ConnectionError:
        return False
    return True


def _knock(address: str) -> None:
    """Require that something listens at an address; Ray itself takes long to say that nothing does."""
    bare = address.removeprefix("ray://")
    host, colon, port = bare.rpartition(":")
    if not colon or not port.isdigit() or not 0 < int(port) < 65536:
        raise ClusterError(f"{address!r} is no address of a cluster; it must be auto, local or HOST:PORT.")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_SECONDS).close()
    except OSError as error:
        raise ClusterError(f"No cluster answers at {address}: {error.strerror or error}.") from None


def first_line(error: BaseException) -> str:
    """The first line of an error's message, without its full stop; the error's type if there is no message."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


@dataclass(frozen=True)
class Resources:
    """What a cluster has."""

    nodes: int
    threads: int
    """Processors of a task: half of a node's, so that two tasks are at work while one waits for the disk."""
    tasks: int
    """Tasks that can be at work at the same time, on all nodes together."""
    tasks_each: int
    """The same on one node, at most."""
    objects: int
    """Bytes of blocks that a node may hold."""

    @classmethod
    def found(cls, memory: int) -> "Resources":
        """The resources of the cluster that this process is connected to, given the bytes allowed on each node."""
        nodes = [node["Resources"] for node in able()]
        processors = [int(node["CPU"]) for node in nodes]
        threads = max(1, min(processors) // 2)
        # The object store lies in the same memory as the tasks do.
        store = min(node.get("object_store_memory", math.inf) for node in nodes)
        return cls(
            nodes=len(nodes),
            threads=threads,
            tasks=sum(count // threads for count in processors),
            tasks_each=max(count // threads for count in processors),
            objects=int(min(store, OBJECTS * memory)),
        )
