"""What the commands for matches and tournaments have in common: their options, and what these mean."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.errors import BadParameter
from zermelo.game import Game

if TYPE_CHECKING:
    from zermelo.lab.adjudication import Adjudication
    from zermelo.lab.clocks import TimeControl
    from zermelo.lab.match import MatchResult
    from zermelo.lab.openings import Opening
    from zermelo.lab.sprt import Model, Sprt
    from zermelo.lab.tournament import TournamentResult

ClockOption = Annotated[
    str, typer.Option(metavar="BASE+INCREMENT", help="A clock for each player, in seconds, such as 10+0.1.")
]
MoveSecondsOption = Annotated[float | None, typer.Option("--seconds", help="Seconds for each move.")]
NodesOption = Annotated[int | None, typer.Option(help="Nodes for each move.")]
MoveDepthOption = Annotated[int | None, typer.Option("--depth", help="Plies to look ahead in each move.")]
MarginOption = Annotated[float | None, typer.Option(help="Seconds by which an answer may be late.")]
ResignOption = Annotated[
    str,
    typer.Option(
        metavar="SCORE[,MOVES]",
        help="End a game once both players agree who has lost: by SCORE or more, for so many moves.",
    ),
]
DrawOption = Annotated[
    str,
    typer.Option(
        metavar="SCORE[,MOVES[,PLIES]]",
        help="Call a game a draw once both have scored it within SCORE of 0, for so many moves, from that ply on.",
    ),
]
MostPliesOption = Annotated[int | None, typer.Option("--max-plies", help="Call a game of so many plies a draw.")]
AdjudicatingTableOption = Annotated[
    str | None, typer.Option("--table", metavar="DIR", help="End a game as soon as this solved table holds it.")
]
OpeningsOption = Annotated[
    Path | None,
    typer.Option("--openings", metavar="FILE", help="Openings, a line of moves each, or .pgn; else random."),
]
PliesOption = Annotated[int | None, typer.Option(help="Plies of random openings, or of those in a .pgn file.")]
SeedOption = Annotated[int, typer.Option(help="Seed of random openings, and of players that play at random.")]
ThreadsOption = Annotated[int, typer.Option(help="How many games are played side by side.")]
OutOption = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Keep the games there; the same command goes on with them.")
]

HtmlOption = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE.html", help="Write a report, too: a page with every game on the board."),
]


def write_report(
    file: Path, game: Game, result: "MatchResult | TournamentResult", conditions: Mapping[str, str]
) -> None:
    """Write the report of a contest as a page.

    Parameters
    ----------
    file
        Where to write it.
    game, result
        The rules, and what was played by them.
    conditions
        What a reader should know, by name.

    Raises
    ------
    BadParameter
        There are no games, or the file cannot be written.
    """
    from zermelo.lab.page import save
    from zermelo.lab.report import tournament_page

    save(tournament_page(game, result, conditions=conditions), file)


PgnOption = Annotated[
    Path | None,
    typer.Option("--pgn", metavar="FILE.pgn", help="Write the games as PGN, too, if the game can be written so."),
]


def check_files(game: Game, html: Path | None, pgn: Path | None) -> None:
    """Refuse files that cannot be written, before anything is played.

    Raises
    ------
    BadParameter
        A file has no place, or the game is not written in PGN.
    """
    from zermelo.lab.page import require_places
    from zermelo.play.pgn import require_pgn

    require_places(html, pgn)
    if pgn is not None:
        require_pgn(game)


def write_pgn(
    file: Path | None, game: Game, result: "MatchResult | TournamentResult", control: "TimeControl", event: str
) -> None:
    """Write the games of a contest as PGN, if ``--pgn`` asks for it.

    Raises
    ------
    RecordError
        The file cannot be written.
    """
    from zermelo.lab.pgn import games_text
    from zermelo.play.pgn import save_pgn

    if file is not None:
        save_pgn(file, games_text(game, result.games, control, event))


LogOption = Annotated[
    Path | None, typer.Option("--log", metavar="FILE", help="Where programs write what they say on standard error.")
]


def read_control(
    clock: str, seconds: float | None, nodes: int | None, depth: int | None, margin: float | None
) -> "TimeControl":
    """Return the time control that these options say.

    Raises
    ------
    BadParameter
        One of them is out of range or means nothing.
    """
    from zermelo.lab.clocks import TimeControl

    limits = {"seconds": seconds, "nodes": nodes, "depth": depth, "margin": margin}
    said = [f"{name}={limit}" for name, limit in limits.items() if limit is not None]
    return TimeControl.read(",".join([clock, *said]))


def read_adjudication(resign: str, draw: str, plies: int | None, table: str | None) -> "Adjudication":
    """Return the adjudication that these options say.

    Raises
    ------
    BadParameter
        One of them is out of range or means nothing.
    """
    from zermelo.lab.adjudication import Adjudication

    said = dict(zip(("resign", "resign_moves"), _numbers("--resign", resign, 2), strict=False))
    said |= dict(zip(("draw", "draw_moves", "draw_after"), _numbers("--draw", draw, 3), strict=False))
    return Adjudication(**said, plies=plies, table=table)


def _numbers(option: str, text: str, most: int) -> list[int]:
    try:
        numbers = [int(part) for part in text.split(",")] if text else []
    except ValueError:
        numbers = [0] * (most + 1)
    if len(numbers) > most:
        raise BadParameter(f"{option} {text} is no rule; write up to {most} whole numbers with commas between them.")
    return numbers


def read_sprt(text: str, model: "Model", alpha: float, beta: float) -> "Sprt | None":
    """Return the test that ``--sprt ELO0,ELO1`` asks for; None for an empty text.

    Raises
    ------
    BadParameter
        A number is missing or out of range.
    """
    from zermelo.lab.sprt import Sprt

    if not text:
        return None
    try:
        elo0, elo1 = (float(part) for part in text.split(","))
    except ValueError:
        raise BadParameter(f"--sprt {text} is no test; write two numbers, such as --sprt 0,10.") from None
    return Sprt(elo0, elo1, alpha, beta, model)


def read_own_openings(file: Path | None, game: Game, plies: int | None) -> "list[Opening] | None":
    """Return the openings of a file, of so many plies each if it holds games; None if there is no file."""
    from zermelo.lab.openings import read_openings

    return None if file is None else read_openings(file, game, plies)
