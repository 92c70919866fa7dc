"""``zermelo solve``: solve a whole game into a table on disk, here or on a cluster, or only estimate it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.status import Status

from zermelo.errors import BadParameter
from zermelo.game import Game, State
from zermelo.ui.arguments import (
    EXIT_INTERRUPTED,
    ClusterOption,
    GameArgument,
    JsonOption,
    ParameterOption,
    ShardsOption,
    fail,
)
from zermelo.ui.loading import read_game
from zermelo.ui.positions import beginning
from zermelo.ui.terminal.progress import solve_progress
from zermelo.ui.terminal.solve_report import (
    Row,
    cluster_rows,
    cluster_solve_rows,
    estimate_rows,
    local_rows,
    print_rows,
    solve_rows,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from zermelo.cluster.estimate import ClusterEstimate
    from zermelo.cluster.solve import ClusterSolved
    from zermelo.solver import Estimate, Progress, Solved


@dataclass(frozen=True)
class SolveRequest:
    """What to solve, and where; ``workers`` and ``shards`` that are None are chosen by the solver."""

    game: Game
    starts: "list[State] | NDArray[np.int64]"
    workers: int | None
    memory_gb: float
    cluster: str | None
    """The cluster's address; None for this machine alone."""
    shards: int | None


def solve(
    game: GameArgument,
    out: Annotated[
        str | None, typer.Option(metavar="DIR", help="The folder of the table; made where it is missing.")
    ] = None,
    parameter: ParameterOption = None,
    workers: Annotated[int | None, typer.Option(help="Threads; as many as there are processors if not given.")] = None,
    memory_gb: Annotated[float, typer.Option(help="Memory that the process should not exceed, in GiB.")] = 8.0,
    from_: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Positions to begin from, one a line of text.")
    ] = None,
    all_placements: Annotated[
        str | None, typer.Option(metavar="MEN", help="Begin from every placement of these men, as the game names them.")
    ] = None,
    only_estimate: Annotated[
        bool, typer.Option("--estimate", help="Only predict positions, time, memory and disk.")
    ] = False,
    cluster: ClusterOption = None,
    shards: ShardsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a whole game: write the value and remoteness of every position into a table on disk.

    If it is interrupted, run the same command again to resume.
    """
    rules = read_game(game, parameter)
    request = SolveRequest(rules, beginning(rules, from_, all_placements), workers, memory_gb, cluster, shards)
    found: Solved | Estimate | ClusterEstimate
    if only_estimate:
        found, rows = estimate_here(request) if cluster is None else estimate_clustered(request)
    elif not out:
        raise BadParameter("Say where the table goes: --out DIR.")
    elif cluster is None and shards is not None:
        raise BadParameter("--shards goes with --cluster; one machine keeps no shards.")
    else:
        found, rows = solve_or_fail(request, out)
    if as_json:
        print(json.dumps(found.to_dict()))
    else:
        print_rows(rows, Console())


def solve_or_fail(request: SolveRequest, out: str) -> "tuple[Solved, list[Row]]":
    """Solve and show the progress; Ctrl-C leaves the program with a sentence about how to resume."""
    solve_there = solve_here if request.cluster is None else solve_clustered
    try:
        with solve_progress(Console(stderr=True)) as report:
            return solve_there(request, out, report)
    except KeyboardInterrupt:
        fail(f"Interrupted; the same command goes on with what is in {out}.", EXIT_INTERRUPTED)


def solve_here(request: SolveRequest, out: str, report: "Callable[[Progress], None]") -> "tuple[Solved, list[Row]]":
    """Solve on this machine."""
    from zermelo.solver import solve_timed

    _, solved = solve_timed(
        request.game, out, workers=request.workers, memory_gb=request.memory_gb, starts=request.starts, progress=report
    )
    return solved, solve_rows(request.game, out, solved)


def solve_clustered(
    request: SolveRequest, out: str, report: "Callable[[Progress], None]"
) -> "tuple[ClusterSolved, list[Row]]":
    """Solve on a cluster."""
    from zermelo.cluster.solve import solve_on_cluster

    _, solved = solve_on_cluster(
        request.game,
        out,
        cluster=str(request.cluster),
        workers=request.workers,
        memory_gb=request.memory_gb,
        starts=request.starts,
        shards=request.shards,
        progress=report,
    )
    return solved, cluster_solve_rows(request.game, out, solved)


def estimate_here(request: SolveRequest) -> "tuple[Estimate, list[Row]]":
    """Predict what a solve on this machine will take; nothing is written."""
    from zermelo.solver.solve import worker_count
    from zermelo.solver.study.estimate import estimate

    workers = worker_count(request.workers)
    with counting():
        found = estimate(request.game, workers=workers, starts=request.starts)
    return found, estimate_rows(request.game, found, local_rows(found))


def estimate_clustered(request: SolveRequest) -> "tuple[ClusterEstimate, list[Row]]":
    """Predict what a solve on a cluster will take; nothing is written."""
    from zermelo.cluster.estimate import estimate_on_cluster

    with counting():
        found = estimate_on_cluster(
            request.game,
            cluster=str(request.cluster),
            workers=request.workers,
            memory_gb=request.memory_gb,
            shards=request.shards,
            starts=request.starts,
        )
    return found, estimate_rows(request.game, found.local, cluster_rows(found))


def counting() -> Status:
    """The spinner that is shown during an estimate."""
    return Console(stderr=True).status("Counting the first positions, sampling the others")
