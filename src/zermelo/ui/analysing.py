"""``zermelo analyse``: the engine at work, each depth as it is completed, and its answer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console

from zermelo.errors import BadParameter, TerminalState
from zermelo.game import Game, State
from zermelo.result import SearchCounts, SearchResult
from zermelo.ui import show

if TYPE_CHECKING:
    from zermelo.engine import Engine

HEADINGS = f"{'depth':>5} {'value':>8} {'nodes':>15} {'nodes/s':>12} {'seconds':>8}  line"


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


def make_engine(game: Game, request: Request, notices: Console) -> "Engine":
    """An engine for ``game``; says so where its rules have to be compiled first.

    Raises
    ------
    NotCompilable
        The rules cannot become machine code.
    BadParameter
        Threads or memory are out of range.
    """
    from zermelo.compiled import compiled, is_cached
    from zermelo.engine import Engine

    engine = Engine(game, threads=request.threads, table_mb=request.table_mb)
    if not is_cached(compiled(game).code):
        text = f"Compiling {game!r} to machine code; this is done once and kept."
        notices.print(text, style="dim", markup=False, highlight=False, soft_wrap=True)
    return engine


def require_unfinished(game: Game, state: State) -> None:
    """Refuse a state in which the game is over, before anything is compiled or shown.

    Raises
    ------
    TerminalState
        It is one.
    """
    if game.is_terminal(state):
        raise TerminalState("The game is over in this state, so there is nothing to search.")


def analyse(engine: "Engine", state: State, request: Request, progress: Callable[[SearchResult], None]) -> SearchResult:
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
    """`analyse` with the board before, a line for each depth, and the result in full after."""
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
        result = analyse(engine, state, request, progress)
    console.print()
    console.print(str(result), markup=False, highlight=False, soft_wrap=True)
    return result


def depth_line(game: Game, state: State, result: SearchResult) -> str:
    """One depth: value, nodes, nodes a second, seconds, the line."""
    speed = result.nodes / result.seconds if result.seconds else 0.0
    line = " ".join(show_line(game, state, result.principal_variation))
    mark = "=" if result.proven else " "
    return (
        f"{result.depth:>5} {result.value:>8}{mark}{result.nodes:>15,} {speed:>12,.0f} {result.seconds:>8.2f}  {line}"
    )


def show_line(game: Game, state: State, actions: tuple[Any, ...]) -> list[str]:
    """A line of play as people write it."""
    shown = []
    for action in actions:
        shown.append(game.show_action(state, action))
        state = game.result(state, action)
    return shown
