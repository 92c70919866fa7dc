"""The pages of a solved table: its census with plots, and puzzles with hints."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from fastapi import Request
from nicegui import ui

from zermelo.errors import BadParameter, ZermeloError
from zermelo.game import MAX, Game
from zermelo.pictures.board_svg import draw_board
from zermelo.pictures.census_bars import draw_bars, legend
from zermelo.pictures.laid import board_after
from zermelo.pictures.palette import palette_of
from zermelo.ui.terminal import show
from zermelo.ui.terminal.wording import ending, verdict
from zermelo.ui.web import links
from zermelo.ui.web.gallery import title_of
from zermelo.ui.web.page import RESPONSE_SECONDS, bar, client_of, head
from zermelo.ui.web.queries import page_query
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.workshop import Workshop

if TYPE_CHECKING:
    from zermelo.solver import Census, Puzzle, Table

LARGEST: Final = 20_000_000
"""Stored positions up to which a server takes a census; it reads all of them."""
SAMPLE: Final = 20_000
"""Positions that are looked at for saving moves, and for puzzles."""
PUZZLES: Final = 6
"""Puzzles on a page."""
_KEPT: Final = 32
"""Censuses and pages of puzzles that are kept, those asked for last."""
_WAITING: Final = 20.0
"""Seconds that a visitor waits for a census or for puzzles before a page says that the table is still being read."""
_AGAIN: Final = "<script>setTimeout(() => location.reload(), 2000)</script>"
"""Such a page asks again by itself. A refresh in the head of a page would be one that nobody can stop."""
_READING: Final = '<p role="status">The table is still being read. This page then shows what it holds.</p>'
Part = Callable[[str, Game, "Table", int], str]
"""What makes a part of a page: of the game's key on the shelf, the game, its table and a seed."""


class Studies:
    """What was found in the tables, as HTML; nothing is looked for twice."""

    def __init__(self, workshop: Workshop) -> None:
        self.workshop = workshop
        self._found: OrderedDict[tuple[Part, str, str, int], asyncio.Task[str]] = OrderedDict()

    def table(self, game: Game) -> "Table":
        """Return the table of a game.

        Raises
        ------
        BadParameter
            The server has none.
        """
        table = self.workshop.tables.get(game.fingerprint)
        if table is None:
            raise BadParameter(f"The server has no solved table of {game!r}; zermelo serve --table FOLDER opens one.")
        return table

    async def ask(self, part: Part, source: str, game: Game, seed: int, client: str) -> str | None:
        """Return what ``part`` makes of a game's table; None if that is not known yet after a while."""
        table, key = self.table(game), (part, source, game.fingerprint, seed)
        if key not in self._found:
            self._found[key] = asyncio.create_task(self._study(part, source, game, table, seed, client))
            while len(self._found) > _KEPT:
                self._found.popitem(last=False)
        task = self._found[key]
        await asyncio.wait({task}, timeout=_WAITING)
        if not task.done():
            return None
        if task.exception() is not None:
            del self._found[key]
        return task.result()

    async def _study(self, part: Part, source: str, game: Game, table: "Table", seed: int, client: str) -> str:
        from zermelo.solver import Table

        if part is puzzles_html:
            await self.workshop.engines.prepare(game, client)
        async with self.workshop.lanes["textbook"].turn(client):
            # Another reader of the same files, since two threads must not use one table at once.
            return await asyncio.to_thread(lambda: part(source, game, Table(table.place, game), seed))


def add_table_pages(shelf: Shelf, workshop: Workshop) -> None:
    """Serve ``/census`` and ``/puzzles`` for the game of a link."""
    studies, known = Studies(workshop), page_query(*links.NAMES, "seed", of_game=True)

    async def build(request: Request, title: str, part: Part) -> None:
        query = dict(request.query_params.items())
        try:
            position = links.read(query.items(), links.opening(shelf))
            seed = _seed(query.get("seed", "0"))
            game = await asyncio.to_thread(shelf.game, position.game, position.parameters)
            found = await studies.ask(part, position.game, game, seed, client_of(request))
            if found is None:
                ui.add_body_html(_AGAIN)
            name = title_of(game, position.game, shelf.summary(position.game), game.parameters)
            content = _heading(title, name, links.Position(position.game, position.parameters).query())
            content += _READING if found is None else found
            if part is puzzles_html:
                more = {**query, "seed": str(seed + 1)}
                content += f'<p><a class="btn" href="/puzzles?{escape(urlencode(more))}">Other puzzles</a></p>'
        except ZermeloError as error:
            content = f'<div class="error" role="alert">{escape(str(error))}</div>'
        head(title)
        bar("", "")
        with ui.element("div").classes("page"):
            ui.html(content, sanitize=False, tag="article").classes("card study")

    @ui.page("/census", title="Census", response_timeout=RESPONSE_SECONDS, dependencies=[known])
    async def census_page(request: Request) -> None:
        await build(request, "Census", census_html)

    @ui.page("/puzzles", title="Puzzles", response_timeout=RESPONSE_SECONDS, dependencies=[known])
    async def puzzles_page(request: Request) -> None:
        await build(request, "Puzzles", puzzles_html)


