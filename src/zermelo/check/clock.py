"""The time of an audit: processor time, so that an audit on a busy machine checks as much as on an idle one."""

from time import monotonic, thread_time
from typing import Final

PATIENCE: Final = 3
"""An audit takes at most so many times as long as it was given, however busy the machine is."""


class Clock:
    """The processor time of the thread that made it, or a third of the time that passed, whichever is more."""

    def __init__(self) -> None:
        self._worked, self._passed = thread_time(), monotonic()

    def now(self) -> float:
        """Seconds since the clock was made; only the thread that made it may ask."""
        return max(thread_time() - self._worked, (monotonic() - self._passed) / PATIENCE)
