"""`zermelo.show` and `zermelo.explain`: pictures of states and of search trees, which a notebook shows by itself."""

from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Final

from zermelo.display import save_json, save_text
from zermelo.errors import BadParameter
from zermelo.game import Game, State
from zermelo.pictures.board_svg import Marks, draw_board
from zermelo.pictures.palette import palette_of
from zermelo.pictures.tree_svg import tree_svg
from zermelo.pictures.tree_text import ply_rows, summary
from zermelo.textbook.explain import Method, Order, Recipe, SearchTree
from zermelo.textbook.explain import explain as explain_search
from zermelo.textbook.observer import NODES

SUFFIXES: Final = (".svg", ".json")
MOST_DRAWN: Final = 2_000
"""Nodes of a tree that a notebook draws."""


@dataclass(frozen=True)
class Picture:
    """An SVG picture, which a notebook shows."""

    svg: str = field(repr=False)
    title: str = ""

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write it to a file that ends in .svg.

        Raises
        ------
        BadParameter
            The file has another ending, or cannot be written.
        """
        if Path(path).suffix != ".svg":
            raise BadParameter(f"{path} must end in .svg; the picture is SVG.")
        save_text(self.svg, path)


@dataclass(frozen=True, repr=False)
class ShownTree(SearchTree):
    """A search tree that a notebook shows as a picture."""

    def __str__(self) -> str:
        rows = list(ply_rows(self))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ("  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)) for row in rows)
        return "\n".join([summary(self), *lines])

    def _repr_html_(self) -> str:
        if len(self.nodes) > MOST_DRAWN:
            picture = f"Its {len(self.nodes):,} nodes are too many to draw here; save('tree.svg') draws them all."
        else:
            picture = f'<div style="overflow:auto;max-height:640px">{tree_svg(self)}</div>'
        return f"<p>{escape(summary(self))}</p>{picture}"

    def save(self, path: str | Path) -> None:
        """Write the tree to a file: a picture where it ends in .svg, data where it ends in .json.

        Raises
        ------
        BadParameter
            It ends in neither, or cannot be written.
        """
        check_out(Path(path))
        write_tree(self, Path(path))


def explain(
    game: Game,
    state: State | None = None,
    *,
    nodes: int = NODES,
    method: Method = Recipe.method,
    handout: bool = Recipe.handout,
    depth: int | None = Recipe.depth,
    table: bool = Recipe.table,
    order: Order = Recipe.order,
    width: int = Recipe.width,
) -> ShownTree:
    """Return the tree of a textbook search, such as ``explain(game, method="alpha-beta", depth=4)``.

    Parameters
    ----------
    game, state
        The rules, and where to search from; the initial state if None.
    nodes
        How many nodes to record at most.
    method, handout, depth, table, order, width
        Which search; see `zermelo.textbook.explain.Recipe`.
    """
    recipe = Recipe(method=method, handout=handout, depth=depth, table=table, order=order, width=width)
    return ShownTree(**vars(explain_search(game, state, recipe, nodes)))


def show(game: Game, state: State | None = None) -> Picture:
    """Return the picture of a state.

    Raises
    ------
    BadParameter
        The game has no ``board``.
    """
    if game.board is None:
        raise BadParameter(f"The game {game.name!r} has no board function, so there is nothing to draw.")
    board = game.board(game.initial if state is None else state)
    svg = draw_board(board, Marks(), palette=palette_of(game), title=repr(game), alone=True)
    return Picture(svg, repr(game))


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
    """Write a tree to a file: a picture if its name ends in .svg, else data.

    Raises
    ------
    BadParameter
        The file cannot be written.
    """
    if path.suffix == ".svg":
        save_text(tree_svg(tree), path)
    else:
        save_json(tree.to_dict(), path)
