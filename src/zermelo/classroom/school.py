"""What the scripts of a course do: grade the submissions of a class, and let them play."""

import csv
import io
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from zermelo.classroom.course import Course, hidden_tests, read_course
from zermelo.classroom.explanation import lines_of
from zermelo.classroom.gradescope import write_results
from zermelo.classroom.grading import Report, grade_all
from zermelo.classroom.python_file import PythonFile
from zermelo.classroom.submission import Allowance
from zermelo.errors import BadParameter, ZermeloError
from zermelo.files import write_whole
from zermelo.game import Game
from zermelo.registry import make_game
from zermelo.textbook.homework.exam import set_exam

GRADES: Final = "grades.csv"
REPORTS: Final = "reports"


def grade_class(folder: Path, arguments: Sequence[Path]) -> int:
    """Grade submissions; returns the exit status, 0 if all could be graded and 2 if one could not.

    Parameters
    ----------
    folder
        That of the course.
    arguments
        The students' files. ``--gradescope FILE`` after one file writes a report for Gradescope in place of the rest.
    """
    try:
        course = read_course(folder)
        game = make_game(*course.place)
        check_tests(folder, course, game)
        words = [str(one) for one in arguments]
        if "--gradescope" in words:
            if len(words) != 3 or words[1] != "--gradescope":
                raise BadParameter(
                    "Write SUBMISSION.py --gradescope results.json: one file, and where its report goes."
                )
            write_results(arguments[2], graded(course, game, arguments[0]))
            return 0
        if not words:
            raise BadParameter("Name the students' files, such as submissions/*.py.")
        reports = [graded(course, game, file) for file in arguments]
        write_reports(course, reports, Path.cwd())
    except ZermeloError as error:
        print(f"zermelo: {error}", file=sys.stderr)
        return 2
    return 0


def check_tests(folder: Path, course: Course, game: Game) -> None:
    """Refuse to grade if the hidden tests are not those that were written with the course.

    Raises
    ------
    BadParameter
        They differ: this version of zermelo asks other questions, or somebody has changed the file.
    """
    file = folder / "teacher" / "hidden_tests.json"
    try:
        written = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise BadParameter(f"{file} cannot be read; make the course again with zermelo course new.") from None
    exams = {part: set_exam(one, game, course.limits, seed=course.seed) for part, one in course.assignments.items()}
    if written != json.loads(json.dumps(hidden_tests(course, game, exams))):
        raise BadParameter(
            f"{file} does not have the tests of this version of zermelo; make the course again with zermelo course new."
        )


def graded(course: Course, game: Game, file: Path) -> Report:
    """The report on one student's file."""
    wanted = [one.name for one in course.assignments.values()]
    submission = PythonFile(file, Allowance())
    return grade_all(submission, [(course.place, game)], wanted, course.limits, course.seed)


def write_reports(course: Course, reports: Sequence[Report], folder: Path) -> None:
    """Write a text for each student into ``reports/``, and all verdicts into ``grades.csv``; print the verdicts.

    Raises
    ------
    BadParameter
        Something cannot be written.
    """
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["file", "verdict", "right", *course.parts])
    for report in reports:
        verdicts = [one.verdict for one in report.graded] or [report.verdict] * len(course.parts)
        writer.writerow([report.name, report.verdict, verdicts.count("right"), *verdicts])
        print(f"{report.name}: {report.verdict}, {verdicts.count('right')} of {len(verdicts)} parts are right.")
    try:
        (folder / REPORTS).mkdir(exist_ok=True)
        for report in reports:
            write_whole(folder / REPORTS / f"{Path(report.name).stem}.txt", text_of(report).encode())
        write_whole(folder / GRADES, table.getvalue().encode())
    except OSError as error:
        raise BadParameter(f"{error.filename} cannot be written: {error.strerror}.") from None


def text_of(report: Report) -> str:
    """A report as text."""
    lines = [f"{report.name}: {report.verdict}."]
    if report.failure is not None:
        lines.append(report.failure)
    for one in report.graded:
        lines += ["", f"{one.assignment.name}: {one.verdict}.", *lines_of(one)]
    return "\n".join(lines) + "\n"


def play_tournament(folder: Path, arguments: Sequence[Path]) -> int:
    """Let the students' files play against each other, and return the exit status of ``zermelo tournament``."""
    try:
        course = read_course(folder)
    except ZermeloError as error:
        print(f"zermelo: {error}", file=sys.stderr)
        return 2
    options = [word for name, value in course.place.parameters.items() for word in ("-p", f"{name}={value}")]
    command = [sys.executable, "-m", "zermelo", "tournament", course.place.game, *map(str, arguments), *options]
    output = [
        "--games",
        "4",
        "--seconds",
        "1",
        "--seed",
        str(course.seed),
        "--out",
        "class.jsonl",
        "--html",
        "class.html",
    ]
    return subprocess.run([*command, *output], check=False).returncode
