"""``zermelo openings``: write random openings to a file."""

import json
from pathlib import Path
from typing import Annotated

import typer

from zermelo.ui.arguments import GameArgument, JsonOption, ParameterOption, check_seed
from zermelo.ui.loading import read_game
from zermelo.ui.terminal.progress import counting


def openings(
    game: GameArgument,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write them; else they are printed.")
    ] = None,
    parameter: ParameterOption = None,
    count: Annotated[int, typer.Option(help="How many.")] = 100,
    plies: Annotated[int, typer.Option(help="How many random plies.")] = 8,
    seed: Annotated[int, typer.Option(help="Another seed gives other openings.")] = 0,
    unbalanced: Annotated[
        bool, typer.Option("--unbalanced", help="Keep positions that are decided or lopsided.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Find random openings for matches, one a line, and write them to a file.

    No two lead to the same position, symmetric ones counted as one. None leads to a position whose value a short proof
    finds, and of the others a short search keeps the more even half.
    """
    from zermelo.lab.openings import random_openings, write_openings, written

    check_seed(seed)
    rules = read_game(game, parameter)
    with counting("openings", count) as progress:
        found = random_openings(rules, count, plies, seed, balanced=not unbalanced, progress=progress)
    moves = [written(rules, opening) for opening in found]
    if out is not None:
        write_openings(out, rules, found, f"plies {plies}; seed {seed}")
    if as_json:
        print(json.dumps({"game": game, "parameters": dict(rules.parameters), "plies": plies, "openings": moves}))
    elif out is None:
        print("\n".join(map(" ".join, moves)))
    else:
        print(f"Wrote {len(found)} openings to {out}.")
