"""The counts of a census as stacked bars, as SVG."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from zermelo.game import Game
from zermelo.pictures.palette import palette_of

if TYPE_CHECKING:
    from zermelo.solver import Census
    from zermelo.solver.study.census import Row

WIDTH: Final = 520
HEIGHT: Final = 250
_LEFT: Final = 70
_BOTTOM: Final = 42
_TOP: Final = 14
_LABELS: Final = 16
"""About so many numbers stand below the bars."""
_DRAWS: Final = "#9aa4ae"


def draw_bars(game: Game, rows: "Sequence[Row]", what: str) -> str:
    """Return a picture of the positions of each tier or remoteness: wins of MAX, draws and wins of MIN, stacked.

    Parameters
    ----------
    rows
        What was counted; see `zermelo.solver.Census`.
    what
        What the numbers of the rows are, for the axis.
    """
    most = max((row.positions for row in rows), default=1)
    step = (WIDTH - _LEFT - 10) / max(len(rows), 1)
    scale = (HEIGHT - _BOTTOM - _TOP) / max(most, 1)
    base = HEIGHT - _BOTTOM
    parts = [
        f'<svg class="plot bars" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="positions by {escape(what)}">'
    ]
    for part in (0, 0.5, 1):
        y = base - part * most * scale
        parts.append(f'<line class="zero" x1="{_LEFT}" x2="{WIDTH - 10}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="axis" x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{part * most:,.0f}</text>')
    every = max(1, -(-len(rows) // _LABELS))
    for place, row in enumerate(rows):
        x = _LEFT + place * step
        parts.append(_bar(game, row, what, x, step, base, scale))
        if place % every == 0:
            parts.append(
                f'<text class="axis" x="{x + step / 2:.1f}" y="{base + 14}" text-anchor="middle">{_number(row)}</text>'
            )
    parts.append(f'<text class="axis" x="{_LEFT}" y="{HEIGHT - 8}">{escape(what)}; positions</text>')
    return "".join([*parts, "</svg>"])


def _bar(game: Game, row: "Row", what: str, x: float, step: float, base: float, scale: float) -> str:
    """Return the bar of a row, with its counts for those who point at it."""
    palette, floor, parts = palette_of(game), base, []
    counts = ((row.max_wins, palette.max.fill), (row.draws, _DRAWS), (row.min_wins, palette.min.fill))
    for count, colour in counts:
        height = count * scale
        floor -= height
        if count:
            parts.append(
                f'<rect x="{x + 0.05 * step:.1f}" y="{floor:.1f}" width="{0.9 * step:.1f}" height="{height:.2f}" '
                f'style="fill:{colour};stroke:var(--line);stroke-width:.5"/>'
            )
    said = (
        f"{what} {_number(row)}: {row.positions:,} positions; {game.sides[0]} wins {row.max_wins:,}, "
        f"draws {row.draws:,}, {game.sides[1]} wins {row.min_wins:,}"
    )
    return f"<g><title>{escape(said)}</title>{''.join(parts)}</g>"


def _number(row: "Row") -> str:
    return "∞" if row.number is None else str(row.number)


def legend(game: Game, found: "Census") -> str:
    """Return what the colours of the bars mean, with the numbers of positions, as HTML."""
    palette = palette_of(game)
    parts = (
        (f"{game.sides[0]} wins", palette.max.fill, found.max_wins),
        ("draws", _DRAWS, found.draws),
        (f"{game.sides[1]} wins", palette.min.fill, found.min_wins),
    )
    return "".join(
        f'<span><span class="swatch" style="background:{colour}"></span>{escape(name)}: {count:,}</span>'
        for name, colour, count in parts
    )
