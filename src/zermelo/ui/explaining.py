"""``zermelo explain``: the tree of a real search as a picture or as data; in a notebook, games that show themselves."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from zermelo.errors import BadParameter
from zermelo.files import write_whole
from zermelo.game import Game, State
from zermelo.textbook import explain as textbook
from zermelo.textbook.explain import Plan, SearchTree
from zermelo.textbook.observer import NODES
from zermelo.ui.tree_picture import number_text, title_of, tree_svg
from zermelo.ui.web.drawing import Marks, draw_board
from zermelo.ui.web.palette import palette_of

SUFFIXES: Final = (".svg", ".json")


@dataclass(frozen=True)
class Picture:
    """SVG that a notebook shows."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        write_whole(Path(path), self.svg.encode())


@dataclass(frozen=True)
class ShownTree(SearchTree):
    """A search tree that a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return tree_svg(self)


def explain(game: Game, state: State | None = None, *, nodes: int = NODES, **plan: Any) -> ShownTree:
    """The tree of a textbook search: ``explain(game, method="alpha-beta", depth=4)``; see `zermelo.textbook.explain`.

    Parameters
    ----------
    game, state
        The rules, and where to search from; the initial state if None.
    nodes
        How many nodes to record at most.
    plan
        Fields of `zermelo.textbook.explain.Plan`: method, handout, depth, table, order.
    """
    return ShownTree(**vars(textbook.explain(game, state, Plan(**plan), nodes)))


def show(game: Game, state: State | None = None) -> Picture:
    """A state as a picture.

    Raises
    ------
    BadParameter
        The game has no ``board``.
    """
    if game.board is None:
        raise BadParameter(f"The game {game.name!r} has no board function, so there is nothing to draw.")
    board = game.board(game.initial if state is None else state)
    return Picture(draw_board(board, Marks(), palette=palette_of(game.name), title=repr(game), alone=True))


def check_out(path: Path) -> None:
    """Refuse a file that is neither a picture nor data, before the search.

    Raises
    ------
    BadParameter
        It ends in neither .svg nor .json, or lies in no folder.
    """
    if path.suffix not in SUFFIXES:
        raise BadParameter(f"{path} must end in .svg for a picture or .json for data.")
    if not path.parent.is_dir():
        raise BadParameter(f"There is no folder {path.parent}; make it first.")


def write_tree(tree: SearchTree, path: Path) -> None:
    """Write a tree as its file's name says."""
    text = tree_svg(tree) if path.suffix == ".svg" else json.dumps(tree.to_dict(), ensure_ascii=False) + "\n"
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise BadParameter(f"The tree cannot be written to {path}: {error.strerror}.") from None


def print_tree(tree: SearchTree, console: Console) -> None:
    """What was found and counted, in all and at each ply."""
    action = "-" if tree.action is None else tree.game.show_action(tree.nodes[0].state, tree.action)
    counts = tree.counts
    console.print(
        f"{title_of(tree)}: value {number_text(tree.value)}, action {action}, {counts.prunings:,} prunings, "
        f"{counts.leaves:,} leaves, {counts.table_hits:,} answers from the table.",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )
    table = Table("ply", "nodes", "prunings", "from the table", box=None)
    for ply, entered in enumerate(tree.by_ply()):
        here = [node for node in tree.nodes if node.ply == ply]
        pruned, met = sum(node.pruned for node in here), sum(node.source == "table" for node in here)
        table.add_row(str(ply), f"{entered:,}", f"{pruned:,}", f"{met:,}")
    console.print(table)
