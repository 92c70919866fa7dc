"""Threads that run kernels one after another. To start a thread takes longer than many a proof.

A *hand* is a thread with a deep stack that waits for the next *errand*, a function, when it has run one. The system
provides the pages of a stack when they are first touched, so a hand that has worked before has them already.
"""

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final

from zermelo.compiled.apart import DeepThread

_MOST: Final = os.cpu_count() or 1
"""So many hands wait at most; others end when they have nothing to do."""
_waiting: Final[list["Hand"]] = []
"""The hands that wait. A list takes and gives one at a time, in whatever threads that happens."""


class Errand:
    """A function that a hand runs once. It must not raise, as nobody would hear of it."""

    def __init__(self, function: Callable[[], None]) -> None:
        self.function: Final = function
        self.returned: Final = threading.Event()
        self.begun = False
        """Whether a hand has it."""

    def start(self) -> None:
        """Give it to a hand that waits, or to a new one."""
        try:
            hand = _waiting.pop()
        except IndexError:
            hand = Hand()
            hand.start()
        self.begun, hand.idle = True, False
        hand.errands.put(self)

    def join(self, seconds: float | None = None) -> None:
        """Wait until it has returned, or so long."""
        self.returned.wait(seconds)


class Hand(DeepThread):
    """A thread that runs one errand after another."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.errands: Final[SimpleQueue[Errand]] = SimpleQueue()

    def run(self) -> None:
        """Run errands until enough other hands wait."""
        goes_on = True
        while goes_on:
            goes_on = self._run(self.errands.get())

    def _run(self, errand: Errand) -> bool:
        """Run an errand; whether to wait for another. Nothing refers to the errand afterwards.

        Whoever waits for the errand may have the next one, so the hand is ready before it says that this one is done.
        """
        errand.function()
        self.idle, goes_on = True, len(_waiting) < _MOST
        if goes_on:
            _waiting.append(self)
        errand.returned.set()
        return goes_on


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_waiting.clear)  # a child has none of its parent's threads
