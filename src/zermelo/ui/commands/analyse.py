"""``zermelo analyse``: analyse a position, or a file of them, with the engine, here or on a cluster."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console

from zermelo.errors import BadParameter
from zermelo.game import Game, State
from zermelo.result import SearchCounts, SearchResult
from zermelo.textbook.systems import guarantee
from zermelo.ui.arguments import (
    EXIT_INTERRUPTED,
    ClusterOption,
    GameArgument,
    JsonOption,
    MovesOption,
    ParameterOption,
    PositionOption,
    fail,
)
from zermelo.ui.engine_request import EngineRequest, answer, compile_first, make_engine, require_unfinished
from zermelo.ui.loading import read_game
from zermelo.ui.positions import named_position, read_positions
from zermelo.ui.terminal import show

if TYPE_CHECKING:
    from zermelo.engine import Engine

SECONDS: Final = 5.0
"""The limit if no other is given."""
HEADINGS: Final = f"{'depth':>5} {'value':>8} {'nodes':>15} {'nodes/s':>12} {'seconds':>8}  line"


def analyse(
    game: GameArgument,
    parameter: ParameterOption = None,
    moves: MovesOption = "",
    position: PositionOption = "",
    seconds: Annotated[float | None, typer.Option(help="Stop after this time; 5 if no limit is given.")] = None,
    depth: Annotated[int | None, typer.Option(help="Stop after this depth, in plies.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Stop after so many nodes.")] = None,
    prove: Annotated[bool, typer.Option("--prove", help="Search until the exact value is proven.")] = False,
    threads: Annotated[int, typer.Option(help="Threads that search together.")] = 1,
    table_mb: Annotated[float, typer.Option(help="Memory of the tables, in MiB.")] = 256.0,
    root_values: Annotated[bool, typer.Option("--root-values", help="The value of every move.")] = False,
    cluster: ClusterOption = None,
    positions: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Analyse these positions, one a line: text or moves.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="For --positions: .jsonl or .arrow.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Analyse a position with the compiled engine, ever deeper."""
    rules = read_game(game, parameter)
    state = named_position(rules, position, moves)
    if seconds is None and depth is None and nodes is None and not prove:
        seconds = SECONDS
    request = EngineRequest(seconds, depth, nodes, prove, root_values, threads, table_mb)
    if positions is None and out is not None:
        raise BadParameter("--out goes with --positions; a single position is printed, with --json as JSON.")
    if positions is not None and (moves or position):
        raise BadParameter("--moves and --position go without --positions; each line of the file says it all.")
    if positions is not None:
        analyse_file(rules, positions, out, request, cluster)
    elif cluster is not None:
        result = prove_clustered(rules, state, request, cluster)
        print(json.dumps(analysis_record(rules, result)) if as_json else result)
    else:
        analyse_position(rules, state, request, as_json)


def analyse_position(game: Game, state: State, request: EngineRequest, as_json: bool) -> None:
    """Analyse one position in this process and print the result; leave with status 130 if Ctrl-C stopped the search."""
    require_unfinished(game, state)
    notices = Console(stderr=True)
    engine = make_engine(game, request, notices)
    compile_first(engine, state, request, notices)
    if as_json:
        result = answer(engine, state, request, lambda result: None)
        print(json.dumps(analysis_record(game, result)))
    else:
        result = analyse_aloud(engine, state, request, Console())
    if result.stopped_by == "interrupted":
        sys.exit(EXIT_INTERRUPTED)


def analyse_aloud(engine: "Engine", state: State, request: EngineRequest, console: Console) -> SearchResult:
    """Print the board, search and print a line for each depth, and print the whole result."""
    game = engine.game
    console.print(show.board(game, state), highlight=False)
    console.print()
    if not request.prove:
        console.print(HEADINGS, style="bold", highlight=False)
    counts = SearchCounts()

    def progress(result: SearchResult) -> None:
        counts.nodes = result.nodes
        console.print(depth_line(game, state, result), markup=False, highlight=False, soft_wrap=True)

    with show.searching(console, counts):
        result = answer(engine, state, request, progress)
    console.print()
    console.print(str(result), markup=False, highlight=False, soft_wrap=True)
    return result


def depth_line(game: Game, state: State, result: SearchResult) -> str:
    """Return the line of a depth: value, nodes, nodes a second, seconds, principal variation."""
    speed = result.nodes / result.seconds if result.seconds else 0.0
    line = " ".join(show.line(game, state, result.principal_variation))
    mark = "=" if result.proven else " "
    return (
        f"{result.depth:>5} {result.value:>8}{mark}{result.nodes:>15,} {speed:>12,.0f} {result.seconds:>8.2f}  {line}"
    )


def analysis_record(game: Game, result: SearchResult) -> dict[str, Any]:
    """Return an engine's result for JSON."""
    return {
        "game": game.name,
        "parameters": dict(game.parameters),
        "guarantee": guarantee(game, result),
        **result.to_dict(),
    }


def prove_clustered(game: Game, state: State, request: EngineRequest, cluster: str) -> SearchResult:
    """Prove a position's value on a cluster.

    Raises
    ------
    BadParameter
        The request is for something else than a proof.
    """
    from zermelo.cluster.prove import prove_on_cluster

    if not request.prove or request.depth is not None or request.nodes is not None or request.root_values:
        raise BadParameter("On a cluster one position is proven: --cluster goes with --prove and --seconds.")
    return prove_on_cluster(game, state, cluster=cluster, seconds=request.seconds, table_mb=request.table_mb)


def analyse_file(game: Game, file: Path, out: Path | None, request: EngineRequest, cluster: str | None) -> None:
    """Analyse every position in a file, on this machine or on a cluster, and write the results to ``out``.

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
    positions = read_positions(game, file)
    console = Console(stderr=True)
    with console.status("") as status:

        def progress(done: int, total: int) -> None:
            status.update(f"{done:,} of {total:,} positions")

        try:
            earlier = analyse_positions(game, positions, out, limits, cluster=cluster, progress=progress)
        except KeyboardInterrupt:
            fail(f"Interrupted; the same command goes on with what is in {out}.", EXIT_INTERRUPTED)
    print(f"{len(positions):,} positions, {earlier:,} of them from an earlier run: {out}")
