"""Boards, results of searches and tables as a terminal shows them."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from time import monotonic
from typing import Any, Final, Literal

from rich.console import Console, RenderableType
from rich.text import Text

from zermelo.game import Action, Game, State
from zermelo.result import SearchCounts, SearchResult

PIECES: Final = {"X": "bold red", "x": "bold red", "O": "bold yellow", "o": "bold yellow", ".": "dim"}
GUARANTEES: Final = {
    "first": "First player has a guaranteed win with perfect play.",
    "second": "Second player has a guaranteed win with perfect play.",
    "draw": "Neither player has a guaranteed win; perfect play is a draw.",
}


def board(game: Game, state: State) -> Text:
    """Return the picture of a state, with coloured pieces."""
    text = Text()
    for character in game.draw(state):
        text.append(character, PIECES.get(character))
    return text


def guarantee_sentence(guarantee: Literal["first", "second", "draw"] | None) -> str:
    """Return a sentence that says who wins under perfect play."""
    return GUARANTEES[guarantee] if guarantee else "Who wins with perfect play is not proven."


def preparation(result: SearchResult) -> str:
    """Return what the search before the game cost."""
    return (
        f"Searched for {result.seconds:.2f} seconds: {result.table_states:,} states in the table, "
        f"{result.nodes:,} nodes, {result.prunings:,} prunings, maximum depth {result.max_depth}."
    )


def search_report(result: SearchResult) -> str:
    """Return the handouts' report after a search: cutoff level, maximum depth, nodes, prunings, states in the table."""
    was_cut_off = result.depth is not None and result.stopped_by != "finished"
    level = f"cutoff level {result.depth}, " if was_cut_off else ""
    table = f", {result.table_states:,} states in the table" if result.table_states else ""
    return (
        f"Searched for {result.seconds:.2f} seconds: {level}maximum depth {result.max_depth}, {result.nodes:,} nodes, "
        f"{result.prunings_max:,} prunings in MAX-VALUE, {result.prunings_min:,} prunings in MIN-VALUE{table}."
    )


def value_line(game: Game, state: State, result: SearchResult) -> str:
    """Return the line that the handouts' programs print at every state."""
    line = f"Minimax value for this state: {result.value}, optimal move: {game.show_action(state, result.action)}"
    if result.depth is not None and not result.proven:
        line += f" (an estimate, {result.depth} plies deep)"
    elif result.bound == "estimate":
        line += " (an estimate)"
    return line


def line(game: Game, state: State, actions: Iterable[Action]) -> list[str]:
    """Return a line of play from ``state`` as people write it."""
    shown = []
    for action in actions:
        shown.append(game.show_action(state, action))
        state = game.result(state, action)
    return shown


def table_lines(game: Game, table: Mapping[State, Any]) -> Iterator[str]:
    """Yield a search's table, sorted: state, value, action, and the bound if there is one."""
    for state, info in sorted((game.show_state(state), info) for state, info in table.items()):
        bound = getattr(info, "bound", None)
        action = "-" if info.action is None else str(info.action)
        yield "\t".join([state, str(info.value), action, *([bound] if bound else [])])


class Thinking:
    """A spinner's text that counts nodes while a search runs."""

    def __init__(self, counts: SearchCounts) -> None:
        self.counts = counts

    def __rich__(self) -> Text:
        return Text(f"thinking: {self.counts.nodes:,} nodes")


class Elapsed:
    """A spinner's text with the seconds since it was made."""

    def __init__(self, text: str) -> None:
        self.text, self.start = text, monotonic()

    def __rich__(self) -> Text:
        return Text(f"{self.text}: {monotonic() - self.start:.0f} s")


def searching(console: Console, counts: SearchCounts) -> AbstractContextManager[None]:
    """Show the number of nodes on a terminal during a search."""
    return spinning(console, Thinking(counts))


@contextmanager
def spinning(console: Console, text: RenderableType) -> Iterator[None]:
    """Show a spinner with a text that changes on a terminal."""
    status = console.status(text, spinner="dots")
    try:
        with status:
            yield
    finally:
        status.stop()  # if Ctrl-C comes while the spinner starts, nothing else stops it
