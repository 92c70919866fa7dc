"""``zermelo tournament``: many players, who meet in pairs of games, and their ratings."""

import json
from typing import Annotated, Literal

import typer
from rich.console import Console

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
    write_pgn,
    write_report,
)
from zermelo.ui.loading import load_game
from zermelo.ui.terminal.contest_progress import contest_progress, tournament_standing
from zermelo.ui.terminal.contest_report import interruption, print_tournament


def tournament(
    game: GameArgument,
    players: Annotated[list[str], typer.Argument(metavar="PLAYER…", help="Two players or more.")],
    parameter: ParameterOption = None,
    games: Annotated[int, typer.Option(help="How many two players play who meet; an even number.")] = 20,
    gauntlet: Annotated[bool, typer.Option("--gauntlet", help="The first player meets each of the others.")] = False,
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
    """Play a tournament, everybody against everybody, and rate the players.

    Each opening is played twice, with sides exchanged. Players are written as in 'zermelo match'.
    """
    from zermelo.lab import play_tournament
    from zermelo.lab.report import conditions_of
    from zermelo.lab.schedule import couples_of

    check_seed(seed)
    control = read_control(clock, seconds, nodes, depth, margin)
    adjudication = read_adjudication(resign, draw, max_plies, table)
    given = parse_parameters(parameter)
    rules = load_game(game, given)
    check_files(rules, html, pgn)
    own = read_own_openings(openings, rules, plies)
    kind: Literal["gauntlet", "round robin"] = "gauntlet" if gauntlet else "round robin"
    couples = couples_of(kind, [str(place) for place in range(len(players))])
    try:
        with contest_progress(games * len(couples), tournament_standing) as progress:
            result = play_tournament(
                rules,
                players,
                kind=kind,
                games=games,
                openings=own,
                plies=plies,
                control=control,
                seed=seed,
                threads=threads,
                cluster=cluster,
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
        print_tournament(rules, result, Console())
    write_pgn(pgn, rules, result, control, "zermelo tournament")
    if html is not None:
        write_report(html, rules, result, conditions_of(kind, control, adjudication, seed, plies, own))
