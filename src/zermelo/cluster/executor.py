"""Ray as an executor: each task runs on one of the machines, and its blocks lie in Ray's object store."""

import contextlib
from dataclasses import dataclass, field
from typing import Any

from zermelo.cluster.connect import RETRIES, first_line, imported
from zermelo.cluster.worker import Orders, Ticket, perform
from zermelo.errors import ClusterError
from zermelo.solver.model.problem import Misfits
from zermelo.solver.passes.executor import Answer, Step
from zermelo.solver.passes.site import Moot


class NodeLost(ClusterError):
    """The machine on which a task had to run has left the cluster."""


@dataclass
class Counts:
    """Sums and maxima over the tasks of a solve. Machines are named by Ray's ids."""

    tasks: int = 0
    """The number of tasks that have ended."""
    exchanged: int = 0
    """Bytes of blocks that tasks received from other tasks."""
    crossed: int = 0
    """Of `exchanged`, the bytes that came from other machines."""
    busy: dict[str, float] = field(default_factory=dict)
    """For each machine, the seconds that its workers spent on tasks."""
    peaks: dict[str, dict[int, int]] = field(default_factory=dict)
    """For each machine and process, the most memory that the process took, in bytes."""
    objects: dict[str, int] = field(default_factory=dict)
    """For each machine, the most memory that its object store took, in bytes."""
    kinds: dict[str, list[float]] = field(default_factory=dict)
    """For each kind of task: the number of tasks, their seconds, and the bytes that they received."""


class RayExecutor:
    """The workers of the cluster that this process is connected to; see `zermelo.solver.passes.executor.Executor`.

    Parameters
    ----------
    orders
        What the workers need to know of the solve.
    counts
        Counts to which those of the tasks are added; new ones if None.
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
        """Start a task on one of the machines, and return references to its blocks; ``options`` are passed to Ray.

        A task reports no progress before its end, so ``step`` is never called.
        """
        del step
        task = self._perform.options(
            num_returns=returns + 1,
            max_retries=RETRIES,
            retry_exceptions=[OSError],
            num_cpus=self._threads,
            # Ray's dashboard shows the progress of the tasks of each name.
            name=f"{kind}, tier {tier}",
            **options,
        )
        refs = task.remote(kind, self._orders, returns, *arguments)
        ticket, *blocks = refs if returns else [refs]
        self._waiting[ticket] = (kind, done)
        return blocks

    @property
    def waiting(self) -> int:
        """The number of started tasks whose answers have not been passed on yet."""
        return len(self._waiting)

    def wait(self, until: int = 0) -> None:
        """Wait until at most ``until`` tasks are left; pass the answer of each task that ends to its ``done``.

        Raises
        ------
        ZermeloError
            A task failed.
        NodeLost
            The machine on which a task had to run has left the cluster.
        ClusterError
            A task failed with an error of another kind, or the cluster failed; the same command continues the solve.
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
        """Wait until a task has ended; return the tickets of all tasks that have."""
        waiting = list(self._waiting)
        self._ray.wait(waiting, num_returns=1)
        ready, _ = self._ray.wait(waiting, num_returns=len(waiting), timeout=0)
        return list(ready)

    def forget(self) -> None:
        """Do nothing, since workers keep no parts in memory."""

    def drop(self) -> None:
        """Forget all tasks, and cancel those that Ray can still cancel."""
        for ticket in self._waiting:
            with contextlib.suppress(Exception):
                self._ray.cancel(ticket)
        self._waiting.clear()

    def _get(self, ticket: Any) -> Ticket:
        """Return the ticket that a reference of Ray's stands for, or raise `ClusterError`."""
        try:
            found: Ticket = self._ray.get(ticket)
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, Exception) else error
            what = f"{type(cause).__name__}: {first_line(cause)}"
            raise ClusterError(f"A task on the cluster failed: {what}; the same command goes on.") from error
        except self._ray.exceptions.TaskUnschedulableError as error:
            raise NodeLost("A node has left the cluster; the same command goes on.") from error
        except self._ray.exceptions.RayError as error:
            raise ClusterError(
                f"The cluster failed ({type(error).__name__}: {first_line(error)}); the same command goes on."
            ) from error
        return found

    def _note(self, kind: str, ticket: Ticket) -> Any:
        """Raise the error of a task that failed; otherwise add the task to the counts, and return its answer."""
        if ticket.misfits is not None:
            raise Misfits(ticket.misfits)
        if ticket.error is not None and not isinstance(ticket.error, Moot):
            raise ticket.error
        counts = self.counts
        counts.tasks += 1
        counts.exchanged += ticket.spent.received
        counts.crossed += ticket.spent.crossed
        for name, (size, crossed) in ticket.spent.fetched.items():
            if (ticket.node, name) not in self._fetched:  # fetched once for all tasks of a machine
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
