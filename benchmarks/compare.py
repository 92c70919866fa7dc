"""zermelo beside its peers, in one run: a markdown table for each task.

Run ``python benchmarks/compare.py`` with the packages of the ``[bench]`` extra installed: `bitbully` (Connect Four in
C++), `easyAI` (Python) and `open_spiel` (rules in C++, alpha-beta in Python); a peer that is missing is left out.
Every figure is the median of ``--repeat`` runs, the contenders' runs alternating. No opening book; tables are empty
before each position. ``--positions FOLDER`` names a folder with P. Pons's files ``Test_L3_R1`` and so on, of which
``--sample`` positions each are used, else the few that come with zermelo. ``--quick`` takes less of everything.
``--tasks`` chooses; the task ``empty``, minutes long, is run only if it is named.
"""

import argparse
import dataclasses
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from zermelo import Engine
from zermelo.atlas.facts import TABLES
from zermelo.compiled.perft import perft
from zermelo.game import Game, State
from zermelo.games import connect
from zermelo.textbook.perft import perft as interpreted_perft

try:
    from bitbully import bitbully_core
except ImportError:
    bitbully_core = None
try:
    from easyAI import AI_Player, Negamax, TranspositionTable, TwoPlayerGame
except ImportError:
    TwoPlayerGame = None
try:
    import pyspiel
    from open_spiel.python.algorithms import minimax
except ImportError:
    pyspiel = None

DATA = TABLES / "connect_positions.tsv"
SETS = ("L3_R1", "L2_R1", "L2_R2", "L1_R1")
HARD = ("444443", "44155", "1234", "4444435")
"""Columns from 1: positions that take one thread seconds."""
Run = Callable[[], float]
"""Does a piece of work and says how many seconds of it count."""


def main() -> None:
    """Run the tasks that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--sample", type=int, default=1000)
    parser.add_argument("--positions", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--tasks", nargs="+", default=["proofs", "depth", "perft", "threads", "import"])
    options = parser.parse_args()
    if options.quick:
        options.repeat, options.sample = min(options.repeat, 3), min(options.sample, 50)
    tasks = {
        "proofs": proofs,
        "empty": empty_board,
        "depth": depth_limited,
        "perft": perfts,
        "threads": threads,
        "import": imports,
    }
    for name in options.tasks:
        tasks[name](options)


def medians(runs: dict[str, Run], repeat: int) -> dict[str, float]:
    """The median time of each contender, after one run that does not count; the runs take turns."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(repeat + 1):
        for name, run in runs.items():
            seconds = run()
            if turn:
                times[name].append(seconds)
    return {name: statistics.median(found) for name, found in times.items()}


