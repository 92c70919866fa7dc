"""The report on a student's program as a terminal shows it."""

from typing import Any, Final

from rich.console import Console
from rich.table import Table as TextTable

from zermelo.classroom.explanation import lines_of, sides
from zermelo.classroom.grading import Graded, Report

STYLES: Final = {"right": "green", "wrong": "red", "crashed": "red", "too slow": "red", "cheated": "bold red"}


def print_report(console: Console, report: Report) -> None:
    """Print every verdict with its reasons."""
    for one in report.graded:
        print_graded(console, one)
    if report.failure is not None:
        console.print(report.failure, highlight=False, markup=False, soft_wrap=True)
    console.print(f"\n{report.name}: {report.verdict}.", style=STYLES[report.verdict], highlight=False, soft_wrap=True)


def print_graded(console: Console, one: Graded) -> None:
    """Print the verdict on one function in one game, the counts of the largest search, and the explanation."""

    def say(text: str, style: str | None = None) -> None:
        console.print(text, style=style, highlight=False, markup=False, soft_wrap=True)

    say(f"\n{one.assignment.name} on {one.game!r}")
    if one.largest is not None:
        if one.largest.asked.question.path:
            say("The search from the start is too large to be graded. The largest search that is graded:")
        found = sides(one.largest)
        table = TextTable(box=None, pad_edge=False)
        headings = list(found["handout"])
        for heading in ("", *headings):
            table.add_column(heading, justify="right" if heading else "left")
        for name, side in found.items():
            table.add_row(name, *(number_text(side[heading]) for heading in headings))
        console.print(table, highlight=False)
    say(f"{one.verdict.capitalize()}.", STYLES[one.verdict])
    for line in lines_of(one):
        say(line)


def number_text(count: Any) -> str:
    """Return a number as people write it."""
    return "-" if count is None else f"{count:,}" if isinstance(count, int) else str(count)
