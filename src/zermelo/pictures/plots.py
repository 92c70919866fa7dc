"""Lines over a game, and over depth, as SVG."""

from collections.abc import Mapping, Sequence
from html import escape
from math import log10
from typing import Final

WIDTH: Final = 360
HEIGHT: Final = 140
_FOOT: Final = 30
"""The room below a plot for the numbers of the moves."""
_NUMBERS: Final = 10
"""About so many moves have their number below a plot."""
COLOURS: Final = (
    *("var(--c1,#c2410c)", "var(--c2,#1f5fd0)", "var(--c3,#14774a)"),
    *("var(--c4,#7a4fb5)", "var(--c5,#a3005c)", "var(--c6,#566173)"),
)
DASHES: Final = ("none", "none", "7 4", "2 4", "10 3 2 3", "none")
"""The dashes of the lines, so that colour alone does not tell them apart."""


def value_plot(
    heights: Mapping[int, float],
    plies: int,
    here: int,
    labels: Mapping[int, str],
    sides: tuple[str, str],
    ticks: Sequence[tuple[float, str]] = (),
    unit: str = "",
) -> str:
    """Return a plot of the value along a game, MAX above the middle and MIN below; a click shows the position.

    Parameters
    ----------
    heights
        From -1 to 1, by the number of moves made, where known.
    plies
        How many moves the game has.
    here
        The position on the board.
    labels
        What each point says.
    sides
        The names of MAX and MIN.
    ticks, unit
        The scale at the left: heights with words, and what they count.
    """
    left, middle = 40 if ticks else 10, HEIGHT / 2
    step = (WIDTH - left - 10) / max(plies, 1)

    def x(ply: int) -> float:
        return left + ply * step

    def y(value: float) -> float:
        return middle - value * (middle - 10)

    known = sorted(ply for ply in heights if ply <= plies)
    points = " ".join(f"{x(ply):.1f},{y(heights[ply]):.1f}" for ply in known)
    parts = [
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT + _FOOT}" role="img" aria-label="The value along the game">',
        f'<rect class="above" x="{left - 6}" y="0" width="{WIDTH - left + 6}" height="{middle}"/>',
        f'<rect class="below" x="{left - 6}" y="{middle}" width="{WIDTH - left + 6}" height="{middle}"/>',
    ]
    for place, said in ticks:
        parts.append(f'<line class="zero" x1="{left - 6}" x2="{WIDTH}" y1="{y(place):.1f}" y2="{y(place):.1f}"/>')
        parts.append(
            f'<text class="axis" x="{left - 9}" y="{y(place) + 3.5:.1f}" text-anchor="end">{escape(said)}</text>'
        )
    parts += [
        f'<line class="zero" x1="{left - 6}" x2="{WIDTH}" y1="{middle}" y2="{middle}"/>',
        f'<text class="side" x="{left}" y="20">{escape(sides[0])}</text>',
        f'<text class="side" x="{left}" y="{HEIGHT - 14}">{escape(sides[1])}</text>',
        f'<line class="here" x1="{x(here):.1f}" x2="{x(here):.1f}" y1="0" y2="{HEIGHT}"/>',
        f'<polyline class="line" points="{points}"/>' if known else "",
    ]
    every = max(1, -(-plies // _NUMBERS))
    parts += [
        f'<text class="axis" x="{x(ply):.1f}" y="{HEIGHT + 12}" text-anchor="middle">{ply}</text>'
        for ply in range(0, plies + 1, every)
    ]
    said = "; ".join(filter(None, ("moves", unit and f"at the left: {unit}")))
    parts.append(f'<text class="axis" x="{WIDTH}" y="{HEIGHT + 25}" text-anchor="end">{escape(said)}</text>')
    parts += [f'<circle class="point" cx="{x(ply):.1f}" cy="{y(heights[ply]):.1f}" r="3.4"/>' for ply in known]
    width = max(step, 4)
    for ply in range(plies + 1):
        said = escape(labels.get(ply, f"After move {ply}" if ply else "The start"))
        parts.append(
            f'<rect class="hit" data-goto="{ply}" x="{x(ply) - width / 2:.1f}" y="0" width="{width:.1f}" '
            f'height="{HEIGHT}"><title>{said}</title></rect>'
        )
    return "".join([*parts, "</svg>"])


def count_plot(series: Mapping[str, Sequence[int | None]], unit: str = "nodes") -> str:
    """Return a plot of counts on a logarithmic scale; ``series`` holds counts for the depths 1, 2, 3 and so on."""
    width, height, left, bottom = 520, 246, 52, 40
    depths = max((len(counts) for counts in series.values()), default=1)
    most = max([10, *(count for counts in series.values() for count in counts if count)])
    decades = max(1.0, log10(most))

    def x(depth: int) -> float:
        return left + (depth - 1) * (width - left - 130) / max(depths - 1, 1)

    def y(count: int) -> float:
        return height - bottom - log10(max(count, 1)) / decades * (height - bottom - 16)

    parts = [f'<svg class="plot counts" viewBox="0 0 {width} {height}" role="img" aria-label="{unit} over depth">']
    for power in range(int(decades) + 1):
        line = y(10**power)
        parts.append(f'<line class="zero" x1="{left}" x2="{width - 130}" y1="{line:.1f}" y2="{line:.1f}"/>')
        parts.append(f'<text class="axis" x="{left - 6}" y="{line + 4:.1f}" text-anchor="end">{10**power:,}</text>')
    for depth in range(1, depths + 1):
        parts.append(f'<text class="axis" x="{x(depth):.1f}" y="{height - 22}" text-anchor="middle">{depth}</text>')
    parts.append(f'<text class="axis" x="{left}" y="{height - 5}">depth in plies; {unit} on a logarithmic scale</text>')
    labels: list[tuple[float, float, str, str]] = []
    for number, ((name, counts), colour) in enumerate(zip(series.items(), COLOURS, strict=False)):
        known = [(depth, count) for depth, count in enumerate(counts, 1) if count]
        if not known:
            continue
        points = " ".join(f"{x(depth):.1f},{y(count):.1f}" for depth, count in known)
        parts.append(
            f'<polyline points="{points}" style="fill:none;stroke:{colour};stroke-width:2.4" '
            f'stroke-dasharray="{DASHES[number]}"/>'
        )
        for depth, count in known:
            parts.append(
                f'<circle cx="{x(depth):.1f}" cy="{y(count):.1f}" r="3.6" style="fill:{colour}">'
                f"<title>{escape(name)}, depth {depth}: {count:,}</title></circle>"
            )
        labels.append((y(known[-1][1]) + 4, x(known[-1][0]) + 8, name, colour))
    lowest = 0.0
    for place, right, name, colour in sorted(labels):
        lowest = max(place, lowest + 14)
        parts.append(f'<text class="name" x="{right:.1f}" y="{lowest:.1f}" style="fill:{colour}">{escape(name)}</text>')
    return "".join([*parts, "</svg>"])
