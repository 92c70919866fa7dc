"""``zermelo serve``: check what the pages need, and serve them."""

import re
import socket
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.errors import ZermeloError
from zermelo.game import Game, Parameters
from zermelo.games import USUAL
from zermelo.registry import make_game
from zermelo.ui.arguments import complete_game
from zermelo.ui.web.shelf import MOST_GAMES

if TYPE_CHECKING:
    from zermelo.learn import Evaluation
    from zermelo.solver import Table


class CannotServe(ZermeloError):
    """The pages cannot be served here."""


def serve(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="The game of the first page: a name, my_game.py or my_game.py:factory; "
            f"else that of the table, or {USUAL}.",
            autocompletion=complete_game,
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(help="The address to listen at; only this machine can reach 127.0.0.1, every one 0.0.0.0."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen at.")] = 8080,
    table: Annotated[list[str] | None, typer.Option(metavar="DIR", help="A solved table: folder or URL.")] = None,
    evaluation: Annotated[
        str | None,
        typer.Option(
            "--eval", metavar="FILE", help="What zermelo learn wrote for GAME; engine and tree search play with it."
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="One more name by which browsers may call the server.")
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(metavar="ORIGIN", help="A site whose pages may use /api, such as https://example.org; * for all."),
    ] = None,
    most_games: Annotated[
        int, typer.Option(min=1, help="How many different games may be compiled; each takes some 30 MB for good.")
    ] = MOST_GAMES,
) -> None:
    """Play, analyse and look inside searches in a browser; Ctrl-C stops it."""
    if find_spec("nicegui") is None:
        raise CannotServe("The pages need the package 'nicegui'; pip install 'zermelo[web]' installs it.")
    from zermelo.ui.web.serve import serve as serve_pages
    from zermelo.ui.web.shelf import Shelf
    from zermelo.ui.web.workshop import Workshop, processors

    rules = make_game(game or USUAL)
    names = allow_host or ()
    _check_names(names)
    _check_origins(allow_origin or ())
    _check_free(host, port)
    opened = [_open_table(game or USUAL, place) for place in table or ()]
    tables = {found.game.fingerprint: found for _, found in opened}
    solved: dict[str, dict[str, str]] = {}
    for name, found in opened:
        solved.setdefault(name, _texts(found.game.parameters))
    shelf = Shelf(game or next(iter(solved), USUAL), solved)
    workshop = Workshop(
        players=4,
        analyses=max(1, processors() - 1),
        tables=tables,
        most_games=most_games,
        evaluations={rules.seen_fingerprint: _read_evaluation(evaluation, rules)} if evaluation else {},
    )
    serve_pages(shelf, workshop, host, port, lambda sentence: print(sentence, flush=True), names, allow_origin or ())


def _read_evaluation(file: str, rules: Game) -> "Evaluation":
    from zermelo.learn import read_evaluation  # Numba takes half a second to import

    return read_evaluation(file, rules)


def _texts(parameters: Parameters) -> dict[str, str]:
    """Return parameters as they stand in a link."""
    return {name: str(value).lower() for name, value in parameters.items()}


def _open_table(source: str, place: str) -> "tuple[str, Table]":
    """Return a table and the name of its game: ``source`` if that is the table's game, else the registered name."""
    from zermelo.solver import Table
    from zermelo.solver.table.manifest import read_manifest

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


def _check_origins(origins: Sequence[str]) -> None:
    from zermelo.ui.web.origins import is_origin

    for origin in origins:
        if not is_origin(origin):
            raise CannotServe(
                f"--allow-origin is {origin[:60]!r}; it must be scheme, name and port, such as https://example.org or "
                "http://localhost:3000, or * for all."
            )


def _check_free(host: str, port: int) -> None:
    """Try the address first, because the server itself would print a traceback."""
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
