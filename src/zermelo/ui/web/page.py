"""What all pages share: style and script, the bar at the top, and events from the script."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from fastapi import Request
from nicegui import ui
from nicegui.events import GenericEventArguments

from zermelo.pictures.board_style import STYLE as BOARD_STYLE
from zermelo.pictures.tree_svg import STYLE as TREE_STYLE

STATIC: Final = Path(__file__).parent / "static"
ICON: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M16 3 29 27H3Z" fill="#2f6fde"/>'
    '<circle cx="16" cy="20" r="5" fill="#f6c945"/></svg>'
)
RESPONSE_SECONDS: Final = 30.0
"""Time in which a page has to be built; a thread plays the moves of its link."""
Handler = Callable[[str, Any], Awaitable[None]]


def client_of(request: Request) -> str:
    """Return the client that a page's searches are for: its visitor's address."""
    return f"page {request.client.host if request.client else ''}"


def head(title: str) -> None:
    """Add style and script to a page, both from this server."""
    ui.page_title(title)
    ui.add_head_html('<link rel="stylesheet" href="/static/style.css">')
    ui.add_head_html(f"<style>{BOARD_STYLE}{TREE_STYLE}</style>")
    ui.add_head_html('<link rel="stylesheet" href="/static/play.css">')
    ui.add_body_html('<script src="/static/page.js" defer></script><script src="/static/play.js" defer></script>')


def bar(here: str, query: str) -> ui.html:
    """Add the bar at the top; its links keep the position."""
    return ui.html(bar_html(here, query, ""), sanitize=False, tag="header").classes("w-full")


def bar_html(here: str, query: str, game: str) -> str:
    """Return the bar's content."""
    from html import escape

    def tab(name: str, path: str) -> str:
        on = ' aria-current="page"' if name == here else ""
        return f'<a class="tab{" on" if name == here else ""}" href="{escape(path)}"{on}>{name}</a>'

    return (
        f'<nav class="bar" aria-label="Pages"><a class="brand" href="/">'
        f'<span style="width:26px;height:26px" aria-hidden="true">{ICON}</span>zermelo</a>'
        f"{tab('Games', '/games')}{tab('Play', '/?' + query)}{tab('Explain', '/explain?' + query)}"
        f"{tab('Exercises', '/exercises')}{tab('API', '/programs')}"
        f'<span class="game">{escape(game)}</span></nav>'
    )


def listen(handler: Handler) -> None:
    """Hand what the script reports, ``{kind, value}``, to ``handler``; anything else is ignored."""

    async def heard(event: GenericEventArguments) -> None:
        said = event.args
        if isinstance(said, list) and len(said) == 1:
            said = said[0]
        if isinstance(said, dict) and isinstance(said.get("kind"), str):
            await handler(said["kind"], said.get("value"))

    ui.on("zermelo", heard)
