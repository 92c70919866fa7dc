"""What solving whole games takes: time, memory and disk by size of the board; workers; little memory; probing.

    python benchmarks/solving.py --tasks boards --plot docs/benchmarks/solving.svg
    python benchmarks/solving.py --tasks workers memory probe
    python benchmarks/solving.py --tasks checks --repeat 9
    python benchmarks/solving.py --tasks games
    python benchmarks/solving.py --tasks estimates         # a minute for each board, which is not solved
    python benchmarks/solving.py --tasks intervals         # whether the true numbers lie in the intervals of estimates
    python benchmarks/solving.py --tasks headline          # 6 rows, 5 columns: a thousand million positions

Every solve is a process of its own, so that its peak of memory is its own; the first of a game compiles its rules, some
seconds, if they are not in the cache. Tables go to a temporary folder, on the disk named by TMPDIR, and are deleted.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from results import Cell, Sheet, add_save
from zermelo.registry import make_game
from zermelo.solver.study.estimate import estimate

BOARDS: Final = ((4, 4), (5, 4), (4, 5), (6, 4), (5, 5), (4, 6))
"""Rows and columns, by positions."""
GAMES: Final[tuple[tuple[str, dict[str, int]], ...]] = (
    ("tictactoe", {}),
    ("minicheckers", {}),
    ("kalah", {"pits": 3, "seeds": 6}),
    ("kalah", {"pits": 4, "seeds": 4}),
    ("othello", {"size": 4}),
    ("breakthrough", {"width": 4, "height": 5}),
)


COUNTED: Final[tuple[tuple[str, dict[str, int], int], ...]] = (
    ("connect", {"rows": 4, "columns": 5}, 3_945_711),
    ("connect", {"rows": 5, "columns": 4}, 1_706_255),
    ("connect", {"rows": 5, "columns": 5}, 69_763_700),
    ("connect", {"rows": 4, "columns": 6}, 94_910_577),
    ("connect", {"rows": 6, "columns": 5}, 1_044_334_437),
    ("kalah", {"pits": 3, "seeds": 6}, 1_598_296),
    ("kalah", {"pits": 4, "seeds": 4}, 37_170_302),
    ("kalah", {"pits": 5, "seeds": 2}, 12_861_379),
    ("minicheckers", {}, 34_337_081),
    ("breakthrough", {"width": 3, "height": 6}, 35_546_763),
    ("mnk", {"width": 4, "height": 4, "run": 4}, 9_722_011),
    ("domineering", {"width": 5, "height": 6}, 8_657_378),
    ("hex", {"size": 4}, 9_386_235),
    ("dots_and_boxes", {"width": 3, "height": 3}, 29_598_523),
    ("clobber", {"width": 4, "height": 5}, 26_787_440),
)
"""Games and how many positions they have, as solving them whole or counting them one by one has found."""
SMALL: Final[tuple[tuple[str, dict[str, int], int], ...]] = (
    ("connect", {"rows": 4, "columns": 4}, 161_029),
    ("kalah", {"pits": 6, "seeds": 1}, 179_589),
    ("dots_and_boxes", {"width": 3, "height": 2}, 194_754),
    ("kalah", {"pits": 3, "seeds": 4}, 195_753),
    ("clobber", {"width": 3, "height": 5}, 206_805),
    ("kalah", {"pits": 4, "seeds": 2}, 228_251),
    ("domineering", {"width": 4, "height": 6}, 249_635),
    ("domineering", {"width": 5, "height": 5}, 455_317),
    ("clobber", {"width": 4, "height": 4}, 600_161),
    ("kalah", {"pits": 3, "seeds": 5}, 787_708),
    ("mnk", {"width": 5, "height": 3, "run": 3}, 2_286_668),
    ("breakthrough", {"width": 3, "height": 5}, 2_418_400),
    ("breakthrough", {"width": 4, "height": 4}, 3_212_224),
    ("clobber", {"width": 3, "height": 6}, 3_492_126),
    ("kalah", {"pits": 4, "seeds": 3}, 4_646_746),
    ("mnk", {"width": 4, "height": 4, "run": 3}, 6_036_001),
    ("connect", {"rows": 6, "columns": 4}, 15_835_683),
)
"""Smaller ones. The constants of `zermelo.solver.study.interval` were fitted to these, and to some of `COUNTED`."""
FRESH: Final[tuple[tuple[str, dict[str, int], int], ...]] = (
    ("connect", {"rows": 5, "columns": 4, "run": 3}, 195_472),
    ("kalah", {"pits": 3, "seeds": 4, "empty_capture": False}, 213_841),
    ("breakthrough", {"width": 2, "height": 7}, 298_653),
    ("kalah", {"pits": 4, "seeds": 2, "empty_capture": False}, 315_147),
    ("connect", {"rows": 4, "columns": 5, "run": 3}, 613_459),
    ("kalah", {"pits": 3, "seeds": 7}, 1_419_536),
    ("connect", {"rows": 3, "columns": 6}, 2_087_325),
)
"""Games that these constants were not fitted to."""


def solved(
    game: str, parameters: dict[str, int], table: Path, workers: int = 2, memory_gb: float = 8
) -> dict[str, Any]:
    """What ``zermelo solve --json`` says."""
    options = [item for name, value in parameters.items() for item in ("-p", f"{name}={value}")]
    command = [sys.executable, "-m", "zermelo", "solve", game, *options, "--out", str(table), "--json"]
    command += ["--workers", str(workers), "--memory-gb", str(memory_gb)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SystemExit(ran.stderr)
    record: dict[str, Any] = json.loads(ran.stdout)
    return record


def fresh(game: str, parameters: dict[str, int], workers: int = 2, memory_gb: float = 8) -> dict[str, Any]:
    """The same into a folder that is deleted afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        return solved(game, parameters, Path(folder) / "table", workers, memory_gb)


