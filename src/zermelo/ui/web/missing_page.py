"""What is shown at an address where there is nothing."""

from html import escape

from fastapi import Request
from fastapi.responses import HTMLResponse
from nicegui import app

from zermelo.ui.web.page import bar_html


def add_missing_page() -> None:
    """Answer unknown addresses with a page that says where to go instead."""
    app.add_exception_handler(404, missing_page)


def missing_page(request: Request, _: Exception) -> HTMLResponse:
    """Return the page, with the status 404."""
    path = request.url.path
    shown = escape(path if len(path) <= 80 else f"{path[:80]}…")
    return HTMLResponse(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Nothing here - zermelo</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="/favicon.ico"><link rel="stylesheet" href="/static/style.css"></head>'
        f'<body><header>{bar_html("", "", "")}</header><main class="page"><section class="card stack">'
        f"<h1>There is no page {shown}</h1><p>The address may be mistyped, or the page may have moved.</p>"
        '<div class="row"><a class="btn main" href="/games">All games</a><a class="btn" href="/">Play</a>'
        '<a class="btn" href="/explain">Explain</a><a class="btn" href="/programs">API</a></div>'
        "</section></main></body></html>",
        status_code=404,
    )
