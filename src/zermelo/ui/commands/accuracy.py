"""``zermelo accuracy``: how often a player keeps the value of a position, against a solved table."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from zermelo.play.players import make_player
from zermelo.ui.arguments import GameArgument, JsonOption, ParameterOption, check_seed
from zermelo.ui.loading import read_game
from zermelo.ui.terminal.columns import columns
from zermelo.ui.terminal.progress import counting

if TYPE_CHECKING:
    from zermelo.lab.study.accuracy import Accuracy


def accuracy(
    game: GameArgument,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Who is judged, such as engine:easy or random.")],
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
    from zermelo.lab.page import save
    from zermelo.lab.study.accuracy import accuracy as measure
    from zermelo.lab.study.accuracy_page import accuracy_page
    from zermelo.solver import Table

    check_seed(seed)
    if against and positions != "games":
        raise BadParameter(f"Positions from {positions} need no opponent; --against goes with --positions games.")
    rules = read_game(game, parameter)
    judged = make_player(player, rules, seed=seed)
    opponent = make_player(against, rules, seed=seed + 1) if against else None
    solved = Table(table, rules)
    with counting("positions", count) as progress:
        found = measure(
            judged, solved, count=count, source=positions, against=opponent, seed=seed, phases=phases, progress=progress
        )
    if html is not None:
        save(accuracy_page(found), html)
    if as_json:
        print(json.dumps(found.to_dict()))
    else:
        print_accuracy(found)


def print_accuracy(found: "Accuracy") -> None:
    """Print an accuracy for people."""
    from zermelo.lab.study.accuracy_page import head, how, phase_rows, sentences

    print("\n".join([found.game, *sentences(found), "", columns(head(found), phase_rows(found)), "", how(found)]))
