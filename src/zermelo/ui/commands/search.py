"""``zermelo search``: search a position with one of the handouts' systems."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from zermelo.errors import BadParameter
from zermelo.game import State
from zermelo.play.settings import Description, PlayerOptions, textbook_settings
from zermelo.result import SearchCounts, SearchResult
from zermelo.textbook.systems import ESTIMATING, Algorithm, System, guarantee
from zermelo.ui.arguments import (
    DepthOption,
    GameArgument,
    HandoutOption,
    JsonOption,
    LevelOption,
    MovesOption,
    ParameterOption,
    PositionOption,
    SecondsOption,
    WidthOption,
)
from zermelo.ui.loading import read_game
from zermelo.ui.positions import named_position
from zermelo.ui.terminal import show


def search(
    game: GameArgument,
    parameter: ParameterOption = None,
    algorithm: Annotated[Algorithm, typer.Option(help="Which of the handouts' systems.")] = "alpha-beta",
    handout: HandoutOption = False,
    depth: DepthOption = None,
    width: WidthOption = None,
    seconds: SecondsOption = None,
    level: LevelOption = None,
    moves: MovesOption = "",
    position: PositionOption = "",
    table: Annotated[bool, typer.Option("--table", help="Print the table: states, values, actions.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Search a position with one of the handouts' systems."""
    options = PlayerOptions(depth, width, seconds, level, handout=handout)
    check_options(algorithm, options)
    rules = read_game(game, parameter)
    system = System(rules, algorithm, textbook_settings(Description(algorithm, algorithm), options))
    state = named_position(rules, position, moves)
    console = Console(stderr=True)
    counts = SearchCounts()
    with show.searching(console, counts):
        result = system.search(state, counts)
    if as_json:
        record = search_record(system, result)
        rows = [line.split("\t") for line in show.table_lines(rules, system.table)] if table else None
        print(json.dumps(record if rows is None else {**record, "table": rows}))
        return
    if table:
        for line in show.table_lines(rules, system.table):
            print(line)
    print_search(system, result, state)


TAKES: Final[Mapping[str, tuple[Algorithm, ...]]] = {
    "depth": ESTIMATING,
    "width": ("path",),
    "seconds": ("timed",),
    "level": ESTIMATING,
}
"""The algorithms that take an option."""


def check_options(algorithm: Algorithm, options: PlayerOptions) -> None:
    """Refuse an option that the algorithm ignores: without the limit that it sets, the search might never end.

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
    """Return the JSON object of a search."""
    return {
        "game": system.game.name,
        "parameters": dict(system.game.parameters),
        "algorithm": system.algorithm,
        "handout": system.settings.handout,
        "guarantee": guarantee(system.game, result, system.settings.handout),
        **result.to_dict(),
    }


def print_search(system: System, result: SearchResult, state: State) -> None:
    """Print a search: the board, the result, and, after a sound table's counts, those of the handout's table."""
    console = Console()
    console.print(show.board(system.game, state), highlight=False)
    console.print()
    console.print(str(result), markup=False, highlight=False, soft_wrap=True)
    console.print(show.guarantee_sentence(guarantee(system.game, result, system.settings.handout)), highlight=False)
    if system.algorithm in ("alpha-beta", "heuristic") and not system.settings.handout:
        counts = SearchCounts()
        handout = handout_of(system)
        with show.searching(Console(stderr=True), counts):
            other = handout.search(state, counts)
        console.print(
            f"Exactly as the handout says (--handout), with a table that can be wrong: value {other.value}, "
            f"{other.nodes:,} nodes, {other.prunings:,} prunings, {other.table_states:,} states.",
            highlight=False,
            soft_wrap=True,
        )


def handout_of(system: System) -> System:
    """Return the same system with the handout's own table."""
    return System(system.game, system.algorithm, replace(system.settings, handout=True))
