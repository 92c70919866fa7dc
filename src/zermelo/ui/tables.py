"""Solved tables as a command line names them."""

from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.registry import make_game

if TYPE_CHECKING:
    from zermelo.solver import Table

TableArgument = Annotated[
    str, typer.Argument(metavar="DIR", help="The folder or the URL of a table that 'zermelo solve' wrote.")
]
GameOption = Annotated[
    str, typer.Option("--game", metavar="FILE.py", help="The game's file, where it is no registered game; it is run.")
]


def open_table(place: str, game: str = "") -> "Table":
    """Return the table in a folder or at a URL; ``game`` names its game, which may be a file; such a file is run.

    Raises
    ------
    TableError
        There is no table, or it is damaged, or of another game; or it is of a game in a file that was not named.
    """
    from zermelo.solver import Table
    from zermelo.solver.table.manifest import read_manifest

    if not game:
        return Table(place)
    parameters = read_manifest(place)["identity"]["parameters"]
    return Table(place, make_game(game, {name: str(value).lower() for name, value in parameters.items()}))
