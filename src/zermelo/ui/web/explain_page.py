"""The page that steps through a search: it gets each tree once, and draws and steps by itself (``static/explain``)."""

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from zermelo.pictures.plots import count_plot
from zermelo.ui.web.links import NAMES
from zermelo.ui.web.plain import computed, plain_page, query_of
from zermelo.ui.web.queries import page_query
from zermelo.ui.web.searches import (
    SEARCH,
    Stopwatch,
    boards,
    read_search,
    search_answer,
    series_over_depth,
    whole_answer,
)
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.workshop import Workshop

PLOT_SECONDS: Final = 10.0
"""Time of the clock in which a plot over depth counts; then its lines end. A visitor waits no longer."""


def add_explain_page(app: FastAPI, shelf: Shelf, workshop: Workshop) -> None:
    """Serve the page at ``/explain``, and the searches and pictures that its script asks for."""

    async def page() -> HTMLResponse:
        return plain_page("Explain", "zermelo: inside the search", "explain")

    async def answered(request: Request, work: Callable[[dict[str, str], Stopwatch], Any]) -> Response:
        said = query_of(request)
        return await computed(request, workshop, lambda watch: work(said, watch))

    async def tree(request: Request) -> Response:
        return await answered(request, lambda said, watch: search_answer(read_search(shelf, said), watch))

    async def whole(request: Request) -> Response:
        return await answered(request, lambda said, watch: whole_answer(read_search(shelf, said), watch))

    async def plot(request: Request) -> Response:
        said = query_of(request)

        def drawn(watch: Stopwatch) -> str:
            return count_plot(series_over_depth(read_search(shelf, said), watch))

        return await computed(request, workshop, drawn, stopwatch=lambda: Stopwatch(PLOT_SECONDS, perf_counter))

    async def small_boards(request: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(boards, shelf, query_of(request)))

    names = (*NAMES, *SEARCH, "with", "with.table", "with.order", "step")
    known = page_query(*names, of_game=True)
    app.add_api_route("/explain", page, include_in_schema=False, response_model=None, dependencies=[known])
    for path, answer in (("/tree", tree), ("/json", whole), ("/plot", plot), ("/boards", small_boards)):
        app.add_api_route(f"/explain{path}", answer, include_in_schema=False, response_model=None)
