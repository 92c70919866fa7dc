"""What a cluster costs and how it scales: measured on this machine, and simulated from that for many.

    python benchmarks/cluster.py measure     overhead, scaling, the driver; writes benchmarks/raw/scaling.json
    python benchmarks/cluster.py bundles     of that only what bundles cost: two minutes
    python benchmarks/cluster.py large       connect with 6 rows and 5 columns, here and on a cluster: some minutes
    python benchmarks/cluster.py memory      the same on two nodes, each allowed a sixth of what the positions take
    python benchmarks/cluster.py validate    1, 2, 4 and 8 nodes here, beside the simulation of them: some minutes
    python benchmarks/cluster.py tables      what was measured, and from that a simulation of 1 to 1,000 nodes
    python benchmarks/cluster.py plot        docs/benchmarks/scaling.svg

All but the last write their tables to benchmarks/results, and fill the page. `measure` and `tables` do so from the raw
file; `large`, `memory` and `validate` do so with ``--save``, as other benchmarks.

The simulation knows what was measured and nothing else: seconds of each kind of task and bytes exchanged for each
stored position, seconds that the driver spends on a task and on a block. Nodes are assumed; see `Node`.
"""

import json
import math
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import isqrt
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from results import Sheet, fill, machine, renew
from zermelo import make_game, solve
from zermelo.cluster.connect import OBJECTS, SHARDS_EACH, connected
from zermelo.cluster.executor import RayExecutor
from zermelo.cluster.solve import BYTES_ON_THE_WAY, STRETCH, WHOLE, solve_on_cluster
from zermelo.solver.passes import exchange
from zermelo.solver.passes.exchange import width_of
from zermelo.solver.passes.plan import BYTES_OF_KEY, NEVER

FILE = Path(__file__).parent / "raw" / "scaling.json"
PLOT = Path(__file__).parent.parent / "docs" / "benchmarks" / "scaling.svg"
MEMORY = 4.0
PAIRS = 3
BOARDS = {"6x6": 69_173_028_785, "7x6": 4_531_985_219_092}
"""Positions, by John Tromp; half of them are stored, since a board and its mirror image are one."""
PLIES = (
    1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683, 12236101, 30929111, 75437595, 176541259,
    394591391, 858218743, 1763883894, 3568259802, 6746155945, 12673345045, 22010823988, 38263228189, 60830813459,
)  # fmt: skip
"""Positions of 7x6 after so many plies (OEIS A212693)."""
SMALL = (4, 16, 48, 128)
"""Shards of a small game that is solved to see what the driver spends on tasks and on blocks."""


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


@contextmanager
def nodes_here(count: int, processors: int, memory_gb: float) -> Iterator[None]:
    """A cluster of so many nodes on this machine, each with so many processors, to which this process is connected."""
    if count == 1:
        with connected("local", processors, int(memory_gb * (1 << 30))):
            yield
        return
    import ray
    from ray.cluster_utils import Cluster

    arguments = {"num_cpus": processors, "object_store_memory": int(OBJECTS * memory_gb * (1 << 30))}
    cluster = Cluster(initialize_head=True, head_node_args={**arguments, "include_dashboard": False})
    try:
        for _ in range(count - 1):
            cluster.add_node(**arguments)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR", configure_logging=False)
        cluster.wait_for_nodes()
        yield
    finally:
        ray.shutdown()
        cluster.shutdown()


def on_cluster(rows: int, columns: int, workers: int, nodes: int = 1, **options: Any) -> dict[str, Any]:
    """One solve on a cluster that has solved something before; what it counted, and the driver's seconds.

    The cluster has so many nodes on this machine, each with so many processors.
    """
    folder = Path(tempfile.mkdtemp(prefix="cluster-"))
    kinds: dict[str, list[float]] = {}
    drop = RayExecutor.drop

    def dropping(self: RayExecutor) -> None:
        kinds.update(self.counts.kinds)
        drop(self)

    began = time.perf_counter()
    with nodes_here(nodes, workers, MEMORY):
        solve_on_cluster(board(4, 4), folder / "first", memory_gb=MEMORY, whole=1000)
        start, driver = time.perf_counter() - began, time.process_time()
        RayExecutor.drop = dropping  # type: ignore[method-assign]
        try:
            _, solved = solve_on_cluster(board(rows, columns), folder / "table", memory_gb=MEMORY, **options)
        finally:
            RayExecutor.drop = drop  # type: ignore[method-assign]
            driver = time.process_time() - driver
            shutil.rmtree(folder)
    said = {name: value for name, value in solved.to_dict().items() if name != "shard_bytes"}
    return {
        "board": f"{rows}x{columns}",
        "processors": nodes * workers,
        "nodes": nodes,
        "start": start,
        "driver": driver,
        **said,
        "kinds": kinds,
    }


