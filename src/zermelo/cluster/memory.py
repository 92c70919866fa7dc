"""How much memory a worker takes, and how much the object store that all workers of a node share."""

import os
import resource
import sys
import threading
import time
from pathlib import Path
from typing import Final

_SECONDS: Final = 0.01
"""Seconds between two measurements."""
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
    """Bytes that the object store of this node has touched; 0 if that cannot be told.

    Ray keeps the store within its process ``raylet``, which started this worker; what that process shares with others
    is the store. Ray tells the same only through its private interfaces, and asks the node's server for it.
    """
    if _LINUX:
        process = os.getpid()
        while process > 1:
            facts = _facts_of(process)
            if facts.get("Name") == "raylet":
                return 1024 * int(facts.get("RssShmem", "0").split()[0])
            process = int(facts.get("PPid", "0"))
    return 0


def _facts_of(process: int) -> dict[str, str]:
    """What Linux says of a process; nothing if there is no such process."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
