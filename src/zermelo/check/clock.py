"""The time of an audit: what it worked, so that a busy machine does not look at less."""

from time import monotonic, thread_time
from typing import Final

PATIENCE: Final = 3
"""An audit never takes so many times as long as it was given, however busy the machine is."""


class Clock:
    """Seconds that the thread which made it has worked, or a third of those that passed, whichever is more."""

    def __init__(self) -> None:
        self._worked, self._passed = thread_time(), monotonic()

    def now(self) -> float:
        """Seconds since the clock was made; asked by the thread that made it."""
        return max(thread_time() - self._worked, (monotonic() - self._passed) / PATIENCE)
