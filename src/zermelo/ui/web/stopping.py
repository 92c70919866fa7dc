"""Work in threads: how it is stopped, what it tells meanwhile, and what a player's search comes to."""

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
    """A handle on the search of one move: whoever holds it can end it."""

    def __init__(self) -> None:
        self.job: Stoppable | None = None
        self.is_stopped = False

    def take(self, job: Stoppable) -> None:
        """The search that is to be ended: at once, if that was said while it waited for its turn."""
        self.job = job
        if self.is_stopped:
            job.stop()

    def stop(self) -> None:
        """Move now."""
        self.is_stopped = True
        if self.job is not None:
            self.job.stop()


Progress = Callable[[int, SearchResult | None], None]
"""Told of nodes, and of each depth that is done."""


@dataclass(frozen=True)
class ProgramMove:
    """A player's move, and the search behind it."""

    action: Action
    result: SearchResult | None = None


class Unstoppable:
    """A job that cannot be stopped: making an engine, or reading the moves of one position, takes a moment."""

    def stop(self) -> None:
        """Do nothing."""
