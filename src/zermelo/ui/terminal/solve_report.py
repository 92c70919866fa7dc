"""What a solve came to, or is estimated to take, as rows of a name and a text."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from rich.console import Console

from zermelo.game import Game
from zermelo.ui.terminal.wording import counted_nodes, duration, ending, rounded, size, verdict

if TYPE_CHECKING:
    from zermelo.cluster.estimate import ClusterEstimate
    from zermelo.cluster.solve import ClusterSolved
    from zermelo.solver import Estimate, Solved

Row: TypeAlias = tuple[str, str]


def print_rows(rows: Iterable[Row], console: Console) -> None:
    """Print the rows, the texts below each other."""
    for name, text in rows:
        console.print(f"{name:<12} {text}", markup=False, highlight=False, soft_wrap=True)


def solve_rows(game: Game, out: Path | str, solved: "Solved", of_whom: str = "") -> list[Row]:
    """What a solve came to; ``of_whom`` says whose memory was measured."""
    each = solved.positions_per_second
    speed = "; earlier runs did the rest" if each is None else f", {each:,.0f} positions a second"
    return [
        ("game", repr(game)),
        ("value", f"{solved.value} ({verdict(game, solved.value)})"),
        ("remoteness", ending(solved.remoteness)),
        ("positions", f"{solved.positions:,}, of which {solved.stored:,} are stored"),
        ("table", f"{out}, {size(solved.bytes)}"),
        ("time", f"{solved.seconds:.1f} s{speed}"),
        ("memory", f"{solved.peak_memory_mb:,.0f} MB at most{of_whom}"),
    ]


def cluster_solve_rows(game: Game, out: Path | str, solved: "ClusterSolved") -> list[Row]:
    """What a solve on a cluster came to."""
    shards = f"{solved.shards} shards; the largest is {solved.skew:.2f} times the mean"
    return [
        *solve_rows(game, out, solved, " for the driver"),
        ("cluster", f"{counted_nodes(solved.nodes)}, {shards}"),
        ("exchange", f"{size(solved.exchanged_bytes)}, {size(solved.crossed_bytes)} of it between nodes"),
        ("workers", f"{solved.node_peak_mb:,.0f} MB on one node at most; idle {solved.idle:.0%} of the time"),
    ]


def estimate_rows(game: Game, found: "Estimate", cost: list[Row]) -> list[Row]:
    """How large a game is, what solving it costs, and how sure that is."""
    about = "" if found.exact else "about "
    low, high = rounded(found.positions_low, False), rounded(found.positions_high, False)
    between = "" if found.exact else f", between {low} and {high}"
    counted = sum(level.counted for level in found.levels)
    how = "all counted" if found.exact else f"{counted} of {len(found.levels)} levels counted, the others estimated"
    rows = [
        ("game", repr(game)),
        ("positions", f"{about}{rounded(found.positions, found.exact)}{between} ({how})"),
        ("stored", f"{about}{rounded(found.stored, found.exact)}"),
        *cost,
    ]
    if not found.exact:
        rows.append(
            ("how sure", "with 95 % between the two numbers, as far as was measured; see docs/how-to/solving.md")
        )
    return rows


def local_rows(found: "Estimate") -> list[Row]:
    """What a solve on this machine costs."""
    return [
        ("time", f"about {duration(found.seconds)}"),
        ("memory", f"about {size(found.memory_mb * (1 << 20))} if the machine has it; less makes it slower"),
        ("disk", f"about {size(found.table_bytes)}, and {size(found.work_bytes)} more on the way"),
    ]


def cluster_rows(found: "ClusterEstimate") -> list[Row]:
    """What a solve on a cluster costs."""
    table, work = size(found.local.table_bytes), size(found.node_bytes)
    return [
        ("cluster", f"{counted_nodes(found.nodes)}, {found.shards} shards"),
        ("time", f"about {duration(found.seconds)}, if a node has nothing else to do"),
        ("machines", f"about {duration(3600 * found.machine_hours)} of a node's time, all nodes together"),
        ("exchange", f"up to {size(found.exchanged_bytes)}, {size(found.crossed_bytes)} of it between nodes"),
        ("disk", f"about {table}, and {work} for each node on the way"),
    ]
