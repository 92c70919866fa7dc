"""Pages without a session: plain HTML whose ES modules ask for data by themselves, so a visitor costs nothing."""

import gzip
import json
from collections.abc import Callable
from html import escape
from typing import Any, Final

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from zermelo.pictures.board_style import STYLE as BOARD_STYLE
from zermelo.ui.web.desk import MOST_WAITING, while_wanted
from zermelo.ui.web.page import STATIC, bar_html, client_of
from zermelo.ui.web.queries import check_names, names_of
from zermelo.ui.web.searches import Stopwatch
from zermelo.ui.web.workshop import Workshop

_LEAST_PACKED: Final = 2_000
"""Bytes from which an answer is compressed."""


def plain_page(here: str, title: str, folder: str) -> HTMLResponse:
    """Return a page.

    Parameters
    ----------
    here
        Its name in the bar at the top.
    title
        The title of the window.
    folder
        The folder in ``static/`` with what stands below the bar (``page.html``) and its ES module (``page.js``).
    """
    body = (STATIC / folder / "page.html").read_text(encoding="utf-8")
    return HTMLResponse(
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="/favicon.ico"><link rel="stylesheet" href="/static/style.css">'
        f'<link rel="stylesheet" href="/static/explain.css"><style>{BOARD_STYLE}</style>'
        f'<script type="module" src="/static/{folder}/page.js"></script></head>'
        f"<body><header>{bar_html(here, '', '')}</header>{body}</body></html>"
    )


def query_of(request: Request) -> dict[str, str]:
    """Return the query of a request.

    Raises
    ------
    BadParameter
        It says something twice.
    """
    names = names_of(request)
    check_names(names, set(names))
    return dict(request.query_params)


async def computed(
    request: Request,
    workshop: Workshop,
    work: Callable[[Stopwatch], Any],
    media_type: str = "application/json",
    stopwatch: Callable[[], Stopwatch] = Stopwatch,
) -> Response:
    """Return what ``work`` finds; it runs in a thread in its client's turn, and ends when nobody waits.

    Large answers are compressed in that thread, so that no other visitor waits for it.
    """
    is_json = media_type == "application/json"
    may_pack = "gzip" in request.headers.get("accept-encoding", "")

    async def in_turn() -> tuple[bytes, bool]:
        async with workshop.lanes["textbook"].turn(client_of(request), MOST_WAITING):
            watch = stopwatch()
            return await workshop.in_thread(watch, lambda: _packed(work(watch), may_pack, is_json))

    body, is_packed = await while_wanted(request, in_turn())
    headers = {"Vary": "Accept-Encoding", "Cache-Control": "no-cache"}
    if is_packed:
        headers["Content-Encoding"] = "gzip"
    return Response(body, media_type=media_type, headers=headers)


def _packed(answer: Any, may_pack: bool, is_json: bool) -> tuple[bytes, bool]:
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":")) if is_json else answer
    body = text.encode()
    if not may_pack or len(body) < _LEAST_PACKED:
        return body, False
    return gzip.compress(body, 5), True
