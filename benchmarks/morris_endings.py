"""Nine men's morris with no men in hand, solved: who wins, the longest wins, and what the solve took.

    python benchmarks/morris_endings.py 3-3 4-3 4-4 --folder endings --memory-gb 0.6

Each ending has a process of its own, so that its peak memory is its own. A folder that holds a finished table is not
solved again, and its row of times is left as it is. Rows of other endings stay as they are, too. Positions are counted
for the player to move: symmetric ones once, and with equal numbers of men those with White to move.
"""

import argparse
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from results import RESULTS, Sheet, add_save
from zermelo import make_game
from zermelo.solver import solve_timed
from zermelo.solver.table.manifest import MANIFEST
from zermelo.ui.positions import placed

COUNTED = (
    "men of the player to move, of the other",
    "positions",
    "won",
    "drawn",
    "lost",
    "longest win, plies",
    "longest loss, plies",
)
TIMED = (
    "from all placements",
    "positions stored",
    "seconds",
    "GiB of memory allowed",
    "GiB of memory taken",
    "GiB of disk at most",
)
_GIB = 1 << 30
_BLOCK = 1 << 20


class DiskUse:
    """Measures the most bytes that the files of a folder take while something runs."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.most = folder, 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def _watch(self) -> None:
        while not self._stop.wait(0.5):
            self.most = max(self.most, sum(self._sizes()))

    def _sizes(self) -> Iterator[int]:
        for path in self.folder.rglob("*"):
            try:
                yield path.stat().st_size
            except FileNotFoundError:  # deleted meanwhile
                continue

    def __enter__(self) -> "DiskUse":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join()


def report(men: str, folder: Path, memory_gb: float) -> dict[str, object]:
    """Solve from all placements of some men; return what was counted, and what the solve took."""
    game = make_game("nine_mens_morris")
    starts = placed(game, men)
    assert isinstance(starts, np.ndarray)
    is_new = not (folder / men / MANIFEST).exists()
    with DiskUse(folder / men) as disk:
        table, solved = solve_timed(game, folder / men, starts=starts, memory_gb=memory_gb, workers=1)
    mine, theirs = map(int, men.split("-"))
    names = {1: f"{mine}-{theirs}"} if mine == theirs else {1: f"{mine}-{theirs}", 0: f"{theirs}-{mine}"}
    counts = {name: {"won": 0, "drawn": 0, "lost": 0, "longest win": 0, "longest loss": 0} for name in names.values()}
    for begin in range(0, len(starts), _BLOCK):
        some = starts[begin : begin + _BLOCK]
        values, plies = table.values(some), table.remoteness(some)
        for turn, name in names.items():
            here = some & 1 == turn
            signs = np.sign(values[here]) * (1 if turn else -1)
            for sign, word in ((1, "won"), (0, "drawn"), (-1, "lost")):
                counts[name][word] += int((signs == sign).sum())
            for sign, word in ((1, "longest win"), (-1, "longest loss")):
                counts[name][word] = max(counts[name][word], int(plies[here][signs == sign].max(initial=0)))
    took = [solved.stored, round(solved.seconds), memory_gb, solved.peak_memory_mb / 1024, disk.most / _GIB]
    return {"counts": counts, "took": took if is_new else None}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("endings", nargs="+", help="such as 4-3")
    parser.add_argument("--folder", type=Path, required=True, help="where the tables go")
    parser.add_argument("--memory-gb", type=float, default=8.0)
    parser.add_argument("--one", action="store_true", help="print one ending as JSON, in this process")
    add_save(parser)
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(report(asked.endings[0], asked.folder, asked.memory_gb)))
        return
    counted = Sheet("morris_endings", dict.fromkeys(COUNTED, ",") | {COUNTED[0]: ""})
    timed = Sheet("morris_endings_time", dict(zip(TIMED, ("", ",", ",", "", ".1f", ".1f"), strict=True)))
    for men in asked.endings:
        options = ["--one", "--folder", str(asked.folder), "--memory-gb", str(asked.memory_gb)]
        ran = subprocess.run([sys.executable, __file__, men, *options], check=True, stdout=subprocess.PIPE, text=True)
        found = json.loads(ran.stdout)
        print(ran.stdout, file=sys.stderr)
        for name, row in found["counts"].items():
            counted.row(name, row["won"] + row["drawn"] + row["lost"], *row.values())
        if found["took"] is not None:
            timed.row(men, *found["took"])
    for sheet in (counted, timed):
        sheet.save(asked.save, merge=(RESULTS / f"{sheet.name}.json").exists())


if __name__ == "__main__":
    main()
