"""``zermelo learn``: an evaluation from the rules alone."""

import json
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from zermelo.ui.arguments import GameArgument, JsonOption, ParameterOption, check_seed
from zermelo.ui.loading import read_game
from zermelo.ui.terminal.columns import columns
from zermelo.ui.terminal.progress import share_done
from zermelo.ui.training_limits import GamesOption, MinutesOption, check_limits, unfinished_file

STEPS: Final = 10


def learn(
    game: GameArgument,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write the evaluation.")],
    parameter: ParameterOption = None,
    minutes: MinutesOption = None,
    games: GamesOption = None,
    threads: Annotated[int, typer.Option(help="How many threads play. One gives the same result in every run.")] = 2,
    seed: Annotated[int, typer.Option(help="Another seed gives other tuples and games.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Learn to evaluate the positions of a game by playing it, and write what is learned to a file.

    The player engine:eval=FILE uses it. Ctrl-C keeps what is learned so far; the same command goes on from there.
    """
    from zermelo.learn import Step, Training

    check_seed(seed)
    check_limits(minutes, games, threads)
    unfinished = unfinished_file(out, ".training")
    rules = read_game(game, parameter)
    training = Training(rules, threads, seed)
    if unfinished.exists():
        training.load(unfinished)
    steps: list[dict[str, Any]] = []
    console = Console(stderr=True)

    def save() -> None:
        training.save(unfinished)
        training.evaluation().save(out)

    def report(step: Step) -> None:
        steps.append({**vars(step), "elo": step.elo})
        save()
        progress(f"{step.games:,} games", step.share)
        if not as_json:
            console.print(
                f"{step.share:4.0%}  {step.games:,} games; against the version before {step.won} won, {step.drawn} "
                f"drawn, {step.lost} lost; {step.left / 60:.1f} minutes left",
                highlight=False,
                soft_wrap=True,
            )

    try:
        with share_done() as progress:
            seconds = None if games is not None else 60 * (10.0 if minutes is None else minutes)
            found = training.run(seconds, games, report, STEPS)
    except KeyboardInterrupt:
        if training.games:
            save()
            kept = f"Stopped after {training.games:,} games. {out} holds what is learned; the same command goes on."
            console.print(kept, highlight=False, soft_wrap=True)
        raise
    if as_json:
        told = {"game": repr(rules), "file": str(out), **found.how, "weights": len(found.weights)}
        print(json.dumps({**told, "steps": steps}))
    else:
        rows = [
            ("games", f"{training.games:,}"),
            ("plies", f"{training.plies:,}"),
            ("weights", f"{len(found.weights):,}"),
        ]
        print(columns((repr(rules), "learned"), rows))
        print(f"\nPlay against it: zermelo play {game} --min engine:eval={out}")
