"""The page that steps through a real search: its tree, each node's window and value, and what was pruned, and why."""

import asyncio
import json
from dataclasses import replace
from html import escape
from typing import Any, Final

from fastapi import Request
from nicegui import ui

from zermelo.errors import BadParameter, ZermeloError
from zermelo.game import Game, State
from zermelo.pictures.board_svg import draw_board
from zermelo.pictures.palette import palette_of
from zermelo.pictures.plots import count_plot
from zermelo.pictures.tree_svg import tree_svg
from zermelo.pictures.tree_text import number_text, sentence, title_of, window_text
from zermelo.play.moves import read_moves
from zermelo.registry import sentence_of
from zermelo.textbook.explain import Plan, SearchTree, compared, count_nodes, parting
from zermelo.textbook.observer import Event
from zermelo.ui.web import links
from zermelo.ui.web.background import Background
from zermelo.ui.web.page import RESPONSE_SECONDS, bar, bar_html, client_of, head, listen
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.thinking import Workshop

MOST_NODES: Final = 3_000
"""Nodes of a tree that a page shows."""
MOST_DEPTH: Final = 12
COUNTED: Final = 30_000
"""Nodes up to which the plot over depth counts."""
PACE: Final = 0.7
"""Seconds a step, when it plays."""
_METHODS: Final = {
    "alpha-beta": "alpha-beta",
    "minimax": "minimax",
    "decision": "MAX-VALUE / MIN-VALUE",
    "path": f"path, {Plan.width} moves wide",
}
_TABLES: Final = {"none": "no table", "sound": "the sound table", "handout": "the handout's table"}
_ORDERS: Final = {"left-to-right": "left to right", "best-first": "best first"}


def add_explain_page(shelf: Shelf, workshop: Workshop) -> None:
    """Serve the page at ``/explain``."""

    @ui.page("/explain", title="zermelo: inside the search", reconnect_timeout=5.0, response_timeout=RESPONSE_SECONDS)
    async def explain_page(request: Request) -> None:
        query = list(request.query_params.items())
        page = await asyncio.to_thread(ExplainPage, shelf, workshop, query, client_of(request))
        page.build()


