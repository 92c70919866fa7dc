"""A recorded search in words: what was found and counted, and why each node has its value."""

from collections.abc import Iterator
from math import inf

from zermelo.game import MAX
from zermelo.textbook.explain import SearchTree
from zermelo.textbook.observer import Node


def title_of(tree: SearchTree) -> str:
    """Return the search in a few words."""
    recipe = tree.recipe
    words = [
        recipe.method,
        "as in the handout" if recipe.handout else "",
        "" if recipe.depth is None else f"{recipe.depth} plies",
    ]
    words += [f"{recipe.width} moves wide" if recipe.method == "path" else ""]
    words += ["best first" if recipe.order == "best-first" else "", f"{len(tree.nodes):,} nodes"]
    return ", ".join(word for word in words if word) + ("" if tree.complete else " (broken off)")


def summary(tree: SearchTree) -> str:
    """Return the result and the counts of the whole search, in a sentence."""
    action = "-" if tree.action is None else tree.game.show_action(tree.nodes[0].state, tree.action)
    value = "-" if tree.value is None else tree.value  # with the hyphen that all commands print
    counts = tree.counts
    return (
        f"{title_of(tree)}: value {value}, action {action}, {counts.prunings:,} prunings, "
        f"{counts.leaves:,} leaves, {counts.table_hits:,} answers from the table."
    )


def ply_rows(tree: SearchTree) -> Iterator[tuple[str, ...]]:
    """Yield the headings, and then for each ply a row of its counts."""
    yield "ply", "nodes", "prunings", "from the table"
    for ply, entered in enumerate(tree.by_ply()):
        here = [node for node in tree.nodes if node.ply == ply]
        pruned, met = sum(node.pruned for node in here), sum(node.source == "table" for node in here)
        yield str(ply), f"{entered:,}", f"{pruned:,}", f"{met:,}"


def sentence(tree: SearchTree, node: Node) -> str:
    """Return a node in words: the moves before it, its window, its value, and why it has this value."""
    moves, state = [], tree.nodes[0].state
    for action in tree.moves(node.number):
        moves.append(tree.game.show_action(state, action))
        state = tree.game.result(state, action)
    window = "" if node.alpha is None else f"Alpha and beta: {window_text(node.alpha, node.beta)}. "
    place = f"After {' '.join(moves)}" if moves else "At the root"
    return f"{place}. {window}{why(tree, node)}"


def why(tree: SearchTree, node: Node) -> str:
    """Return where a node's value came from, and why its other moves were pruned, if they were."""
    game, side = tree.game, "MAX" if node.player == MAX else "MIN"
    value = bounded(node)
    if node.source is None:
        return "The search was broken off before this node had a value."
    if node.source == "terminal":
        return f"The game is over here; its utility is {value}."
    if node.source == "cutoff":
        return f"CUTOFF stopped the search here; EVAL says {value}."
    if node.source == "table":
        return f"Met before: the table answered {value}."
    best = game.show_action(node.state, node.best_action)
    most = "highest" if node.player == MAX else "lowest"
    said = f"{side} to move: the {most} value of its moves is {value}, that of {best}."
    if node.dropped:
        said += f" Left out by the width: {', '.join(game.show_action(node.state, one) for one in node.dropped)}."
    if not node.pruned:
        return said + _meaning(node)
    left = ", ".join(game.show_action(node.state, action) for action in node.unsearched)
    edge, other = ("beta", "MIN") if node.player == MAX else ("alpha", "MAX")
    bound = number_text(node.beta if node.player == MAX else node.alpha)
    reason = (
        f" Pruned: {value} is {'at least beta' if node.player == MAX else 'at most alpha'} ({bound}), so {other}, who "
        f"has {edge} for sure elsewhere, never lets the game come here."
    )
    return said + reason + (f" Not searched: {left}." if left else " It was the last move: nothing was saved.")


def _meaning(node: Node) -> str:
    """Return what a bound means at a node whose moves were all searched."""
    if node.bound not in ("lower", "upper"):
        return ""
    than = "less" if node.bound == "upper" else "more"
    return f" It lies outside the window, so the true value may be {than}."


def bounded(node: Node) -> str:
    """Return a node's value, with ≤ or ≥ if it is only a bound."""
    return {"lower": "≥", "upper": "≤"}.get(node.bound or "", "") + number_text(node.value)


def window_text(alpha: float | None, beta: float | None) -> str:
    """Return a window as text: ``(−∞, 5)``."""
    if alpha is None or beta is None:
        return "none"
    return f"({number_text(alpha)}, {number_text(beta)})"


def number_text(number: float | None) -> str:
    """Return a value as pictures show it, with a true minus; it may be infinite or missing."""
    if number is None:
        return "-"
    said = "∞" if abs(number) == inf else str(abs(int(number)))
    return f"\N{MINUS SIGN}{said}" if number < 0 else said
