"""The driver's side of Ray: finding a cluster, handing out tasks, hearing what came of them."""

import contextlib
import logging
import os
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from zermelo.cluster.plan import Plan
from zermelo.cluster.tasks import perform, versions
from zermelo.cluster.work import Moot, Ticket
from zermelo.errors import ClusterError
from zermelo.solver.model.problem import Misfits

RETRIES: Final = 20
"""How often a task is done again whose worker or node died."""
_SECONDS: Final = 5.0
"""An address that says nothing for so long does not answer."""
OBJECTS: Final = 0.3
"""Of a node's memory, for blocks on their way."""

Answer = Callable[[Any], None]


@dataclass
class Counts:
    """What a crew has seen."""

    tasks: int = 0
    exchanged: int = 0
    """Bytes of blocks that tasks took."""
    crossed: int = 0
    """Of these, from other nodes."""
    busy: dict[str, float] = field(default_factory=dict)
    """Seconds that each node's workers were at work."""
    peaks: dict[str, dict[int, int]] = field(default_factory=dict)
    """By node and process, bytes of memory at most."""
    objects: dict[str, int] = field(default_factory=dict)
    """By node, bytes of its object store at most."""
    kinds: dict[str, list[float]] = field(default_factory=dict)
    """By kind of task: how many, seconds, bytes taken."""


