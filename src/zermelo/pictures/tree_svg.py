"""A recorded search as SVG: where each node lies, and what stands on it. It computes no value.

A triangle up is a node of MAX, down one of MIN; a square is a terminal state, a circle a cutoff, a diamond an answer
from the table. Scissors stand for moves that were pruned. Groups carry the number of their node (``data-node``) and the
event at which they appear (``data-from``) and get their value (``data-done``), so that a page can replay the search.
"""

from html import escape
from typing import Final

from zermelo.game import MAX
from zermelo.pictures.tree_text import bounded, sentence, title_of, window_text
from zermelo.textbook.explain import SearchTree
from zermelo.textbook.observer import Node

ROW: Final = 78
TOP: Final = 34
STYLE: Final = """
.tree{--max:#2f6fde;--min:#d9741f;--line:#8a95a5;--ink:#1c2430;--paper:#ffffff;--soft:#e9edf3;--cut:#c9353f;
--table:#7a4fb5;--best:#1f7a4d;font-family:system-ui,-apple-system,"Segoe UI",sans-serif}
@media (prefers-color-scheme:dark){.tree{--max:#5b93f5;--min:#f2a05a;--line:#75819a;--ink:#e8ecf3;--paper:#151a22;
--soft:#2a3240;--cut:#ff7b80;--table:#b794f6;--best:#4ad295}}
.tree .link{stroke:var(--line);stroke-width:1.3;fill:none}.tree .best{stroke:var(--best);stroke-width:3}
.tree .move{fill:var(--ink);font-size:11px;text-anchor:middle;paint-order:stroke;stroke:var(--paper);stroke-width:4px}
.tree .shape{stroke-width:2;fill:var(--soft);stroke:var(--line)}.tree .max .shape{stroke:var(--max)}
.tree .min .shape{stroke:var(--min)}.tree .table .shape{stroke:var(--table)}
.tree .value{fill:var(--ink);font-size:12px;font-weight:650;text-anchor:middle;paint-order:stroke;stroke:var(--paper);
stroke-width:4px}
.tree .window{fill:var(--line);font-size:9px;text-anchor:middle;paint-order:stroke;stroke:var(--paper);stroke-width:3px}
.tree .cut{stroke:var(--cut);stroke-width:1.6;stroke-dasharray:4 3;fill:none}
.tree .scissors{fill:var(--cut);font-size:12px;font-weight:650;text-anchor:middle}
.tree .future{opacity:.1}.tree .open .value{opacity:0}
.tree .open .best{stroke:var(--line);stroke-width:1.3}
.tree .now .shape{stroke-width:5}.tree .parts .shape{fill:#ffd84d;stroke:#b07d00;stroke-width:4}
.tree g[data-node]{cursor:pointer}
"""
_MOST_WINDOWS: Final = 300
"""A picture of more nodes leaves the windows out, because they make it wide."""
_LETTER: Final = 7.0
"""How wide a letter of a move's name is, at most."""
_SHAPES: Final = {
    "max": '<path class="shape" d="M0-13 14 11H-14Z"/>',
    "min": '<path class="shape" d="M0 13 14-11H-14Z"/>',
    "terminal": '<rect class="shape" x="-11" y="-11" width="22" height="22" rx="3"/>',
    "cutoff": '<circle class="shape" r="12"/>',
    "table": '<path class="shape" d="M0-14 14 0 0 14-14 0Z"/>',
}


def tree_svg(tree: SearchTree, *, mark: int | None = None, alone: bool = True) -> str:
    """Return the picture of a tree.

    Parameters
    ----------
    tree
        What to draw.
    mark
        A node to point out, such as the one where two searches part.
    alone
        Bring the style along, for a picture outside the pages.
    """
    windows = [""] * len(tree.nodes)
    if alone and len(tree.nodes) <= _MOST_WINDOWS:
        windows = ["" if node.alpha is None else window_text(node.alpha, node.beta) for node in tree.nodes]
    places = _layout(tree, max(map(len, windows), default=0))
    widest = max([x for x, _ in places.values()], default=0) + 60
    deepest = max((node.ply for node in tree.nodes), default=0)
    width, height = max(widest, 320), TOP + deepest * ROW + 70
    since, until = _times(tree)
    parts = [
        f'<svg class="tree" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" '
        f'height="{height}" role="img" aria-label="{escape(title_of(tree))}">'
    ]
    if alone:
        parts.append(f"<style>{STYLE}</style>")
    parts += [_link(tree, node, places, since, until) for node in tree.nodes if node.parent is not None]
    parts += [_stub(node, places, until) for node in tree.nodes if node.unsearched]
    parts += [_node(tree, node, places, since, until, node.number == mark, windows[node.number]) for node in tree.nodes]
    return "".join([*parts, "</svg>"])


