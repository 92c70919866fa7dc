"""The page that steps through a search, as HTML: pure functions of the search and of the step that is shown."""

from html import escape
from typing import Final

from zermelo.pictures.board_svg import draw_board
from zermelo.pictures.palette import palette_of
from zermelo.pictures.tree_svg import tree_svg
from zermelo.pictures.tree_text import number_text, sentence, title_of, window_text
from zermelo.textbook.explain import Recipe, SearchTree
from zermelo.textbook.observer import Event
from zermelo.ui.web.stepper import Stepper

MOST_NODES: Final = 3_000
"""Nodes of a tree that a page shows."""
MOST_DEPTH: Final = 12
_METHODS: Final = {
    "alpha-beta": "alpha-beta",
    "minimax": "minimax",
    "decision": "MAX-VALUE / MIN-VALUE",
    "path": f"path, {Recipe.width} moves wide",
}
_TABLES: Final = {"none": "no table", "sound": "the sound table", "handout": "the handout's table"}
_ORDERS: Final = {"left-to-right": "left to right", "best-first": "best first"}
LEGEND: Final = """
△ MAX to move, ▽ MIN to move, □ the game is over, ○ CUTOFF stopped here, ◇ answered from the table, ✂ moves pruned.
A thick line leads to the best move; ≤ and ≥ mark values that are only bounds. A click on a node shows it.
"""


def form_html(recipe: Recipe, nodes: int, error: str) -> str:
    """Return the form that says which search is shown."""
    table = "handout" if recipe.handout else "sound" if recipe.table else "none"
    selects = (
        ("method", "Algorithm", _METHODS, recipe.method),
        ("table", "Table", _TABLES, table),
        ("order", "Moves", _ORDERS, recipe.order),
    )
    fields = "".join(
        f'<label class="field">{label}<select name="{name}">'
        + "".join(
            f'<option value="{one}"{" selected" if one == now else ""}>{text}</option>' for one, text in all_.items()
        )
        + "</select></label>"
        for name, label, all_, now in selects
    )
    return (
        f'<form data-form="explain" data-live><h2 class="top">Inside the search</h2><div class="fields">{fields}'
        f'<label class="field">Depth (0: to the end)<input name="depth" type="number" min="0" max="{MOST_DEPTH}" '
        f'value="{recipe.depth or 0}"></label>'
        f'<label class="field">Most nodes to record<input name="nodes" type="number" min="1" max="{MOST_NODES}" '
        f'value="{nodes}"></label></div>'
        f'<div class="error" role="alert">{escape(error)}</div></form>'
    )


def forest_html(steps: Stepper, place: int, nodes: int) -> str:
    """Return one of the two trees; at most ``nodes`` nodes were recorded."""
    tree = steps.trees[place]
    cut = "" if tree.complete else f" Broken off after {nodes:,} nodes."
    return (
        f'<h2>{escape(title_of(tree))}</h2><div class="muted">Value {number_text(tree.value)}.{cut}</div>'
        f'<div class="forest" id="tree{place}" tabindex="0" role="region" '
        f'aria-label="{escape(title_of(tree))}">{tree_svg(tree, mark=steps.parting, alone=False)}</div>'
    )


def steps_html(steps: Stepper, is_playing: bool) -> str:
    """Return the buttons that step through the search, and the number of the step."""
    tree = steps.tree
    prunings = sum(event.kind == "prune" for event in tree.events)
    gone = sum(event.kind == "prune" for event in tree.events[: steps.time + 1])
    buttons = [("first", "|◀", "To the start"), ("back", "◀", "One step back")]
    buttons += [("play", "Pause" if is_playing else "Play", ""), ("forward", "▶", "One step on")]
    buttons += [("last", "▶|", "To the end"), ("pruning", "Next pruning", "")]
    buttons += [("parting", "Where they part", "")] if steps.parting is not None else []
    buttons += [("svg", "Save SVG", ""), ("json", "Save JSON", "")]
    row = "".join(
        f'<button class="btn" data-command="{name}"{f" aria-label={label!r}" if label else ""}>{text}</button>'
        for name, text, label in buttons
    )
    return (
        f'<div class="row" role="toolbar" aria-label="Steps">{row}</div>'
        f'<input type="range" data-time aria-label="Step" min="0" max="{len(tree.events) - 1}" value="{steps.time}">'
        f'<div class="muted" id="step">Step {steps.time + 1} of {len(tree.events)}, {gone} of {prunings} prunings: '
        f"{escape(title_of(tree))}</div>"
    )


def look_html(tree: SearchTree, event: Event) -> str:
    """Return the node of an event: its board, its window, its value, and why it has this value."""
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
    recipe = tree.recipe
    return (
        recipe.method
        + (" (handout)" if recipe.handout else "")
        + (", best first" if recipe.order == "best-first" else "")
    )


def counts_html(trees: tuple[SearchTree, SearchTree]) -> str:
    """Return the counts of both searches side by side, as the algorithms counted."""
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
