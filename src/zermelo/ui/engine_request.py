"""What a command line asks of the engine, and how the engine is made, compiled and asked."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console

from zermelo.errors import BadParameter, TerminalState
from zermelo.game import Game, State
from zermelo.result import SearchResult
from zermelo.ui.terminal import show

if TYPE_CHECKING:
    from zermelo.engine import Engine


@dataclass(frozen=True)
class EngineRequest:
    """What to ask of an engine; a limit that is None does not limit."""

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


def announce_compiling(game: Game, kernel: Callable[..., Any], notices: Console) -> None:
    """Print a notice if ``kernel`` has to be compiled for the game first.

    Raises
    ------
    NotCompilable
        The rules cannot become machine code.
    """
    from zermelo.compiled import compiled, is_cached

    if not is_cached(compiled(game).code, kernel):
        text = f"Compiling {game!r} to machine code; this is done once and kept."
        notices.print(text, style="dim", markup=False, highlight=False, soft_wrap=True)


def make_engine(game: Game, request: EngineRequest, notices: Console) -> "Engine":
    """Return an engine for ``game``; print a notice if it has to be compiled for the game first.

    Raises
    ------
    NotCompilable
        The rules cannot become machine code.
    BadParameter
        Threads or memory are out of range.
    """
    from zermelo.engine import Engine

    engine = Engine(game, threads=request.threads, table_mb=request.table_mb)
    announce_compiling(game, _kernel(request), notices)
    return engine


def _kernel(request: EngineRequest) -> Callable[..., Any]:
    """The kernel that takes longest to compile of those that a request runs."""
    from zermelo.engine.deepening import search_deeper
    from zermelo.engine.proof_search import prove_all

    return prove_all if request.prove else search_deeper


def compile_first(engine: "Engine", state: State, request: EngineRequest, notices: Console) -> None:
    """Compile what a request needs, unless it is cached; a terminal shows the time that it takes."""
    from zermelo.compiled import compiled, is_cached

    if is_cached(compiled(engine.game).code, _kernel(request)):
        return
    with show.spinning(notices, show.Elapsed("compiling, which no limit counts")):
        answer(engine, state, EngineRequest(nodes=1, prove=request.prove), lambda result: None)
    engine.clear()


def require_unfinished(game: Game, state: State) -> None:
    """Refuse a state in which the game is over, before anything is compiled or shown.

    Raises
    ------
    TerminalState
        It is one.
    """
    if game.is_terminal(state):
        raise TerminalState("The game is over in this state, so there is nothing to search.")


def answer(
    engine: "Engine", state: State, request: EngineRequest, progress: Callable[[SearchResult], None]
) -> SearchResult:
    """Search or prove ``state`` as the request says; call ``progress`` after each depth."""
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
