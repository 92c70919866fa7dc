"""Figures of the games on the shelf: a markdown table for each task.

    python benchmarks/shelf.py --tasks perft [--games othello hex]
    python benchmarks/shelf.py --tasks ffo --positions fforum-1-19.obf [--count 19] [--seconds 600] [--learned]
    python benchmarks/shelf.py --tasks kalah breakthrough [--seconds 900]

``perft`` counts positions of every registered game as deep as takes about a second, compiled and interpreted. ``ffo``
proves the exact scores of Othello positions in a file of the French Othello Federation, as distributed with Edax:
without ``--positions`` those of ``tests/data``. ``kalah`` proves the exact margins of small boards, ``breakthrough``
who wins. Times are of the processor, one thread, tables empty before each position, compiled code from the disk.
"""

import argparse
import inspect
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from results import Sheet, add_save
from zermelo import Engine, factories
from zermelo.compiled.perft import perft
from zermelo.errors import NotCompilable, ZermeloError
from zermelo.game import Game, State
from zermelo.games import breakthrough, kalah, othello
from zermelo.learn.evaluation import SHIPPED, Evaluation, read_evaluation
from zermelo.textbook.perft import perft as interpreted_perft

FFO = Path(__file__).parent.parent / "tests" / "data" / "ffo.obf"
KALAH = ((4, 4), (4, 5), (5, 4), (6, 3))
"""Pits a side and seeds a pit."""
BREAKTHROUGH = ((3, 4), (3, 5), (4, 4), (4, 5), (5, 4), (3, 6), (5, 5), (4, 6), (6, 5))
"""Width and height."""
ENOUGH = 0.4
"""Seconds that a count must take to tell the speed."""
TOO_LONG = 4.0


