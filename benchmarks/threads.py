"""How much sooner several threads finish a depth-limited search than one thread, and how many more nodes they visit.

The same positions are searched to the same depth, by turns and from empty tables.
"""

import argparse
import math
import statistics
import time
from typing import Any, Final

from results import Sheet, add_save
from zermelo import Engine, games
from zermelo.lab.openings import random_openings
from zermelo.learn import read_evaluation

DEPTHS: Final = {"chess": (13, 16), "othello": (12, 15), "breakthrough": (10, 13)}
"""The games, each with the depths of short and long searches; all but chess with the evaluation that comes with
zermelo."""
PLIES: Final = 14
"""Plies of random play before the positions."""
TABLE_MB: Final = 8
"""A table that is emptied where it is; to get new memory would take time."""


def main() -> None:
    """Print a row for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", choices=DEPTHS, default=list(DEPTHS))
    parser.add_argument("--positions", type=int, default=200, help="for short searches; a quarter for long ones")
    parser.add_argument("--threads", type=int, default=2)
    add_save(parser)
    options = parser.parse_args()
    columns = {"game, depth": "", "one thread, s": ".3f", f"{options.threads} threads, s": ".3f"}
    columns |= {"times as quick": ".2f", "within": "", "times the nodes": ".2f"}
    sheet = Sheet("threads_depth", columns)
    for name in options.games:
        for depth, share in zip(DEPTHS[name], (1, 4), strict=True):
            sheet.row(*measured(name, depth, max(2, options.positions // share), options.threads))
    sheet.save(options.save)


def measured(name: str, depth: int, positions: int, threads: int) -> tuple[Any, ...]:
    """A row of the table: seconds of a search, the geometric mean of the ratios with its interval, and nodes."""
    game = getattr(games, name)()
    evaluation = None if name == "chess" else read_evaluation("learned", game)
    engines = [Engine(game, threads=many, table_mb=TABLE_MB, evaluation=evaluation) for many in (1, threads)]
    for engine in engines:
        engine.search(nodes=1)  # compiles
    seconds: list[list[float]] = [[], []]
    nodes = [0, 0]
    for opening in random_openings(game, positions, PLIES):
        state = game.replay(opening)
        for number, engine in enumerate(engines):
            engine.clear()
            start = time.perf_counter()
            nodes[number] += engine.search(state, depth=depth).nodes
            seconds[number].append(time.perf_counter() - start)
    ratios = [math.log(one / more) for one, more in zip(*seconds, strict=True)]
    mean, error = statistics.mean(ratios), 1.96 * statistics.stdev(ratios) / math.sqrt(positions)
    within = f"{math.exp(mean - error):.2f} to {math.exp(mean + error):.2f}"
    one, more = map(statistics.mean, seconds)
    return f"{name}, {depth}", one, more, math.exp(mean), within, nodes[1] / nodes[0]


if __name__ == "__main__":
    main()
