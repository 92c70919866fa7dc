"""A pool of threads that run kernels one after another. To start a thread takes longer than many a proof.

The system provides the pages of a stack when they are first touched, so a thread that has run a kernel before has them
already. A *call* is a function that a thread of the pool runs once. Threads are started when none of the pool waits.
"""

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final

from zermelo.compiled.apart import DeepThread

_MOST: Final = os.cpu_count() or 1
"""So many threads wait for calls at most; others end after theirs."""
_waiting: Final[list["PoolThread"]] = []
"""The threads that wait. To append to a list and to pop from it is safe from any thread."""


class Call:
    """A function that a thread of the pool runs once. It must not raise, as nobody would hear of it."""

    def __init__(self, function: Callable[[], None]) -> None:
        self.function: Final = function
        self.returned: Final = threading.Event()
        self.begun = False
        """Whether a thread has it."""

    def start(self) -> None:
        """Give it to a thread that waits, or to a new one."""
        try:
            thread = _waiting.pop()
        except IndexError:
            thread = PoolThread()
            thread.start()
        self.begun = True
        thread.calls.put(self)

    def join(self, seconds: float | None = None) -> None:
        """Wait until it has returned, or so long."""
        self.returned.wait(seconds)


class PoolThread(DeepThread):
    """A thread of the pool."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.calls: Final[SimpleQueue[Call]] = SimpleQueue()

    def run(self) -> None:
        """Run calls until enough other threads wait."""
        goes_on = True
        while goes_on:
            goes_on = self._run(self.calls.get())

    def _run(self, call: Call) -> bool:
        """Run a call; return whether to wait for another. Nothing refers to the call afterwards.

        Whoever waits for the call may start the next one, so the thread joins the pool before it says that it is done.
        """
        self.idle = False
        call.function()
        self.idle, goes_on = True, len(_waiting) < _MOST
        if goes_on:
            _waiting.append(self)
        call.returned.set()
        return goes_on


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_waiting.clear)  # a child has none of its parent's threads
