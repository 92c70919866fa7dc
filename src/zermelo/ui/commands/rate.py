"""``zermelo rate``: ratings from the files of matches and tournaments."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from zermelo.errors import RecordError
from zermelo.game import Game
from zermelo.ui.arguments import JsonOption
from zermelo.ui.contests import HtmlOption, PgnOption, check_files, write_pgn, write_report
from zermelo.ui.loading import load_game
from zermelo.ui.terminal.contest_report import print_ratings

if TYPE_CHECKING:
    from zermelo.lab.ledger import Header
    from zermelo.lab.tournament import TournamentResult


def rate(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Files that --out has written.")],
    html: HtmlOption = None,
    pgn: PgnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Rate players by all games in the files of matches and tournaments of one game.

    A player is known by its text: engine:depth=6 is the same player in each file.
    """
    from zermelo.lab.page import require_places
    from zermelo.lab.tournament import read_tournaments

    require_places(html)
    result = read_tournaments(files)
    if pgn is not None:
        _write_pgn(pgn, files, result)
    if as_json:
        print(json.dumps({"files": [str(file) for file in files], **result.to_dict()}))
    else:
        print_ratings(result, Console())
    if html is not None:
        _write_report(html, files, result)


def _write_pgn(pgn: Path, files: list[Path], result: "TournamentResult") -> None:
    """Write the games in files as PGN, with the time control of the first file."""
    from zermelo.lab.pgn import control_in

    game, header = _rules_of(files[0])
    check_files(game, None, pgn)
    write_pgn(pgn, game, result, control_in(header), f"zermelo {header['kind']}")


def _rules_of(file: Path) -> "tuple[Game, Header]":
    """Return the game of a file, and the file's header."""
    from zermelo.lab.ledger import read_ledger

    header, _ = read_ledger(file)
    game = load_game(header["game"], header["parameters"])
    if game.fingerprint != header["rules"]:
        raise RecordError(f"The rules of {header['game']} have changed since the games in {file} were played.")
    return game, header


def _write_report(html: Path, files: list[Path], result: "TournamentResult") -> None:
    """Write the report of the games in files; that of one match tells its result and its test, too."""
    from zermelo.lab.contest import test_in
    from zermelo.lab.match import MatchResult
    from zermelo.lab.report import conditions_in

    game, header = _rules_of(files[0])
    alone = len(files) == 1
    conditions = {"Files": ", ".join(str(file) for file in files)} | (conditions_in(header) if alone else {})
    if alone and header["kind"] == "match":
        one, other = header["players"]
        return write_report(html, game, MatchResult((one, other), result.games, test_in(header)), conditions)
    return write_report(html, game, result, conditions)
