"""``zermelo tune``: better numbers for an EVAL that somebody wrote."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from zermelo.errors import BadParameter
from zermelo.ui.arguments import GameArgument, JsonOption, ParameterOption, check_seed
from zermelo.ui.loading import read_game
from zermelo.ui.terminal.progress import share_done
from zermelo.ui.training_limits import GamesOption, MinutesOption, check_limits, unfinished_file


def tune(
    game: GameArgument,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write the numbers.")],
    parameter: ParameterOption = None,
    minutes: MinutesOption = None,
    games: GamesOption = None,
    nodes: Annotated[int, typer.Option(help="Nodes of each search in these games.")] = 1000,
    threads: Annotated[int, typer.Option(help="How many games are played side by side.")] = 2,
    seed: Annotated[int, typer.Option(help="Another seed gives other games.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Find better numbers for a game's EVAL by playing it, print them, and write them to a file.

    The game has weights, and evaluate(state, weights) uses them. Ctrl-C keeps what was found; the same command goes on.
    """
    from zermelo.learn import Round, Tuning

    check_seed(seed)
    check_limits(minutes, games, threads)
    if not 1 <= nodes <= 10**9:
        raise BadParameter(f"--nodes is {nodes}; it must be 1 or more.")
    unfinished = unfinished_file(out, ".tuning")
    tuning = Tuning(read_game(game, parameter), threads, seed, nodes)
    if unfinished.exists():
        tuning.load(unfinished)
    rounds: list[dict[str, Any]] = []
    console = Console(stderr=True)

    def report(found: Round) -> None:
        rounds.append(vars(found))
        tuning.save(out, unfinished)
        progress(f"{found.games:,} games", found.share)
        if not as_json:
            what = "" if found.kept else "; the version before stays"
            console.print(
                f"{found.share:4.0%}  {found.games:,} games, {found.positions:,} positions; error {found.error:.5f}, "
                f"before {found.before:.5f}; against the version before {found.won} won, {found.drawn} drawn, "
                f"{found.lost} lost{what}; {found.left / 60:.1f} minutes left",
                highlight=False,
                soft_wrap=True,
            )

    try:
        with share_done() as progress:
            seconds = None if games is not None else 60 * (10.0 if minutes is None else minutes)
            tuning.run(seconds, games, report)
    except KeyboardInterrupt:
        if tuning.games:
            tuning.save(out, unfinished)
            kept = f"Stopped after {tuning.games:,} games. {out} holds the best numbers; the same command goes on."
            console.print(kept, highlight=False, soft_wrap=True)
        raise
    if as_json:
        print(json.dumps(tuning.described() | {"file": str(out), "rounds": rounds}))
    else:
        print(f"The numbers to put into the game, after {tuning.games:,} games:\n\n    {tuning.weights!r}")
