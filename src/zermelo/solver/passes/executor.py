"""Where tasks run: in this process, or on the nodes of a cluster. The passes know no more of it than is said here."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from zermelo.solver.model.problem import Problem
from zermelo.solver.passes.journal import Journal
from zermelo.solver.passes.plan import Plan
from zermelo.solver.table.stores import Store

Answer = Callable[[Any], None]
"""Told what a task answers: plain values; None if it could not be done because one before it failed."""
Step = Callable[[int], None]
"""Told how many more positions a task has done."""
Report = Callable[[int, int, int], None]
"""Told the tier, how many of its positions are done, and how many it has."""
Item = TypeVar("Item")


class Executor(Protocol):
    """Runs tasks by name; see `zermelo.solver.passes.tasks`."""

    @property
    def waiting(self) -> int:
        """Tasks that have been started and whose answers have not been told."""

    def start(
        self, kind: str, *arguments: Any, returns: int = 0, tier: int, done: Answer | None = None,
        step: Step | None = None,
    ) -> list[Any]:  # fmt: skip
        """Start a task.

        Parameters
        ----------
        kind
            The name of the task.
        arguments
            Plain values, and references to blocks.
        returns
            How many blocks the task makes.
        tier
            The tier that it belongs to, for those who watch.
        done
            Told the task's answer in `wait`, or at once.
        step
            Told of progress, if the executor hears of any before the task's end.

        Returns
        -------
        list
            References to the task's blocks, to be handed to other tasks.
        """

    def wait(self, until: int = 0) -> None:
        """Wait until no more than ``until`` tasks are left, and tell their answers.

        Raises
        ------
        ZermeloError
            A task failed.
        Misfits
            A task met a state that has no key.
        """

    def forget(self) -> None:
        """A pass has ended: the next one will not soon read the parts that are in memory."""

    def drop(self) -> None:
        """Forget all tasks."""


@dataclass(frozen=True)
class Solve:
    """A solve under way: what the passes share."""

    problem: Problem
    plan: Plan
    store: Store
    journal: Journal
    executor: Executor

    def unit(self, unit: str, tier: int, kind: str, *arguments: Any, step: Step | None = None) -> None:
        """Start a task that is a unit of work, unless the journal has it; the task is told the unit's name first."""
        if unit not in self.journal:

            def done(answer: Any) -> None:
                if answer is not None:
                    self.journal.note(unit, answer)

            self.executor.start(kind, unit, *arguments, tier=tier, done=done, step=step)


def grouped(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Lists of at most ``size`` items."""
    group: list[Item] = []
    for item in items:
        group.append(item)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group
