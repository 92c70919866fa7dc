"""The commands on a Ray cluster: ``zermelo solve --cluster``, ``zermelo analyse --cluster`` and ``--positions``."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from zermelo.errors import BadParameter
from zermelo.game import Game, State
from zermelo.play.moves import read_moves
from zermelo.ui.arguments import EXIT_INTERRUPTED, fail
from zermelo.ui.commands.analyse import Request
from zermelo.ui.commands.solve import duration, position_lines, print_foreseen, print_solved, progress_shown, size

if TYPE_CHECKING:
    from zermelo.result import SearchResult


def solve_clustered(
    rules: Game,
    out: str,
    cluster: str,
    workers: int | None,
    memory_gb: float,
    starts: Any,
    shards: int | None,
    as_json: bool,
) -> None:
    """Solve a game on a cluster, and say what came of it."""
    from zermelo.cluster.solve import solve_on_cluster

    try:
        with progress_shown(Console(stderr=True)) as report:
            _, solved = solve_on_cluster(
                rules, out, cluster=cluster, workers=workers, memory_gb=memory_gb, starts=starts, shards=shards,
                progress=report,
            )  # fmt: skip
    except KeyboardInterrupt:
        fail(f"Interrupted; the same command goes on with what is in {out}.", EXIT_INTERRUPTED)
    if as_json:
        print(json.dumps(solved.to_dict()))
        return
    console = Console()
    print_solved(rules, out, solved, console, " for the driver")
    rows = [
        (
            "cluster",
            f"{counted(solved.nodes)}, {solved.shards} shards; the largest is {solved.skew:.2f} times the mean",
        ),
        ("exchange", f"{size(solved.exchanged_bytes)}, {size(solved.crossed_bytes)} of it between nodes"),
        ("workers", f"{solved.node_peak_mb:,.0f} MB on one node at most; idle {solved.idle:.0%} of the time"),
    ]
    for name, text in rows:
        console.print(f"{name:<12} {text}", markup=False, highlight=False, soft_wrap=True)


def counted(nodes: int) -> str:
    """So many nodes, for people."""
    return "1 node" if nodes == 1 else f"{nodes} nodes"


def print_cluster_estimate(
    rules: Game, cluster: str, workers: int | None, memory_gb: float, starts: Any, shards: int | None, as_json: bool
) -> None:
    """Predict what a solve on a cluster will take, for people or as JSON; nothing is written."""
    from zermelo.cluster.estimate import estimate_on_cluster

    with Console(stderr=True).status("Counting the first positions, sampling the others"):
        found = estimate_on_cluster(
            rules, cluster=cluster, workers=workers, memory_gb=memory_gb, shards=shards, starts=starts
        )
    if as_json:
        print(json.dumps(found.to_dict()))
        return
    exchanged, crossed = size(found.exchanged_bytes), size(found.crossed_bytes)
    print_foreseen(rules, found.local, [
        ("cluster", f"{counted(found.nodes)}, {found.shards} shards"),
        ("time", f"about {duration(found.seconds)}, if a node has nothing else to do"),
        ("machines", f"about {duration(3600 * found.machine_hours)} of a node's time, all nodes together"),
        ("exchange", f"up to {exchanged}, {crossed} of it between nodes"),
        ("disk", f"about {size(found.local.table_bytes)}, and {size(found.node_bytes)} for each node on the way"),
    ])  # fmt: skip


def prove_clustered(rules: Game, state: State, request: Request, cluster: str) -> "SearchResult":
    """Prove a position's value on a cluster.

    Raises
    ------
    BadParameter
        The request is for something else than a proof.
    """
    from zermelo.cluster.prove import prove_on_cluster

    if not request.prove or request.depth is not None or request.nodes is not None or request.root_values:
        raise BadParameter("On a cluster one position is proven: --cluster goes with --prove and --seconds.")
    return prove_on_cluster(rules, state, cluster=cluster, seconds=request.seconds, table_mb=request.table_mb)


def analyse_positions(rules: Game, file: Path, out: Path | None, request: Request, cluster: str | None) -> None:
    """Analyse every position in a file.

    Raises
    ------
    BadParameter
        The file cannot be read, a line means no position, or no result file is named.
    """
    from zermelo.cluster.analyse import analyse_positions

    if out is None:
        raise BadParameter("Say where the results go: --out FILE.jsonl or FILE.arrow.")
    if out.suffix not in (".jsonl", ".arrow"):
        raise BadParameter(f"{out} is no name for results; it must end in .jsonl or .arrow.")
    if out.is_dir():
        raise BadParameter(f"{out} is a folder; it must be a file.")
    if not out.parent.is_dir():
        raise BadParameter(f"There is no folder {out.parent}; make it first.")
    if request.root_values or request.threads != 1:
        raise BadParameter("With --positions, each position has one thread, and moves have no values of their own.")
    limits = {"prove": request.prove, "seconds": request.seconds, "depth": request.depth, "nodes": request.nodes,
              "table_mb": request.table_mb}  # fmt: skip
    positions = read_positions(rules, file)
    console = Console(stderr=True)
    with console.status("") as status:

        def progress(done: int, total: int) -> None:
            status.update(f"{done:,} of {total:,} positions")

        try:
            earlier = analyse_positions(rules, positions, out, limits, cluster=cluster, progress=progress)
        except KeyboardInterrupt:
            fail(f"Interrupted; the same command goes on with what is in {out}.", EXIT_INTERRUPTED)
    print(f"{len(positions):,} positions, {earlier:,} of them from an earlier run: {out}")


def read_positions(game: Game, file: Path) -> list[tuple[str, State]]:
    """Positions in a file, one a line: in the game's notation, or as the moves that lead there.

    Raises
    ------
    BadParameter
        The file cannot be read or is empty, or a line of it means no position.
    """
    return [(line, _position(game, line, place)) for place, line in position_lines(file)]


def _position(game: Game, line: str, place: str) -> State:
    if game.from_text is not None:
        try:
            return game.from_text(line)
        except ValueError:
            pass
    try:
        return game.replay(read_moves(game, line))
    except Exception as error:
        raise BadParameter(f"{place}: {line!r} is no position of {game.name}: {str(error).rstrip('.')}.") from None
