"""How much memory a worker takes, and how much the object store that all workers of a node share."""

import contextlib
import os
import resource
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_SECONDS: Final = 0.01
"""Seconds between two measurements."""
_BLOCK: Final = 512
"""Bytes of a block, as Linux counts them."""
_LINUX: Final = sys.platform.startswith("linux")


class Watch:
    """The most memory of its own that this process has taken; a thread measures it again and again."""

    def __init__(self) -> None:
        self.peak = 0
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Start the thread, unless it runs already, and measure once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._look, name="zermelo-memory", daemon=True)
            self._thread.start()
        self.now()

    def now(self) -> int:
        """Measure now; returns bytes."""
        taken = own_memory()
        self.peak = max(self.peak, taken)
        return taken

    def _look(self) -> None:
        while True:
            self.now()
            time.sleep(_SECONDS)


WATCH: Final = Watch()
"""The watch of this process."""


def own_memory() -> int:
    """Bytes that this process shares with no other, so without files and without the object store."""
    if _LINUX:
        _, resident, shared, *_ = Path("/proc/self/statm").read_text().split()
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def store_memory() -> int:
    """Bytes of memory that the object store of this node takes; 0 if that cannot be told.

    Ray's process ``raylet``, which started this worker, keeps the store in a file in memory named ``plasma``, and has
    it open. Linux tells how much of the file is in use. What it tells of the process itself counts only the pages that
    this process has touched, and nearly all are touched by workers. Ray has no public function for it.
    """
    return sum(_store_files(_raylet())) if _LINUX else 0


def _raylet() -> int:
    """The number of the process ``raylet`` that this process descends from; 0 if there is none."""
    process = os.getpid()
    while process > 1:
        facts = _facts_of(process)
        if facts.get("Name") == "raylet":
            return process
        process = int(facts.get("PPid", "0"))
    return 0


def _store_files(process: int) -> Iterator[int]:
    """Bytes in use of each file of an object store that a process has open."""
    with contextlib.suppress(OSError):
        for opened in Path(f"/proc/{process}/fd").iterdir():
            with contextlib.suppress(OSError):  # it was closed meanwhile
                if opened.readlink().name.startswith("plasma"):
                    yield _BLOCK * opened.stat().st_blocks


def _facts_of(process: int) -> dict[str, str]:
    """What Linux says of a process; nothing if there is no such process."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
