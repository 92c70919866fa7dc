"""Work in threads: how to stop it, what it reports, and the move that a program's search gives."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from zermelo.game import Action
from zermelo.result import SearchResult


class Stoppable(Protocol):
    """Something that runs in a thread until it is done or stopped."""

    def stop(self) -> None:
        """End it soon, from another thread."""


class Control:
    """A handle on the search for one move, with which the search can be ended."""

    def __init__(self) -> None:
        self.job: Stoppable | None = None
        self.is_stopped = False

    def take(self, job: Stoppable) -> None:
        """Take the search that `stop` ends; end it at once if `stop` was called while it waited for its turn."""
        self.job = job
        if self.is_stopped:
            job.stop()

    def stop(self) -> None:
        """End the search; the program moves now."""
        self.is_stopped = True
        if self.job is not None:
            self.job.stop()


Progress = Callable[[int, SearchResult | None], None]
"""Called with the number of nodes, and with the result of each depth."""


@dataclass(frozen=True)
class ProgramMove:
    """A player's move, and the search behind it."""

    action: Action
    result: SearchResult | None = None


class Unstoppable:
    """Work that cannot be stopped, because it takes only a moment: reading the moves of one position."""

    def stop(self) -> None:
        """Do nothing."""