def _seed(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise BadParameter(f"The seed is {text[:40]!r}; it must be a whole number from 0 to 999,999,999.")
    return int(text)


def _heading(title: str, game: str, query: str) -> str:
    links_ = "".join(
        f'<a class="btn" href="/{page}?{escape(query)}">{name}</a>'
        for page, name in (("", "Play"), ("census", "Census"), ("puzzles", "Puzzles"))
        if name != title
    )
    return f'<h1 class="big">{title} of {escape(game)}</h1><div class="row">{links_}</div>'


def census_html(source: str, game: Game, table: "Table", seed: int) -> str:
    """Return a census of a table.

    Raises
    ------
    BadParameter
        The table is too large to be read through for a visitor.
    """
    from zermelo.solver.study.census import census

    stored = table.manifest["stored"]
    if stored > LARGEST:
        raise BadParameter(
            f"The table holds {stored:,} positions, and a page counts at most {LARGEST:,}; "
            f"zermelo census {table.place} counts them all."
        )
    found = census(table, SAMPLE, seed)
    saving = found.saving
    how = "" if saving.exact else f", estimated from {saving.looked_at:,}"
    return (
        f"<p>{found.positions:,} positions, of which {found.stored:,} are stored. "
        f"Positions with one saving move: {saving.positions:,}{how}.</p>"
        f'<div class="row legend">{legend(game, found)}</div><div class="two">'
        f"<figure><figcaption>By tier</figcaption>{draw_bars(game, found.by_tier, 'tier')}</figure>"
        f"<figure><figcaption>By remoteness, the plies to the end under perfect play</figcaption>"
        f"{draw_bars(game, found.by_remoteness, 'remoteness')}</figure></div>{_longest(source, game, found)}"
    )


def _longest(source: str, game: Game, found: "Census") -> str:
    """Return the position of the longest win."""
    if found.longest is None:
        return ""
    longest = found.longest
    line = " ".join(show.line(game, longest.state, longest.line))
    said = f"{verdict(game, longest.value)} in {ending(longest.remoteness)}"
    return (
        f'<h2>The longest win</h2><div class="puzzle"><div class="small">{_board(game, longest.state)}</div>'
        f"<div><p>{escape(said)}, by {escape(line)}.</p>{_try(source, game, longest.state, '')}</div></div>"
    )


def puzzles_html(source: str, game: Game, table: "Table", seed: int) -> str:
    """Return puzzles with hints and solutions that are folded away."""
    from zermelo.solver.study.puzzles import puzzles

    found = puzzles(table, PUZZLES, seed, SAMPLE)
    cards = "".join(_puzzle(source, game, number, one) for number, one in enumerate(found, start=1))
    return (
        "<p>In each position only one move saves the win or the draw. The puzzles go from easy to hard.</p>"
        f'<div class="puzzles">{cards}</div>'
    )


def _puzzle(source: str, game: Game, number: int, puzzle: "Puzzle") -> str:
    """Return a puzzle: the board, the moves as buttons that say whether they are right, a hint and the solution."""
    state, side = puzzle.state, game.side_name(game.to_move(puzzle.state))
    goal = "draws" if puzzle.value == 0 else "wins"
    answers = "".join(
        f'<button class="btn small" data-answer="{int(action == puzzle.action)}">'
        f"{escape(game.show_action(state, action))}</button>"
        for action in game.legal_actions(state)
    )
    line = " ".join(show.line(game, state, puzzle.line))
    return (
        f'<section class="puzzle"><div class="small">{_board(game, state)}</div><div class="stack">'
        f"<h2>Puzzle {number}</h2><p>{escape(side)} moves and {goal}. Which is the only move?</p>"
        f'<div class="row answers">{answers}</div><div class="verdict" aria-live="polite"></div>'
        f"<details><summary>Hint</summary><p>{_hint(puzzle)}</p></details>"
        f"<details><summary>Solution</summary><p>{escape(line)}</p></details>"
        f"{_try(source, game, state, 'table')}</div></section>"
    )


def _hint(puzzle: "Puzzle") -> str:
    """Return how far the end is, and how deep a search has to look."""
    end = f"Under perfect play it is {ending(puzzle.remoteness)} to the end."
    if puzzle.remoteness is None:
        end = "Play need never end."
    return end if puzzle.depth is None else f"{end} A search finds the move at depth {puzzle.depth}."


def _try(source: str, game: Game, state: Any, opponent: str) -> str:
    """Return a link that opens a position against perfect play; empty if the game has no notation for it."""
    if game.from_text is None:
        return ""
    sides = ("max", "min") if game.to_move(state) == MAX else ("min", "max")
    players = {sides[0]: "human", sides[1]: opponent or "human"}
    parameters = {links.PARAMETER + name: str(value).lower() for name, value in game.parameters.items()}
    query = {"game": source, **parameters, **players, "position": game.show_state(state)}
    said = "Play it against perfect play" if opponent else "Open it"
    return f'<p><a class="btn" href="/?{escape(urlencode(query))}">{said}</a></p>'


def _board(game: Game, state: Any) -> str:
    if game.board is None:
        return f"<pre>{escape(game.draw(state))}</pre>"
    return draw_board(board_after(game, (state,)), palette=palette_of(game), title=f"A position of {game.name}")