def cells(name: str, record: dict[str, Any]) -> list[Cell]:
    """One line of a table of boards."""
    mebibytes, each = round(record["peak_memory_mb"]), record["bytes"] / record["positions"]
    counts = [record[what] for what in ("positions", "stored", "value", "remoteness", "seconds")]
    return [name, *counts, record["positions_per_second"] / 1e6, mebibytes, each]


COLUMNS: Final = {"connect": ""} | {
    **dict.fromkeys(("positions", "stored", "value", "remoteness"), ","),
    "seconds": ",.1f", "million a second": ",.2f", "MiB at most": ",", "bytes a position": ",.2f",
}  # fmt: skip
GAME_COLUMNS: Final = {"game": "", "positions": ",", "value": "+,d", "remoteness": ",", "seconds": ",.1f"}
HEADLINE: Final = "6 rows, 5 columns, 6 GiB allowed"


def boards(plot: Path | None, note: str | None) -> None:
    """Connect four in a row on larger and larger boards."""
    sheet, records = Sheet("solving_boards", COLUMNS), []
    for rows, columns in BOARDS:
        records.append(fresh("connect", {"rows": rows, "columns": columns}))
        sheet.row(*cells(f"{rows} rows, {columns} columns", records[-1]))
    if plot is not None:
        draw(records, plot)
    sheet.save(note, merge=True)


def headline(note: str | None) -> None:
    """The largest board."""
    sheet = Sheet("solving_boards", COLUMNS)
    sheet.row(*cells(HEADLINE, fresh("connect", {"rows": 6, "columns": 5}, memory_gb=6)))
    sheet.save(note, merge=True)


def games(note: str | None) -> None:
    """Other games."""
    sheet = Sheet("solving_games", GAME_COLUMNS)
    for game, parameters in GAMES:
        shown = ", ".join(f"{value} {name}" for name, value in parameters.items())
        record = fresh(game, parameters)
        counts = [record[what] for what in ("positions", "value", "remoteness", "seconds")]
        sheet.row(f"{game}, {shown}" if shown else game, *counts)
    sheet.save(note)


