"""``zermelo check``: what an audit found, for people; ``zermelo new``: a file to start from."""

import keyword
import re
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from zermelo.check.report import Finding, Report, number_lines
from zermelo.errors import BadParameter
from zermelo.files import write_whole
from zermelo.game import Game

TEMPLATE: Final = "my_game"
_COLOURS: Final = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


def audit(game: Game, seconds: float, seed: int, notices: Console) -> Report:
    """Audit a game, saying that it may take a while.

    Raises
    ------
    BadParameter
        ``seconds`` is not positive.
    """
    from zermelo.check import check_game

    with notices.status(f"Playing {game!r} for about {seconds:g} seconds"):
        return check_game(game, seconds=seconds, seed=seed)


def print_report(report: Report, console: Console) -> None:
    """Findings first, then the numbers."""
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


def write_new_game(file: Path) -> None:
    """Write a small complete game to ``file``, named after it.

    Raises
    ------
    BadParameter
        The file exists or cannot be written, or its name is no name for a Python function with ``.py`` behind it.
    """
    name = file.stem
    template = (Path(__file__).parent / "new_game.txt").read_text(encoding="utf-8")
    taken = name in re.findall(r"(?:^def|^class|^from|import|,) (\w+)", template, re.MULTILINE) and name != TEMPLATE
    if file.suffix != ".py" or not name.isidentifier() or keyword.iskeyword(name) or taken:
        raise BadParameter(f"{file} is no name for a game; write one like {TEMPLATE}.py, which Python does not use.")
    if file.exists():
        raise BadParameter(f"{file} exists already; choose another name, or delete it first.")
    if not file.parent.is_dir():
        raise BadParameter(f"There is no folder {file.parent}; make it first.")
    try:
        write_whole(file, template.replace(TEMPLATE, name).encode())
    except OSError as error:
        raise BadParameter(f"{file} cannot be written: {error.strerror}.") from None
