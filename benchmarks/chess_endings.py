"""Endings of chess, solved: the longest mates, the shares of won positions, and what the solve took.

    python benchmarks/chess_endings.py KQk KRk KPk KBBk KBNk --folder endings

Each ending has a process of its own, so that its peak memory is its own. A folder that holds a finished table is not
solved again, and its time is then that of opening it.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from results import Sheet, add_save
from zermelo import make_game
from zermelo.solver import solve_timed
from zermelo.ui.positions import placed

COLUMNS = (
    "ending",
    "positions, White / Black to move",
    "won with White to move",
    "lost with Black to move",
    "longest mate",
)


def report(men: str, folder: Path, memory_gb: float) -> dict[str, float | int | str]:
    game = make_game("chess")
    starts = placed(game, men)
    assert isinstance(starts, np.ndarray)
    table, solved = solve_timed(game, folder / men, starts=starts, memory_gb=memory_gb)
    won, white = table.values(starts) > 0, starts & 1 == 1
    plies = table.remoteness(starts)
    return {
        "ending": men,
        "placements": len(starts),
        "White to move": int(white.sum()),
        "stored": solved.stored,
        "longest mate, moves": int(plies[won & white].max() + 1) // 2,
        "White wins, White to move": round(float(won[white].mean()), 6),
        "White wins, Black to move": round(float(won[~white].mean()), 6),
        "seconds": round(solved.seconds, 1),
        "peak memory, MiB": round(solved.peak_memory_mb),
        "bytes": solved.bytes,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("endings", nargs="+", help="such as KRk")
    parser.add_argument("--folder", type=Path, required=True, help="where the tables go")
    parser.add_argument("--memory-gb", type=float, default=8.0)
    add_save(parser)
    asked = parser.parse_args()
    if len(asked.endings) == 1:
        print(json.dumps(report(asked.endings[0], asked.folder, asked.memory_gb)))
        return
    sheet = Sheet("chess_endings", dict.fromkeys(COLUMNS, ""))
    for men in asked.endings:
        options = ["--folder", str(asked.folder), "--memory-gb", str(asked.memory_gb)]
        ran = subprocess.run([sys.executable, __file__, men, *options], check=True, stdout=subprocess.PIPE, text=True)
        found = json.loads(ran.stdout)
        white = found["White to move"]
        shares = found["White wins, White to move"], found["White wins, Black to move"]
        sheet.row(
            men,
            f"{white:,} / {found['placements'] - white:,}",
            *(f"{100 * share:.1f} %" for share in shares),
            f"{found['longest mate, moves']} moves",
        )
        print(ran.stdout, file=sys.stderr)
    sheet.save(asked.save)


if __name__ == "__main__":
    main()