def draw(records: Sequence[dict[str, Any]], path: Path) -> None:
    """Seconds and memory against positions."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.6))
    positions = [record["positions"] for record in records]
    names = [f"{rows}x{columns}" for rows, columns in BOARDS]
    for axes, field, label in ((left, "seconds", "seconds"), (right, "peak_memory_mb", "MiB at most")):
        values = [record[field] for record in records]
        axes.loglog(positions, values, "o-")
        for name, x, y in zip(names, positions, values, strict=True):
            axes.annotate(name, (x, y), textcoords="offset points", xytext=(4, -10), fontsize=8)
        axes.set_xlabel("positions")
        axes.set_ylabel(label)
        axes.grid(visible=True, which="both", alpha=0.2)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def workers(repeat: int) -> None:
    """One worker against two, side by side."""
    board = {"rows": 5, "columns": 5}
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(repeat):
        for count in times:
            times[count].append(fresh("connect", board, workers=count)["seconds"])
    medians = {count: sorted(seconds)[len(seconds) // 2] for count, seconds in times.items()}
    print(f"connect 5x5: one worker {medians[1]:.1f} s, two {medians[2]:.1f} s, {medians[1] / medians[2]:.2f} times")


def memory(repeat: int) -> None:
    """All the memory that a solve would like against a quarter of it."""
    board = {"rows": 5, "columns": 5}
    ample = [fresh("connect", board) for _ in range(repeat)]
    peak = min(record["peak_memory_mb"] for record in ample)
    little = [fresh("connect", board, memory_gb=peak / 4 / 1024) for _ in range(repeat)]
    times = [sorted(record["seconds"] for record in records)[repeat // 2] for records in (ample, little)]
    taken = max(record["peak_memory_mb"] for record in little)
    print(
        f"connect 5x5: {times[0]:.1f} s with {peak:.0f} MiB; allowed a quarter of that, {times[1]:.1f} s "
        f"with {taken:.0f} MiB, {times[1] / times[0]:.2f} times"
    )


def probe(note: str | None) -> None:
    """Random positions of connect 5x5, in batches and one at a time."""
    import numpy as np

    from zermelo import Table
    from zermelo.compiled.states import flatten
    from zermelo.games import connect

    game = connect(5, 5)
    states = positions_of(game, 100_000, 26)
    rows = np.array([flatten(state) for state in states])
    with tempfile.TemporaryDirectory() as folder:
        solved("connect", {"rows": 5, "columns": 5}, Path(folder) / "table")
        Table(Path(folder) / "table", game).values(rows[:10])
        table = Table(Path(folder) / "table", game)
        began = time.perf_counter()
        table.values(rows)
        speed = 100_000 / (time.perf_counter() - began)
        sheet = Sheet("solving_probe", {"what": "", "figure": ""})
        sheet.row("a batch of 100,000, nothing decoded before", f"{speed:,.0f} a second")
        single = Table(Path(folder) / "table", game)
        times = []
        for state in states[:2000]:
            began = time.perf_counter()
            single[state]
            times.append(time.perf_counter() - began)
        times.sort()
        sheet.row("one at a time, median", f"{times[1000] * 1e3:.2f} ms")
        sheet.row("one at a time, 95 of 100 within", f"{times[1900] * 1e3:.2f} ms")
    sheet.save(note)


def positions_of(game: Any, count: int, plies: int) -> list[Any]:
    """Positions of random games of connect, after any number of plies."""
    chooser = random.Random(1)
    states: list[Any] = []
    while len(states) < count:
        state = game.initial
        for _ in range(chooser.randrange(plies)):
            if game.is_terminal(state):
                break
            state = game.result(state, chooser.choice(list(game.actions(state))))
        states.append(state)
    return states


def checks(repeat: int, note: str | None) -> None:
    """Solving and probing with and without checksums, by turns in this process: processor time, medians of ratios."""
    import pyarrow.parquet as pq

    from zermelo import Table, solve
    from zermelo.games import connect
    from zermelo.solver.table.reading import TableFile, entries_of

    game = connect(4, 5)
    solves, probes = [], []

    def solving(folder: Path) -> float:
        began = time.process_time()
        solve(game, folder, workers=1)
        return time.process_time() - began

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        solving(folder / "table")
        for number in range(repeat):
            with unchecked():
                plain = solving(folder / f"plain-{number}")
            solves.append(solving(folder / f"checked-{number}") / plain)
        table = Table(folder / "table", game)
        states = positions_of(game, 200 * repeat, 21)
        arrow: dict[str, Any] = {}

        def plain_read(file: TableFile, number: int, utility_range: tuple[int, int]) -> Any:
            if file.name not in arrow:
                arrow[file.name] = pq.ParquetFile(folder / "table" / file.name, memory_map=False)
            return entries_of(arrow[file.name].read_row_group(number, use_threads=False), utility_range)

        def probing(state: Any, read: Any) -> float:
            table.lookup._recent.clear()
            with patch.object(TableFile, "read", read):
                began = time.process_time()
                table[state]
                return time.process_time() - began

        checked_read = TableFile.read
        for state in states:
            probing(state, plain_read), probing(state, checked_read)
        for number, state in enumerate(states):
            reads = [plain_read, checked_read]
            times = {read: probing(state, read) for read in (reads if number % 2 else reversed(reads))}
            probes.append(times[checked_read] / times[plain_read])
    sheet = Sheet(
        "solving_checks", {"what": "", "with checks, times as long": ",.3f"}, f"Medians of {len(solves)} pairs"
    )
    for what, ratios in (("solving connect 4x5", solves), ("probing, nothing decoded before", probes)):
        ratios.sort()
        sheet.row(what, ratios[len(ratios) // 2])
    sheet.save(note)


def estimates(note: str | None) -> None:
    """How far the estimate of a game's size is from its true size, by how many positions it counts one by one."""
    sizes = (100_000, 1_000_000)
    heads = [f"{counted:,} counted{end}" for counted in sizes for end in ("", ", from", ", to")]
    sheet = Sheet(
        "estimates",
        {"game": "", "positions": ",", **dict.fromkeys(heads, ".2f")},
        "Estimated positions and the ends of their interval, as multiples of the true number",
    )
    for name, parameters, positions in COUNTED:
        game = make_game(name, **parameters)
        found = [estimate(game, counted=counted) for counted in sizes]
        ends = [(one.positions, one.positions_low, one.positions_high) for one in found]
        sheet.row(repr(game), positions, *(end / positions for three in ends for end in three))
    sheet.save(note)


