"""A student's file run in a process of its own, with a limit on its time.

A grader survives whatever the file does, but this is not a sandbox: the file can do anything that its user can do.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from zermelo.errors import GameFileError
from zermelo.textbook.homework.assignments import Assignment, Limits


class StudentFailed(GameFileError):
    """The student's file could not be run to its end."""


class Place(NamedTuple):
    """A game as a command line names it, and its parameters."""

    game: str
    parameters: Mapping[str, str]


@dataclass(frozen=True)
class Student:
    """A student's file, and how many seconds each run of it may take."""

    file: Path
    seconds: float

    def functions(self, place: Place) -> tuple[list[str], list[str]]:
        """Which functions it has that can be compared, and which of zermelo's own searches importing it loaded.

        Raises
        ------
        StudentFailed
            It cannot be imported, or not in time.
        """
        found = self._ask("importing it", place, {"function": None})
        return found["functions"], found["uses"]

    def run(self, assignment: Assignment, place: Place, limits: Limits, shown: str) -> dict[str, Any]:
        """What one function comes to; see `zermelo.textbook.homework.student`. ``shown`` is what to call the game.

        Raises
        ------
        StudentFailed
            It raises, does not end in time, or ends the whole process.
        """
        return self._ask(f"{assignment.name} on {shown}", place, {"function": assignment.name, **asdict(limits)})

    def _ask(self, what: str, place: Place, task: Mapping[str, Any]) -> dict[str, Any]:
        with TemporaryDirectory() as folder:
            file = Path(folder) / "answer.json"
            whole = {**task, "file": str(self.file), "answer": str(file), **place._asdict()}
            with _process(json.dumps(whole)) as process:
                try:
                    status = process.wait(self.seconds)
                except subprocess.TimeoutExpired:
                    raise StudentFailed(
                        f"{self.file}: {what} did not end within {self.seconds:g} seconds; --seconds allows it more."
                    ) from None
            try:
                answer: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            except (OSError, ValueError, RecursionError):
                raise StudentFailed(f"{self.file}: {what} ended the whole program {_how(status)}.") from None
        if not isinstance(answer, dict) or "error" in answer or "uses" not in answer:
            raise StudentFailed(
                str(answer["error"]) if "error" in answer else f"{self.file}: {what} answered nonsense."
            )
        return answer


@contextmanager
def _process(task: str) -> Iterator[subprocess.Popen[bytes]]:
    """The student's process, which is ended with all processes that it has started."""
    process = subprocess.Popen(
        [sys.executable, "-m", "zermelo.textbook.homework.student", task],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()


def _how(status: int) -> str:
    return f"with exit status {status}" if status >= 0 else f"by signal {-status} ({signal.Signals(-status).name})"
