"""What a cluster costs and how it scales: measured on this machine, and simulated from that for many.

    python benchmarks/cluster.py measure     overhead, strong and weak scaling, memory; writes docs/scaling.json
    python benchmarks/cluster.py simulate    10, 100 and 1,000 nodes for connect 6x6 and 7x6, from docs/scaling.json
    python benchmarks/cluster.py plot        docs/scaling.svg

The simulation knows what was measured and nothing else: seconds of each kind of task and bytes exchanged for each
stored position, seconds that the driver spends on a task and on a block. Nodes are assumed; see `Node`.
"""

import json
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo import make_game, solve
from zermelo.solver.cluster.crew import Crew, connected
from zermelo.solver.cluster.solve import solve_on_cluster

FILE = Path(__file__).parent.parent / "docs" / "scaling.json"
MEMORY = 4.0
BOARDS = {"6x6": 69_173_028_785, "7x6": 4_531_985_219_092}
"""Positions, by John Tromp; half of them are stored, since a board and its mirror image are one."""
WORKING = ("expand", "collect", "solve_part", "publish_merged", "ask", "answer")


@dataclass(frozen=True)
class Node:
    """A machine of a cluster, as they are rented."""

    cores: int = 16
    memory: float = 64e9
    network: float = 1.25e9
    """Bytes a second, each way: 10 Gbit."""
    disk: float = 1.0e9
    """Bytes a second that a node writes durably."""


def board(rows: int, columns: int) -> Any:
    """Connect Four of that size."""
    return make_game("connect", {"rows": str(rows), "columns": str(columns)})


def on_cluster(rows: int, columns: int, workers: int, **options: Any) -> dict[str, Any]:
    """One solve on a local cluster: seconds without Ray's start, and what it counted."""
    folder = Path(tempfile.mkdtemp(prefix="cluster-"))
    kinds: dict[str, list[float]] = {}
    drop = Crew.drop

    def dropping(self: Crew) -> None:
        kinds.update(self.counts.kinds)
        drop(self)

    Crew.drop = dropping  # type: ignore[method-assign]
    began = time.perf_counter()
    try:
        with connected("local", workers, int(MEMORY * (1 << 30))):
            start = time.perf_counter() - began
            _, solved = solve_on_cluster(board(rows, columns), folder / "table", memory_gb=MEMORY, **options)
    finally:
        Crew.drop = drop  # type: ignore[method-assign]
        shutil.rmtree(folder)
    said = {name: value for name, value in solved.to_dict().items() if name != "shard_bytes"}
    return {"board": f"{rows}x{columns}", "workers": workers, "start": start, **said, "kinds": kinds}


def here(rows: int, columns: int, workers: int) -> float:
    """Seconds of the local solver."""
    folder = Path(tempfile.mkdtemp(prefix="local-"))
    began = time.perf_counter()
    solve(board(rows, columns), folder / "table", workers=workers, memory_gb=MEMORY)
    took = time.perf_counter() - began
    shutil.rmtree(folder)
    return took


def measure() -> None:
    """All that the simulation needs, and the two scalings."""
    on_cluster(4, 4, 1, shards=2)  # compiles
    local = {1: here(5, 5, 1), 2: min(here(5, 5, 2) for _ in range(2))}
    runs = {
        "strong 1": on_cluster(5, 5, 1, shards=4),
        "strong 2": min((on_cluster(5, 5, 2, shards=4) for _ in range(2)), key=lambda run: run["seconds"]),
        "weak 1": on_cluster(6, 4, 1, shards=4),
        "weak 2": on_cluster(3, 7, 2, shards=4),
        "ask": on_cluster(5, 5, 2, shards=4, exchange="ask"),
        "few shards": on_cluster(4, 4, 2, shards=4),
        "some shards": on_cluster(4, 4, 2, shards=12),
        "many shards": on_cluster(4, 4, 2, shards=32),
    }
    FILE.write_text(json.dumps({"local": local, "runs": runs}, indent=1) + "\n")
    print(f"connect 5x5, local: {local[1]:.1f} s with one thread, {local[2]:.1f} s with two")
    for name, run in runs.items():
        print(
            f"{name:<12} {run['board']} {run['workers']} processes: {run['seconds']:.1f} s, "
            f"{run['positions_per_second']:,.0f} positions/s, exchanged {run['exchanged_bytes'] / 1e6:,.0f} MB, "
            f"idle {run['idle']:.0%}, a worker's memory {run['worker_peak_mb']:,.0f} MB, "
            f"the driver's {run['peak_memory_mb']:,.0f} MB"
        )
    print(f"overhead with two processes: {runs['strong 2']['seconds'] / local[2]:.2f} times the local solver")
    print(f"strong scaling: {runs['strong 1']['seconds'] / runs['strong 2']['seconds']:.2f} times as fast with two")
    rates = [runs[f"weak {n}"]["positions_per_second"] / n for n in (1, 2)]
    print(f"weak scaling: {rates[1] / rates[0]:.0%} of the rate for each process")


