"""The figures of docs/benchmarks/index.md: the files that benchmarks write, and the page that is filled from them.

    python benchmarks/results.py fill               write the page anew from benchmarks/page.md and benchmarks/results/
    python benchmarks/results.py row NAME CELL...   set one row of benchmarks/results/NAME.json, and fill the page

A result is a table with the command, the date and the machine that gave it. In ``page.md``, ``{{NAME}}`` on a line of
its own stands for a table, and ``{{NAME/ROW/COLUMN}}`` for one cell. A row is named by its first cell. Other pages
that quote a figure are listed in ``quotes.tsv``, in the same notation; ``tests/test_benchmarks.py`` compares them.
"""

import argparse
import json
import os
import platform
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE / "results"
TEMPLATE: Final = HERE / "page.md"
PAGE: Final = HERE.parent / "docs" / "benchmarks" / "index.md"
FORMAT: Final = "zermelo benchmark 1"
PLACE: Final = re.compile(r"\{\{([^{}]+)\}\}")
"""A table or a cell in the template."""
FIRST: Final = (
    "<!-- Written by benchmarks/results.py from benchmarks/page.md and benchmarks/results: change those. -->\n"
)
Cell = str | int | float | None


@dataclass
class Result:
    """A table, and where it comes from."""

    command: str
    date: str
    """The day of the measurement, as YYYY-MM-DD."""
    machine: str
    note: str
    """What else one should know, such as that the machine did other work; may be empty."""
    columns: dict[str, str]
    """For each column how its numbers are written, in the notation of Python's ``format``."""
    rows: list[list[Cell]] = field(default_factory=list)
    format: str = FORMAT

    @classmethod
    def load(cls, name: str) -> Self:
        """Read a result."""
        return cls(**json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8")))

    def save(self, name: str) -> None:
        """Write a result, with a line for each row."""
        head = {key: value for key, value in asdict(self).items() if key != "rows"}
        text = json.dumps(head, indent=1, ensure_ascii=False)[:-2]
        rows = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in self.rows)
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{name}.json").write_text(f'{text},\n "rows": [\n{rows}\n ]\n}}\n', encoding="utf-8")

    def cell(self, row: str, column: str) -> str:
        """Return one cell as it is written."""
        cells = next(cells for cells in self.rows if str(cells[0]) == row)
        return self.written(cells)[list(self.columns).index(column)]

    def written(self, row: Sequence[Cell]) -> list[str]:
        """Return the cells of a row as they are written: text stays as it is, and None is an empty cell."""
        pairs = zip(row, self.columns.values(), strict=True)
        return ["" if one is None else one if isinstance(one, str) else format(one, spec) for one, spec in pairs]

    def table(self) -> str:
        """Return the table, with a line that says where it comes from."""
        said = [self.date, self.machine, *([self.note] if self.note else [])]
        command = f"`{self.command}`: " if self.command else ""
        return (
            f"{markdown(list(self.columns), [self.written(row) for row in self.rows])}\n\n{command}{'; '.join(said)}."
        )


class Sheet:
    """The rows of a benchmark, printed as they come and written to a file at the end if that was asked for."""

    def __init__(self, name: str, columns: Mapping[str, str], title: str = "") -> None:
        """Print the head of the table; ``columns`` as in `Result`."""
        self.name = name
        self.result = Result(command(), datetime.now(UTC).date().isoformat(), machine(), "", dict(columns))
        if title:
            print(f"\n### {title}\n")
        print(markdown(list(columns), []), flush=True)

    def row(self, *cells: Cell) -> None:
        """Print a row, and keep it."""
        self.result.rows.append(list(cells))
        print(f"| {' | '.join(self.result.written(cells))} |", flush=True)

    def save(self, note: str | None, *, merge: bool = False) -> None:
        """Write the table to its file, and fill the page; None does nothing. ``merge`` keeps the file's other rows."""
        if note is None or not self.result.rows:
            return
        self.result.note = note
        if merge:
            new = {str(row[0]): row for row in self.result.rows}
            old = Result.load(self.name).rows
            self.result.rows = [new.pop(str(row[0]), row) for row in old] + list(new.values())
        self.result.save(self.name)
        fill()


