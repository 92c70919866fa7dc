"""The page that describes the interface for programs: every address, made from the interface's own description."""

import re
from html import escape
from typing import Any, Final

from fastapi import FastAPI
from nicegui import ui

from zermelo.games import SMALL, USUAL
from zermelo.parameters import parameters_of
from zermelo.registry import find_factory
from zermelo.ui.web.page import bar, bar_html, head
from zermelo.ui.web.queries import page_query

PARAMETERS: Final = ",".join(f"{info.name}=4" for info in parameters_of(find_factory(USUAL)))
EXAMPLES: Final = {
    "/api/games": "/api/games",
    "/api/games/{game}/actions": f"/api/games/{USUAL}/actions?parameters={PARAMETERS}&moves=1,2",
    "/api/games/{game}/analysis": f"/api/games/{USUAL}/analysis?seconds=0.5&depth=6",
    "/api/games/{game}/analysis/stream": f"/api/games/{USUAL}/analysis/stream?seconds=0.5",
    "/api/games/{game}/solved": f"/api/games/{SMALL}/solved",
}


def add_api_page(app: FastAPI) -> None:
    """Serve the page at ``/programs``."""

    @ui.page("/programs", title="zermelo for programs", dependencies=[page_query()])
    def api_page() -> None:
        head("zermelo for programs")
        bar("API", "").content = bar_html("API", "", "")
        with ui.element("div").classes("page"):
            ui.html(_described(app.openapi()), sanitize=False).classes("stack")


def _described(schema: dict[str, Any]) -> str:
    parts = [
        '<section class="card"><h1>For programs</h1><p class="muted">JSON over HTTP; the whole description is at '
        '<a href="/openapi.json">/openapi.json</a>. Errors are problem JSON. A search ends when its client goes away. '
        "Every <code>value</code> is MAX's, whoever is to move, as <code>value_of</code> says; the answers of "
        "<code>solved</code> are for the player to move, whom their <code>value_of</code> names. "
        "Actions are written as people write them; "
        "<code>moves</code> is a list of them with commas between, and <code>position</code> a position in the game's "
        "own notation, in which the moves begin."
        "</p></section>"
    ]
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            rows = "".join(
                f"<dt>{escape(one['name'])}</dt><dd>{_marked(one.get('description', ''))}</dd>"
                for one in operation.get("parameters", [])
            )
            example = EXAMPLES.get(path)
            link = f'<p class="muted"><a href="{escape(example)}">{escape(example)}</a></p>' if example else ""
            parts.append(
                f'<section class="card"><h2>{method.upper()} {escape(path)}</h2>'
                f'<p>{_marked(operation.get("description", ""))}</p><dl class="facts">{rows}</dl>{link}</section>'
            )
    return "".join(parts)


def _marked(text: str) -> str:
    """Return a description as HTML; what stands between backticks is code."""
    return re.sub(r"``?([^`]+)``?", r"<code>\1</code>", escape(text))
