"""``zermelo serve``: what is needed to start the pages, and a sentence where it is missing."""

import re
import socket
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from zermelo.errors import ZermeloError
from zermelo.game import Parameters
from zermelo.registry import make_game
from zermelo.ui.web.shelf import MOST_GAMES

if TYPE_CHECKING:
    from zermelo.solver.table.table import Table


USUAL: Final = "connect"
"""The game of the first page, where neither the command line nor a table names one."""


class CannotServe(ZermeloError):
    """The pages cannot be served here."""


def serve(
    game: str | None,
    host: str,
    port: int,
    places: Sequence[str] = (),
    names: Sequence[str] = (),
    most_games: int = MOST_GAMES,
) -> None:
    """Serve the pages until Ctrl-C.

    ``places`` are folders or URLs of solved tables; ``names`` are names by which requests may call the server;
    ``most_games`` of different code are compiled at most.

    The first page shows ``game``; where it is None, the first table's game, or connect if there is no table.

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

    make_game(game or USUAL)
    _check_names(names)
    _check_free(host, port)
    opened = [_open_table(game or USUAL, place) for place in places]
    tables = {table.game.fingerprint: table for _, table in opened}
    solved: dict[str, dict[str, str]] = {}
    for name, table in opened:
        solved.setdefault(name, _texts(table.game.parameters))
    shelf = Shelf(game or next(iter(solved), USUAL), solved)
    workshop = Workshop(players=4, analyses=max(1, processors() - 1), tables=tables, most_games=most_games)
    serve_pages(shelf, workshop, host, port, names, lambda sentence: print(sentence, flush=True))


def _texts(parameters: Parameters) -> dict[str, str]:
    """Parameters as they stand in a link."""
    return {name: str(value).lower() for name, value in parameters.items()}


def _open_table(source: str, place: str) -> "tuple[str, Table]":
    """The table in a place, and its game's name: ``source`` if that bears the name, else the registered one."""
    from zermelo.solver.table.manifest import read_manifest
    from zermelo.solver.table.table import Table

    identity = read_manifest(place)["identity"]
    if identity["game"] != make_game(source).name:
        return identity["game"], Table(place)
    return source, Table(place, make_game(source, _texts(identity["parameters"])))


def _check_names(names: Sequence[str]) -> None:
    for name in names:
        if not re.fullmatch(r"[A-Za-z0-9._-]+|[0-9a-fA-F:.]+|\[[0-9a-fA-F:.]+\]", name):
            raise CannotServe(
                f"--allow-host is {name[:60]!r}; it must be a name or an address, without http:// or port."
            )


def _check_free(host: str, port: int) -> None:
    """Try the address first: the server's own complaint is a traceback."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family) as probe:
            if sys.platform != "win32":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except UnicodeError:
        raise CannotServe(
            f"{host[:60]!r} cannot be the name of a machine; write an address, such as 127.0.0.1."
        ) from None
    except OSError as error:
        raise CannotServe(f"Nobody can listen at {host}, port {port}: {error.strerror or error}.") from None
