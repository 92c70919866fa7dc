"""``zermelo serve``: what is needed to start the pages, and a sentence where it is missing."""

import socket
import sys
from importlib.util import find_spec

from zermelo.errors import ZermeloError


class CannotServe(ZermeloError):
    """The pages cannot be served here."""


def serve(game: str, host: str, port: int) -> None:
    """Serve the pages until Ctrl-C.

    Raises
    ------
    CannotServe
        The extra ``web`` is not installed, or nobody can listen there.
    ZermeloError
        There is no such game.
    """
    if find_spec("nicegui") is None:
        raise CannotServe("The pages need the package 'nicegui'; pip install 'zermelo[web]' installs it.")
    from zermelo.ui.web.serve import serve as serve_pages
    from zermelo.ui.web.shelf import Shelf
    from zermelo.ui.web.thinking import Workshop, processors

    shelf = Shelf(game)
    shelf.game(game)
    _check_free(host, port)
    workshop = Workshop(players=4, analyses=max(1, processors() - 1))
    serve_pages(shelf, workshop, host, port, lambda sentence: print(sentence, flush=True))


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
