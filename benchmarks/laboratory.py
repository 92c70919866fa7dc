"""Tables and plots of the laboratory, from the figures that its commands print.

    python benchmarks/laboratory.py add FILE...   take in what `zermelo report --json`, `ablate --json` printed
    python benchmarks/laboratory.py tables        write benchmarks/results, the plots and the page anew

All figures are in benchmarks/raw/laboratory.json.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from results import fill, renew
from zermelo.lab.estimates import Estimate
from zermelo.pictures.charts import interval_chart, standalone

DOCS = Path(__file__).parent.parent / "docs" / "benchmarks"
FILE = Path(__file__).parent / "raw" / "laboratory.json"
Figures = Mapping[str, Any]


def add(files: Sequence[str]) -> None:
    """Take in figures; new ones of a game replace its older ones."""
    data = json.loads(FILE.read_text()) if FILE.exists() else {"reports": {}, "nodes": {}, "games": {}}
    for file in files:
        found = json.loads(Path(file).read_text())
        if "random" in found:
            data["reports"][found["game"]] = found
            continue
        for kind in ("nodes", "games"):
            if found.get(kind):
                data[kind][found[kind]["game"]] = found[kind]
    FILE.write_text(json.dumps(data, indent=1) + "\n")


Table = tuple[list[str], list[list[str]]]
"""The names of the columns, and the rows."""


def report_table(data: Figures) -> Table:
    """A column for each game."""
    reports = data["reports"].values()
    return ["what", *map(name_of, reports)], [[label, *map(cell, reports)] for label, cell in ROWS]


def points(report: Figures) -> str:
    return Estimate(*report["skilled"]["play"]["first"]).percent(0)


def doubling(report: Figures) -> str:
    steps = len(report["skilled"]["steps"])
    return Estimate(*(one / steps for one in report["skilled"]["total"])).text("+z.0f")


def last_doubling(report: Figures) -> str:
    return Estimate(*report["skilled"]["steps"][-1]["elo"]).text("+z.0f")


def games(report: Figures) -> str:
    counts = {step["games"] for step in report["skilled"]["steps"]}
    return " to ".join(f"{count}" for count in sorted({min(counts), max(counts)}))


def decided(report: Figures) -> str:
    ply = report["skilled"]["half_decided"]
    return "never" if ply is None else f"from ply {ply}"


ROWS = (
    ("points of the first player", points),
    ("draws", lambda report: Estimate(*report["skilled"]["play"]["draws"]).percent(0)),
    ("plies of a game", lambda report: Estimate(*report["skilled"]["play"]["plies"]).text(".0f")),
    ("legal moves", lambda report: Estimate(*report["skilled"]["play"]["branching"]).text(".1f")),
    ("half of the positions decided", decided),
    ("Elo of a doubling, on average", doubling),
    ("Elo of the last doubling", last_doubling),
    ("nodes of the strongest engine", lambda report: f"{report['skilled']['nodes']:,}"),
    ("points with 16 times the nodes", lambda report: Estimate(*report["skilled"]["better"]["points"]).percent(0)),
    ("games of each match", games),
    ("minutes", lambda report: f"{report['minutes']:.0f}"),
    ("random play: points of the first", lambda report: Estimate(*report["random"]["first"]).percent(0)),
    ("random play: plies", lambda report: Estimate(*report["random"]["plies"]).text(".0f")),
)


def name_of(figures: Figures) -> str:
    """The game's name without its parameters."""
    return str(figures["game"]).partition("(")[0]


def switch_table(kind: Mapping[str, Figures], number: str, format_spec: str) -> Table:
    """A row for each switch and a column for each game."""
    flips = sorted({cost["flip"] for one in kind.values() for cost in one["costs"]})
    cells = {
        (name, cost["flip"]): ("≥ " if cost.get("stopped") else "") + Estimate(*cost[number]).text(format_spec)
        for name, one in kind.items()
        for cost in one["costs"]
    }
    rows = [[f"`{flip}`", *(cells.get((name, flip), "") for name in kind)] for flip in flips]
    return ["switch", *map(name_of, kind.values())], rows


def node_facts(data: Figures) -> Table:
    """How deep the searches were."""
    rows = [
        [name_of(one), str(one["depth"]), f"{one['nodes'] // one['openings']:,}", str(one["openings"])]
        for one in data["nodes"].values()
    ]
    return ["game", "depth", "nodes of a search, mean", "openings"], rows


TABLES: Mapping[str, Callable[[Figures], Table]] = {
    "reports": report_table,
    "switch_nodes": lambda data: switch_table(data["nodes"], "factor", ".2f"),
    "switch_depths": node_facts,
    "switch_games": lambda data: switch_table(data["games"], "elo", "+z.0f"),
}


def draw(data: Figures) -> None:
    """The plot of each game's nodes."""
    for one in data["nodes"].values():
        rows = {cost["flip"]: Estimate(*cost["factor"]) for cost in one["costs"]}
        axis = f"{name_of(one)}: nodes to depth {one['depth']}, as a multiple of the usual engine's"
        text = standalone(interval_chart(rows, axis, middle=1, logarithmic=True))
        (DOCS / f"ablation-{name_of(one)}.svg").write_text(text)


if __name__ == "__main__":
    if sys.argv[1:2] == ["add"]:
        add(sys.argv[2:])
    elif sys.argv[1:] == ["tables"]:
        figures = json.loads(FILE.read_text())
        for name, table in TABLES.items():
            head, rows = table(figures)
            renew(name, dict.fromkeys(head, ""), rows)
        draw(figures)
        fill()
    else:
        sys.exit(__doc__)