def renew(name: str, columns: Mapping[str, str], rows: Sequence[Sequence[Cell]], on: str | None = None) -> None:
    """Write the rows of a result that was computed from other files; its date changes only if they do.

    ``on`` says which machine measured what is in those files, if it need not be this one.
    """
    result = Result.load(name)
    new = dict(columns), [list(row) for row in rows]
    if (result.columns, result.rows) != new:
        result.columns, result.rows = new
        result.date, result.machine = datetime.now(UTC).date().isoformat(), on or machine()
        result.save(name)


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def add_save(parser: argparse.ArgumentParser) -> None:
    """Add the option that keeps the figures."""
    parser.add_argument(
        "--save", nargs="?", const="", metavar="NOTE",
        help="write the tables to benchmarks/results, and fill the page; a note such as 'the machine did other work'",
    )  # fmt: skip


def command() -> str:
    """Return the command that runs, without paths of this machine and without ``--save``."""
    words, skipped = [], False
    for word in sys.argv[1:]:
        if word == "--save" or word.startswith("--save="):
            skipped = word == "--save"
        elif skipped and not word.startswith("-"):
            skipped = False
        else:
            skipped = False
            words.append(Path(word).name if Path(word).is_absolute() else word)
    return " ".join(["python benchmarks/" + Path(sys.argv[0]).name, *map(shlex.quote, words)])


def machine() -> str:
    """Return what is worth knowing about this machine."""
    file = Path("/proc/cpuinfo")
    names = re.findall(r"^model name\s*:\s*(.*)$", file.read_text(), re.MULTILINE) if file.exists() else []
    name = re.sub(r"\((R|TM)\)| CPU.*| Processor.*", "", names[0] if names else platform.processor() or "unknown")
    return f"{name}, {os.cpu_count()} cores, Python {'.'.join(platform.python_version_tuple()[:2])}"


def filled(text: str, results: Mapping[str, Result] | None = None) -> str:
    """Return a text with tables and cells in place of their names."""
    known = results if results is not None else {file.stem: Result.load(file.stem) for file in RESULTS.glob("*.json")}

    def value(match: re.Match[str]) -> str:
        name, _, rest = match[1].partition("/")
        if name not in known:
            raise KeyError(f"There is no benchmarks/results/{name}.json, which {match[0]} needs.")
        row, _, column = rest.rpartition("/")
        return known[name].cell(row, column) if rest else known[name].table()

    return PLACE.sub(value, text)


def fill() -> None:
    """Write the page."""
    PAGE.write_text(FIRST + filled(TEMPLATE.read_text(encoding="utf-8")), encoding="utf-8")


def set_row(name: str, cells: Sequence[str]) -> None:
    """Replace the row with the same first cell, or add one; the result is then of today."""
    result = Result.load(name)
    if len(cells) != len(result.columns):
        sys.exit(
            f"A row of {name} has {len(result.columns)} cells ({', '.join(result.columns)}), and not {len(cells)}."
        )
    row = [number(cell) for cell in cells]
    places = [place for place, other in enumerate(result.rows) if str(other[0]) == cells[0]]
    if places:
        result.rows[places[0]] = row
    else:
        result.rows.append(row)
    result.date = datetime.now(UTC).date().isoformat()
    result.save(name)


def number(text: str) -> Any:
    """Return a number where the text is one that Python would write so, and else the text."""
    for kind in (int, float):
        try:
            if str(kind(text)) == text:
                return kind(text)
        except ValueError:
            continue
    return text


if __name__ == "__main__":
    if sys.argv[1:2] == ["row"] and len(sys.argv) > 3:
        set_row(sys.argv[2], sys.argv[3:])
    elif sys.argv[1:] != ["fill"]:
        sys.exit(__doc__)
    fill()
