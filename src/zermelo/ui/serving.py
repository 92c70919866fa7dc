"""``zermelo serve``: what is needed to start the pages, and a sentence where it is missing."""

import socket
import sys
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from zermelo.errors import ZermeloError
from zermelo.game import Game

if TYPE_CHECKING:
    from zermelo.solver.table import Table


class CannotServe(ZermeloError):
    """The pages cannot be served here."""


def serve(game: str, host: str, port: int, places: Sequence[str] = ()) -> None:
    """Serve the pages until Ctrl-C; ``places`` are folders or URLs of solved tables.

    Raises
    ------
    CannotServe
        The extra ``web`` is not installed, or nobody can listen there.
    ZermeloError
        There is no such game, or no table in a place.
    """
    if find_spec("nicegui") is None:
        raise CannotServe("The pages need the package 'nicegui'; pip install 'zermelo[web]' installs it.")
    from zermelo.ui.web.serve import serve as serve_pages
    from zermelo.ui.web.shelf import Shelf
    from zermelo.ui.web.thinking import Workshop, processors

    shelf = Shelf(game)
    shelf.game(game)
    _check_free(host, port)
    tables = {table.game.fingerprint: table for table in map(partial(_open_table, shelf.game(game)), places)}
    workshop = Workshop(players=4, analyses=max(1, processors() - 1), tables=tables)
    serve_pages(shelf, workshop, host, port, lambda sentence: print(sentence, flush=True))


def _open_table(game: Game, place: str) -> "Table":
    """The table in a place: of ``game`` if it bears its name and parameters, else of a registered one."""
    from zermelo.solver.manifest import read_manifest
    from zermelo.solver.table import Table

    identity = read_manifest(place)["identity"]
    same = identity["game"] == game.name and identity["parameters"] == dict(game.parameters)
    return Table(place, game if same else None)


def _check_free(host: str, port: int) -> None:
    """Try the address first: the server's own complaint is a traceback."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family) as probe:
            if sys.platform != "win32":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        raise CannotServe(f"Nobody can listen at {host}, port {port}: {error.strerror or error}.") from None