def constants() -> dict[str, float]:
    """Seconds and bytes for each stored position, and the driver's seconds for each task and block.

    The same small game in 4, 12 and 32 shards takes seconds = start + task * tasks + block * blocks: three equations.
    """
    runs = json.loads(FILE.read_text())["runs"]
    ask = runs["ask"]
    work = sum(row[1] for kind, row in ask["kinds"].items() if kind in WORKING)
    small = [runs[name] for name in ("few shards", "some shards", "many shards")]
    rows = [[1.0, run["tasks"], run["shards"] * run["kinds"]["expand"][0]] for run in small]
    _, task, block = np.linalg.solve(rows, [run["seconds"] for run in small]).tolist()
    return {
        "work": work / ask["stored"],
        "bytes": ask["exchanged_bytes"] / ask["stored"],
        "task": task,
        "block": max(block, 20e-6),
    }


def simulate(nodes: int, positions: int, node: Node = Node()) -> dict[str, float]:
    """Hours of each resource, if the others were infinitely fast, for one solve; and all, one after the other."""
    known = constants()
    stored = positions / 2
    cores = nodes * node.cores
    part = min(1 << 20, int(0.7 * node.memory / node.cores / 1024))
    # Tiers are plies; the largest holds about a tenth of all positions, and shards must fit into a task's memory.
    tiers, largest = 43, stored / 10
    shards = max(2 * cores, largest * 16 / (0.7 * node.memory / node.cores))
    tasks = tiers * shards * 5 + 2 * stored / part
    # Each part of each tier sends a block to each shard: forward, as questions, and as answers.
    parts = max(stored / part, tiers * shards)
    blocks = 3 * parts * shards
    seconds = {
        "kernels": stored * known["work"] / cores,
        "network": stored * known["bytes"] * (1 - 1 / nodes) / (nodes * node.network),
        "disk": stored * (8 + 4 + 1) / (nodes * node.disk),
        "driver": tasks * known["task"] + blocks * known["block"],
    }
    hours = {name: value / 3600 for name, value in seconds.items()}
    return {**hours, "all": sum(hours.values()), "shards": shards, "disk_tb": stored * 13 / nodes / 1e12}


def table() -> None:
    """The simulation as rows of Markdown."""
    print("constants:", {name: f"{value:.3g}" for name, value in constants().items()})
    print("| board | nodes | shards | kernels h | network h | disk h | driver h | all h | disk a node, TB |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, positions in BOARDS.items():
        for nodes in (1, 10, 100, 1000):
            found = simulate(nodes, positions)
            hours = " | ".join(f"{found[what]:,.2f}" for what in ("kernels", "network", "disk", "driver", "all"))
            print(f"| {name} | {nodes:,} | {found['shards']:,.0f} | {hours} | {found['disk_tb']:.2f} |")


def plot() -> None:
    """docs/scaling.svg."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "zermelo"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(9, 3.6), sharey=True)
    counts = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    for axis, (name, positions) in zip(axes, BOARDS.items(), strict=True):
        for what in ("kernels", "network", "disk", "driver", "all"):
            hours = [simulate(nodes, positions)[what] for nodes in counts]
            axis.loglog(counts, hours, label=what, linewidth=2 if what == "all" else 1)
        axis.set(title=f"connect {name}", xlabel="nodes of 16 cores, 10 Gbit")
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("hours")
    axes[0].legend()
    figure.tight_layout()
    figure.savefig(FILE.with_suffix(".svg"), metadata={"Date": None})


if __name__ == "__main__":
    {"measure": measure, "simulate": table, "plot": plot}[sys.argv[1]]()
