"""What a page does by itself: each piece of work has a name, and ends at the latest when the visitor leaves."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from zermelo.registry import sentence_of

Ended = Callable[[str, str], None]
"""Told of work that came to an end by itself: its name, and a sentence if something went wrong."""


class Background:
    """Work under names; what begins under a name ends what went on under it.

    Parameters
    ----------
    ended
        Called in the loop's thread; never for work that was cancelled.
    """

    def __init__(self, ended: Ended) -> None:
        self._ended = ended
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._is_closed = False

    def __contains__(self, name: str) -> bool:
        """Whether work goes on under a name."""
        return name in self._tasks

    def begin(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Do ``work`` until it is done, or cancelled; nothing is done for a visitor who has left."""
        if self._is_closed:
            work.close()
            return
        self.cancel(name)
        task = self._tasks[name] = asyncio.create_task(work)

        def done(task: asyncio.Task[None]) -> None:
            error = None if task.cancelled() else task.exception()
            if self._tasks.get(name) is task:
                del self._tasks[name]
                self._ended(name, "" if error is None else sentence_of(error) or f"{type(error).__name__}: {error}.")

        task.add_done_callback(done)

    def cancel(self, name: str) -> None:
        """End what goes on under a name, if anything does."""
        task = self._tasks.pop(name, None)
        if task is not None:
            task.cancel()

    def cancel_all(self) -> None:
        """End everything."""
        for name in list(self._tasks):
            self.cancel(name)

    def close(self) -> None:
        """The visitor has left: end everything, and begin no more."""
        self._is_closed = True
        self.cancel_all()
