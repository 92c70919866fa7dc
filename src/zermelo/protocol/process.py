"""A foreign program in a process of its own: lines go in, lines come out, and nothing is left when it is stopped.

The program runs without a shell, in a folder of its own, with limits on its memory and its processor time. A
*supervisor* (`zermelo.protocol.supervisor`) is its parent and sees to its end. What the program writes to its standard
error goes to a log. Whatever it does wrong becomes a `Fault` that names the kind of mistake.
"""

import contextlib
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from zermelo.errors import BadParameter
from zermelo.protocol.competitor import Fault

LONGEST: Final = 1 << 16
"""Bytes of a line; a program that writes longer ones floods its reader."""
MOST_READ: Final = 1 << 24
"""Bytes that a program may write in answer to one line."""
_CHUNK: Final = 1 << 16
_GRACE: Final = 0.3
"""Seconds that a program has to end by itself."""
_DAY: Final = 86_400.0
_PATIENCE: Final = 10.0
"""Seconds that its supervisor has to end it."""
_SUPERVISOR: Final = Path(__file__).with_name("supervisor.py")


@dataclass(frozen=True)
class Limits:
    """What a program may take; 0 does not limit."""

    memory_mb: int = 4096
    """Of data, for each of its processes (where the system is not Linux, of address space)."""
    processor_seconds: int = 0
    """For each of its processes, in all games together."""
    start_seconds: float = 30.0
    """Until it answers for the first time, and before each game."""
    ready_seconds: float = 300.0
    """Until it says that it is ready; it may have to compile, or to read large tables."""
    move_seconds: float = 300.0
    """For a move without a clock."""


class Process:
    """A running program.

    Parameters
    ----------
    command
        The program and its arguments.
    log
        A file to which the program's standard error is appended, up to a MiB; a temporary one if None.
    limits
        What it may take.
    name
        What faults call it; the command if empty.

    Raises
    ------
    BadParameter
        The system has no processes as POSIX describes them, or the log cannot be written.
    """

    def __init__(
        self, command: Sequence[str], log: Path | None = None, limits: Limits | None = None, name: str = ""
    ) -> None:
        if os.name != "posix":
            raise BadParameter("Programs run on Linux and macOS only; this system lacks what stops them for sure.")
        self.name, self.limits = name or shlex.join(command), limits or Limits()
        self._folder = tempfile.TemporaryDirectory(prefix="zermelo-program-")
        own = Path(self._folder.name)
        (own / "work").mkdir()
        self._log = _writable(log.absolute()) if log else own / "errors.log"
        self._before = self._log.stat().st_size if log else 0
        self._pending, self._since, self._over = bytearray(), 0, False
        self._busy = threading.Lock()
        self.written = 0
        """Bytes that the program has written so far."""
        far, self._lifeline = os.pipe()
        limited = [str(far), str(self.limits.memory_mb), str(self.limits.processor_seconds), str(self._log)]
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_SUPERVISOR), *limited, *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=own / "work",
                pass_fds=[far],
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            os.close(self._lifeline)
            self._folder.cleanup()
            raise Fault("start", f"{self.name} cannot be started: {error.strerror}.") from None
        finally:
            os.close(far)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._input, False)
        self._stopped = False

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def send(self, line: str, seconds: float = 5.0) -> None:
        """Write a line to the program.

        Raises
        ------
        Fault
            The program has ended, or does not read the line in time.
        """
        rest, until = memoryview(line.encode() + b"\n"), time.monotonic() + seconds
        with self._busy:
            self._since = 0
            while rest:
                if self._stopped:
                    raise self._ended()
                try:
                    rest = rest[os.write(self._input, rest) :]
                except BlockingIOError:
                    if not _ready(self._input, select.POLLOUT, until):
                        raise Fault("hang", f"{self.name} does not read what it is sent.") from None
                except OSError:
                    raise self._ended() from None

    def read(self, until: float) -> str:
        """The program's next line, without spaces around it.

        Parameters
        ----------
        until
            The time, of `time.monotonic`, at which waiting ends.

        Raises
        ------
        Fault
            The program has ended, writes too much, or says nothing in time.
        """
        with self._busy:
            while (end := self._pending.find(b"\n")) < 0:
                if len(self._pending) > LONGEST or self._since > MOST_READ:
                    raise Fault("flood", f"{self.name} writes more than anybody reads.")
                if self._stopped or self._over:
                    raise self._ended()
                if not _ready(self._output, select.POLLIN, until):
                    raise Fault("hang", f"{self.name} did not answer in time.")
                said = os.read(self._output, _CHUNK)
                self._over = not said
                self._since += len(said)
                self.written += len(said)
                self._pending += said
            line = self._pending[:end].decode(errors="replace").strip()
            del self._pending[: end + 1]
            return line

    def wait_for(self, wanted: Callable[[str], bool], seconds: float) -> str:
        """The next line that is wanted; others are skipped. Errors are those of `read`."""
        until = time.monotonic() + seconds
        while not wanted(line := self.read(until)):
            if time.monotonic() > until:
                raise Fault("hang", f"{self.name} talks, but did not answer in time.")
        return line

    def stop(self) -> None:
        """End the program and all that it has started; another thread that waits for it gets a `Fault`."""
        if self._stopped:
            return
        self._stopped = True
        with contextlib.suppress(OSError):
            os.write(self._input, b"quit\n")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        os.close(self._lifeline)
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        with self._busy:
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
        self._folder.cleanup()

    def _ended(self) -> Fault:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        status = self._process.poll()
        if status is None:
            return Fault("crash", f"{self.name} closed its output.")
        how = f"was ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
        return Fault("crash", f"{self.name} {how}{self._complaint()}.")

    def _complaint(self) -> str:
        """The last line that the program wrote to its standard error."""
        with contextlib.suppress(OSError):
            lines = self._log.read_bytes()[self._before :][-2000:].decode(errors="replace").split("\n")
            for line in reversed(lines):
                if text := "".join(mark for mark in line if mark.isprintable()).strip().rstrip("."):
                    return f": {text[:200]}"
        return ""


def _ready(end: int, event: int, until: float) -> bool:
    """Wait until a pipe can be used, or has ended; whether that is so in time."""
    poll = select.poll()
    poll.register(end, event)
    return bool(poll.poll(min(max(0.0, until - time.monotonic()), _DAY) * 1000))


def _writable(log: Path) -> Path:
    try:
        with log.open("ab"):
            return log
    except OSError as error:
        raise BadParameter(f"The log {log} cannot be written: {error.strerror}.") from None


def split_command(command: str) -> list[str]:
    """The words of a command, as a shell splits them; no shell sees them.

    The program runs in a folder of its own, so a word that names a file or a folder here becomes its full path; in
    ``my_game.py:factory`` the part before the colon does.

    Raises
    ------
    BadParameter
        The command is empty, its quotes do not match, or there is no such program.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadParameter(f"The command {command!r} cannot be read: {error}.") from None
    if not words:
        raise BadParameter("A program needs a command after the colon, such as 'program:python3 bot.py'.")
    found = shutil.which(words[0])
    if found is None:
        raise BadParameter(f"There is no program {words[0]!r} that can be run.")
    return [str(Path(found).absolute()), *(_full(word) for word in words[1:])]


def _full(word: str) -> str:
    file, colon, rest = word.rpartition(":")
    with contextlib.suppress(OSError, ValueError):
        if Path(word).exists():
            return str(Path(word).absolute())
        if file.endswith(".py") and Path(file).exists():
            return f"{Path(file).absolute()}{colon}{rest}"
    return word
