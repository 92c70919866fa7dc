"""``zermelo explain``: record the tree of a textbook search, and write it as a picture or as data."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table as TextTable

from zermelo.errors import BadParameter
from zermelo.pictures.notebook import check_out, write_tree
from zermelo.pictures.tree_text import ply_rows, summary
from zermelo.textbook.explain import Method, Order, Recipe, SearchTree
from zermelo.textbook.explain import explain as explain_search
from zermelo.textbook.observer import NODES
from zermelo.ui.arguments import (
    DepthOption,
    GameArgument,
    HandoutOption,
    MovesOption,
    ParameterOption,
    PositionOption,
    WidthOption,
)
from zermelo.ui.loading import read_game
from zermelo.ui.positions import named_position


def explain(
    game: GameArgument,
    out: Annotated[Path | None, typer.Option(metavar="tree.svg|tree.json", help="Where to write the tree.")] = None,
    parameter: ParameterOption = None,
    moves: MovesOption = "",
    position: PositionOption = "",
    method: Annotated[
        Method, typer.Option(help="decision is MAX-VALUE and MIN-VALUE without a table, path the two methods.")
    ] = "alpha-beta",
    handout: HandoutOption = False,
    depth: DepthOption = None,
    width: WidthOption = None,
    order: Annotated[Order, typer.Option(help="In which order to try moves.")] = "left-to-right",
    table: Annotated[bool, typer.Option("--table/--no-table", help="Answer states met again from a table.")] = True,
    nodes: Annotated[int, typer.Option(help="How many nodes to record at most.")] = NODES,
) -> None:
    """Record the tree of a real minimax or alpha-beta search."""
    if width is not None and method != "path":
        raise BadParameter(f"The method {method} takes no --width; it goes with path.")
    if out is not None:
        check_out(out)
    rules = read_game(game, parameter)
    recipe = Recipe(method, handout, depth, table, order, Recipe.width if width is None else width)
    tree = explain_search(rules, named_position(rules, position, moves), recipe, nodes)
    print_tree(tree, Console())
    if out is not None:
        write_tree(tree, out)
        print(f"The tree is written to {out}.")


def print_tree(tree: SearchTree, console: Console) -> None:
    """Print the result and the counts, of the whole search and of each ply."""
    console.print(summary(tree), highlight=False, markup=False, soft_wrap=True)
    headings, *rows = ply_rows(tree)
    table = TextTable(*headings, box=None)
    for row in rows:
        table.add_row(*row)
    console.print(table)