def _layout(tree: SearchTree, letters: int) -> dict[int, tuple[float, float]]:
    """Place leaves side by side in the order of the search, and parents above the middle of their children.

    Below each there is room for a window of so many letters.
    """
    slot = max([42, 5 * letters + 8, *(8 * len(str(node.value)) + 10 for node in tree.nodes if node.value is not None)])
    places: dict[int, tuple[float, float]] = {}
    across = 0.7 * slot
    for node in _postorder(tree):
        y = TOP + node.ply * ROW
        if node.children:
            xs = [places[child][0] for child in node.children]
            places[node.number] = ((xs[0] + xs[-1]) / 2, y)
        else:
            places[node.number] = (across, y)
            across += slot
        if node.unsearched:
            across += slot * 0.6
    stretch = _stretch(tree, places) if len(tree.nodes) <= _MOST_WINDOWS else 1.0
    return {number: (x * stretch, y) for number, (x, y) in places.items()}


def _stretch(tree: SearchTree, places: dict[int, tuple[float, float]]) -> float:
    """Return how many times as wide a tree must be for the names of moves to stand beside each other."""
    most, before = 1.0, dict[int, tuple[float, int]]()
    for node in _postorder(tree):  # of each ply from left to right
        if node.parent is None:
            continue
        parent = tree.nodes[node.parent]
        x, letters = _of_move(places, parent, node)[0], len(tree.game.show_action(parent.state, node.action))
        if node.ply in before:
            left, beside = before[node.ply]
            most = max(most, (_LETTER * (letters + beside) / 2 + 4) / (x - left))
        before[node.ply] = x, letters
    return most


def _of_move(places: dict[int, tuple[float, float]], parent: Node, node: Node) -> tuple[float, float]:
    """Return where the name of a move stands on its edge."""
    (x1, y1), (x2, y2) = places[parent.number], places[node.number]
    return (x1 + 2 * x2) / 3, (y1 + 2 * y2) / 3 - 2


def _postorder(tree: SearchTree) -> list[Node]:
    """Return the nodes, children before parents, without recursion: searches can be deep."""
    found: list[Node] = []
    waiting = [tree.nodes[0]] if tree.nodes else []
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += [tree.nodes[child] for child in node.children]
    return found[::-1]


def _times(tree: SearchTree) -> tuple[dict[int, int], dict[int, int]]:
    """Return at which event the search enters each node, and at which it leaves it."""
    since = {event.node: time for time, event in enumerate(tree.events) if event.kind == "enter"}
    until = {event.node: time for time, event in enumerate(tree.events) if event.kind == "leave"}
    return since, until


def _link(
    tree: SearchTree,
    node: Node,
    places: dict[int, tuple[float, float]],
    since: dict[int, int],
    until: dict[int, int],
) -> str:
    parent = tree.nodes[node.parent or 0]
    (x1, y1), (x2, y2) = places[parent.number], places[node.number]
    is_best = parent.source == "children" and parent.best_action == node.action
    move = escape(tree.game.show_action(parent.state, node.action))
    x, y = _of_move(places, parent, node)
    return (
        f'<g data-from="{since[node.number]}" data-done="{until.get(parent.number, len(tree.events))}">'
        f'<path class="link{" best" if is_best else ""}" '
        f'd="M{x1:.0f} {y1 + 12:.0f}L{x2:.0f} {y2 - 13:.0f}"/>'
        f'<text class="move" x="{x:.0f}" y="{y:.0f}">{move}</text></g>'
    )


def _stub(node: Node, places: dict[int, tuple[float, float]], until: dict[int, int]) -> str:
    """Return the mark of the moves that a pruning left out."""
    x, y = places[node.number]
    last = places[node.children[-1]][0] if node.children else x
    x2, y2 = last + 30, y + 44
    return (
        f'<g data-from="{until.get(node.number, 0) - 1}">'
        f'<path class="cut" d="M{x:.0f} {y + 12:.0f}L{x2:.0f} {y2:.0f}"/>'
        f'<text class="scissors" x="{x2:.0f}" y="{y2 + 12:.0f}">✂ {len(node.unsearched)}</text></g>'
    )


def kind_of(node: Node) -> str:
    """Return the class of a node in the picture, which decides its shape."""
    if node.source in ("terminal", "cutoff", "table"):
        return node.source
    return "max" if node.player == MAX else "min"


def _node(
    tree: SearchTree,
    node: Node,
    places: dict[int, tuple[float, float]],
    since: dict[int, int],
    until: dict[int, int],
    marked: bool,
    window: str,
) -> str:
    x, y = places[node.number]
    kind = kind_of(node)
    value = "" if node.source is None else bounded(node)
    return (
        f'<g class="{kind}{" parts" if marked else ""}" data-node="{node.number}" data-from="{since[node.number]}" '
        f'data-done="{until.get(node.number, len(tree.events))}" transform="translate({x:.0f} {y:.0f})">'
        f"<title>{escape(sentence(tree, node))}</title>{_SHAPES[kind]}"
        f'<text class="value" y="26">{value}</text>'
        + (f'<text class="window" y="37">{window}</text>' if window else "")
        + "</g>"
    )
