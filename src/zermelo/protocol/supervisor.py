"""The parent of a foreign program: it sets the program's limits, and kills all that the program leaves behind.

zermelo starts this file as a script, ``python -I -S supervisor.py LIFELINE MEMORY_MB SECONDS LOG COMMAND...``, so it
imports nothing of zermelo. LIFELINE is a pipe whose other end zermelo holds. The pipe ends when zermelo closes it or
dies, even by SIGKILL; then the supervisor kills the program. When the program ends by itself, the supervisor kills the
children that it leaves behind.

Linux hands the orphans among a process's descendants to their nearest *subreaper*. The supervisor is one, so it finds
the program's descendants wherever they have moved: in another process group, another session, or with another
environment. Where there are no subreapers, it kills the program's process group.
"""

import os
import select
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

MOST_LOGGED: Final = 1 << 20
"""Bytes of a program's standard error that are kept; the rest is read and thrown away."""
CHUNK: Final = 1 << 16
"""Bytes that are read at once."""
NOT_STARTED: Final = 127
"""The exit status of a program that could not be started, as in a shell."""
PATIENCE: Final = 5.0
"""Seconds after which descendants are left alone that cannot be killed, such as those of another user."""
PR_SET_PDEATHSIG: Final = 1
PR_SET_CHILD_SUBREAPER: Final = 36


def main() -> None:
    """Run the command, and end as it ends."""
    lifeline, memory_mb, seconds, log, *command = sys.argv[1:]
    control(PR_SET_CHILD_SUBREAPER, 1)
    bell, alarm = os.pipe()
    for end in (bell, alarm):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(alarm, warn_on_full_buffer=False)
    errors, writer = os.pipe()
    program = os.fork()
    if program == 0:
        run(command, int(memory_mb), int(seconds), writer)
    nothing = os.open(os.devnull, os.O_RDWR)
    for end in (0, 1, 2):  # so that the pipes end when the program closes them
        os.dup2(nothing, end)
    os.close(writer)
    status = watch(program, int(lifeline), bell, errors, log)
    kill_family(program)
    end_with(status)


def run(command: list[str], memory_mb: int, seconds: int, errors: int) -> None:
    """Become the program."""
    with suppress(OSError):
        os.setsid()
    control(PR_SET_PDEATHSIG, signal.SIGKILL)  # should somebody kill the supervisor
    os.dup2(errors, 2)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    limit(memory_mb, seconds)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]} cannot be started: {error.strerror}", file=sys.stderr, flush=True)
    os._exit(NOT_STARTED)


def limit(memory_mb: int, seconds: int) -> None:
    """Limit this process and its children, each on its own; 0 does not limit."""
    try:
        import resource
    except ImportError:
        return
    # Java and JavaScript reserve far more address space than they use; Linux counts only what is writable as data.
    memory = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    for kind, most in ((memory, memory_mb << 20), (resource.RLIMIT_CPU, seconds)):
        if most:
            with suppress(ValueError, OSError):
                resource.setrlimit(kind, (most, most))
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def watch(program: int, lifeline: int, bell: int, errors: int, log: str) -> int | None:
    """Keep what the program complains of until it ends, and return its status; None if zermelo wants its end."""
    logged = 0
    open_ends = [lifeline, bell, errors]
    with Path(log).open("ab", buffering=0) as file:
        while True:
            ready, _, _ = select.select(open_ends, [], [])
            if errors in ready:
                said = os.read(errors, CHUNK)
                if not said:
                    open_ends.remove(errors)
                file.write(said[: max(0, MOST_LOGGED - logged)])
                logged += len(said)
            if bell in ready:
                os.read(bell, CHUNK)
                status = reap(program)
                if status is not None:
                    drain(errors, file.fileno(), MOST_LOGGED - logged)
                    return status
            if lifeline in ready and not os.read(lifeline, 1):
                return None


def drain(errors: int, log: int, room: int) -> None:
    """Log what a program said just before its end; its children may hold the pipe open."""
    os.set_blocking(errors, False)
    with suppress(BlockingIOError):
        while room > 0 and (said := os.read(errors, min(CHUNK, room))):
            os.write(log, said)
            room -= len(said)


def reap(program: int) -> int | None:
    """Let go of the dead among the children; returns the program's status if it is one of them."""
    found = None
    with suppress(ChildProcessError):
        while True:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child == 0:
                break
            if child == program:
                found = status
    return found


def kill_family(program: int) -> None:
    """Kill the program and all its descendants until there are none, or until they prove to be immortal."""
    deadline = time.monotonic() + PATIENCE
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(program, signal.SIGKILL)
    while time.monotonic() < deadline:
        for child in descendants(os.getpid()):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        select.select([], [], [], 0.001)


def descendants(ancestor: int) -> list[int]:
    """The processes that descend from one; none where there is no /proc."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            stat = (folder / "stat").read_bytes()
            parent = int(stat[stat.rindex(b")") + 2 :].split()[1])
            children.setdefault(parent, []).append(int(folder.name))
    found, waiting = [], [ancestor]
    while waiting:
        born = children.get(waiting.pop(), [])
        found += born
        waiting += born
    return found


def control(option: int, value: int) -> None:
    """Call Linux's prctl; nothing elsewhere."""
    if sys.platform == "linux":
        with suppress(ImportError, OSError, AttributeError):
            import ctypes

            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def end_with(status: int | None) -> None:
    """End as the program ended, by the same signal or with the same status."""
    if status is not None and os.WIFSIGNALED(status):
        code = os.WTERMSIG(status)
        with suppress(OSError, ValueError):
            signal.signal(code, signal.SIG_DFL)
        os.kill(os.getpid(), code)
    os._exit(0 if status is None else os.waitstatus_to_exitcode(status) & 0xFF)


if __name__ == "__main__":
    main()
