"""Programs that tests start, and how long tests wait for them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

PATIENCE: Final = 600.0
"""Seconds that a test waits for something that takes a moment on an idle machine. Only a failure takes so long."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Programs started in this block hear Ctrl-C, even if this process ignores it.

    A shell makes what it runs in the background ignore SIGINT, and every child inherits that, as it should. Tests of
    Ctrl-C must therefore start their programs as a shell starts them in the foreground. Programs that are started while
    a handler is installed begin with the default.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"it was not so within {seconds:g} seconds"
        time.sleep(0.01)


def printed_interpreted(program: str, *arguments: str) -> str:
    """Return what a program in Python prints where nothing is compiled."""
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    ).stdout
