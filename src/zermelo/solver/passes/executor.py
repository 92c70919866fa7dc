"""What the passes ask of an executor, which runs tasks in this process or on the nodes of a cluster.

The passes use nothing of an executor but what is declared here.

A *task* is a function that `zermelo.solver.passes.tasks` lists by name. It returns an answer of plain values, and
*blocks*, arrays that it hands to other tasks. A *unit of work* is a task, or a group of tasks, whose result the journal
keeps under a name, so that it need not be done again.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from zermelo.solver.model.problem import Problem
from zermelo.solver.passes.journal import Journal
from zermelo.solver.passes.plan import Plan
from zermelo.solver.table.stores import Store

Answer = Callable[[Any], None]
"""A function that receives the answer of a task: plain values; None if the task was not done because one before it
failed."""
Step = Callable[[int], None]
"""A function that receives how many more positions a task has done."""
Report = Callable[[int, int, int], None]
"""A function that receives a tier, how many of its positions are done, and how many it has."""
Item = TypeVar("Item")


class Executor(Protocol):
    """Something that runs tasks by name; see `zermelo.solver.passes.tasks`."""

    @property
    def waiting(self) -> int:
        """The number of started tasks whose answers have not been delivered."""

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
            The number of blocks that the task makes.
        tier
            The tier that the task belongs to, for dashboards and the like.
        done
            Receives the task's answer, during `wait` or before `start` returns.
        step
            Receives the task's progress, if the executor learns of any before the task ends.

        Returns
        -------
        list
            References to the task's blocks, which can be handed to other tasks.
        """

    def wait(self, until: int = 0) -> None:
        """Wait until at most ``until`` tasks are left, and deliver the answers of the others.

        Raises
        ------
        ZermeloError
            A task failed.
        Misfits
            A task met a state that has no key.
        """

    def forget(self) -> None:
        """Drop the parts in memory: a pass has ended, and the next one will not soon read them."""

    def drop(self) -> None:
        """Drop all tasks."""


@dataclass(frozen=True)
class Solve:
    """A solve under way: what the passes share."""

    problem: Problem
    plan: Plan
    store: Store
    journal: Journal
    executor: Executor

    def unit(self, unit: str, tier: int, kind: str, *arguments: Any, step: Step | None = None) -> None:
        """Start a task as a unit of work, unless the journal has that unit.

        Parameters
        ----------
        unit
            The name of the unit, which is also the task's first argument.
        tier, kind, arguments, step
            As in `Executor.start`.
        """
        if unit not in self.journal:

            def done(answer: Any) -> None:
                if answer is not None:
                    self.journal.note(unit, answer)

            self.executor.start(kind, unit, *arguments, tier=tier, done=done, step=step)


def grouped(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Yield the items in lists of ``size``; the last list may be shorter."""
    group: list[Item] = []
    for item in items:
        group.append(item)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group
