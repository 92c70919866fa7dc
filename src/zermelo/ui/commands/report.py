"""``zermelo report``: what a game is like, for its inventor."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.ui.arguments import GameArgument, JsonOption, ParameterOption, check_seed
from zermelo.ui.loading import read_game
from zermelo.ui.terminal.columns import columns
from zermelo.ui.terminal.progress import share_done

if TYPE_CHECKING:
    from zermelo.lab.study.game_report import GameReport


def report(
    game: GameArgument,
    parameter: ParameterOption = None,
    minutes: Annotated[float, typer.Option(help="About how long it may take.")] = 5,
    threads: Annotated[int, typer.Option(help="How many games to play side by side.")] = 2,
    seed: Annotated[int, typer.Option(help="Another seed plays other games.")] = 0,
    html: Annotated[Path | None, typer.Option(metavar="FILE.html", help="Write a page with plots, too.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Say what a game is like: who has the advantage, draws, length, branching, depth of skill, decided positions.

    The engine plays with limits of nodes, so games do not depend on the machine; the time decides how many are played.
    """
    from zermelo.lab.page import require_places, save
    from zermelo.lab.study.game_report import report_on
    from zermelo.lab.study.game_report_page import game_report_page

    check_seed(seed)
    require_places(html)
    rules = read_game(game, parameter)
    with share_done() as progress:
        found = report_on(rules, minutes=minutes, seed=seed, threads=threads, progress=progress)
    if html is not None:
        save(game_report_page(found), html)
    if as_json:
        print(json.dumps(found.to_dict()))
    else:
        print_report(found)


def print_report(found: "GameReport") -> None:
    """Print a report for people."""
    from zermelo.lab.study.game_report_page import parts_of, summary

    print(f"{found.game}\n{summary(found)}")
    for part in parts_of(found):
        print("\n".join(["", part.heading.upper(), columns(("", ""), part.rows).lstrip("\n"), part.how]))