def here(rows: int, columns: int, workers: int) -> float:
    """Seconds of the local solver."""
    folder = Path(tempfile.mkdtemp(prefix="local-"))
    began = time.perf_counter()
    solve(board(rows, columns), folder / "table", workers=workers, memory_gb=MEMORY)
    took = time.perf_counter() - began
    shutil.rmtree(folder)
    return took


def pairs(rows: int, columns: int, workers: int, count: int, **options: Any) -> tuple[float, dict[str, Any]]:
    """The local solver and the cluster in turn: the medians, by seconds."""
    local, runs = [], []
    for _ in range(count):
        local.append(here(rows, columns, workers * options.get("nodes", 1)))
        runs.append(on_cluster(rows, columns, workers, **options))
        took = runs[-1]["seconds"]
        print(f"{rows}x{columns}, {workers} {options}: {local[-1]:.1f} s here, {took:.1f} s on a cluster", flush=True)
    return statistics.median(local), median(runs)


def median(runs: list[dict[str, Any]], what: str = "seconds") -> dict[str, Any]:
    """The run in the middle of several."""
    return sorted(runs, key=lambda run: float(run[what]))[len(runs) // 2]


def driver_of(shards: int) -> dict[str, Any]:
    """A small game in so many shards, whose tasks are so small that the driver's work counts: the median of three."""
    with patch.object(exchange, "TWO_LEVELS", NEVER):
        return median([on_cluster(4, 4, 2, shards=shards, whole=0) for _ in range(PAIRS)], "driver")


def measure() -> None:
    """All that the simulation needs, and the two scalings."""
    for size in ((4, 4), (5, 5), (6, 4), (3, 7)):
        here(*size, 1)  # compiles
    on_cluster(4, 4, 1)
    local: dict[str, float] = {}
    runs: dict[str, dict[str, Any]] = {}
    for workers in (2, 1):
        local[str(workers)], runs[f"strong {workers}"] = pairs(5, 5, workers, PAIRS)
    local["nodes"], runs["nodes"] = pairs(5, 5, 1, PAIRS, nodes=2)
    runs |= with_and_without_bundles()
    runs |= {
        "weak 1": on_cluster(6, 4, 1, shards=4),
        "weak 2": on_cluster(3, 7, 1, nodes=2, shards=4),
        "ask": on_cluster(5, 5, 1, nodes=2, exchange="ask"),
        **{f"{shards} shards": driver_of(shards) for shards in SMALL},
    }
    FILE.write_text(json.dumps({"machine": machine(), "local": local, "runs": runs}, indent=1) + "\n")
    tables()


def with_and_without_bundles() -> dict[str, dict[str, Any]]:
    """The same solve twice on two nodes, in so many shards that a bundle is for four of them."""
    options: dict[str, Any] = {"nodes": 2, "shards": 16, "exchange": "ask", "whole": 0}
    direct = on_cluster(5, 5, 1, **options)
    with patch.object(exchange, "TWO_LEVELS", options["shards"]):
        return {"direct": direct, "bundled": on_cluster(5, 5, 1, **options)}


def bundles() -> None:
    """Measure again what bundles cost, and write the tables."""
    data = json.loads(FILE.read_text())
    data["runs"] |= with_and_without_bundles()
    FILE.write_text(json.dumps(data, indent=1) + "\n")
    tables()


def measured() -> tuple[list[list[Any]], list[list[Any]]]:
    """The rows about single runs, and those about what follows from them."""
    data = json.loads(FILE.read_text())
    local, runs = data["local"], data["runs"]
    names = {"strong 1": "strong, 1", "strong 2": "strong, 2", "nodes": "two nodes", "ask": "questions asked"}
    names |= {"weak 1": "weak, 1", "weak 2": "weak, 2"}
    rows = [
        [label, f"connect {run['board']}", run["nodes"], run["processors"], run["seconds"],
         run["positions_per_second"] / 1e6, run["tasks"], round(run["exchanged_bytes"] / 1e6), run["idle"],
         round(run["worker_peak_mb"])]
        for name, label in names.items() for run in [runs[name]]
    ]  # fmt: skip
    slow, quick = runs["strong 1"], runs["strong 2"]
    rates = [runs[f"weak {n}"]["positions_per_second"] / n for n in (1, 2)]
    known = constants()
    facts = [
        ["the local solver, one thread", f"{local['1']:.1f} s"],
        ["the local solver, two threads", f"{local['2']:.1f} s"],
        ["the local solver, times as fast with two", f"{local['1'] / local['2']:.2f}"],
        ["overhead, one node, one processor", f"{slow['seconds'] / local['1']:.2f}"],
        ["overhead, one node, two processors", f"{quick['seconds'] / local['2']:.2f}"],
        ["overhead, two nodes, one processor each", f"{runs['nodes']['seconds'] / local['nodes']:.2f}"],
        ["strong scaling", f"{slow['seconds'] / quick['seconds']:.2f}"],
        ["weak scaling", f"{rates[1] / rates[0]:.0%}"],
        ["skew", f"{runs['nodes']['skew']:.4f}"],
        ["of a core for a stored position", f"{1e6 * known['work']:.2f} microseconds"],
        ["exchanged for a stored position", f"{known['bytes']:.0f} bytes"],
        ["exchanged with bundles, times as much", f"{known['more bytes']:.2f}"],
        ["seconds of tasks with bundles, times as many", f"{known['more work']:.2f}"],
        ["of the driver for a task", f"{1000 * known['task']:.2f} ms"],
        ["of the driver for a block", f"{1000 * known['block']:.2f} ms"],
    ]
    return rows, facts


RUNS: dict[str, str] = {
    "run": "", "board": "", "nodes": ",", "processors": ",", "seconds": ",.1f", "million positions a second": ",.2f",
    "tasks": ",", "exchanged, MB": ",", "idle": ".0%", "a worker's own memory, MB": ",",
}  # fmt: skip
SIMULATED: dict[str, str] = {"board": "", "nodes": ",", "shards": ","} | dict.fromkeys(
    ("kernels h", "network h", "disk h", "driver h", "all h", "disk a node, TB"), ",.2f"
)


def tables() -> None:
    """Write what was measured, and what is simulated from it, to their files and to the page."""
    on = json.loads(FILE.read_text())["machine"]
    rows, facts = measured()
    renew("scaling_runs", RUNS, rows, on)
    renew("scaling_facts", dict.fromkeys(("what", "figure"), ""), facts, on)
    renew("simulated", SIMULATED, simulations(), on)
    fill()


def large() -> None:
    """Where starting no longer counts."""
    local, run = pairs(6, 5, 2, 1)
    sheet = Sheet("scaling_large", {"what": "", "figure": ""}, "Overhead on a large board")
    sheet.row("on a cluster", f"{run['seconds']:.1f} s")
    sheet.row("the local solver in that run", f"{local:.1f} s")
    sheet.row("times as long", f"{run['seconds'] / local:.2f}")
    sheet.save("" if "--save" in sys.argv else None)


def memory(allowed: float = 1.0) -> None:
    """Two nodes with little memory for a large game."""
    folder = Path(tempfile.mkdtemp(prefix="cluster-"))
    try:
        with nodes_here(2, 1, allowed):
            _, solved = solve_on_cluster(board(6, 5), folder / "table", memory_gb=allowed)
    finally:
        shutil.rmtree(folder)
    sheet = Sheet("scaling_memory", {"what": "", "figure": ""}, "Little memory for a large game")
    sheet.row("stored positions", f"{solved.stored:,}")
    sheet.row("their keys and outcomes", f"{12 * solved.stored / (1 << 20):,.0f} MiB")
    sheet.row("allowed for each of two nodes", f"{1024 * allowed:,.0f} MiB")
    sheet.row("taken by the workers of a node and its object store", f"{solved.node_peak_mb:,.0f} MiB")
    sheet.row("seconds", f"{solved.seconds:.0f}")
    sheet.row("exchanged", f"{solved.exchanged_bytes / 1e9:.1f} GB")
    sheet.row("of it between the nodes", f"{solved.crossed_bytes / 1e9:.1f} GB")
    sheet.save("" if "--save" in sys.argv else None)


def constants() -> dict[str, float]:
    """Seconds and bytes for each stored position, how many times as many with bundles, and the driver's seconds for a
    task and for a block.

    The driver's processor time for the same small game in several numbers of shards is start + task * tasks +
    block * blocks. They are fitted so that errors are small beside the times; without blocks, if a block would take
    less than no time.
    """
    runs = json.loads(FILE.read_text())["runs"]
    ask = runs["ask"]
    direct, bundled = runs["direct"], runs["bundled"]
    task, block = fitted([runs[f"{shards} shards"] for shards in SMALL])
    return {
        "work": work_of(ask),
        "bytes": ask["exchanged_bytes"] / ask["stored"],
        "more bytes": bundled["exchanged_bytes"] / direct["exchanged_bytes"],
        "more work": work_of(bundled) / work_of(direct),
        "task": max(task, 100e-6),
        "block": max(block, 10e-6),
    }


def work_of(run: dict[str, Any]) -> float:
    """Seconds of all tasks of a run for each stored position."""
    return float(sum(row[1] for kind, row in run["kinds"].items() if kind != "greet") / run["stored"])


def blocks_of(run: dict[str, Any]) -> int:
    """Blocks that the tasks of a run without bundles handed to each other."""
    stretches = run["kinds"]["expand"][0] + 2 * run["kinds"].get("ask", [0])[0]
    return int(run["shards"] * stretches)


def fitted(runs: list[dict[str, Any]]) -> tuple[float, float]:
    """Seconds of the driver for a task and for a block, given runs of the same game in several numbers of shards."""
    times = np.array([run["driver"] for run in runs])
    rows = np.array([[1.0, run["tasks"], blocks_of(run)] for run in runs])
    shares = rows / times[:, None]
    _, task, block = np.linalg.lstsq(shares, np.ones(len(times)))[0].tolist()
    if block < 0:
        _, task = np.linalg.lstsq(shares[:, :2], np.ones(len(times)))[0].tolist()
    return task, max(0.0, block)


def simulate(
    nodes: int,
    tiers: Sequence[float],
    node: Node = Node(),
    known: dict[str, float] | None = None,
    direct: bool = False,
    whole: int = WHOLE,
) -> dict[str, float]:
    """Hours of each resource, if the others were infinitely fast, for one solve; and all, one after the other.

    ``tiers`` are the positions of each tier. What is ``known`` are the `constants`, unless other ones are given. If
    ``direct``, tasks make a block for each shard, however many there are, and no bundles. ``whole`` is the plan's.
    """
    known = known or constants()
    # As `zermelo.cluster.solve` plans: two tasks on each node, with half of its processors.
    each = min(2, node.cores)
    most = SHARDS_EACH * each * nodes
    stretch = min(STRETCH[1], (1 - OBJECTS) * node.memory / each / BYTES_OF_KEY)
    wave = nodes * OBJECTS * node.memory / BYTES_ON_THE_WAY
    seconds = dict.fromkeys(("kernels", "network", "disk", "driver"), 0.0)
    for positions in tiers:
        stored = positions / 2
        # The positions that lead to a tier are some fewer than its own.
        shards = min(most, max(1, isqrt(int(stored / 2) // whole))) if whole else most
        stretches, waves = max(stored / stretch, shards), max(1.0, stored / wave)
        width = 1 if direct else width_of(shards, round(stored), round(stretches))
        # Forward each stretch sends a block to each shard, backward a question, and each shard an answer. With two
        # levels there are bundles as well, and a task for each bundle of ``width`` stretches on each of these ways.
        blocks = (3 if width == 1 else 6) * stretches * shards / width
        tasks = 3 * stretches + 2 * waves * shards + 2 * shards
        work, size = known["work"], known["bytes"]
        if width > 1:
            tasks += 3 * stretches * shards / width**2
            work, size = work * known["more work"], size * known["more bytes"]
        busy = min(stretches, each * nodes)
        seconds["kernels"] += stored * work * each / (busy * node.cores)
        seconds["network"] += stored * size * (1 - 1 / nodes) / (min(busy, nodes) * node.network)
        seconds["disk"] += stored * (8 + 4 + 1) / (min(busy, nodes) * node.disk)
        seconds["driver"] += tasks * known["task"] + blocks * known["block"]
    hours = {name: value / 3600 for name, value in seconds.items()}
    disk = sum(tiers) / 2 * 13 / nodes / 1e12
    return {**hours, "all": sum(hours.values()), "shards": most, "disk_tb": disk}


def tiers_of(name: str) -> list[float]:
    """The positions of each tier, about: the first are those of 7x6 in proportion, the others are equally many."""
    positions, cells = BOARDS[name], math.prod(map(int, name.split("x")))
    known = [count * positions / BOARDS["7x6"] for count in PLIES]
    rest = cells + 1 - len(known)
    return known + [(positions - sum(known)) / rest] * rest


def validate() -> None:
    """The same board on 1, 2, 4 and 8 nodes of one processor, beside what the simulation says of them.

    The nodes, the driver and Ray's servers share this machine's processors. So more nodes are no more processors,
    and only the step from small boards to a larger one can be tested. What a task costs on so many nodes comes from a
    board of 4x4, and what a position costs from one of 3x7. The wider board has more successors to a position, and
    exchanges more for it, so its positions are counted by the bytes that they exchange.
    """
    columns = {"nodes": ",", "shards": ",", "a task, ms": ",.1f", "a stored position, microseconds": ",.2f"}
    columns |= {"seconds": ",.1f", "simulated": ",.1f", "simulated / measured": ",.2f"}
    sheet = Sheet("scaling_validated", columns, "Simulated and measured")
    for nodes in (1, 2, 4, 8):
        shards = SHARDS_EACH * nodes
        ways: dict[str, Any] = {"nodes": nodes, "exchange": "ask", "whole": 0}
        small = [on_cluster(4, 4, 1, shards=some, **ways) for some in (shards, 2 * shards, 4 * shards)]
        task, start = np.polyfit([some["tasks"] for some in small], [some["seconds"] for some in small], 1).tolist()
        middle, run = (on_cluster(*size, 1, shards=shards, **ways) for size in ((3, 7), (5, 5)))
        byte = (middle["seconds"] - start - task * middle["tasks"]) / middle["exchanged_bytes"]
        work = byte * run["exchanged_bytes"] / run["stored"]
        node = Node(cores=1, memory=MEMORY * (1 << 30), network=math.inf, disk=math.inf)
        known = constants() | {"task": task, "block": 0.0, "work": work * nodes}
        tiers = [run["positions"] / 26] * 26
        seconds = start + 3600 * simulate(nodes, tiers, node, known, whole=0)["all"]
        sheet.row(nodes, run["shards"], 1000 * task, 1e6 * work, run["seconds"], seconds, seconds / run["seconds"])
    sheet.save("" if "--save" in sys.argv else None)


def simulations() -> list[list[Any]]:
    """A row for each board and number of nodes."""
    rows = []
    for name in BOARDS:
        for nodes in (1, 10, 100, 1000):
            found = simulate(nodes, tiers_of(name))
            rows.append([name, nodes, *_figures(found)])
    rows += [[f"{name}, no bundles", 1000, *_figures(simulate(1000, tiers_of(name), direct=True))] for name in BOARDS]
    return rows


def _figures(found: dict[str, float]) -> list[float]:
    """The columns of a row about a simulation."""
    hours = [found[what] for what in ("kernels", "network", "disk", "driver", "all")]
    return [round(found["shards"]), *hours, found["disk_tb"]]


def plot() -> None:
    """docs/benchmarks/scaling.svg."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "zermelo"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(9, 3.6), sharey=True)
    counts = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    for axis, name in zip(axes, BOARDS, strict=True):
        for what in ("kernels", "network", "disk", "driver", "all"):
            hours = [simulate(nodes, tiers_of(name))[what] or math.nan for nodes in counts]  # one node needs no network
            axis.loglog(counts, hours, label=what, linewidth=2 if what == "all" else 1)
        axis.set(title=f"connect {name}", xlabel="nodes of 16 cores, 10 Gbit")
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("hours")
    axes[0].legend()
    figure.tight_layout()
    figure.savefig(PLOT, metadata={"Date": None})


if __name__ == "__main__":
    commands = {command.__name__: command for command in (measure, bundles, large, memory, validate, tables, plot)}
    commands[sys.argv[1]]()
