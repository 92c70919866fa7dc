"""Work that a page does by itself. Each piece has a name, and ends when the visitor leaves, if not before."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from zermelo.registry import sentence_of

Ended = Callable[[str, str], None]
"""Called when work has ended by itself: with its name, and with a sentence if it failed."""


class Background:
    """Pieces of work with names; a piece that begins ends the one that has the same name.

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
        """Whether work with that name goes on."""
        return name in self._tasks

    def begin(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Do ``work`` until it is done or cancelled; do nothing if the visitor has left."""
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
        """End the work with that name, if there is any."""
        task = self._tasks.pop(name, None)
        if task is not None:
            task.cancel()

    def cancel_all(self) -> None:
        """End everything."""
        for name in list(self._tasks):
            self.cancel(name)

    def close(self) -> None:
        """End everything and begin no more, because the visitor has left."""
        self._is_closed = True
        self.cancel_all()
