"""``zermelo perft``: the nodes of the game tree at a depth, counted."""

import json
from time import perf_counter
from typing import Annotated

import typer

from zermelo.errors import BadParameter
from zermelo.play.moves import read_moves
from zermelo.registry import make_game
from zermelo.textbook.perft import divide as divide_perft
from zermelo.textbook.perft import perft as count_perft
from zermelo.ui.arguments import (
    GameArgument,
    JsonOption,
    MovesOption,
    ParameterOption,
    parse_parameters,
)


def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Option(help="Plies to count down to.")],
    parameter: ParameterOption = None,
    moves: MovesOption = "",
    divide: Annotated[bool, typer.Option("--divide", help="Count under each first move.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Count the nodes of the game tree at a depth."""
    rules = make_game(game, parse_parameters(parameter))
    if depth < 0 or (divide and depth < 1):
        raise BadParameter(f"The depth is {depth}; it must be {1 if divide else 0} or more.")
    state = rules.replay(read_moves(rules, moves))
    start = perf_counter()
    parts = {rules.show_action(state, a): n for a, n in divide_perft(rules, state, depth).items()} if divide else {}
    nodes = sum(parts.values()) if divide else count_perft(rules, state, depth)
    seconds = perf_counter() - start
    if as_json:
        print(json.dumps({"nodes": nodes, "seconds": seconds, **({"divide": parts} if divide else {})}))
        return
    for move, count in parts.items():
        print(f"{move}: {count:,}")
    print(f"{nodes:,} nodes at depth {depth}, {seconds:.2f} seconds")
