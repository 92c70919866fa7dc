"""``zermelo compare``: a student's searches beside the handouts', shown as tables and drawn states."""

import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from rich.console import Console
from rich.table import Table

from zermelo.errors import BadParameter, GameFileError
from zermelo.game import Game
from zermelo.registry import load_file
from zermelo.result import MinimaxInfo
from zermelo.textbook.compare import Comparison, Difference, compare, functions_in
from zermelo.textbook.rules import require_end
from zermelo.ui import show


def parse_board(text: str) -> dict[str, str]:
    """``4x5x3`` as the parameters of connect: rows, columns, run."""
    parts = text.lower().split("x")
    if len(parts) != 3:
        raise BadParameter(f"--board {text} is not a board; write ROWSxCOLUMNSxRUN, as in 4x4x3.")
    return dict(zip(("rows", "columns", "run"), parts, strict=True))


def compare_file(path: Path, games: list[Game], console: Console) -> bool:
    """Compare every search that a student's file has on every game; True if all agree."""
    module = load_file(path)
    names = functions_in(module)
    for game in games:
        require_end(game, names[0])
    comparisons = [_compare(path, module, name, game) for game in games for name in names]
    for one in comparisons:
        _print_counts(console, one)
    for one in comparisons:
        if one.difference is not None:
            _print_difference(console, one, one.difference)
    return all(one.agrees for one in comparisons)


def _compare(path: Path, module: ModuleType, name: str, game: Game) -> Comparison:
    """One comparison; an error in the student's code becomes a sentence that names the line."""
    try:
        return compare(module, name, game)
    except (Exception, SystemExit) as error:
        ours = path.resolve()
        frames = [
            frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).resolve() == ours
        ]
        where = f", line {frames[-1].lineno}" if frames else ""
        what = f"{type(error).__name__}: {str(error).rstrip('.')}"
        raise GameFileError(f"{path}{where}: {name} failed on {game!r}: {what}.") from error


def _print_counts(console: Console, one: Comparison) -> None:
    """The handout's counts and the student's, one above the other."""
    console.print(f"\n{one.function} on {one.game!r}", highlight=False, markup=False)
    table = Table(box=None, pad_edge=False)
    for heading in ("", "value", "states", "prunings"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, side in (("handout", one.reference), ("student", one.student)):
        prunings = "not counted" if side.prunings is None else f"{side.prunings:,}"
        table.add_row(name, str(side.value), f"{side.table_states:,}", prunings)
    console.print(table, highlight=False)
    console.print("They agree." if one.agrees else "They differ.", style="green" if one.agrees else "red")


def _print_difference(console: Console, one: Comparison, difference: Difference) -> None:
    console.print(f"\n{one.function} on {one.game!r}: the first state that comes out differently is", highlight=False)
    console.print(show.board(one.game, difference.state), highlight=False)
    console.print(f"handout: {_entry(difference.expected)}", highlight=False, markup=False)
    console.print(f"student: {_entry(difference.found)}", highlight=False, markup=False)


def _entry(entry: Any) -> str:
    if entry is None:
        return "not in the table"
    if isinstance(entry, MinimaxInfo) or (hasattr(entry, "value") and hasattr(entry, "action")):
        return f"value {entry.value}, action {entry.action}"
    return repr(entry)
