"""``zermelo rate``: ratings from the files of matches and tournaments."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from zermelo.ui.arguments import JsonOption
from zermelo.ui.terminal.contest_report import print_ratings


def rate(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Files that --out has written.")],
    as_json: JsonOption = False,
) -> None:
    """Rate players by all games in the files of matches and tournaments of one game.

    A player is known by its text: engine:depth=6 is the same player in each file.
    """
    from zermelo.lab.tournament import read_tournaments

    result = read_tournaments(files)
    if as_json:
        print(json.dumps({"files": [str(file) for file in files], **result.to_dict()}))
    else:
        print_ratings(result, Console())
