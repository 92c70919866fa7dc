"""``zermelo learn``: an evaluation from the rules alone."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console

from zermelo.errors import BadParameter
from zermelo.ui.arguments import ClusterOption, GameArgument, JsonOption, ParameterOption, check_seed
from zermelo.ui.loading import read_game
from zermelo.ui.terminal.columns import columns
from zermelo.ui.terminal.progress import share_done
from zermelo.ui.training_limits import GamesOption, MinutesOption, check_limits, unfinished_file

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.learn import Training

STEPS: Final = 10
THREADS: Final = 2


def learn(
    game: GameArgument,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write the evaluation.")],
    parameter: ParameterOption = None,
    minutes: MinutesOption = None,
    games: GamesOption = None,
    threads: Annotated[
        int | None,
        typer.Option(help=f"How many threads play, {THREADS} if not given. One gives the same in every run."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Play against this evaluation, not against itself; it does not change."),
    ] = None,
    cluster: ClusterOption = None,
    workers: Annotated[
        int | None, typer.Option(help="With --cluster: how many processes play; one for each processor if not given.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed gives other tuples and games.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Learn to evaluate the positions of a game by playing it, and write what is learned to a file.

    The player engine:eval=FILE uses it. Ctrl-C keeps what is learned so far; the same command goes on from there.
    """
    from zermelo.learn import Step

    check_seed(seed)
    check_limits(minutes, games, THREADS if threads is None else threads)
    unfinished = unfinished_file(out, ".training")
    rules = read_game(game, parameter)
    training = training_of(rules, seed, threads, against, cluster, workers)
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
        by = "" if cluster is None else f"; workers: {step.players}"
        progress(f"{step.games:,} games{by}", step.share)
        if not as_json:
            console.print(
                f"{step.share:4.0%}  {step.games:,} games; against the version before {step.won} won, {step.drawn} "
                f"drawn, {step.lost} lost; {step.left / 60:.1f} minutes left{by}",
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
            (training.players.kind, f"{training.players.count:,}"),
        ]
        print(columns((repr(rules), "learned"), rows))
        print(f"\nPlay against it: zermelo play {game} --min engine:eval={out}")


def training_of(
    game: "Game", seed: int, threads: int | None, against: str | None, cluster: str | None, workers: int | None
) -> "Training":
    """Return a training by threads of this process, or by the workers of a cluster.

    Raises
    ------
    BadParameter
        A number is out of range, or belongs to the other kind of players.
    """
    from zermelo.learn import ThreadsAgainst, Training, read_evaluation

    if cluster is None:
        if workers is not None:
            raise BadParameter("--workers goes with --cluster; on one machine say --threads.")
        count = THREADS if threads is None else threads
        players = None if against is None else ThreadsAgainst(count, read_evaluation(against, game))
        return Training(game, count, seed, players=players)
    if against is not None:
        raise BadParameter("--against goes without --cluster; a fixed opponent plays in threads of this machine.")
    if threads is not None:
        raise BadParameter("--threads goes without --cluster; on a cluster say --workers.")
    from zermelo.cluster.learn import ClusterPlayers

    return Training(game, seed=seed, players=ClusterPlayers(cluster, workers))
