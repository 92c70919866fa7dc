"""``zermelo accuracy``: how often a player keeps the value of a position, against a solved table."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from zermelo.game import Game
from zermelo.play.players import Player, make_player
from zermelo.ui.arguments import GameArgument, JsonOption, ParameterOption, check_seed, parse_parameters
from zermelo.ui.loading import read_game
from zermelo.ui.terminal.columns import columns
from zermelo.ui.terminal.progress import counting

if TYPE_CHECKING:
    from zermelo.lab.study.accuracy import Accuracy
    from zermelo.protocol.competitor import Competitor


def accuracy(
    game: GameArgument,
    player: Annotated[
        str,
        typer.Argument(
            metavar="PLAYER", help="Who is judged: engine:depth=6, random, my_player.py or program:COMMAND."
        ),
    ],
    table: Annotated[str, typer.Option(metavar="DIR", help="The folder or the URL of the game's solved table.")],
    parameter: ParameterOption = None,
    count: Annotated[int, typer.Option(help="How many positions.")] = 1000,
    positions: Annotated[
        Literal["table", "random", "games"], typer.Option(help="Where they come from: see above.")
    ] = "table",
    against: Annotated[str, typer.Option(metavar="PLAYER", help="The opponent in games; else the player itself.")] = "",
    phases: Annotated[int, typer.Option(help="Into how many phases of the game to divide them.")] = 4,
    seed: Annotated[int, typer.Option(help="Another seed draws other positions.")] = 0,
    html: Annotated[Path | None, typer.Option(metavar="FILE.html", help="Write a page with a plot, too.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare a player's moves with a solved table: how often they keep the value, and what they lose.

    Positions come from the table (each stored position equally likely), from random games (one position of each), or
    from games that the player plays from random openings.
    """
    from zermelo.errors import BadParameter
    from zermelo.lab.page import require_places, save
    from zermelo.lab.study.accuracy import accuracy as measure
    from zermelo.lab.study.accuracy_page import accuracy_page
    from zermelo.solver import Table

    check_seed(seed)
    require_places(html)
    if against and positions != "games":
        raise BadParameter(f"Positions from {positions} need no opponent; --against goes with --positions games.")
    rules = read_game(game, parameter)
    solved = Table(table, rules)
    with ExitStack() as stack:
        judged = stack.enter_context(_seated(player, rules, game, parameter, seed))
        opponent = stack.enter_context(_seated(against, rules, game, parameter, seed + 1)) if against else None
        progress = stack.enter_context(counting("positions", count))
        found = measure(
            judged, solved, count=count, source=positions, against=opponent, seed=seed, phases=phases, progress=progress
        )
    if html is not None:
        save(accuracy_page(found), html)
    if as_json:
        print(json.dumps(found.to_dict()))
    else:
        print_accuracy(found)


@contextmanager
def _seated(
    description: str, game: Game, source: str, parameter: list[str] | None, seed: int
) -> Iterator["Player | Competitor"]:
    """A player in this process, or a program in a process of its own, which ends with the block."""
    from zermelo.lab.competitors import CLIENTS, make_competitor

    kind = re.split(r"[\[:]", description)[0]
    if kind not in CLIENTS and not description.endswith(".py"):
        yield make_player(description, game, seed=seed)
        return
    program = make_competitor(description, game, source=source, parameters=parse_parameters(parameter), seed=seed)
    try:
        yield program
    finally:
        program.close()


def print_accuracy(found: "Accuracy") -> None:
    """Print an accuracy for people."""
    from zermelo.lab.study.accuracy_page import head, how, phase_rows, sentences

    print("\n".join([found.game, *sentences(found), "", columns(head(found), phase_rows(found)), "", how(found)]))