def timed(work: Callable[[], Any], clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds by ``clock``; `time.process_time` is deaf to what else the machine does, but adds threads up."""
    start = clock()
    work()
    return clock() - start


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a markdown table."""
    print(f"\n### {title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


# Proofs.


def read_positions(name: str, folder: Path | None, sample: int) -> list[tuple[list[int], int]]:
    """Columns from 0 and the score for the side to move, of ``sample`` positions of a set."""
    if folder is not None:
        rows = [line.split() for line in (folder / f"Test_{name}").read_text().splitlines() if line.strip()]
    else:
        lines = DATA.read_text().splitlines()
        rows = [line.split()[1:3] for line in lines if line.startswith(f"Test_{name}\t")]
    rows = random.Random(0).sample(rows, min(sample, len(rows)))
    return [([int(column) - 1 for column in moves], int(score)) for moves, score in rows]


def score(game: Game, state: State, value: int) -> int:
    """A utility as those files count: half the discs that the winner has left, for the side to move."""
    if value == 0:
        return 0
    last = round(10000 * 42 / abs(value))  # the number of the winning disc
    return (44 - last) // 2 * game.to_move(state) * (1 if value > 0 else -1)


def proofs(options: argparse.Namespace) -> None:
    """Exact scores of positions of the 7x6 board, one thread."""
    game = connect()
    engine, rows = Engine(game, table_mb=8), []
    for name in SETS:
        positions = read_positions(name, options.positions, options.sample)
        states = [game.replay(columns) for columns, _ in positions]
        expected = [value for _, value in positions]
        runs: dict[str, Run] = {
            "zermelo": partial(timed, partial(engine.prove_many, states, fresh=True), time.process_time)
        }
        if bitbully_core is not None:
            runs["bitbully"] = partial(bitbully_seconds, [columns for columns, _ in positions], expected)
        values = engine.prove_many(states, fresh=True)
        assert [score(game, s, int(v)) for s, v in zip(states, values, strict=True)] == expected
        found = medians(runs, options.repeat)
        each = {peer: f"{1000 * seconds / len(states):.4f}" for peer, seconds in found.items()}
        ratio = found.get("bitbully", float("nan")) / found["zermelo"]
        rows.append([name, str(len(states)), each["zermelo"], each.get("bitbully", "-"), f"{ratio:.1f}"])
    head = ["set", "positions", "zermelo `prove_many`, ms", "bitbully `mtdf`, ms", "times faster"]
    table("Exact score, mean processor time a position, one thread, tables cleared for each", head, rows)


def bitbully_seconds(positions: Sequence[list[int]], expected: Sequence[int]) -> float:
    """Time in bitbully's search alone: neither clearing its table nor setting up a board counts."""
    core, seconds = bitbully_core.BitBullyCore(), 0.0
    for columns, value in zip(positions, expected, strict=True):
        board = bitbully_core.BoardCore()
        for column in columns:
            board.play(column)
        core.resetTranspositionTable()
        start = time.process_time()
        found = core.mtdf(board, 0)
        seconds += time.process_time() - start
        assert found == value
    return seconds


def empty_board(options: argparse.Namespace) -> None:
    """The exact score of the empty 7x6 board, once each."""
    rows = []
    for count in (1, 2):
        engine = Engine(connect(), threads=count, table_mb=512)
        engine.prove(connect().replay([3] * 6 + [2] * 6), quickest=False)
        engine.clear()
        found = engine.prove(quickest=False)
        assert found.proven and found.value == 10000 * 42 // 41
        rows.append([f"zermelo, {count} thread{'s' * (count > 1)}", f"{found.seconds:.1f}", f"{found.nodes:,}"])
    if bitbully_core is not None and not options.quick:
        rows.append(["bitbully `mtdf`, 1 thread", f"{bitbully_seconds([[]], [1]):.1f}", "-"])
    table("The empty board, exact score", ["solver", "seconds", "nodes"], rows)


def threads(options: argparse.Namespace) -> None:
    """The same hard proofs with one thread and with two."""
    game, rows, total = connect(), [], {1: 0.0, 2: 0.0}
    engines = {count: Engine(game, threads=count, table_mb=128) for count in total}
    values: dict[str, int] = {}
    for moves in HARD:
        state, nodes = game.replay([int(column) - 1 for column in moves]), dict.fromkeys(engines, 0)

        def run(count: int, state: State, moves: str, nodes: dict[int, int]) -> float:
            engines[count].clear()
            found = engines[count].prove(state, quickest=False)
            assert found.proven and values.setdefault(moves, found.value) == found.value
            nodes[count] = found.nodes
            return found.seconds

        runs: dict[str, Run] = {str(count): partial(run, count, state, moves, nodes) for count in engines}
        seconds = {int(name): median for name, median in medians(runs, min(options.repeat, 3)).items()}
        total = {count: total[count] + seconds[count] for count in total}
        rows.append([moves, *(f"{seconds[count]:.2f}" for count in total), f"{seconds[1] / seconds[2]:.2f}"])
        rows[-1] += [f"{nodes[count]:,}" for count in total]
    rows.append(["all", *(f"{seconds:.2f}" for seconds in total.values()), f"{total[1] / total[2]:.2f}", "", ""])
    head = ["after", "1 thread, s", "2 threads, s", "times faster", "nodes, 1 thread", "nodes, 2 together"]
    table("Time to proof, 7x6 board", head, rows)


# Depth-limited search.


def depth_limited(options: argparse.Namespace) -> None:
    """The value of the empty board to a depth, all leaves that are no wins counting 0."""
    known = connect()
    game = dataclasses.replace(known, evaluate=nothing, bounds=None, sufficient_actions=None)
    rows = []
    for depth in (4, 6, 8, 9, 10, 12, 14, 16, 18):
        if options.quick and depth > 14:
            continue
        # Fresh memory is zeroed as it is touched: a table much larger than the search would be half the time.
        engine = Engine(game, table_mb=16 if depth <= 14 else 128)
        runs: dict[str, Run] = {"zermelo": partial(fresh_search, engine, depth)}
        if TwoPlayerGame is not None and depth <= (6 if options.quick else 14):
            runs["easyAI"] = partial(easy_seconds, depth)
        if pyspiel is not None and depth <= (8 if options.quick else 14):
            runs["open_spiel"] = partial(spiel_seconds, depth)
        found = medians(runs, min(options.repeat, 3 if depth < 10 else 1))
        each = {name: f"{seconds:.4f}" for name, seconds in found.items()}
        rows.append([str(depth)] + [each.get(name, "-") for name in ("zermelo", "easyAI", "open_spiel")])
    head = ["depth", "zermelo `search`, s", "easyAI `Negamax` with its table, s", "open_spiel `alpha_beta_search`, s"]
    table("The empty board to a depth, EVAL 0, seconds", head, rows)


def nothing(state: State) -> int:
    """An EVAL that every library can share."""
    return 0


def fresh_search(engine: Engine, depth: int) -> float:
    engine.clear()
    return timed(lambda: engine.search(depth=depth))


def spiel_seconds(depth: int) -> float:
    game = pyspiel.load_game("connect_four")
    search = partial(minimax.alpha_beta_search, game, value_function=nothing, maximum_depth=depth)
    return timed(partial(search, maximizing_player_id=0))


def easy_seconds(depth: int) -> float:
    ai = Negamax(depth, tt=TranspositionTable())
    return timed(partial(ai, easy_connect()))


def easy_connect() -> Any:
    """Connect Four as easyAI wants a game."""

    class EasyConnect(TwoPlayerGame):  # type: ignore[misc]
        def __init__(self) -> None:
            self.players = [AI_Player(None), AI_Player(None)]
            self.current_player = 1
            self.columns: list[list[int]] = [[] for _ in range(7)]
            self.won = False

        def possible_moves(self) -> list[int]:
            return [number for number in range(7) if len(self.columns[number]) < 6]

        def make_move(self, column: int) -> None:
            self.columns[column].append(self.current_player)
            self.won = completes(self.columns, column)

        def unmake_move(self, column: int) -> None:
            self.columns[column].pop()
            self.won = False

        def is_over(self) -> bool:
            return self.won or not self.possible_moves()

        def scoring(self) -> int:
            return -100 if self.won else 0

        def ttentry(self) -> tuple[tuple[int, ...], ...]:
            return tuple(map(tuple, self.columns))

    return EasyConnect()


def completes(columns: Sequence[list[int]], column: int) -> bool:
    """Whether the last disc of ``column`` stands in a line of four."""
    height = len(columns[column]) - 1
    piece = columns[column][height]

    def same(steps: int, right: int, up: int) -> bool:
        x, y = column + steps * right, height + steps * up
        return 0 <= x < 7 and 0 <= y < len(columns[x]) and columns[x][y] == piece

    def reach(right: int, up: int) -> int:
        return next(steps for steps in range(1, 5) if not same(steps, right, up)) - 1 if not same(4, right, up) else 4

    return any(reach(right, up) + reach(-right, -up) >= 3 for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)))


# Rules.


def perfts(options: argparse.Namespace) -> None:
    """Positions of the 7x6 board counted, compiled and interpreted."""
    game, rows = connect(), []
    contenders = [("compiled", perft, 9 if options.quick else 10), ("interpreted", interpreted_perft, 6)]
    for name, count, depth in contenders:
        nodes = int(count(game, game.initial, depth))
        seconds = medians({name: partial(timed, partial(count, game, game.initial, depth))}, options.repeat)[name]
        rows.append([name, str(depth), f"{nodes:,}", f"{seconds:.3f}", f"{nodes / seconds:,.0f}"])
    table("Perft of connect 7x6", ["rules", "depth", "positions", "seconds", "positions a second"], rows)


def imports(options: argparse.Namespace) -> None:
    """Whole processes."""
    commands = {"import zermelo": [sys.executable, "-c", "import zermelo"], "python": [sys.executable, "-c", "pass"]}
    runs: dict[str, Run] = {
        name: partial(timed, partial(subprocess.run, command, check=True)) for name, command in commands.items()
    }
    rows = [[name, f"{seconds:.3f}"] for name, seconds in medians(runs, options.repeat).items()]
    table("Whole processes", ["command", "seconds"], rows)


if __name__ == "__main__":
    main()
