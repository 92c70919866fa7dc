"""The report that Gradescope reads: ``results.json``.

Source: Gradescope, *Autograder specifications*, https://gradescope-autograders.readthedocs.io/en/latest/specs/
"""

import json
from pathlib import Path
from typing import Any

from zermelo.classroom.explanation import lines_of
from zermelo.classroom.grading import Graded, Report
from zermelo.errors import BadParameter
from zermelo.files import write_whole


def results(report: Report, points: float = 100.0) -> dict[str, Any]:
    """Return the report; every function in every game is a test, and all tests have the same share of the points."""
    share = round(points / max(1, len(report.graded)), 4)
    if report.failure is not None:
        tests = [_test("the submission", points, 0.0, report.failure)]
    else:
        tests = [_test(_name(one), share, _share(one) * share, "\n".join(lines_of(one))) for one in report.graded]
    return {
        "score": round(sum(test["score"] for test in tests), 4),
        "output": f"The verdict is: {report.verdict}.",
        "visibility": "visible",
        "tests": tests,
    }


def _name(one: Graded) -> str:
    return f"{one.assignment.name} on {one.game!r}"


def _share(one: Graded) -> float:
    """The share of the points for one function in one game: all or nothing."""
    return 1.0 if one.verdict == "right" else 0.0


def _test(name: str, most: float, score: float, output: str) -> dict[str, Any]:
    return {
        "name": name,
        "score": score,
        "max_score": most,
        "status": "passed" if score == most else "failed",
        "output": output,
    }


def write_results(file: Path, report: Report, points: float = 100.0) -> None:
    """Write the report to a file, whole or not at all.

    Raises
    ------
    BadParameter
        The file cannot be written.
    """
    try:
        write_whole(file, (json.dumps(results(report, points), indent=2) + "\n").encode())
    except OSError as error:
        raise BadParameter(f"{file} cannot be written: {error.strerror}.") from None
