"""What each switch of the engine is worth: nodes, and nodes a second, of combinations of them at a fixed depth.

Each switch is turned off alone, and each pair of those that order and cut; then the effective branching factor, depth
by depth: the nodes of one iteration over those of the one before. ``--plot FILE.svg`` draws both (extra ``[plot]``).
``--all`` goes through every combination of the switches that order and cut.
"""

import argparse
import itertools
import math
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from results import Sheet, add_save, markdown
from zermelo import Engine, Game
from zermelo.game import State
from zermelo.games import checkers, connect, othello

SWITCHES = ("table", "transposition_cutoffs", "null_windows", "aspiration", "killers", "history", "order")
"""They change how much is searched and never what is found."""
KNOWLEDGE = ("bounds", "symmetries", "sufficient_actions")
"""What only some games tell."""
GAMES = {"connect": (connect(), 13), "othello": (othello(), 9), "checkers": (checkers(), 11)}
"""Each with the depth to which it is searched."""
LIMIT = 5_000_000
"""Nodes after which a search is given up; the count then begins with >."""
Figures = dict[str, tuple[int, float, bool]]
"""Nodes, seconds of processor time, and whether all searches came to an end, of each combination."""


def main() -> None:
    """Print a table of combinations and one of branching factors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=3)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--plot", type=Path)
    add_save(parser)
    options = parser.parse_args()
    found, factors = {}, {}
    for name, (game, depth) in GAMES.items():
        states = list(some_positions(game, options.positions))
        found[name] = {label: searched(game, states, depth, off) for label, off in combinations(game, options.all)}
        factors[name] = branching(game, states, depth + 2)
    for name, figures in found.items():
        rows = [row(label, figures) for label in figures]
        print(f"\n### {name} to depth {GAMES[name][1]}, {options.positions} positions\n")
        print(markdown(["off", "nodes", "times as many", "nodes a second", "time, times as long"], rows))
    deepest = max(map(len, factors.values()))
    rows = [
        [name, *(f"{factor:.1f}" for factor in line), *[""] * (deepest - len(line))] for name, line in factors.items()
    ]
    print("\n### Effective branching factor\n")
    print(markdown(["game", *(str(depth) for depth in range(2, deepest + 2))], rows))
    singles(found).save(options.save)
    if options.plot is not None:
        draw(found, factors, options.plot)


def singles(found: dict[str, Figures]) -> Sheet:
    """A table with one switch off at a time, and all games beside each other."""
    columns = {"off": ""}
    for name in found:
        columns |= {f"{name}, depth {GAMES[name][1]}": ",", f"{name}: times as many": ",.2f"}
        columns |= {f"{name}: nodes a second": ","}
    sheet = Sheet("features", columns, "One switch off")
    for label in ("nothing", *SWITCHES, *KNOWLEDGE, "all of these"):
        cells: list[Any] = [label]
        for figures in found.values():
            nodes, ratio, speed = row(label, figures)[1:4] if label in figures else (None, None, None)
            cells += [nodes, ratio, speed]
        sheet.row(*cells)
    return sheet


def some_positions(game: Game, many: int) -> Iterator[State]:
    """The initial position and others some plies of random play away."""
    chooser = random.Random(game.name)
    yield game.initial
    for _ in range(many - 1):
        state = game.initial
        for _ in range(6):
            state = game.result(state, chooser.choice(game.legal_actions(state)))
        yield state


def combinations(game: Game, every: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What to switch off, with a label for it."""
    known = [name for name in KNOWLEDGE if getattr(game, name) is not None]
    for many in range(len(SWITCHES) + 1) if every else range(3):
        for off in itertools.combinations(SWITCHES, many):
            yield " ".join(off) or "nothing", off
    for name in known:
        yield name, (name,)
    if not every:
        yield "all of these", (*SWITCHES, *known)


def searched(game: Game, states: Sequence[State], depth: int, off: Sequence[str]) -> tuple[int, float, bool]:
    """Nodes and seconds of searches with some switches off, each from an empty table."""
    switches: dict[str, Any] = dict.fromkeys(off, False)
    engine = Engine(game, table_mb=16, **switches)
    engine.search(states[0], depth=3)
    nodes, seconds, whole = 0, 0.0, True
    for state in states:
        engine.clear()
        start = time.process_time()
        found = engine.search(state, depth=depth, nodes=LIMIT)
        seconds += time.process_time() - start
        nodes += found.nodes
        whole &= found.stopped_by != "nodes"
    return nodes, seconds, whole


def row(label: str, figures: Figures) -> list[str]:
    (nodes, seconds, whole), (least, usual, _) = figures[label], figures["nothing"]
    more = "" if whole else ">"
    ratios = f"{more}{nodes / least:.2f}", f"{more}{seconds / usual:.2f}"
    return [label, f"{more}{nodes:,}", ratios[0], f"{nodes / seconds:,.0f}", ratios[1]]


def branching(game: Game, states: Sequence[State], deepest: int) -> list[float]:
    """Nodes of each iteration over those of the one before, from depth 2, geometric mean over the states."""
    engine, lines = Engine(game, table_mb=32), []
    for state in states:
        engine.clear()
        totals: list[int] = [0]
        engine.search(state, depth=deepest, progress=lambda found, totals=totals: totals.append(found.nodes))  # type: ignore[misc]
        each = [after - before for before, after in itertools.pairwise(totals)]
        lines.append([after / before for before, after in itertools.pairwise(each)])
    return [math.exp(sum(map(math.log, factors)) / len(factors)) for factors in zip(*lines, strict=False)]


def draw(found: dict[str, Figures], factors: dict[str, list[float]], file: Path) -> None:
    """Two pictures side by side: what a switch costs when it is off, and how nodes grow."""
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.fonttype": "none", "font.size": 9})
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    labels = [*SWITCHES, *KNOWLEDGE, "all of these"]
    for number, (name, figures) in enumerate(found.items()):
        shown = [(place, label) for place, label in enumerate(labels) if label in figures]
        heights = [place + 0.27 * (number - 1) for place, _ in shown]
        ratios = [figures[label][0] / figures["nothing"][0] for _, label in shown]
        left.barh(heights, ratios, 0.25, label=f"{name}, depth {GAMES[name][1]}")
        right.plot(range(2, len(factors[name]) + 2), factors[name], marker="o", markersize=3, label=name)
    left.axvline(1, color="black", linewidth=0.8)
    left.set(xscale="log", xlabel="nodes with it off, times as many", yticks=range(len(labels)), yticklabels=labels)
    left.invert_yaxis()
    left.legend()
    right.set(xlabel="depth, plies", ylabel="effective branching factor", ylim=(0, None))
    right.legend()
    figure.savefig(file, metadata={"Date": None})


if __name__ == "__main__":
    main()
