"""``zermelo check``: look for mistakes in the rules of a game."""

import json
import sys
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from zermelo.check.report import Finding, Report, number_lines
from zermelo.game import Game
from zermelo.registry import make_game
from zermelo.ui.arguments import EXIT_ERROR, GameArgument, JsonOption, ParameterOption, parse_parameters

_COLOURS: Final = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


def check(
    game: GameArgument,
    parameter: ParameterOption = None,
    seconds: Annotated[
        float, typer.Option(help="About how long to work; a busy machine takes up to three times as long.")
    ] = 10.0,
    seed: Annotated[int, typer.Option(help="Seed of the random play.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Look for mistakes in the rules of a game, and count what an inventor wants to know.

    Exit status 1 if there are errors.
    """
    report = audit(make_game(game, parse_parameters(parameter)), seconds, seed, Console(stderr=True))
    if as_json:
        print(json.dumps(report.to_dict()))
    else:
        print_report(report, Console())
    if not report.ok:
        sys.exit(EXIT_ERROR)


def audit(game: Game, seconds: float, seed: int, notices: Console) -> Report:
    """Audit a game, and show how long that takes.

    Raises
    ------
    BadParameter
        ``seconds`` is not positive.
    """
    from zermelo.check import check_game

    with notices.status(f"Playing {game!r} for about {seconds:g} seconds"):
        return check_game(game, seconds=seconds, seed=seed)


def print_report(report: Report, console: Console) -> None:
    """Print the findings, then the numbers."""
    for finding in report.findings:
        console.print(_coloured(finding), soft_wrap=True)
        console.print()
    if not report.findings:
        console.print(f"{report.game}: {report.nothing}.", markup=False, highlight=False, soft_wrap=True)
        console.print()
    if report.unchecked:
        console.print("\n".join(report.unchecked_lines()), markup=False, highlight=False, soft_wrap=True)
        console.print()
    for line in number_lines(report.numbers):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _coloured(finding: Finding) -> Text:
    text = Text(str(finding))
    text.stylize(_COLOURS[finding.severity], 0, len(finding.severity) + 1)
    return text
