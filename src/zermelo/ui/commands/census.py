"""``zermelo census``: count what a solved table holds, and draw the counts."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table as TextTable

from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.pictures.census_plot import draw_census
from zermelo.ui.arguments import JsonOption, check_seed
from zermelo.ui.tables import GameOption, TableArgument, open_table
from zermelo.ui.terminal import show
from zermelo.ui.terminal.wording import verdict

if TYPE_CHECKING:
    from zermelo.solver.study.census import Census, Row


def census(
    folder: TableArgument,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw it, too; .svg and .pdf work.")] = None,
    sample: Annotated[
        int, typer.Option(help="Positions to look at for saving moves; 0 looks at all of them.")
    ] = 200_000,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
    game: GameOption = "",
    as_json: JsonOption = False,
) -> None:
    """Count a solved table: wins, draws and losses by tier and by remoteness, the longest win, saving moves."""
    from zermelo.solver.study.census import census as take

    if sample < 0:
        raise BadParameter(f"The sample is {sample}; it must be 0 or more.")
    check_seed(seed)
    if plot is not None:
        _check_plot(plot)
    table = open_table(folder, game)
    found = take(table, sample or None, seed)
    if plot is not None:
        draw_census(table.game, found, plot)
    if as_json:
        print(json.dumps(census_record(table.game, found)))
    else:
        print_census(table.game, found, Console())


def census_record(game: Game, found: "Census") -> dict[str, Any]:
    """Return a census for JSON, with the position and the line of the longest win as text."""
    record = found.to_dict()
    if found.longest is not None:
        record["longest"]["state"] = game.show_state(found.longest.state)
        record["longest"]["line"] = show.line(game, found.longest.state, found.longest.line)
    return record


def print_census(game: Game, found: "Census", console: Console) -> None:
    """Print a census for people."""

    def say(text: str) -> None:
        console.print(text, markup=False, highlight=False, soft_wrap=True)

    say(f"{found.game}: {found.positions:,} positions, of which {found.stored:,} are stored")
    first, second = (f"{name} wins" for name in game.sides)
    say(f"{first} {found.max_wins:,}, draws {found.draws:,}, {second} {found.min_wins:,}\n")
    console.print(_rows("tier", game, found.by_tier), highlight=False)
    console.print()
    console.print(_rows("remoteness", game, found.by_remoteness), highlight=False)
    if found.longest is not None:
        longest = found.longest
        won = verdict(game, longest.value)
        say(f"\nThe longest win: {won} in {longest.remoteness} plies, value {longest.value}, from")
        console.print(show.board(game, longest.state), highlight=False)
        say(f"by {' '.join(show.line(game, longest.state, longest.line))}")
    saving = found.saving
    how = "" if saving.exact else f", estimated from {saving.looked_at:,}: {saving.share:.2%} ± {saving.error:.2%}"
    say(f"\nPositions with one saving move: {saving.positions:,}{how}")


def _rows(heading: str, game: Game, rows: list["Row"]) -> TextTable:
    shown = TextTable(box=None, pad_edge=False)
    for name in (heading, "positions", f"{game.sides[0]} wins", "draws", f"{game.sides[1]} wins"):
        shown.add_column(name, justify="right")
    for row in rows:
        name = "endless" if row.number is None else str(row.number)
        shown.add_row(name, *(f"{count:,}" for count in (row.positions, row.max_wins, row.draws, row.min_wins)))
    return shown


def _check_plot(file: Path) -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise BadParameter("--plot needs matplotlib; pip install 'zermelo[plot]' brings it.") from None
    if file.suffix not in (".png", ".svg", ".pdf"):
        raise BadParameter(f"{file} is no name for a plot; it must end in .png, .svg or .pdf.")
    if not file.parent.is_dir():
        raise BadParameter(f"There is no folder {file.parent}; make it first.")
