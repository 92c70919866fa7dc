"""zermelo beside its peers, in one run: a markdown table for each task.

Run ``python benchmarks/compare.py`` with the packages of the ``[bench]`` extra installed: `bitbully` (Connect Four in
C++), `easyAI` (Python) and `open_spiel` (rules in C++, alpha-beta in Python); a peer that is missing is left out.
Every figure is the median of ``--repeat`` runs, the contenders' runs alternating. No opening book; tables are empty
before each position. ``--positions FOLDER`` names a folder with P. Pons's files ``Test_L3_R1`` and so on, of which
``--sample`` positions each are used, else the few that come with zermelo. ``--quick`` takes less of everything.
``--tasks`` chooses; the tasks ``empty``, minutes long, and ``single`` are run only if they are named.
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

from results import Sheet, add_save
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
FASTER = "times faster"
PROOFS = ("bitbully 0.0.79 `mtdf`, ms",)
SEARCHES = {
    "easyAI": "easyAI `Negamax` with its table, s",
    "OpenSpiel": "OpenSpiel `alpha_beta_search` on its C++ rules, s",
}
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
    add_save(parser)
    options = parser.parse_args()
    if options.quick:
        options.repeat, options.sample = min(options.repeat, 3), min(options.sample, 50)
    tasks = {
        "proofs": proofs,
        "empty": empty_board,
        "single": single_proofs,
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
    engine = Engine(game, table_mb=8)
    columns = {"set": "", "`prove_many`, ms a position": ",.4f"} | dict.fromkeys(PROOFS, ",.4f") | {FASTER: ",.1f"}
    sheet = Sheet("proofs", columns, "Exact score, mean processor time a position, one thread, tables cleared for each")
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
        each = {peer: 1000 * seconds / len(states) for peer, seconds in found.items()}
        ratio = each["bitbully"] / each["zermelo"] if "bitbully" in each else None
        sheet.row(name, each["zermelo"], each.get("bitbully"), ratio)
    sheet.save(options.save)


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


def single_proofs(options: argparse.Namespace) -> None:
    """The same positions, in one call and in a call each; with the default table, cleared before each position."""
    game, chance = connect(), random.Random(5)
    states = [state for state in (random_state(game, chance) for _ in range(2 * options.sample)) if state is not None]
    states, engine = states[: options.sample], Engine(game)
    engine.prove_many(states[:1], fresh=True)

    def one_at_a_time(quickest: bool) -> None:
        for state in states:
            engine.clear()
            engine.prove(state, quickest=quickest)

    found = medians(
        {
            "`prove_many(states, fresh=True)`": partial(
                timed, partial(engine.prove_many, states, fresh=True), time.process_time
            ),
            "`prove(state)` for each": partial(timed, partial(one_at_a_time, True), time.process_time),
            "`prove(state, quickest=False)` for each": partial(timed, partial(one_at_a_time, False), time.process_time),
        },
        options.repeat,
    )
    first = next(iter(found.values()))
    sheet = Sheet("single_proofs", {"call": "", "ms a position": ",.2f", "ratio": ",.2f"}, "The same positions")
    for name, seconds in found.items():
        sheet.row(name, 1000 * seconds / len(states), seconds / first)
    sheet.save(options.save)


def random_state(game: Game, chance: random.Random) -> State | None:
    """A position after 12 to 26 random plies; None where the game was over before."""
    state = game.initial
    for _ in range(chance.randint(12, 26)):
        if game.is_terminal(state):
            return None
        state = game.result(state, chance.choice(list(game.actions(state))))
    return None if game.is_terminal(state) else state


def empty_board(options: argparse.Namespace) -> None:
    """The exact score of the empty 7x6 board, once each."""
    sheet = Sheet(
        "empty_board", {"threads": ",", "seconds": ",.1f", "million nodes": ","}, "The empty board, exact score"
    )
    for count in (1, 2):
        engine = Engine(connect(), threads=count, table_mb=512)
        engine.prove(connect().replay([3] * 6 + [2] * 6), quickest=False)
        engine.clear()
        found = engine.prove(quickest=False)
        assert found.proven and found.value == 10000 * 42 // 41
        sheet.row(count, found.seconds, round(found.nodes / 1e6))
    if bitbully_core is not None and not options.quick:
        print(f"bitbully `mtdf`, 1 thread: {bitbully_seconds([[]], [1]):.1f} s")
    sheet.save(options.save)


def threads(options: argparse.Namespace) -> None:
    """The same hard proofs with one thread and with two."""
    game, total = connect(), {1: 0.0, 2: 0.0}
    columns = {"after": "", "1 thread, s": ",.2f", "2 threads, s": ",.2f", FASTER: ",.2f"}
    columns |= {"nodes, 1 thread": ",", "nodes, 2 together": ","}
    sheet = Sheet("threads", columns, "Time to proof, 7x6 board")
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
        sheet.row(moves, *(seconds[count] for count in total), seconds[1] / seconds[2], *nodes.values())
    sheet.row("all", *total.values(), total[1] / total[2], None, None)
    sheet.save(options.save)


# Depth-limited search.


def depth_limited(options: argparse.Namespace) -> None:
    """The value of the empty board to a depth, all leaves that are no wins counting 0."""
    known = connect()
    game = dataclasses.replace(known, evaluate=nothing, bounds=None, sufficient_actions=None)
    columns = {"depth": "", "zermelo `search`, s": ",.3f"} | dict.fromkeys(SEARCHES.values(), ",.3f")
    sheet, ratios = Sheet("depth", columns, "The empty board to a depth, EVAL 0, seconds"), dict[str, float]()
    for depth in (4, 6, 8, 9, 10, 12, 14, 16, 18):
        if options.quick and depth > 14:
            continue
        # Fresh memory is zeroed as it is touched: a table much larger than the search would be half the time.
        engine = Engine(game, table_mb=16 if depth <= 14 else 128)
        runs: dict[str, Run] = {"zermelo": partial(fresh_search, engine, depth)}
        if TwoPlayerGame is not None and depth <= (6 if options.quick else 14):
            runs["easyAI"] = partial(easy_seconds, depth)
        if pyspiel is not None and depth <= (8 if options.quick else 14):
            runs["OpenSpiel"] = partial(spiel_seconds, depth)
        found = medians(runs, min(options.repeat, 3 if depth < 10 else 1))
        sheet.row(str(depth), found["zermelo"], *(found.get(name) for name in SEARCHES))
        if depth == 14:
            ratios = {name: found[name] / found["zermelo"] for name in SEARCHES if name in found}
    sheet.save(options.save)
    sheet = Sheet("depth_ratios", {"peer": "", "times as fast at depth 14": ","}, "Beside the peers")
    for name, ratio in ratios.items():
        sheet.row(name, round(ratio))
    sheet.save(options.save)


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
    game, sheet = connect(), Sheet("compare_perft", {"rules": "", "depth": ",", "positions a second": ","}, "Perft")
    contenders = [("compiled", perft, 9 if options.quick else 10), ("interpreted", interpreted_perft, 6)]
    for name, count, depth in contenders:
        nodes = int(count(game, game.initial, depth))
        seconds = medians({name: partial(timed, partial(count, game, game.initial, depth))}, options.repeat)[name]
        sheet.row(name, depth, round(nodes / seconds))
    sheet.save(options.save)


def imports(options: argparse.Namespace) -> None:
    """Whole processes."""
    commands = {"`python -c 'import zermelo'`": [sys.executable, "-c", "import zermelo"]}
    commands["`python -c pass`"] = [sys.executable, "-c", "pass"]
    runs: dict[str, Run] = {
        name: partial(timed, partial(subprocess.run, command, check=True)) for name, command in commands.items()
    }
    sheet = Sheet("processes", {"what": "", "figure": ""}, "Whole processes")
    for name, seconds in medians(runs, options.repeat).items():
        sheet.row(name, f"{seconds:.2f} s")
    sheet.save(options.save, merge=True)


if __name__ == "__main__":
    main()