class Crew:
    """The workers of a cluster, for one plan.

    Parameters
    ----------
    plan
        What they are told.
    """

    def __init__(self, plan: Plan) -> None:
        import ray

        self._ray: Any = ray
        self._perform = ray.remote(perform)
        self._plan = ray.put(plan)
        self._threads = plan.threads
        self._waiting: dict[Any, tuple[str, Answer]] = {}
        self._fetched: set[tuple[str, tuple[int, int]]] = set()
        self.counts = Counts()

    def start(
        self,
        kind: str,
        *arguments: Any,
        returns: int = 0,
        tier: int | None = None,
        done: Answer = lambda _: None,
        **options: Any,
    ) -> list[Any]:
        """Hand out a task; ``done`` is told its answer in `wait`, its blocks are returned as references."""
        task = self._perform.options(
            num_returns=returns + 1,
            max_retries=RETRIES,
            retry_exceptions=[OSError],
            num_cpus=self._threads,
            # Ray's dashboard shows how far each of these names is.
            name=kind if tier is None else f"{kind}, tier {tier}",
            **options,
        )
        refs = task.remote(kind, self._plan, returns, *arguments)
        ticket, *blocks = refs if returns else [refs]
        self._waiting[ticket] = (kind, done)
        return blocks

    @property
    def waiting(self) -> int:
        """Tasks that have not been heard of."""
        return len(self._waiting)

    def wait(self, until: int = 0) -> None:
        """Hear of tasks until no more than so many are left.

        Raises
        ------
        ZermeloError
            What a task failed with.
        Misfits
            A state turned up that has no key.
        """
        while len(self._waiting) > until:
            for ticket in self.hear():
                kind, done = self._waiting.pop(ticket)
                done(self._note(kind, self._get(ticket)))

    def hear(self) -> list[Any]:
        """The tickets of tasks that came to their end, once there is one."""
        waiting = list(self._waiting)
        self._ray.wait(waiting, num_returns=1)
        ready, _ = self._ray.wait(waiting, num_returns=len(waiting), timeout=0)
        return list(ready)

    def drop(self) -> None:
        """Forget all tasks, and stop those that can be."""
        for ticket in self._waiting:
            with contextlib.suppress(Exception):
                self._ray.cancel(ticket)
        self._waiting.clear()

    def _get(self, ticket: Any) -> Ticket:
        try:
            found: Ticket = self._ray.get(ticket)
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, Exception) else error
            what = f"{type(cause).__name__}: {_first_line(cause)}"
            raise ClusterError(f"A task on the cluster failed: {what}; the same command goes on.") from error
        except self._ray.exceptions.RayError as error:
            raise ClusterError(
                f"The cluster failed ({type(error).__name__}: {_first_line(error)}); the same command goes on."
            ) from error
        return found

    def _note(self, kind: str, ticket: Ticket) -> Any:
        if ticket.misfits is not None:
            raise Misfits(ticket.misfits)
        if ticket.error is not None and not isinstance(ticket.error, Moot):
            raise ticket.error
        counts = self.counts
        counts.tasks += 1
        counts.exchanged += ticket.received
        counts.crossed += ticket.crossed
        for name, (size, crossed) in ticket.fetched.items():
            if (ticket.node, name) not in self._fetched:  # a node's tasks share what it has fetched
                self._fetched.add((ticket.node, name))
                counts.exchanged += size
                counts.crossed += size * crossed
        counts.busy[ticket.node] = counts.busy.get(ticket.node, 0.0) + ticket.ended - ticket.began
        peaks = counts.peaks.setdefault(ticket.node, {})
        peaks[ticket.process] = max(ticket.peak, peaks.get(ticket.process, 0))
        counts.objects[ticket.node] = max(ticket.objects, counts.objects.get(ticket.node, 0))
        row = counts.kinds.setdefault(kind, [0, 0.0, 0])
        row[0], row[1], row[2] = row[0] + 1, row[1] + ticket.ended - ticket.began, row[2] + ticket.received
        return ticket.answer

    def greet(self, fingerprints: tuple[str, str], keys: Any) -> int:
        """Ask every node what it is made of; returns how many bytes a worker takes that has nothing to do.

        ``keys`` are those of some positions, to try the rules on.

        Raises
        ------
        ClusterError
            A node has another version of something, or other rules.
        """
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        mine = {**versions(), "rules": fingerprints[0], "knowledge": fingerprints[1]}
        most = 0
        for node in able():
            here = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)

            def compare(found: dict[str, Any], name: str = node["NodeManagerHostname"]) -> None:
                nonlocal most
                most = max(most, found["memory"])
                for what, ours in mine.items():
                    theirs = found["made of"][what]
                    if theirs != ours:
                        raise ClusterError(
                            f"The node {name} has {_MEANINGS.get(what, what)} {theirs}, and this machine {ours}; "
                            "install the same on all nodes."
                        )

            # As many as can be at work: so all workers are there when the first real task comes.
            for _ in range(int(node["Resources"]["CPU"]) // self._threads):
                self.start("greet", keys, done=compare, scheduling_strategy=here)
        self.wait()
        return most


_MEANINGS: Final = {"rules": "rules of fingerprint", "knowledge": "pack, symmetries, tier or repetition of fingerprint"}


def able() -> list[dict[str, Any]]:
    """Ray's facts of each node that is there and has processors for tasks: a head often has none.

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
    """Of all nodes together."""
    return int(sum(node["Resources"]["CPU"] for node in able()))


@contextmanager
def connected(cluster: str, workers: int | None, memory: int) -> Iterator[None]:
    """Be connected to a cluster: ``auto``, ``local`` or an address.

    Parameters
    ----------
    cluster
        ``local``: one that is started here, and ends afterwards. ``auto``: that of ``$RAY_ADDRESS`` or of this machine,
        else as ``local``. Else the address of one.
    workers
        Of a local one; the number of processors if None.
    memory
        Bytes that a local one may take.

    Raises
    ------
    ClusterError
        Ray is not installed, or nothing answers at the address.
    """
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_DEDUP_LOGS", "0")
    ray = imported()
    logging.getLogger("ray").setLevel(logging.ERROR)  # else it greets whoever starts it with a warning
    if ray.is_initialized():  # whoever did that knows which one
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
        raise ClusterError(f"The cluster {cluster} cannot be joined: {_first_line(error)}.") from None
    try:
        yield
    finally:
        ray.shutdown()


def imported() -> Any:
    """Ray, if it is installed.

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
    """See whether anything listens at an address, which Ray itself takes long to tell."""
    bare = address.removeprefix("ray://")
    host, colon, port = bare.rpartition(":")
    if not colon or not port.isdigit() or not 0 < int(port) < 65536:
        raise ClusterError(f"{address!r} is no address of a cluster; it must be auto, local or HOST:PORT.")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_SECONDS).close()
    except OSError as error:
        raise ClusterError(f"No cluster answers at {address}: {error.strerror or error}.") from None


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


def grouped(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Lists of at most so many."""
    group: list[Any] = []
    for item in items:
        group.append(item)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group
