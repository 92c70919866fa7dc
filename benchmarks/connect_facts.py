"""Published facts of Connect Four, asked of the engine.

``--positions FOLDER`` names a folder with P. Pons's files ``Test_L3_R1`` and so on: the exact score of all their
positions. Who wins on the boards in ``connect_boards.tsv`` of the atlas, and when a perfect game ends, is proven as
far as ``--seconds`` for each board go; ``--boards FILE`` names a longer list.
"""

import argparse
import time
from pathlib import Path

from compare import SETS, read_positions, score
from results import Sheet, add_save
from zermelo import Engine
from zermelo.atlas.facts import TABLES
from zermelo.errors import ZermeloError
from zermelo.games import connect

BOARDS = TABLES / "connect_boards.tsv"
WINNERS = {1: "1", -1: "2", 0: "D"}
"""As the list has them: who moves first, who moves second, a draw."""


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=Path)
    parser.add_argument("--boards", type=Path, default=BOARDS)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--threads", type=int, default=1)
    add_save(parser)
    options = parser.parse_args()
    if options.positions is None:
        print("Scores of positions need --positions FOLDER, a folder with the files Test_L3_R1 and so on.")
    else:
        positions(options.positions, options.threads, options.save)
    boards(options.boards, options.seconds, options.threads)


def positions(folder: Path, threads: int, note: str | None) -> None:
    """The exact score of every position of the four sets, by `Engine.prove_many`, one table for a set."""
    game = connect()
    engine = Engine(game, threads=threads, table_mb=64)
    engine.prove_many([game.replay([3] * 6 + [2] * 6)])
    columns = {"set": "", "positions": ",", "exact score right": ",", "seconds": ",.1f"}
    sheet = Sheet("connect_facts", columns)
    for name in SETS:
        known = read_positions(name, folder, 1 << 30)
        states = [game.replay(columns) for columns, _ in known]
        engine.clear()
        start = time.perf_counter()
        values = engine.prove_many(states).tolist()
        seconds = time.perf_counter() - start
        found = [score(game, state, value) for state, value in zip(states, values, strict=True)]
        right = sum(one == expected for one, (_, expected) in zip(found, known, strict=True))
        sheet.row(name, len(states), right, seconds)
    sheet.save(note)


def boards(file: Path, seconds: float, threads: int) -> None:
    """Who wins from the empty board, and the ply at which a perfect game ends, beside the list."""
    lines = [line.split("\t") for line in file.read_text().splitlines() if line and not line.startswith("#")]
    print("\n| rows x columns | winner | last ply | nodes | seconds | |\n|---|---|---|---|---|---|")
    for row in lines[1:]:
        columns, rows = int(row[0]), int(row[1])
        published = [who for who in row[2:4] if who]
        last = int(row[4]) if len(row) > 4 and row[4] else None
        try:
            engine = Engine(connect(rows, columns), threads=threads, table_mb=512)
        except ZermeloError:
            continue  # too large for two words
        engine.prove(nodes=1)  # compiles
        found = engine.prove(seconds=seconds, quickest=False)
        if not found.proven:
            print(f"| {rows} x {columns} | | | {found.nodes:,} | {found.seconds:.1f} | not proven |", flush=True)
            continue
        winner = WINNERS[(found.value > 0) - (found.value < 0)]
        # The value of a win is 10000 * cells // discs, which tells one number of discs from the next.
        cells = rows * columns
        ends = {10000 * cells // discs: discs for discs in range(1, cells + 1)} | {0: cells}
        ply = ends[abs(found.value)]
        agrees = all(who == winner for who in published) and last in (None, ply)
        said = "agrees" if agrees else f"differs: published {'/'.join(published)} at {last}"
        print(f"| {rows} x {columns} | {winner} | {ply} | {found.nodes:,} | {found.seconds:.1f} | {said} |", flush=True)


if __name__ == "__main__":
    main()
