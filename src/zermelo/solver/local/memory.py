"""How much memory the process takes."""

import contextlib
import os
import sys
from pathlib import Path


def memory_now() -> int:
    """Return the bytes of memory that the process takes now; 0 if the system does not say."""
    with contextlib.suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def peak_memory_mb() -> float:
    """Return the most memory that the process has taken so far, in 2**20 bytes; 0 if the system does not say."""
    with contextlib.suppress(OSError):
        # VmHWM counts this program alone. The peak of getrusage includes the memory of the process that started it.
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return peak_of_system() / (1 << 20)


def peak_of_system() -> int:
    """Return the most bytes of memory that the process has taken, as the system counts them; 0 on Windows."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
