"""The server: pages and the interface for programs in one process, usually for this machine only."""

import asyncio
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from time import monotonic, sleep
from typing import Any, Final

import uvicorn
from fastapi import FastAPI
from fastapi.responses import RedirectResponse
from fastapi.staticfiles import StaticFiles
from nicegui import ui

import zermelo
from zermelo.ui.web.api import add_api
from zermelo.ui.web.api_page import add_api_page
from zermelo.ui.web.exercise_page import add_exercise_page
from zermelo.ui.web.explain_page import add_explain_page
from zermelo.ui.web.games_page import add_games_page
from zermelo.ui.web.heap import Heap
from zermelo.ui.web.hosts import addresses
from zermelo.ui.web.limits import LARGEST, guard
from zermelo.ui.web.missing_page import add_wrong_pages
from zermelo.ui.web.page import ICON, STATIC
from zermelo.ui.web.play_page import add_play_page
from zermelo.ui.web.qr import public_address
from zermelo.ui.web.queries import page_query
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.slow import SlowConnections
from zermelo.ui.web.sockets import harden_sockets
from zermelo.ui.web.table_page import add_table_pages
from zermelo.ui.web.workshop import Workshop

MOST_CONNECTIONS: Final = 800
"""Connections at the same time; the server answers more with 503. Systems usually allow a process 1,024 files."""

STOPPING_SECONDS: Final = 1.0
"""Seconds that searches have to end after Ctrl-C."""


def make_app(
    shelf: Shelf,
    workshop: Workshop,
    host: str,
    names: Iterable[str] = (),
    origins: Iterable[str] = (),
    address: str = "",
) -> FastAPI:
    """Return the pages and the interface, to be served at ``host``, which may also be called by ``names``.

    Pages of ``origins`` may use the interface, too. ``address`` is where other machines find the server.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        warming = asyncio.create_task(workshop.warm(shelf.game(shelf.first)))
        yield
        warming.cancel()
        workshop.close()

    app = make_api(shelf, workshop, lifespan)
    add_api_page(app)
    app.add_api_route(
        "/docs", lambda: RedirectResponse("/programs"), include_in_schema=False, dependencies=[page_query()]
    )
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    add_games_page(shelf)
    add_play_page(shelf, workshop, address)
    add_table_pages(shelf, workshop)
    add_explain_page(app, shelf, workshop)
    add_exercise_page(app, shelf, workshop)
    add_wrong_pages(app)
    ui.run_with(
        app,
        title="zermelo",
        favicon=ICON,
        dark=None,
        tailwind=False,
        message_history_length=50,
        reconnect_timeout=5.0,
        show_welcome_message=False,
    )
    harden_sockets()
    guard(app, host, names, origins)
    return app


def make_api(shelf: Shelf, workshop: Workshop, lifespan: Any = None) -> FastAPI:
    """Return the interface for programs alone."""
    app = FastAPI(
        title="zermelo",
        version=zermelo.__version__,
        summary="Two-player perfect-information games: positions, analysis, solved values.",
        lifespan=lifespan,
        docs_url=None,  # its page would load files from another server
        redoc_url=None,
    )
    add_api(app, shelf, workshop)
    return app


class _Server(uvicorn.Server):
    """A server that says when it listens, and closes slow connections."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], heap: Heap) -> None:
        super().__init__(config)
        self.ready = ready
        self._slow, self._heap = SlowConnections(), heap

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and print the addresses."""
        await super().startup(sockets)
        if self.started:
            self.ready()

    async def on_tick(self, counter: int) -> bool:
        """Called ten times a second: look once a second for slow connections, and whether all have left."""
        if counter % 10 == 0:
            self._slow.close(self.server_state.connections, monotonic())
            self._heap.look(len(self.server_state.connections))
        return await super().on_tick(counter)


def serve(
    shelf: Shelf,
    workshop: Workshop,
    host: str,
    port: int,
    say: Callable[[str], None],
    names: Iterable[str] = (),
    origins: Iterable[str] = (),
) -> None:
    """Serve until Ctrl-C; call ``say`` with the addresses, and with a sentence at the end.

    Raises
    ------
    OSError
        Nobody can listen at that address.
    """
    logging.getLogger("nicegui").setLevel(logging.ERROR)  # a wrong address in a request is not worth a line in the log
    sys.setswitchinterval(0.002)  # how often a search in Python lets another thread handle a click

    heap = Heap()
    workshop.engines.on_compiled = heap.settle

    def ready() -> None:
        say(f"zermelo is at {' and at '.join(addresses(host, port))} (Ctrl-C stops it)")

    config = uvicorn.Config(
        make_app(shelf, workshop, host, names, origins, public_address(host, port)),
        host=host,
        port=port,
        log_level="error",
        access_log=False,
        timeout_graceful_shutdown=1,
        ws_max_size=LARGEST,
        limit_concurrency=MOST_CONNECTIONS,
    )
    with suppress(KeyboardInterrupt):
        _Server(config, ready, heap).run()
    workshop.close()
    say("Stopped.")
    _leave(workshop)


def _leave(workshop: Workshop) -> None:
    """End the process, also if a thread still compiles: the compiler cannot be stopped, and Python would wait for it.

    Files of machine code are whole or absent, whenever the process ends.
    """
    until = monotonic() + STOPPING_SECONDS
    while workshop.has_threads:
        if monotonic() > until:
            sys.stdout.flush()
            os._exit(0)
        sleep(0.01)
