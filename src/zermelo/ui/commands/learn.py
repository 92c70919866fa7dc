"""``zermelo learn``: an evaluation from the rules alone."""

import json
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from zermelo.errors import BadParameter
from zermelo.ui.arguments import GameArgument, JsonOption, ParameterOption, check_seed
from zermelo.ui.loading import read_game
from zermelo.ui.terminal.columns import columns
from zermelo.ui.terminal.progress import share_done

STEPS: Final = 10


def learn(
    game: GameArgument,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write the evaluation.")],
    parameter: ParameterOption = None,
    minutes: Annotated[float | None, typer.Option(help="How long to learn; 10 if nothing is said.")] = None,
    games: Annotated[int | None, typer.Option(help="How many games to learn from, in the place of a time.")] = None,
    threads: Annotated[int, typer.Option(help="How many threads play. One gives the same result in every run.")] = 2,
    seed: Annotated[int, typer.Option(help="Another seed gives other tuples and games.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Learn to evaluate the positions of a game by playing it, and write what is learned to a file.

    The player engine:eval=FILE uses it. Ctrl-C keeps what is learned so far; the same command goes on from there.
    """
    from zermelo.learn import Step, Training

    check_seed(seed)
    if minutes is not None and games is not None:
        raise BadParameter("Say --minutes or --games, not both.")
    if minutes is not None and not 0 < minutes <= 100_000:
        raise BadParameter(f"--minutes is {minutes:g}; it must be more than 0.")
    if games is not None and games < 1:
        raise BadParameter(f"--games is {games}; it must be 1 or more.")
    if not 1 <= threads <= 256:
        raise BadParameter(f"--threads is {threads}; it must be from 1 to 256.")
    if not out.parent.is_dir():
        raise BadParameter(f"There is no folder {out.parent} to write {out.name} to.")
    rules = read_game(game, parameter)
    unfinished = out.with_name(out.name + ".training")
    if out.exists() and not unfinished.exists():
        raise BadParameter(
            f"{out} exists, and {unfinished.name}, which is needed to go on, does not; choose another name."
        )
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
