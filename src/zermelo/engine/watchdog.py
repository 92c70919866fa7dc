"""A watchdog that stops searches whose time is up, for searches that run in the thread that asked for them.

One thread serves all searches of the process: to start a thread for each search would take longer than a search of a
thousand nodes.
"""

import heapq
import threading
import time
from collections.abc import Callable
from typing import Final


class Deadline:
    """A moment after which something has to stop. As a context it is withdrawn at the end of the block.

    Parameters
    ----------
    seconds
        From now; None for no deadline.
    stop
        Called in the watchdog's thread at that moment.
    """

    def __init__(self, seconds: float | None, stop: Callable[[], None]) -> None:
        self._moment = None if seconds is None else time.monotonic() + seconds
        self._stop: Callable[[], None] | None = stop
        self.passed = False

    def __enter__(self) -> "Deadline":
        if self._moment is not None:
            _WATCHDOG.watch(self._moment, self)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop = None

    @property
    def withdrawn(self) -> bool:
        """Whether nothing has to be stopped any more."""
        return self._stop is None

    def ring(self) -> None:
        """Stop what has to be stopped."""
        stop = self._stop
        if stop is not None:
            self.passed = True
            stop()


class Watchdog:
    """A thread that waits for the next deadline; it is started by the first one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._deadlines: list[tuple[float, int, Deadline]] = []
        self._count = 0
        self._thread: threading.Thread | None = None

    def watch(self, moment: float, deadline: Deadline) -> None:
        """Let a deadline ring at that moment."""
        with self._changed:
            self._count += 1
            heapq.heappush(self._deadlines, (moment, self._count, deadline))
            if self._thread is None or not self._thread.is_alive():  # none is alive in the child of a fork
                self._thread = threading.Thread(target=self._run, name="zermelo-watchdog", daemon=True)
                self._thread.start()
            elif self._deadlines[0][1] == self._count:
                self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                while self._deadlines and self._deadlines[0][2].withdrawn:
                    heapq.heappop(self._deadlines)
                left = self._deadlines[0][0] - time.monotonic() if self._deadlines else None
                if left is None or left > 0:
                    self._changed.wait(left)
                    continue
                deadline = heapq.heappop(self._deadlines)[2]
            deadline.ring()


_WATCHDOG: Final = Watchdog()
