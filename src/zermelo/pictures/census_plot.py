"""A census of a solved table, drawn with matplotlib."""

from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.pictures.palette import palette_of

if TYPE_CHECKING:
    from zermelo.solver import Census


def draw_census(game: Game, found: "Census", file: Path) -> None:
    """Draw the counts by tier and by remoteness, stacked.

    Raises
    ------
    BadParameter
        The file cannot be written.
    """
    from matplotlib.figure import Figure

    palette = palette_of(game)
    figure = Figure(figsize=(11, 4.5), layout="constrained")
    axes = figure.subplots(1, 2)
    for axis, name, rows in zip(
        axes, ("tier", "remoteness (plies)"), (found.by_tier, found.by_remoteness), strict=True
    ):
        labels = ["∞" if row.number is None else str(row.number) for row in rows]
        places, floor = list(range(len(rows))), [0] * len(rows)
        parts = (
            (f"{game.sides[0]} wins", palette.max.fill, [row.max_wins for row in rows]),
            ("draws", "#b8b8b8", [row.draws for row in rows]),
            (f"{game.sides[1]} wins", palette.min.fill, [row.min_wins for row in rows]),
        )
        for label, colour, counts in parts:
            axis.bar(places, counts, bottom=floor, color=colour, label=label, width=0.9)
            floor = [low + count for low, count in zip(floor, counts, strict=True)]
        step = max(1, len(rows) // 16)
        axis.set_xticks(places[::step], labels[::step])
        axis.set_xlabel(name)
        axis.set_ylabel("positions")
    axes[0].legend(frameon=False)
    figure.suptitle(f"{found.game}: {found.positions:,} positions")
    try:
        figure.savefig(file, dpi=150)
    except OSError as error:
        raise BadParameter(f"{file} cannot be written: {error.strerror or error}.") from None
