"""One machine: tasks run at once, in this process, and each of them uses all of its threads."""

from typing import Any

from zermelo.solver.passes.executor import Answer, Step
from zermelo.solver.passes.site import Site
from zermelo.solver.passes.tasks import TASKS


class LocalExecutor:
    """Performs each task when it is started; a reference to a block is the block itself.

    Parameters
    ----------
    site
        What tasks work with.
    """

    waiting = 0

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
        """As `zermelo.solver.passes.executor.Executor`."""
        del returns, tier
        self.site.step = step or _ignore
        answer, *blocks = TASKS[kind](self.site, *arguments)
        if done is not None:
            done(answer)
        return blocks

    def wait(self, until: int = 0) -> None:
        """Nothing is left when `start` returns."""

    def forget(self) -> None:
        """Let go of the parts in memory."""
        self.site.parts.clear()

    def drop(self) -> None:
        """Nothing is left when `start` returns; let go of the parts in memory."""
        self.site.parts.clear()


def _ignore(count: int) -> None:
    """Told of progress that nobody asked for."""
