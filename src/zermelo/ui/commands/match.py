"""``zermelo match``: which of two players is stronger, by how much, and how sure that is."""

import json
from typing import Annotated, Final

import typer
from rich.console import Console

from zermelo.lab.sprt import Model
from zermelo.ui.arguments import (
    EXIT_INTERRUPTED,
    ClusterOption,
    GameArgument,
    JsonOption,
    ParameterOption,
    check_seed,
    fail,
    parse_parameters,
)
from zermelo.ui.contests import (
    AdjudicatingTableOption,
    ClockOption,
    DrawOption,
    HtmlOption,
    LogOption,
    MarginOption,
    MostPliesOption,
    MoveDepthOption,
    MoveSecondsOption,
    NodesOption,
    OpeningsOption,
    OutOption,
    PgnOption,
    PliesOption,
    ResignOption,
    SeedOption,
    ThreadsOption,
    check_files,
    read_adjudication,
    read_control,
    read_own_openings,
    read_sprt,
    write_pgn,
    write_report,
)
from zermelo.ui.loading import load_game
from zermelo.ui.terminal.contest_progress import contest_progress, match_standing
from zermelo.ui.terminal.contest_report import interruption, print_match

GAMES: Final = 200
GAMES_OF_TEST: Final = 40_000
"""The most games of a sequential test, if nothing is said of them."""


def match(
    game: GameArgument,
    one: Annotated[str, typer.Argument(metavar="A", help="A player, such as engine:depth=6.")],
    other: Annotated[str, typer.Argument(metavar="B", help="The other player.")],
    parameter: ParameterOption = None,
    games: Annotated[
        int | None, typer.Option(help=f"How many, an even number; {GAMES}, or with --sprt at most {GAMES_OF_TEST:,}.")
    ] = None,
    sprt: Annotated[
        str, typer.Option(metavar="ELO0,ELO1", help="Play until it is clear whether A is stronger by ELO0 or by ELO1.")
    ] = "",
    model: Annotated[Model, typer.Option(help="The kind of Elo that --sprt means.")] = "logistic",
    alpha: Annotated[float, typer.Option(help="How often ELO1 may be accepted where ELO0 is true.")] = 0.05,
    beta: Annotated[float, typer.Option(help="How often ELO0 may be accepted where ELO1 is true.")] = 0.05,
    clock: ClockOption = "",
    seconds: MoveSecondsOption = None,
    nodes: NodesOption = None,
    depth: MoveDepthOption = None,
    margin: MarginOption = None,
    openings: OpeningsOption = None,
    plies: PliesOption = None,
    seed: SeedOption = 0,
    resign: ResignOption = "",
    draw: DrawOption = "",
    max_plies: MostPliesOption = None,
    table: AdjudicatingTableOption = None,
    threads: ThreadsOption = 1,
    cluster: ClusterOption = None,
    out: OutOption = None,
    log: LogOption = None,
    html: HtmlOption = None,
    pgn: PgnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a match and say which player is stronger, by how much, and how sure that is.

    Each opening is played twice, with sides exchanged. Players are written as in 'zermelo play', with settings:
    engine:depth=6, engine:nodes=20000,history=off, table:DIR, random, a student's file.py, and program:COMMAND.
    """
    from zermelo.lab import play_match
    from zermelo.lab.report import conditions_of

    check_seed(seed)
    control = read_control(clock, seconds, nodes, depth, margin)
    adjudication = read_adjudication(resign, draw, max_plies, table)
    test, given = read_sprt(sprt, model, alpha, beta), parse_parameters(parameter)
    rules = load_game(game, given)
    check_files(rules, html, pgn)
    own = read_own_openings(openings, rules, plies)
    count = (GAMES if test is None else GAMES_OF_TEST) if games is None else games
    try:
        with contest_progress(count, match_standing, test is not None) as progress:
            result = play_match(
                rules,
                one,
                other,
                games=count,
                openings=own,
                plies=plies,
                control=control,
                seed=seed,
                threads=threads,
                cluster=cluster,
                sprt=test,
                file=out,
                adjudication=adjudication,
                source=game,
                parameters=given,
                log=log,
                progress=progress,
            )
    except KeyboardInterrupt:
        fail(interruption(out), EXIT_INTERRUPTED)
    if as_json:
        print(json.dumps({"game": game, "parameters": dict(rules.parameters), **result.to_dict()}))
    else:
        print_match(rules, result, Console())
    write_pgn(pgn, rules, result, control, "zermelo match")
    if html is not None:
        write_report(html, rules, result, conditions_of("match", control, adjudication, seed, plies, own, test))
