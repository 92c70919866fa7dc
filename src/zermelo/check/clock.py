"""The clock of an audit. It counts processor time, so an audit checks as much on a busy machine as on a free one."""

from time import monotonic, thread_time
from typing import Final

PATIENCE: Final = 3
"""An audit takes at most this many times the seconds that it was given, however busy the machine is."""


class Clock:
    """The processor time of the thread that made the clock, or a third of the elapsed time if that is more."""

    def __init__(self) -> None:
        self._worked, self._passed = thread_time(), monotonic()

    def now(self) -> float:
        """Return the seconds since the clock was made; only the thread that made it may call this."""
        return max(thread_time() - self._worked, (monotonic() - self._passed) / PATIENCE)
