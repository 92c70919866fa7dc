"""The page on which a visitor chooses a game, and the pages of rules."""

import asyncio
import re
from html import escape
from urllib.parse import urlencode

from fastapi import Request
from nicegui import ui

from zermelo.errors import ZermeloError
from zermelo.ui.web import gallery
from zermelo.ui.web.page import RESPONSE_SECONDS, bar, head
from zermelo.ui.web.queries import page_query
from zermelo.ui.web.shelf import Shelf

_RECENT = '<section class="card recent" id="recent" hidden><h2>Continue</h2><ul></ul></section>'
_FOR_PROGRAMS = ("Bit layout", "Bits", "An action", "Actions", "Cells are numbered", "A state", "The bits")


def add_games_page(shelf: Shelf) -> None:
    """Serve the chooser at ``/games``, and the rules of a game at ``/rules?game=NAME``."""

    @ui.page("/games", title="Games", response_timeout=RESPONSE_SECONDS, dependencies=[page_query()])
    async def games_page() -> None:
        cards = await asyncio.to_thread(_cards, shelf)
        head("Games")
        bar("Games", "")
        with ui.element("div").classes("page"):
            ui.html("Games", sanitize=False, tag="h1").classes("big")
            ui.html(_RECENT, sanitize=False)
            ui.html(cards, sanitize=False, tag="ul").classes("games")

    @ui.page("/rules", title="Rules", response_timeout=RESPONSE_SECONDS, dependencies=[page_query("game")])
    async def rules_page(request: Request) -> None:
        name = request.query_params.get("game", shelf.first)
        try:
            content = await asyncio.to_thread(_rules, shelf, name)
        except ZermeloError as error:
            content = f'<div class="error" role="alert">{escape(str(error))}</div>'
        head("Rules")
        bar("Games", "")
        with ui.element("div").classes("page"):
            ui.html(content, sanitize=False, tag="article").classes("card")


def _cards(shelf: Shelf) -> str:
    """Return a card for each game."""
    return "".join(_card(shelf, name) for name in shelf.names())


def _card(shelf: Shelf, name: str) -> str:
    game = shelf.game(name, shelf.solved.get(name))
    said = gallery.introduction(name, shelf.summary(name), game.sides)
    link = escape(urlencode({"game": name}))
    return (
        f'<li class="card"><a class="thumb" href="/?{link}" tabindex="-1" aria-hidden="true">'
        f"{_hushed(gallery.thumbnail(game))}</a><div><h2>{escape(said.title)}</h2><p>{escape(said.line)}</p></div>"
        f'<div class="row"><a class="btn main" href="/?{link}">Play<span class="sr"> {escape(said.title)}</span></a>'
        f'<a class="btn" href="/rules?{link}">Rules<span class="sr"> of {escape(said.title)}</span></a></div></li>'
    )


def _hushed(svg: str) -> str:
    """Return a picture without what only a board to play on needs: names of cells, and places for the focus."""
    return re.sub(r' (role|tabindex|aria-label)="[^"]*"', "", svg)


def _rules(shelf: Shelf, name: str) -> str:
    """Return the rules of a game, with pictures of its beginning and of a position from play."""
    game = shelf.game(name)
    said = gallery.introduction(name, shelf.summary(name), game.sides)
    text = gallery.named(shelf.rules(name), game.sides)
    link = escape(urlencode({"game": name}))
    pictures = (
        (gallery.picture(game, (game.initial,)), "The beginning"),
        (gallery.thumbnail(game), "After some moves"),
    )
    figures = "".join(
        f"<figure>{_hushed(one)}<figcaption>{caption}</figcaption></figure>" for one, caption in pictures if one
    )
    return (
        f'<h1 class="big">{escape(said.title)}</h1><div class="rules"><div><p>{escape(said.line)}</p>'
        f"{_paragraphs(text)}"
        f'<p><a class="btn main" href="/?{link}">Play</a></p></div><div class="diagrams">{figures}</div></div>'
    )


def _paragraphs(text: str) -> str:
    """Return a docstring as HTML; what concerns programs alone, such as the layout of bits, is folded away."""
    parts = [_paragraph(part) for part in text.split("\n\n")]
    starts = [place for place, part in enumerate(text.split("\n\n")) if part.startswith(_FOR_PROGRAMS)]
    if not starts:
        return "".join(parts)
    folded = f"<details><summary>For programmers</summary>{''.join(parts[starts[0] :])}</details>"
    return "".join(parts[: starts[0]]) + folded


def _paragraph(part: str) -> str:
    if part.startswith(" ") or "\n  " in part:
        return f'<pre tabindex="0">{escape(part)}</pre>'
    words = re.sub(r"``(.+?)``|`(.+?)`", lambda found: f"<code>{found[1] or found[2]}</code>", escape(part))
    return f"<p>{words}</p>"
