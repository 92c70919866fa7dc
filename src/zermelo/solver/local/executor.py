"""The executor for one machine: each task runs in this process when it is started, and may use all threads."""

from typing import Any

from zermelo.solver.passes.executor import Answer, Step
from zermelo.solver.passes.site import Site
from zermelo.solver.passes.tasks import TASKS


class LocalExecutor:
    """An executor that runs each task in `start`; a reference to a block is the block itself.

    Parameters
    ----------
    site
        What the tasks work with.
    """

    waiting = 0
    """The number of tasks that are not finished; always 0."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def start(
        self,
        kind: str,
        *arguments: Any,
        returns: int = 0,
        tier: int,
        done: Answer | None = None,
        step: Step | None = None,
    ) -> list[Any]:
        """Run a task; see `zermelo.solver.passes.executor.Executor`. Errors of the task are raised here."""
        del returns, tier
        self.site.step = step or _ignore
        answer, *blocks = TASKS[kind](self.site, *arguments)
        if done is not None:
            done(answer)
        return blocks

    def wait(self, until: int = 0) -> None:
        """Do nothing: all tasks are finished when `start` returns."""

    def forget(self) -> None:
        """Drop the parts in memory."""
        self.site.parts.clear()

    def drop(self) -> None:
        """Drop the parts in memory; all tasks are finished when `start` returns."""
        self.site.parts.clear()


def _ignore(count: int) -> None:
    """Receive progress that nobody asked for, and do nothing."""
