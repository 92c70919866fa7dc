"""Ray as an executor: each task runs on some node, and its blocks lie in Ray's object store."""

import contextlib
from dataclasses import dataclass, field
from typing import Any

from zermelo.cluster.connect import RETRIES, first_line, imported
from zermelo.cluster.worker import Orders, Ticket, perform
from zermelo.errors import ClusterError
from zermelo.solver.model.problem import Misfits
from zermelo.solver.passes.executor import Answer, Step
from zermelo.solver.passes.site import Moot


@dataclass
class Counts:
    """What the tasks of a solve took, added up."""

    tasks: int = 0
    exchanged: int = 0
    """Bytes of blocks that tasks took."""
    crossed: int = 0
    """Of these, bytes that came from other nodes."""
    busy: dict[str, float] = field(default_factory=dict)
    """By node, seconds that its workers were at work."""
    peaks: dict[str, dict[int, int]] = field(default_factory=dict)
    """By node and process, bytes of memory at most."""
    objects: dict[str, int] = field(default_factory=dict)
    """By node, bytes of its object store at most."""
    kinds: dict[str, list[float]] = field(default_factory=dict)
    """By kind of task: how many, seconds, bytes taken."""


class RayExecutor:
    """The workers of the cluster that this process is connected to; see `zermelo.solver.passes.executor.Executor`.

    Parameters
    ----------
    orders
        What the workers are told.
    counts
        Added to.
    """

    def __init__(self, orders: Orders, counts: Counts | None = None) -> None:
        self._ray = imported()
        self._perform = self._ray.remote(perform)
        self._orders = self._ray.put(orders)
        self._threads = orders.threads
        self._waiting: dict[Any, tuple[str, Answer | None]] = {}
        self._fetched: set[tuple[str, tuple[int, int]]] = set()
        self.counts = counts or Counts()

    def start(
        self,
        kind: str,
        *arguments: Any,
        returns: int = 0,
        tier: int,
        done: Answer | None = None,
        step: Step | None = None,
        **options: Any,
    ) -> list[Any]:
        """Start a task on some node; ``options`` are Ray's. Nobody hears of its progress before its end."""
        del step
        task = self._perform.options(
            num_returns=returns + 1,
            max_retries=RETRIES,
            retry_exceptions=[OSError],
            num_cpus=self._threads,
            # Ray's dashboard shows how far each of these names is.
            name=f"{kind}, tier {tier}",
            **options,
        )
        refs = task.remote(kind, self._orders, returns, *arguments)
        ticket, *blocks = refs if returns else [refs]
        self._waiting[ticket] = (kind, done)
        return blocks

    @property
    def waiting(self) -> int:
        """Tasks that have been started and whose answers have not been told."""
        return len(self._waiting)

    def wait(self, until: int = 0) -> None:
        """Wait until no more than ``until`` tasks are left, and tell their answers.

        Raises
        ------
        ZermeloError
            A task failed.
        Misfits
            A task met a state that has no key.
        """
        while len(self._waiting) > until:
            for ticket in self._ready():
                kind, done = self._waiting.pop(ticket)
                answer = self._note(kind, self._get(ticket))
                if done is not None:
                    done(answer)

    def _ready(self) -> list[Any]:
        """The tickets of tasks that came to their end, once there is one."""
        waiting = list(self._waiting)
        self._ray.wait(waiting, num_returns=1)
        ready, _ = self._ray.wait(waiting, num_returns=len(waiting), timeout=0)
        return list(ready)

    def forget(self) -> None:
        """Workers keep no parts in memory."""

    def drop(self) -> None:
        """Forget all tasks, and stop those that can be stopped."""
        for ticket in self._waiting:
            with contextlib.suppress(Exception):
                self._ray.cancel(ticket)
        self._waiting.clear()

    def _get(self, ticket: Any) -> Ticket:
        try:
            found: Ticket = self._ray.get(ticket)
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, Exception) else error
            what = f"{type(cause).__name__}: {first_line(cause)}"
            raise ClusterError(f"A task on the cluster failed: {what}; the same command goes on.") from error
        except self._ray.exceptions.RayError as error:
            raise ClusterError(
                f"The cluster failed ({type(error).__name__}: {first_line(error)}); the same command goes on."
            ) from error
        return found

    def _note(self, kind: str, ticket: Ticket) -> Any:
        if ticket.misfits is not None:
            raise Misfits(ticket.misfits)
        if ticket.error is not None and not isinstance(ticket.error, Moot):
            raise ticket.error
        counts = self.counts
        counts.tasks += 1
        counts.exchanged += ticket.spent.received
        counts.crossed += ticket.spent.crossed
        for name, (size, crossed) in ticket.spent.fetched.items():
            if (ticket.node, name) not in self._fetched:  # a node's tasks share what it has fetched
                self._fetched.add((ticket.node, name))
                counts.exchanged += size
                counts.crossed += size * crossed
        counts.busy[ticket.node] = counts.busy.get(ticket.node, 0.0) + ticket.ended - ticket.began
        peaks = counts.peaks.setdefault(ticket.node, {})
        peaks[ticket.process] = max(ticket.peak, peaks.get(ticket.process, 0))
        counts.objects[ticket.node] = max(ticket.objects, counts.objects.get(ticket.node, 0))
        row = counts.kinds.setdefault(kind, [0, 0.0, 0])
        row[0], row[1], row[2] = row[0] + 1, row[1] + ticket.ended - ticket.began, row[2] + ticket.spent.received
        return ticket.answer