class ExplainPage:
    """One visitor's search, and where they are in it."""

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
        self.plan, self.nodes = Plan(depth=depth, table=False), 600
        self.trees: tuple[SearchTree, SearchTree] | None = None
        self.parts: int | None = None
        self.shown, self.time = 1, 0
        self.background = Background(self._ended)

    def build(self) -> None:
        """Make the page's elements."""
        head("zermelo: inside the search")
        self.client = ui.context.client
        bar("Explain", "").content = bar_html("Explain", self.position.query(), repr(self.game))
        with ui.element("div").classes("page explain"):
            self.form = ui.html(self._form(), sanitize=False, tag="section").classes("card")
            with ui.element("section").classes("card stack").props('aria-label="Step by step"'):
                self.steps = ui.html("", sanitize=False).classes("stack")
                self.look = ui.html("", sanitize=False).classes("look").props('aria-live="polite"')
            with ui.element("div").classes("trees"):
                self.forests = [ui.html("", sanitize=False, tag="section").classes("card") for _ in range(2)]
            with ui.element("div").classes("trees"):
                self.counts = ui.html("", sanitize=False, tag="section").classes("card")
                self.over_depth = ui.html("", sanitize=False, tag="section").classes("card")
            ui.html(_LEGEND, sanitize=False).classes("foot")
        listen(self.heard)
        self.client.on_delete(self.background.close)
        self.client.on_connect(lambda: self.background.begin("search", self._search()))

    def _ended(self, name: str, error: str) -> None:
        """The search, or playing, has come to an end."""
        if error:
            self.error = error
            self.form.content = self._form()
        elif name == "play":
            self._show()

    async def heard(self, kind: str, value: Any) -> None:
        """Something from the page's script."""
        try:
            if kind == "explain" and isinstance(value, dict):
                self.error = ""
                self._choose({str(name): str(one)[:40] for name, one in value.items()})
                self.background.begin("search", self._search())
            elif kind == "command" and value in _COMMANDS:
                getattr(self, f"do_{value}")()
            elif kind == "time" and isinstance(value, int):
                self.go(value)
            elif kind == "step" and isinstance(value, int):
                self.go(self.time + value)
            elif kind == "node" and isinstance(value, list) and len(value) == 2:
                self._visit(*value)
        except Exception as error:
            sentence = sentence_of(error)
            if sentence is None:
                raise
            self.error = sentence
        self.form.content = self._form()

    @property
    def tree(self) -> SearchTree | None:
        """The tree that is stepped through."""
        return None if self.trees is None else self.trees[self.shown]

    # The search

    def _choose(self, said: dict[str, str]) -> None:
        """What the form says, within what a page can show."""
        numbers = {name: _number(said.get(name, ""), name) for name in ("depth", "nodes")}
        if numbers["depth"] > MOST_DEPTH or not 1 <= numbers["nodes"] <= MOST_NODES:
            raise BadParameter(f"A page shows up to {MOST_DEPTH} plies and 1 to {MOST_NODES:,} nodes.")
        table = said.get("table", "none")
        plan = Plan(
            method=said.get("method", ""),  # type: ignore[arg-type]
            handout=table == "handout",
            depth=numbers["depth"] or None,
            table=table != "none",
            order=said.get("order", ""),  # type: ignore[arg-type]
        )
        if plan.depth is not None and self.game.evaluate is None:
            raise BadParameter(f"The game {self.game.name} has no EVAL; choose depth 0, the end of the game.")
        self.plan, self.nodes = plan, numbers["nodes"]

    async def _search(self) -> None:
        """Search, draw, and then count over depth."""
        plan, nodes = self.plan, self.nodes
        async with self.workshop.lanes["analysis"].turn(self.visitor):
            trees = await asyncio.to_thread(compared, self.game, self.state, plan, nodes)
        self.trees, self.shown = trees, 1
        self.parts = parting(*trees) if plan.handout else None
        self.time = len(trees[1].events) - 1
        self._draw()
        self.over_depth.content = "<h2>Nodes over depth</h2><div class='muted'>Counting…</div>"
        self.over_depth.content = f"<h2>Nodes over depth</h2>{await self._count()}"

    async def _count(self) -> str:
        """Nodes for each depth, of minimax, of this search, and of it best first."""
        if self.game.evaluate is None:
            return "<div class='muted'>This game has no EVAL to stop at a depth.</div>"
        base = replace(self.plan, method="alpha-beta", handout=False, order="left-to-right")
        plans = {
            "minimax": replace(base, method="minimax"),
            "alpha-beta": base,
            "best first": replace(base, order="best-first"),
        }
        if self.plan.handout:
            plans["as in the handout"] = replace(base, handout=True)
        series: dict[str, list[int | None]] = {}
        async with self.workshop.lanes["analysis"].turn(self.visitor):
            for name, plan in plans.items():
                counts = series.setdefault(name, [])
                for depth in range(1, 8):
                    deeper = replace(plan, depth=depth)
                    count = await asyncio.to_thread(count_nodes, self.game, self.state, deeper, COUNTED)
                    if count is None or (len(counts) > 1 and counts[-1] == counts[-2] == count):
                        break
                    counts.append(count)
        return count_plot(series)

    # Stepping

    def go(self, time: int) -> None:
        """Show the search as it stood after so many events."""
        if self.tree is not None:
            self.time = max(0, min(time, len(self.tree.events) - 1))
            self._show()

    def _visit(self, holder: Any, number: Any) -> None:
        """A node was clicked: show it as it was left."""
        if self.trees is None or holder not in ("tree0", "tree1") or not isinstance(number, int):
            return
        shown = int(holder[-1])
        times = [time for time, event in enumerate(self.trees[shown].events) if event.node == number]
        if times:
            self.shown, self.time = shown, times[-1]
            self._show()

    def do_first(self) -> None:
        """To the start."""
        self.go(0)

    def do_back(self) -> None:
        """One event back."""
        self.go(self.time - 1)

    def do_forward(self) -> None:
        """One event on."""
        self.go(self.time + 1)

    def do_last(self) -> None:
        """To the end."""
        self.go(1 << 30)

    def do_pruning(self) -> None:
        """To the next pruning; past the last one, to the first."""
        if self.tree is None:
            return
        times = [time for time, event in enumerate(self.tree.events) if event.kind == "prune"]
        if times:
            self.go(next((time for time in times if time > self.time), times[0]))

    def do_parting(self) -> None:
        """To where the handout's table and the sound one part."""
        if self.parts is not None and self.trees is not None:
            self._visit("tree1", self.parts)

    def do_play(self) -> None:
        """Play on its own, or stop playing."""
        if "play" in self.background:
            self.background.cancel("play")
            self._show()
        else:
            self.background.begin("play", self._play())

    def do_svg(self) -> None:
        """Download the tree as a picture."""
        if self.tree is not None:
            ui.download.content(tree_svg(self.tree), "tree.svg", "image/svg+xml")

    def do_json(self) -> None:
        """Download the tree as data."""
        if self.tree is not None:
            ui.download.content(json.dumps(self.tree.to_dict(), ensure_ascii=False), "tree.json", "application/json")

    async def _play(self) -> None:
        if self.tree is not None and self.time == len(self.tree.events) - 1:
            self.go(0)
        while self.tree is not None and self.time < len(self.tree.events) - 1:
            self.go(self.time + 1)
            await asyncio.sleep(PACE)

    # What is seen

    def _draw(self) -> None:
        """Both trees, their counts, and the step."""
        if self.trees is None:
            return
        for place, tree in enumerate(self.trees):
            cut = "" if tree.complete else f" Broken off after {self.nodes:,} nodes."
            self.forests[place].content = (
                f'<h2>{escape(title_of(tree))}</h2><div class="muted">Value {number_text(tree.value)}.{cut}</div>'
                f'<div class="forest" id="tree{place}" tabindex="0" role="region" '
                f'aria-label="{escape(title_of(tree))}">{tree_svg(tree, mark=self.parts, alone=False)}</div>'
            )
        self.counts.content = f"<h2>Counts</h2>{_counts(self.trees)}"
        self._show()

    def _show(self) -> None:
        """The step: buttons, the node, the tree as it stood."""
        tree = self.tree
        if tree is None or self.trees is None:
            return
        event = tree.events[self.time]
        self.steps.content = self._stepper(tree)
        self.look.content = _look(tree, event)
        for place, other in enumerate(self.trees):
            time = self.time if place == self.shown else len(other.events)
            node = event.node if place == self.shown else -1
            self.client.run_javascript(f"zermelo.replay('tree{place}', {time}, {node})")

    def _stepper(self, tree: SearchTree) -> str:
        playing = "play" in self.background
        prunings = sum(event.kind == "prune" for event in tree.events)
        gone = sum(event.kind == "prune" for event in tree.events[: self.time + 1])
        buttons = [("first", "|◀", "To the start"), ("back", "◀", "One step back")]
        buttons += [("play", "Pause" if playing else "Play", ""), ("forward", "▶", "One step on")]
        buttons += [("last", "▶|", "To the end"), ("pruning", "Next pruning", "")]
        buttons += [("parting", "Where they part", "")] if self.parts is not None else []
        buttons += [("svg", "Save SVG", ""), ("json", "Save JSON", "")]
        row = "".join(
            f'<button class="btn" data-command="{name}"{f" aria-label={label!r}" if label else ""}>{text}</button>'
            for name, text, label in buttons
        )
        return (
            f'<div class="row" role="toolbar" aria-label="Steps">{row}</div>'
            f'<input type="range" data-time aria-label="Step" min="0" max="{len(tree.events) - 1}" value="{self.time}">'
            f'<div class="muted" id="step">Step {self.time + 1} of {len(tree.events)}, {gone} of {prunings} prunings: '
            f"{escape(title_of(tree))}</div>"
        )

    def _form(self) -> str:
        table = "handout" if self.plan.handout else "sound" if self.plan.table else "none"
        selects = (
            ("method", "Algorithm", _METHODS, self.plan.method),
            ("table", "Table", _TABLES, table),
            ("order", "Moves", _ORDERS, self.plan.order),
        )
        fields = "".join(
            f'<label class="field">{label}<select name="{name}">'
            + "".join(
                f'<option value="{one}"{" selected" if one == now else ""}>{text}</option>'
                for one, text in all_.items()
            )
            + "</select></label>"
            for name, label, all_, now in selects
        )
        return (
            f'<form data-form="explain" data-live><h2 class="top">Inside the search</h2><div class="fields">{fields}'
            f'<label class="field">Depth (0: to the end)<input name="depth" type="number" min="0" max="{MOST_DEPTH}" '
            f'value="{self.plan.depth or 0}"></label>'
            f'<label class="field">Most nodes to record<input name="nodes" type="number" min="1" max="{MOST_NODES}" '
            f'value="{self.nodes}"></label></div>'
            f'<div class="error" role="alert">{escape(self.error)}</div></form>'
        )


