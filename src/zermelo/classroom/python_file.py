"""A student's Python file, run in a process of its own, with limits on its time and memory.

A grader survives whatever the file does, but this is not a sandbox: the file can do anything that its user can do.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from zermelo.classroom.submission import Allowance, Failed, Place, Submission
from zermelo.errors import GameFileError
from zermelo.textbook.homework.assignments import ASSIGNMENTS, Assignment
from zermelo.textbook.homework.compare import Asked, Theirs, Unreadable, read_answer

_MODULE: Final = "zermelo.textbook.homework.student"


class PythonFile(Submission):
    """A file with functions that have the handouts' signatures.

    Raises
    ------
    GameFileError
        There is no such file.
    """

    def __init__(self, file: Path, allowance: Allowance) -> None:
        if not file.is_file():
            raise GameFileError(f"There is no file {file}.")
        self.file, self.allowance, self.name = file, allowance, str(file)

    def functions(self, place: Place) -> list[str]:  # noqa: D102
        lines, failure = self._run("importing it", place, {"function": None, "questions": []})
        if failure is not None:
            raise failure
        return [name for name in ASSIGNMENTS if name in lines[0].get("functions", [])]

    def answer(self, assignment: Assignment, place: Place, asked: Sequence[Asked]) -> list[Theirs]:  # noqa: D102
        questions = [asdict(one.question) for one in asked]
        lines, failure = self._run(assignment.name, place, {"function": assignment.name, "questions": questions})
        try:
            answers = [read_answer(one.game, line) for one, line in zip(asked, lines[1:], strict=False)]
        except Unreadable as error:
            raise Failed("crashed", str(error)) from None
        if failure is not None:
            raise Failed(failure.verdict, str(failure), answers)
        if len(answers) < len(asked):
            raise Failed("crashed", f"{self.file}: {assignment.name} did not answer all questions.", answers)
        return answers

    def _run(self, what: str, place: Place, task: Mapping[str, Any]) -> tuple[list[dict[str, Any]], Failed | None]:
        """The lines that the student's process answers, and how it failed, if it did."""
        with TemporaryDirectory() as folder:
            file = Path(folder) / "answers"
            own = {"file": str(self.file), "answers": str(file), "memory_mb": self.allowance.memory_mb}
            status = self._wait(json.dumps({**task, **own, **place._asdict()}))
            try:
                lines = [json.loads(line) for line in file.read_bytes().splitlines()]
            except (OSError, ValueError, RecursionError):
                lines = []
        lines = [line for line in lines if isinstance(line, dict)]
        said = {name: text for line in reversed(lines) for name, text in line.items()}
        answers = [line for line in lines if not line.keys() & {"refused", "error", "done"}]
        return answers, self._failure(what, status, said)

    def _failure(self, what: str, status: int | None, said: Mapping[str, Any]) -> Failed | None:
        """How the process failed, by its exit status and by what it said; None if it did not."""
        if "refused" in said:
            return Failed("cheated", f"{said['refused']}")
        if status is None:
            seconds = f"{self.allowance.seconds:g} seconds"
            return Failed("too slow", f"{self.file}: {what} did not end within {seconds}; --seconds allows it more.")
        if "error" in said:
            return Failed("crashed", str(said["error"]))
        if "done" not in said or "functions" not in said:
            return Failed("crashed", f"{self.file}: {what} ended the whole program {_how(status)}.")
        return None

    def _wait(self, task: str) -> int | None:
        """The exit status of a process that is given a task; None if it did not end in time."""
        with _process() as process:
            try:
                process.communicate(task.encode(), timeout=self.allowance.seconds)
            except subprocess.TimeoutExpired:
                return None
            return process.returncode


@contextmanager
def _process() -> Iterator[subprocess.Popen[bytes]]:
    """The student's process, which is ended with all processes that it has started."""
    process = subprocess.Popen(
        [sys.executable, "-m", _MODULE],
        stdin=subprocess.PIPE,
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