def main() -> None:
    """Run the tasks that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tasks = {"perft": perfts, "ffo": ffo, "kalah": kalahs, "breakthrough": breakthroughs}
    parser.add_argument("--tasks", nargs="+", choices=tasks, default=["perft"])
    parser.add_argument("--games", nargs="+", default=sorted(factories()), help="for perft")
    parser.add_argument("--positions", type=Path, default=FFO, help="for ffo")
    parser.add_argument("--count", type=int, default=None, help="how many positions of the file")
    parser.add_argument("--seconds", type=float, default=900.0, help="limit for each proof")
    parser.add_argument("--table-mb", type=float, default=256.0)
    parser.add_argument("--title", default=None, help="what to call the positions of the file, such as FFO 40")
    parser.add_argument("--learned", action="store_true", help="for ffo, with the learned evaluation of othello")
    add_save(parser)
    options = parser.parse_args()
    for name in options.tasks:
        tasks[name](options)


def perfts(options: argparse.Namespace) -> None:
    """Lines of the file, and positions a second."""
    counts = dict.fromkeys(("lines", "compiled", "to depth", "interpreted", "to this depth", "ratio"), ",")
    sheet = Sheet("shelf_perft", {"game": ""} | counts, "Perft")
    for name in options.games:
        factory = factories()[name]
        try:
            game = factory()
        except ZermeloError as error:  # such as a package that is not installed
            print(f"| {name} | {error} |")
            continue
        lines = len(Path(inspect.getsourcefile(factory) or "").read_text(encoding="utf-8").splitlines())
        slow, slow_depth = speed(interpreted_perft, game)
        try:
            perft(game, game.initial, 1)
        except NotCompilable:
            sheet.row(name, lines, "-", "-", round(slow), slow_depth, "-")
            continue
        fast, fast_depth = speed(perft, game)
        sheet.row(name, lines, round(fast), fast_depth, round(slow), slow_depth, round(fast / slow))
    sheet.save(options.save, merge=options.games != sorted(factories()))


def speed(count: Callable[[Game, State, int], int], game: Game) -> tuple[float, int]:
    """Positions a second, and the depth that they were counted to: again and again where the whole game is small."""
    depth, most, before = 1, 0, 0.0
    for deeper in range(1, 60):
        nodes, seconds = measured(count, game, deeper)
        if nodes < most:
            break
        growth = seconds / before if before > 1e-4 else 1.0
        depth, most, before = deeper, nodes, seconds
        if seconds >= ENOUGH or seconds * growth > TOO_LONG:
            break
    nodes, seconds = 0, 0.0
    while seconds < ENOUGH:
        more, took = measured(count, game, depth)
        nodes, seconds = nodes + more, seconds + took
    return nodes / seconds, depth


def measured(count: Callable[[Game, State, int], int], game: Game, depth: int) -> tuple[int, float]:
    """How many positions there are at a depth, and how long it took to count them."""
    start = time.process_time()
    return int(count(game, game.initial, depth)), time.process_time() - start


class Proof:
    """What a request to an engine came to, and how long the processor took."""

    def __init__(self, request: Callable[..., Any], *arguments: Any, **more: Any) -> None:
        start = time.process_time()
        self.result = request(*arguments, **more)
        self.seconds = time.process_time() - start


def engine_of(game: Game, options: argparse.Namespace, evaluation: Evaluation | None = None) -> Engine:
    """An engine whose code is compiled."""
    engine = Engine(game, table_mb=options.table_mb, evaluation=evaluation)
    engine.prove(nodes=100, quickest=False)
    engine.clear()
    return engine


def read_obf(file: Path) -> list[tuple[str, int]]:
    """Positions as text, each with the best score for the side to move."""
    rows = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        position, *moves = (part.strip() for part in line.split(";") if part.strip())
        if moves:
            rows.append((position, max(int(move.split(":")[1]) for move in moves)))
    return rows


def ffo(options: argparse.Namespace) -> None:
    """Exact scores of Othello endings."""
    game = othello()
    engine = engine_of(game, options, read_evaluation(SHIPPED, game) if options.learned else None)
    total, nodes, empty = 0.0, 0, set[int]()
    assert game.from_text is not None
    for number, (text, best) in enumerate(read_obf(options.positions)[: options.count], start=1):
        state = game.from_text(text)
        engine.clear()
        proof = Proof(engine.prove, state, seconds=options.seconds, quickest=False)
        found = proof.result.value * game.to_move(state)
        assert not proof.result.proven or found == best, f"position {number}: {found} and not {best}"
        empty.add(text.count("-"))
        said = f"{found:+}" if proof.result.proven else "not proven"
        print(
            f"{number}: {text.count('-')} empty, {said}, {proof.seconds:.2f} s, {proof.result.nodes:,} nodes",
            flush=True,
        )
        total, nodes = total + proof.seconds, nodes + proof.result.nodes
    sheet = Sheet("shelf_ffo", {"positions": "", "empty squares": "", "seconds": ",.1f", "nodes": ","}, "All")
    between = " to ".join(str(one) for one in sorted({min(empty), max(empty)}))
    sheet.row(options.title or options.positions.stem, between, total, nodes)
    sheet.save(options.save, merge=True)


def kalahs(options: argparse.Namespace) -> None:
    """Exact margins of Kalah with empty captures."""
    columns = {"Kalah": "", "margin of the first player": "+,d", "seconds": ",.2f", "nodes": ","}
    sheet = Sheet("shelf_kalah", columns, "Kalah")
    for pits, seeds in KALAH:
        engine = engine_of(kalah(pits, seeds), options)
        proof = Proof(engine.prove, seconds=options.seconds, quickest=False)
        margin = proof.result.value if proof.result.proven else "not proven"
        sheet.row(f"({pits}, {seeds})", margin, proof.seconds, proof.result.nodes)
    sheet.save(options.save)


def breakthroughs(options: argparse.Namespace) -> None:
    """Who wins Breakthrough on small boards."""
    columns = {"board": "", "winner": "", "seconds": ",.2f", "nodes": ","}
    sheet = Sheet("shelf_breakthrough", columns, "Breakthrough")
    for width, height in BREAKTHROUGH:
        engine = engine_of(breakthrough(width, height), options)
        proof = Proof(engine.prove, seconds=options.seconds, quickest=False)
        winner = ("second" if proof.result.value < 0 else "first") if proof.result.proven else "not proven"
        sheet.row(f"{width} x {height}", winner, proof.seconds, proof.result.nodes)
    sheet.save(options.save)


if __name__ == "__main__":
    main()