def intervals(note: str | None) -> None:
    """How often the interval of an estimate holds the true number, where the estimate is from small samples."""
    sheet = Sheet(
        "intervals",
        {
            "games": "",
            "counted": ",",
            "kept": ",",
            "estimates": "",
            "hold the true number": "",
            "upper end / lower end": ".1f",
        },
        "Intervals that hold the true number of positions; the last column is the median",
    )
    for which, games in (("fitted", SMALL), ("others", FRESH)):
        for counted, kept in ((2_000, 1_000), (10_000, 4_000), (40_000, 16_000)):
            large = [one for one in games if one[2] >= 4 * counted]
            found = [
                estimate(make_game(name, **parameters), counted=counted, kept=kept) for name, parameters, _ in large
            ]
            pairs = list(zip(found, large, strict=True))
            held = sum(one.positions_low <= positions <= one.positions_high for one, (_, _, positions) in pairs)
            widths = [one.positions_high / one.positions_low for one in found]
            sheet.row(which, counted, kept, len(found), held, statistics.median(widths))
    sheet.save(note)


@contextmanager
def unchecked() -> Iterator[None]:
    """Solves neither make checksums nor compare any."""
    from zermelo.solver.table import parquet, reading, stores

    def none(*_: Any) -> str:
        return ""

    with ExitStack() as stack:
        for module, name in ((stores, "sum_of"), (parquet, "sums_of"), (reading, "sums_of"), (reading, "sum_of_piece")):
            stack.enter_context(patch.object(module, name, none))
        yield


def main() -> None:
    """Run the tasks that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    choices = ["boards", "workers", "memory", "probe", "checks", "games", "estimates", "intervals", "headline"]
    parser.add_argument("--tasks", nargs="+", default=["boards"], choices=choices)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--plot", type=Path)
    add_save(parser)
    asked = parser.parse_args()
    tasks: dict[str, Callable[[], None]] = {
        "boards": lambda: boards(asked.plot, asked.save),
        "workers": lambda: workers(asked.repeat),
        "memory": lambda: memory(asked.repeat),
        "probe": lambda: probe(asked.save),
        "checks": lambda: checks(asked.repeat, asked.save),
        "games": lambda: games(asked.save),
        "estimates": lambda: estimates(asked.save),
        "intervals": lambda: intervals(asked.save),
        "headline": lambda: headline(asked.save),
    }
    for task in asked.tasks:
        tasks[task]()


if __name__ == "__main__":
    main()
