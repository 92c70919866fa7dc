"""``zermelo levels``: levels of the engine from beginner to full strength, found by matches."""

import json
from typing import Annotated

import typer

from zermelo.errors import BadParameter
from zermelo.ui.arguments import GameArgument, JsonOption, ParameterOption, check_seed
from zermelo.ui.loading import read_game
from zermelo.ui.terminal.columns import columns
from zermelo.ui.terminal.progress import share_done

HEAD = ("level", "Elo", "to the next", "what it means")


def levels(
    game: GameArgument,
    parameter: ParameterOption = None,
    seed: Annotated[int, typer.Option(help="Another seed draws other openings and errors.")] = 0,
    threads: Annotated[int, typer.Option(help="How many games to play side by side.")] = 1,
    show: Annotated[bool, typer.Option("--show", help="Print the levels that are there, and measure nothing.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Find ten levels, 150 Elo apart or as many as the game has room for, and store them beside the rules.

    The players engine:1, engine:2 and so on play at these levels. Ctrl-C stops the search; the same command goes on.
    """
    from zermelo.play.levels import levels_file, load_levels

    check_seed(seed)
    rules = read_game(game, parameter)
    file = levels_file(rules)
    if file is None:
        raise BadParameter(f"The rules of {rules.name} are in no file, so there is no place for its levels.")
    found = load_levels(rules) if show else None
    if show and found is None:
        raise BadParameter(f"Nobody has measured levels of {rules.name}; zermelo levels {game} does.")
    if found is None:
        from zermelo.lab.levels import find_levels

        unfinished = file.with_suffix(".unfinished")
        with share_done() as progress:
            found = find_levels(rules, seed=seed, threads=threads, file=unfinished, progress=progress)
        found.save(file)
        unfinished.unlink(missing_ok=True)
    if as_json:
        record = json.loads(found.to_text())
        record["elo"] = [found.elo(number + 1) for number in range(len(found.levels))]
        print(json.dumps(record))
        return
    print(columns(HEAD, list(found.rows())))
    print(f"\nElo above level 1, with 95 % intervals, from {found.how.get('games', 0):,} games.")
