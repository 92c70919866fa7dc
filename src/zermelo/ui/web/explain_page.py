"""The page that steps through a real search: its tree, each node's window and value, and why moves were pruned."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from fastapi import Request
from nicegui import ui

from zermelo.errors import BadParameter, ZermeloError
from zermelo.game import Game, State
from zermelo.pictures.plots import count_plot
from zermelo.pictures.tree_svg import tree_svg
from zermelo.play.moves import read_moves
from zermelo.registry import sentence_of
from zermelo.textbook.explain import Recipe, compared, count_nodes, method_named, order_named, parting
from zermelo.ui.web import links
from zermelo.ui.web.background import Background
from zermelo.ui.web.explain_view import (
    LEGEND,
    MOST_DEPTH,
    MOST_NODES,
    counts_html,
    forest_html,
    form_html,
    look_html,
    steps_html,
)
from zermelo.ui.web.page import RESPONSE_SECONDS, bar, bar_html, client_of, head, listen
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.stepper import Stepper
from zermelo.ui.web.workshop import Workshop

COUNTED: Final = 30_000
"""Nodes up to which the plot over depth counts."""
PACE: Final = 0.7
"""Seconds for each step while the page plays the search."""
_STEPS: Final[Mapping[str, Callable[[Stepper], None]]] = {
    "first": lambda steps: steps.go(0),
    "back": lambda steps: steps.go(steps.time - 1),
    "forward": lambda steps: steps.go(steps.time + 1),
    "last": lambda steps: steps.go(steps.last),
    "pruning": Stepper.next_pruning,
    "parting": Stepper.part,
}
"""The commands that go to another step."""


def add_explain_page(shelf: Shelf, workshop: Workshop) -> None:
    """Serve the page at ``/explain``."""

    @ui.page("/explain", title="zermelo: inside the search", reconnect_timeout=5.0, response_timeout=RESPONSE_SECONDS)
    async def explain_page(request: Request) -> None:
        query = list(request.query_params.items())
        page = await asyncio.to_thread(ExplainPage, shelf, workshop, query, client_of(request))
        page.build()


class ExplainPage:
    """One visitor's page: which search is shown, and how its parts are drawn."""

    def __init__(self, shelf: Shelf, workshop: Workshop, query: list[tuple[str, str]], client: str) -> None:
        self.workshop, self.visitor, self.error = workshop, client, ""
        try:
            self.position = links.read(query, links.opening(shelf))
            self.game: Game = shelf.game(self.position.game, self.position.parameters)
            self.state: State = self.game.replay(read_moves(self.game, self.position.moves))
            if self.game.is_terminal(self.state):
                raise BadParameter("The game is over in that position; here is the search of its start.")
        except ZermeloError as error:
            self.error, self.position = str(error), links.opening(shelf)
            self.game = shelf.game(self.position.game, self.position.parameters)
            self.state = self.game.initial
        depth = None if self.game.evaluate is None else 3
        self.recipe, self.nodes = Recipe(depth=depth, table=False), 600
        self.steps: Stepper | None = None
        self.background = Background(self._ended)

    def build(self) -> None:
        """Make the page's elements."""
        head("zermelo: inside the search")
        self.client = ui.context.client
        bar("Explain", "").content = bar_html("Explain", self.position.query(), repr(self.game))
        with ui.element("div").classes("page explain"):
            self.form = ui.html("", sanitize=False, tag="section").classes("card")
            with ui.element("section").classes("card stack").props('aria-label="Step by step"'):
                self.buttons = ui.html("", sanitize=False).classes("stack")
                self.look = ui.html("", sanitize=False).classes("look").props('aria-live="polite"')
            with ui.element("div").classes("trees"):
                self.forests = [ui.html("", sanitize=False, tag="section").classes("card") for _ in range(2)]
            with ui.element("div").classes("trees"):
                self.counts = ui.html("", sanitize=False, tag="section").classes("card")
                self.over_depth = ui.html("", sanitize=False, tag="section").classes("card")
            ui.html(LEGEND, sanitize=False).classes("foot")
        self._show_form()
        listen(self.heard)
        self.client.on_delete(self.background.close)
        self.client.on_connect(lambda: self.background.begin("search", self._search()))

    def _ended(self, name: str, error: str) -> None:
        """Show that the search, or playing it, has ended."""
        if error:
            self.error = error
            self._show_form()
        elif name == "play":
            self._show()

    async def heard(self, kind: str, value: Any) -> None:
        """Handle an event from the page's script."""
        try:
            if kind == "explain" and isinstance(value, dict):
                self.error = ""
                self._choose({str(name): str(one)[:40] for name, one in value.items()})
                self.background.begin("search", self._search())
            elif self.steps is not None:
                self._step(self.steps, kind, value)
        except Exception as error:
            sentence = sentence_of(error)
            if sentence is None:
                raise
            self.error = sentence
        self._show_form()

    def _step(self, steps: Stepper, kind: str, value: Any) -> None:
        """Do what a button, a key, the slider or a click on a node asks for."""
        if kind == "command" and value == "play":
            self._play_or_pause()
        elif kind == "command" and value == "svg":
            ui.download.content(tree_svg(steps.tree), "tree.svg", "image/svg+xml")
        elif kind == "command" and value == "json":
            ui.download.content(json.dumps(steps.tree.to_dict(), ensure_ascii=False), "tree.json", "application/json")
        elif kind == "command" and isinstance(value, str) and value in _STEPS:
            _STEPS[value](steps)
            self._show()
        elif kind == "time" and isinstance(value, int):
            steps.go(value)
            self._show()
        elif kind == "step" and isinstance(value, int):
            steps.go(steps.time + value)
            self._show()
        elif kind == "node" and isinstance(value, list) and len(value) == 2:
            holder, number = value
            if holder in ("tree0", "tree1") and isinstance(number, int):
                steps.visit(int(holder[-1]), number)
                self._show()

    def _choose(self, said: dict[str, str]) -> None:
        """Take the search that the form describes, if a page can show it."""
        numbers = {name: _number(said.get(name, ""), name) for name in ("depth", "nodes")}
        if numbers["depth"] > MOST_DEPTH or not 1 <= numbers["nodes"] <= MOST_NODES:
            raise BadParameter(f"A page shows up to {MOST_DEPTH} plies and 1 to {MOST_NODES:,} nodes.")
        table = said.get("table", "none")
        recipe = Recipe(
            method=method_named(said.get("method", "")),
            handout=table == "handout",
            depth=numbers["depth"] or None,
            table=table != "none",
            order=order_named(said.get("order", "")),
        )
        if recipe.depth is not None and self.game.evaluate is None:
            raise BadParameter(f"The game {self.game.name} has no EVAL; choose depth 0, the end of the game.")
        self.recipe, self.nodes = recipe, numbers["nodes"]

    async def _search(self) -> None:
        """Search, draw, and then count over depth."""
        recipe, nodes = self.recipe, self.nodes
        async with self.workshop.lanes["analysis"].turn(self.visitor):
            trees = await asyncio.to_thread(compared, self.game, self.state, recipe, nodes)
        self.steps = Stepper(trees, parting(*trees) if recipe.handout else None)
        self._draw(self.steps)
        self.over_depth.content = "<h2>Nodes over depth</h2><div class='muted'>Counting…</div>"
        self.over_depth.content = f"<h2>Nodes over depth</h2>{await self._count()}"

    async def _count(self) -> str:
        """Return a plot of the nodes at each depth: of minimax, of this search, and of it with best moves first."""
        if self.game.evaluate is None:
            return "<div class='muted'>This game has no EVAL to stop at a depth.</div>"
        base = replace(self.recipe, method="alpha-beta", handout=False, order="left-to-right")
        recipes = {
            "minimax": replace(base, method="minimax"),
            "alpha-beta": base,
            "best first": replace(base, order="best-first"),
        }
        if self.recipe.handout:
            recipes["as in the handout"] = replace(base, handout=True)
        series: dict[str, list[int | None]] = {}
        async with self.workshop.lanes["analysis"].turn(self.visitor):
            for name, recipe in recipes.items():
                counts = series.setdefault(name, [])
                for depth in range(1, 8):
                    deeper = replace(recipe, depth=depth)
                    count = await asyncio.to_thread(count_nodes, self.game, self.state, deeper, COUNTED)
                    if count is None or (len(counts) > 1 and counts[-1] == counts[-2] == count):
                        break
                    counts.append(count)
        return count_plot(series)

    def _play_or_pause(self) -> None:
        """Play the search from here, or from the start if it is at its end; stop if it plays."""
        if "play" in self.background:
            self.background.cancel("play")
            self._show()
        else:
            self.background.begin("play", self._play())

    async def _play(self) -> None:
        steps = self.steps
        if steps is not None and steps.time == steps.last:
            steps.go(0)
            self._show()
        while steps is not None and steps is self.steps and steps.time < steps.last:
            steps.go(steps.time + 1)
            self._show()
            await asyncio.sleep(PACE)

    def _draw(self, steps: Stepper) -> None:
        """Show both trees, their counts, and the step."""
        for place, forest in enumerate(self.forests):
            forest.content = forest_html(steps, place, self.nodes)
        self.counts.content = f"<h2>Counts</h2>{counts_html(steps.trees)}"
        self._show()

    def _show(self) -> None:
        """Show the step: the buttons, the node, and the trees as they stood."""
        steps = self.steps
        if steps is None:
            return
        self.buttons.content = steps_html(steps, "play" in self.background)
        self.look.content = look_html(steps.tree, steps.event)
        for place, tree in enumerate(steps.trees):
            time, node = (steps.time, steps.event.node) if place == steps.shown else (len(tree.events), -1)
            self.client.run_javascript(f"zermelo.replay('tree{place}', {time}, {node})")

    def _show_form(self) -> None:
        self.form.content = form_html(self.recipe, self.nodes, self.error)


def _number(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 6:
        raise BadParameter(f"The {name} is {text!r}; it must be a whole number.")
    return int(text)
