"""Perft of chess beside a chess program and the package `chess`, and the published counts that are too large for tests.

    python benchmarks/chess_perft.py                    speed: zermelo, Stockfish, the package chess, in turn
    python benchmarks/chess_perft.py --published        every published count, of which the largest takes minutes

Speed is positions a second of processor time, in one thread. Stockfish (``go perft``) and zermelo count the moves of
the last ply without making them.
"""

import argparse
import csv
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import chess as package

from results import Sheet, add_save
from zermelo import make_game
from zermelo.atlas.facts import TABLES
from zermelo.compiled.perft import perft

DATA = TABLES
POSITIONS = {
    "initial": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 4),
    "Kiwipete": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 3),
}
"""Positions, each with the depth to which to count, and the depth for the package `chess`."""
GAME = make_game("chess")


def ours(fen: str, depth: int) -> int:
    assert GAME.from_text is not None
    return perft(GAME, GAME.from_text(fen), depth)


def theirs(fen: str, depth: int) -> int:
    """Perft by the package `chess`, which counts the moves of the last ply, too."""

    def count(board: package.Board, depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += count(board, depth - 1)
            board.pop()
        return total

    return count(package.Board(fen), depth)


def program(command: str) -> Callable[[str, int], int]:
    """Perft by a program under UCI."""

    def count(fen: str, depth: int) -> int:
        said = f"setoption name Threads value 1\nposition fen {fen}\ngo perft {depth}\nquit\n"
        run = subprocess.run([command], input=said, capture_output=True, text=True, check=True)
        return next(int(line.split()[-1]) for line in run.stdout.splitlines() if line.startswith("Nodes searched"))

    return count


def seconds_of(count: Callable[[str, int], int], fen: str, depth: int) -> tuple[int, float]:
    """The count, and the processor time that it took, in this process or in a child."""
    before, child = time.process_time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    nodes = count(fen, depth)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    inside = time.process_time() - before
    return nodes, inside + after.ru_utime - child.ru_utime + after.ru_stime - child.ru_stime


def compare(repeat: int, command: str, note: str | None) -> None:
    """Print positions a second: the median of several rounds, in each of which all count in turn."""
    columns = dict.fromkeys(("depth", "positions", "zermelo", "Stockfish", "package `chess`"), ",")
    sheet = Sheet("chess_perft", {"position": ""} | columns | {"ratios": ""}, "Positions a second")
    for name, (fen, depth, less) in POSITIONS.items():
        counters = {"ours": (ours, depth), "program": (program(command), depth), "theirs": (theirs, less)}
        ours(fen, 2)  # compiles
        speeds: dict[str, list[float]] = {who: [] for who in counters}
        counted = 0
        for _ in range(repeat):
            for who, (count, plies) in counters.items():
                nodes, seconds = seconds_of(count, fen, plies)
                speeds[who].append(nodes / seconds)
                if who == "ours":
                    counted = nodes
                elif plies == depth and nodes != counted:
                    sys.exit(f"{who} counts {nodes} and zermelo {counted} in {name}.")
        fast, fish, slow = (statistics.median(found) for found in speeds.values())
        ratios = f"{fast / fish:.2f}, {fast / slow:,.0f}"
        sheet.row(name, depth, counted, round(fast), round(fish), round(slow), ratios)
    sheet.save(note)


def published(most: float) -> Iterator[str]:
    """A line for each published count of at most so many nodes; it ends with WRONG where ours differs."""
    for file in ("chess_perft_standard.tsv", "chess_perft_tricky.tsv"):
        lines = [line for line in (DATA / file).read_text().splitlines() if not line.startswith("#")]
        for row in csv.DictReader(lines, delimiter="\t"):
            if int(row["nodes"]) <= most:
                found, seconds = seconds_of(ours, row["fen"], int(row["depth"]))
                verdict = "right" if found == int(row["nodes"]) else f"WRONG: {row['nodes']} are published"
                yield f"{row['fen']} depth {row['depth']}: {found:,} in {seconds:.1f} s, {verdict}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--published", action="store_true", help="check the published counts instead")
    parser.add_argument("--most", type=float, default=1e10, help="with --published: leave out larger counts")
    parser.add_argument("--repeat", type=int, default=3, help="rounds")
    parser.add_argument("--stockfish", default=shutil.which("stockfish") or "/usr/games/stockfish", help="the program")
    add_save(parser)
    asked = parser.parse_args()
    if asked.published:
        lines = []
        for line in published(asked.most):
            lines.append(line)
            print(line, flush=True)
        sys.exit(1 if any("WRONG" in line for line in lines) else 0)
    compare(asked.repeat, asked.stockfish, asked.save)
