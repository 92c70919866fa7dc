"""``zermelo analyse``: the engine at work, each depth as it is completed, and its answer."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console

from zermelo.errors import BadParameter, TerminalState
from zermelo.game import Game, State
from zermelo.play.moves import read_moves
from zermelo.result import SearchCounts, SearchResult
from zermelo.textbook.systems import guarantee
from zermelo.ui.arguments import (
    EXIT_INTERRUPTED,
    ClusterOption,
    GameArgument,
    JsonOption,
    MovesOption,
    ParameterOption,
)
from zermelo.ui.loading import read_game
from zermelo.ui.terminal import show

if TYPE_CHECKING:
    from zermelo.engine import Engine

SECONDS: Final = 5.0
"""The limit where no other is given."""
HEADINGS: Final = f"{'depth':>5} {'value':>8} {'nodes':>15} {'nodes/s':>12} {'seconds':>8}  line"


@dataclass(frozen=True)
class Request:
    """What to ask of an engine."""

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None
    prove: bool = False
    root_values: bool = False
    threads: int = 1
    table_mb: float = 256.0

    def __post_init__(self) -> None:
        for name, limit in (("seconds", self.seconds), ("depth", self.depth), ("nodes", self.nodes)):
            if limit is not None and not limit > 0:
                raise BadParameter(f"The limit {name} is {limit}; it must be more than 0.")


def analyse(
    game: GameArgument,
    parameter: ParameterOption = None,
    moves: MovesOption = "",
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
    from zermelo.ui.clustering import analyse_positions, prove_clustered

    rules = read_game(game, parameter)
    state = rules.replay(read_moves(rules, moves))
    if seconds is None and depth is None and nodes is None and not prove:
        seconds = SECONDS
    request = Request(seconds, depth, nodes, prove, root_values, threads, table_mb)
    if positions is None and out is not None:
        raise BadParameter("--out goes with --positions; a single position is printed, with --json as JSON.")
    if positions is not None:
        if moves:
            raise BadParameter(
                "--moves goes without --positions; a line of the file says from the start what was played."
            )
        analyse_positions(rules, positions, out, request, cluster)
        return
    if cluster is not None:
        result = prove_clustered(rules, state, request, cluster)
        print(json.dumps(analysis_record(rules, result)) if as_json else result)
        return
    require_unfinished(rules, state)
    engine = make_engine(rules, request, Console(stderr=True))
    compile_first(engine, state, request, Console(stderr=True))
    if as_json:
        result = answer(engine, state, request, lambda result: None)
        print(json.dumps(analysis_record(rules, result)))
    else:
        result = analyse_aloud(engine, state, request, Console())
    if result.stopped_by == "interrupted":
        sys.exit(EXIT_INTERRUPTED)


def analysis_record(game: Game, result: SearchResult) -> dict[str, Any]:
    """An engine's result for JSON."""
    return {
        "game": game.name,
        "parameters": dict(game.parameters),
        "guarantee": guarantee(game, result),
        **result.to_dict(),
    }


def make_engine(game: Game, request: Request, notices: Console) -> "Engine":
    """An engine for ``game``; says so where its rules have to be compiled first.

    Raises
    ------
    NotCompilable
        The rules cannot become machine code.
    BadParameter
        Threads or memory are out of range.
    """
    from zermelo.engine import Engine

    engine = Engine(game, threads=request.threads, table_mb=request.table_mb)
    announce_compiling(game, notices)
    return engine


def compile_first(engine: "Engine", state: State, request: Request, notices: Console) -> None:
    """Compile what a request needs while a terminal shows how long that takes; a cached engine is ready as it is."""
    from zermelo.compiled import compiled, is_cached

    if is_cached(compiled(engine.game).code):
        return
    with show.spinning(notices, show.Elapsed("compiling, which no limit counts")):
        answer(engine, state, Request(nodes=1, prove=request.prove), lambda result: None)
    engine.clear()


def announce_compiling(game: Game, notices: Console) -> None:
    """Say so where the rules have to be compiled first.

    Raises
    ------
    NotCompilable
        The rules cannot become machine code.
    """
    from zermelo.compiled import compiled, is_cached

    if not is_cached(compiled(game).code):
        text = f"Compiling {game!r} to machine code; this is done once and kept."
        notices.print(text, style="dim", markup=False, highlight=False, soft_wrap=True)


def require_unfinished(game: Game, state: State) -> None:
    """Refuse a state in which the game is over, before anything is compiled or shown.

    Raises
    ------
    TerminalState
        It is one.
    """
    if game.is_terminal(state):
        raise TerminalState("The game is over in this state, so there is nothing to search.")


def answer(engine: "Engine", state: State, request: Request, progress: Callable[[SearchResult], None]) -> SearchResult:
    """Search or prove ``state`` as the request says; ``progress`` is told of each depth."""
    if request.prove:
        return engine.prove(state, seconds=request.seconds, nodes=request.nodes, root_values=request.root_values)
    return engine.search(
        state,
        seconds=request.seconds,
        depth=request.depth,
        nodes=request.nodes,
        root_values=request.root_values,
        progress=progress,
    )


def analyse_aloud(engine: "Engine", state: State, request: Request, console: Console) -> SearchResult:
    """`answer` with the board before, a line for each depth, and the result in full after."""
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
    """One depth: value, nodes, nodes a second, seconds, the line."""
    speed = result.nodes / result.seconds if result.seconds else 0.0
    line = " ".join(show.line(game, state, result.principal_variation))
    mark = "=" if result.proven else " "
    return (
        f"{result.depth:>5} {result.value:>8}{mark}{result.nodes:>15,} {speed:>12,.0f} {result.seconds:>8.2f}  {line}"
    )
