"""``zermelo search``: what one of the handouts' systems found, for people and for programs."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from rich.console import Console

from zermelo.errors import BadParameter
from zermelo.game import State
from zermelo.play.players import Options
from zermelo.result import SearchCounts, SearchResult
from zermelo.textbook.systems import Algorithm, System, guarantee
from zermelo.ui import show

TAKES: Final[Mapping[str, tuple[Algorithm, ...]]] = {
    "depth": ("heuristic", "path", "timed"),
    "width": ("path",),
    "seconds": ("timed",),
    "level": ("heuristic", "path", "timed"),
}
"""Which algorithms an option concerns."""


def check_options(algorithm: Algorithm, options: Options) -> None:
    """Refuse an option that an algorithm would not look at: a search without the limit may never end.

    Raises
    ------
    BadParameter
        There is one.
    """
    for name in options.said():
        takers = TAKES.get(name, (algorithm,))
        if algorithm not in takers:
            raise BadParameter(f"The algorithm {algorithm} takes no --{name}; it goes with {', '.join(takers)}.")


def search_record(system: System, result: SearchResult) -> dict[str, Any]:
    """The JSON object of a search."""
    return {
        "game": system.game.name,
        "parameters": dict(system.game.parameters),
        "algorithm": system.algorithm,
        "letter": system.settings.letter,
        "guarantee": guarantee(system.game, result, system.settings.letter),
        **result.to_dict(),
    }


def print_search(system: System, result: SearchResult, state: State) -> None:
    """A search for people: the board, the result, and beside a sound table's counts those of the letter."""
    console = Console()
    console.print(show.board(system.game, state), highlight=False)
    console.print()
    console.print(str(result), markup=False, highlight=False, soft_wrap=True)
    console.print(show.guarantee_sentence(guarantee(system.game, result, system.settings.letter)), highlight=False)
    if system.algorithm in ("alpha-beta", "heuristic") and not system.settings.letter:
        counts = SearchCounts()
        letter = letter_of(system)
        with show.searching(Console(stderr=True), counts):
            other = letter.search(state, counts)
        console.print(
            f"The letter of the handout, whose table can be wrong: value {other.value}, {other.nodes:,} nodes, "
            f"{other.prunings:,} prunings, {other.table_states:,} states.",
            highlight=False,
            soft_wrap=True,
        )


def letter_of(system: System) -> System:
    """The same system with the handout's own table."""
    return System(system.game, system.algorithm, replace(system.settings, letter=True))