def _number(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 6:
        raise BadParameter(f"The {name} is {text!r}; it must be a whole number.")
    return int(text)


def _look(tree: SearchTree, event: Event) -> str:
    """The node of an event: its board, its window, its value, and why."""
    node, game = tree.nodes[event.node], tree.game
    if game.board is None:
        picture = f"<pre>{escape(game.draw(node.state))}</pre>"
    else:
        picture = draw_board(game.board(node.state), palette=palette_of(game), title=f"Node {node.number}")
    happened = {
        "enter": "The search enters the node.",
        "return": "A child has returned its value.",
        "prune": "The rest of the moves is pruned.",
        "leave": "The node returns its value.",
    }[event.kind]
    facts = [
        ("Node", f"{node.number}, at ply {node.ply}"),
        ("To move", game.side_title(node.player) if node.player else "nobody, the game is over"),
        ("Window as it came in", window_text(node.alpha, node.beta)),
        ("Window as it stands", window_text(event.alpha, event.beta)),
        ("Best value so far", number_text(event.value)),
    ]
    rows = "".join(f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in facts)
    why = escape(sentence(tree, node)) if event.kind in ("leave", "prune") else ""
    return (
        f'<div>{picture}</div><div class="stack"><b>{happened}</b><dl class="facts">{rows}</dl><div>{why}</div></div>'
    )


def _short(tree: SearchTree) -> str:
    plan = tree.plan
    return plan.method + (" (handout)" if plan.handout else "") + (", best first" if plan.order == "best-first" else "")


def _counts(trees: tuple[SearchTree, SearchTree]) -> str:
    """The counts of both searches, side by side, as the algorithms themselves kept them."""
    names = ("nodes", "leaves", "prunings_max", "prunings_min", "table_hits", "table_states", "max_depth")
    heads = "".join(f"<th>{escape(_short(tree))}</th>" for tree in trees)
    rows = "".join(
        f"<tr><td>{name.replace('_', ' ')}</td>"
        + "".join(f'<td data-count="{name}">{getattr(tree.counts, name):,}</td>' for tree in trees)
        + "</tr>"
        for name in names
    )
    by_ply = [tree.by_ply() for tree in trees]
    for ply in range(max(map(len, by_ply))):
        cells = "".join(f"<td>{counts[ply] if ply < len(counts) else 0:,}</td>" for counts in by_ply)
        rows += f"<tr><td>nodes at ply {ply}</td>{cells}</tr>"
    return f'<div class="scroll" tabindex="0"><table class="counts"><tr><th></th>{heads}</tr>{rows}</table></div>'


_COMMANDS: Final = tuple(name.removeprefix("do_") for name in vars(ExplainPage) if name.startswith("do_"))
_LEGEND: Final = """
△ MAX to move, ▽ MIN to move, □ the game is over, ○ CUTOFF stopped here, ◇ answered from the table, ✂ moves pruned.
A thick line leads to the best move; ≤ and ≥ mark values that are only bounds. A click on a node shows it.
"""
