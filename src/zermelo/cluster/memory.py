"""How much memory a worker takes, and how much memory the object store takes that all workers of a machine share."""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from zermelo.solver.local.memory import peak_of_system

_SECONDS: Final = 0.01
"""Seconds between two measurements."""
_BLOCK: Final = 512
"""Bytes of a block, the unit in which Linux counts a file's space."""
_LINUX: Final = sys.platform.startswith("linux")


class Watch:
    """The most memory that this process has taken; a thread measures it every `_SECONDS`. It excludes shared memory."""

    def __init__(self) -> None:
        self.peak = 0
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Start the thread, unless it is running, and measure once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._look, name="zermelo-memory", daemon=True)
            self._thread.start()
        self.now()

    def now(self) -> int:
        """Measure now, and return the bytes of memory that this process takes."""
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
    """Return the bytes of memory that this process shares with no other: files and the object store do not count.

    On systems other than Linux, it is the most memory that the process has ever taken, with shared memory.
    """
    if _LINUX:
        _, resident, shared, *_ = Path("/proc/self/statm").read_text().split()
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
    return peak_of_system()


def store_memory() -> int:
    """Return the bytes of memory that the object store of this machine takes; 0 on systems other than Linux.

    Ray has no public function for this. Ray's process ``raylet``, which started this worker, keeps the store in an open
    file in memory whose name begins with ``plasma``, and Linux reports how much of that file is in use. The memory of
    the process ``raylet`` would be too little: it counts only the pages that this process has touched, and workers
    touch nearly all pages.
    """
    return sum(_store_files(_raylet())) if _LINUX else 0


def _raylet() -> int:
    """Return the id of the process ``raylet`` that this process descends from; 0 if there is none."""
    process = os.getpid()
    while process > 1:
        facts = _facts_of(process)
        if facts.get("Name") == "raylet":
            return process
        process = int(facts.get("PPid", "0"))
    return 0


def _store_files(process: int) -> Iterator[int]:
    """Yield the bytes in use of each file of an object store that a process has open."""
    with contextlib.suppress(OSError):
        for opened in Path(f"/proc/{process}/fd").iterdir():
            with contextlib.suppress(OSError):  # the process has closed it meanwhile
                if opened.readlink().name.startswith("plasma"):
                    yield _BLOCK * opened.stat().st_blocks


def _facts_of(process: int) -> dict[str, str]:
    """Return what Linux reports of a process, by name; an empty dict if there is no such process."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
