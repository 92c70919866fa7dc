"""The page of exercises: questions on small trees, a tree whose leaves can be changed, and sheets to print."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from math import prod
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response

from zermelo.classroom.exercises import (
    ALPHA_BETA,
    MINIMAX,
    Exercise,
    exercises,
    invented,
    leaf_tree,
    small_position,
)
from zermelo.errors import BadParameter
from zermelo.game import Game, State
from zermelo.ui.web.plain import computed, plain_page, query_of
from zermelo.ui.web.queries import check_names, page_query
from zermelo.ui.web.searches import (
    Search,
    number_of,
    picture,
    position_title,
    read_position,
    search_answer,
)
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.workshop import Workshop

MOST_LEAVES: Final = 36
USUAL_WIDTHS: Final = "3,3,2"
_SEEDS: Final = range(1_000_000)
_NODES: Final = 200
"""Nodes that no tree of an exercise has."""


def add_exercise_page(app: FastAPI, shelf: Shelf, workshop: Workshop) -> None:
    """Serve the page at ``/exercises``, and the trees and sheets that it asks for."""

    async def page() -> HTMLResponse:
        return plain_page("Exercises", "zermelo: exercises", "exercises")

    async def task(request: Request) -> Response:
        said = query_of(request)
        return await computed(request, workshop, lambda watch: task_answer(shelf, said))

    async def sheet(request: Request) -> Response:
        said = query_of(request)
        return await computed(request, workshop, lambda watch: sheet_html(shelf, said), media_type="text/html")

    known = page_query("mode", "seed", "kind", "widths", "game", "leaves")
    app.add_api_route("/exercises", page, include_in_schema=False, response_model=None, dependencies=[known])
    for path, answer in (("/task", task), ("/sheet", sheet)):
        app.add_api_route(f"/exercises{path}", answer, include_in_schema=False, response_model=None)


def task_answer(shelf: Shelf, said: Mapping[str, str]) -> dict[str, Any]:
    """Return a tree as minimax and as alpha-beta search it: an invented one, or that of a real position.

    Raises
    ------
    ZermeloError
        The request makes no sense, or the game has no position with a small tree.
    """
    check_names(list(said), ("seed", "widths", "leaves", "game"), of_game=True)
    rng = random.Random(number_of(said, "seed", 0, _SEEDS))
    if said.get("game"):
        return _real(shelf, said, rng)
    widths = _numbers(said.get("widths") or USUAL_WIDTHS, "widths")
    if not widths or min(widths) < 1 or max(widths) > 5 or len(widths) > 5 or prod(widths) > MOST_LEAVES:
        raise BadParameter(f"The widths are {said.get('widths', '')[:40]!r}; write 1 to 5 moves for each of at most 5 "
                           f"plies, with at most {MOST_LEAVES} leaves, such as {USUAL_WIDTHS}.")  # fmt: skip
    leaves = said.get("leaves")
    game = invented(rng, widths) if leaves is None else leaf_tree(widths, _numbers(leaves, "leaves"))
    return {**_both(game, game.initial, None), "title": "An invented tree", "widths": widths}


def _real(shelf: Shelf, said: Mapping[str, str], rng: random.Random) -> dict[str, Any]:
    """Return the tree of a position of a game that random moves lead to."""
    game, _ = read_position(shelf, said)
    found = small_position(game, rng)
    if found is None:
        raise BadParameter(f"No position of {game.name} with a small tree was found; choose another game.")
    path, state, depth = found
    return {
        **_both(game, state, depth),
        "title": f"A position of {position_title(shelf, game, said)}",
        "moves": _moves_text(game, path),
        "depth": depth or 0,
        "board": picture(game, state),
    }


def _moves_text(game: Game, path: Sequence[int]) -> str:
    """Return moves, given as places in ACTIONS, as a link has them: as text, or as numbers if texts have commas."""
    state, actions, shown = game.initial, [], []
    for place in path:
        actions.append(list(game.actions(state))[place])
        shown.append(game.show_action(state, actions[-1]))
        state = game.result(state, actions[-1])
    return ",".join(map(str, actions) if any(set(" ,") & set(text) for text in shown) else shown)


def _both(game: Game, state: State, depth: int | None) -> dict[str, Any]:
    def answer(recipe: Any) -> dict[str, Any]:
        search = Search(game.name, game.name, game, state, replace(recipe, depth=depth), False, _NODES)
        return search_answer(search, lambda: False)

    return {"full": answer(MINIMAX), "run": answer(ALPHA_BETA)}


def _numbers(text: str, name: str) -> list[int]:
    """Return whole numbers with commas between them."""
    try:
        return [int(part) for part in text[:400].split(",")]
    except ValueError:
        raise BadParameter(f"The {name} are {text[:40]!r}; write whole numbers with commas between them.") from None


def sheet_html(shelf: Shelf, said: Mapping[str, str]) -> str:
    """Return a sheet to print: the exercises of a seed, and, unless ``solutions`` is ``no``, their solutions behind."""
    check_names(list(said), ("seed", "game", "solutions"), of_game=True)
    seed = number_of(said, "seed", 0, _SEEDS)
    game, _ = read_position(shelf, said)
    title = position_title(shelf, game, said)
    found = list(exercises(game, seed, title))
    parts = [
        f"<h1>Search trees by hand</h1><p class='hint muted'>Sheet {seed}, with a position of {escape(title)}. "
        "The same seed gives the same sheet. Print it with the browser.</p>"
    ]
    parts += [_exercise_html(number, one, solved=False) for number, one in enumerate(found, start=1)]
    if said.get("solutions", "yes") != "no":
        parts.append('<div class="solutions"><h1>Solutions</h1>')
        parts += [_exercise_html(number, one, solved=True) for number, one in enumerate(found, start=1)]
        parts.append("</div>")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>zermelo: search trees by hand</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="stylesheet" href="/static/style.css">'
        '<link rel="stylesheet" href="/static/exercises/sheet.css"></head>'
        f'<body><main class="sheet">{"".join(parts)}</main></body></html>'
    )


def _exercise_html(number: int, one: Exercise, *, solved: bool) -> str:
    picture = one.solved[1] if solved else one.tree[1]
    text = _paragraphs(one.solution if solved else one.question)
    return f"<section><h2>{number}. {escape(one.title)}</h2>{text}{picture}</section>"


def _paragraphs(texts: Sequence[str]) -> str:
    """Return paragraphs of Markdown, of which exercises use plain text and fenced blocks, as HTML."""
    return "".join(
        f"<pre>{escape(text.strip('`').strip(chr(10)))}</pre>" if text.startswith("```") else f"<p>{escape(text)}</p>"
        for text in texts
    )
