"""What is shown at an address where there is nothing, and at one that names what its page does not know."""

from html import escape

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from nicegui import app as pages

from zermelo.ui.web.page import bar_html
from zermelo.ui.web.queries import WrongAddress


def add_wrong_pages(app: FastAPI) -> None:
    """Answer wrong addresses, of ``app`` and of the pages with a session, with a page that says where to go instead."""
    pages.add_exception_handler(404, missing_page)
    for one in (app, pages):
        one.add_exception_handler(WrongAddress, refused_page)


def missing_page(request: Request, _: Exception) -> HTMLResponse:
    """Return the page of an unknown address, with the status 404."""
    path = request.url.path
    shown = path if len(path) <= 80 else f"{path[:80]}…"
    return _page(404, f"There is no page {shown}", "The address may be mistyped, or the page may have moved.")


def refused_page(request: Request, error: Exception) -> HTMLResponse:
    """Return the page of an address with a query that makes no sense, with the status 422."""
    return _page(422, "This address cannot be shown", str(error))


def _page(status: int, heading: str, sentence: str) -> HTMLResponse:
    return HTMLResponse(
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(heading[:60])} - zermelo</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="/favicon.ico"><link rel="stylesheet" href="/static/style.css"></head>'
        f'<body><header>{bar_html("", "", "")}</header><main class="page"><section class="card stack">'
        f"<h1>{escape(heading)}</h1><p>{escape(sentence)}</p>"
        '<div class="row"><a class="btn main" href="/games">All games</a><a class="btn" href="/">Play</a>'
        '<a class="btn" href="/explain">Explain</a><a class="btn" href="/programs">API</a></div>'
        "</section></main></body></html>",
        status_code=status,
    )
