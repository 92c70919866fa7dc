"""Estimates with their intervals, as SVG: rows that are compared, lines over a number, and columns of counts.

An *interval* is a triple: the estimate, and the lower and upper end of its interval. Colours are CSS variables with
usual values, so that a chart looks the same on a page and as a file of its own; `standalone` makes such a file.
"""

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, floor, log10
from typing import Final, NamedTuple

Interval = tuple[float, float, float]
"""An estimate, and the lower and upper end of its interval."""

COLOURS: Final = ("var(--c2,#1f5fd0)", "var(--c1,#c2410c)", "var(--c3,#14774a)", "var(--c4,#7a4fb5)")
STYLE: Final = """
.chart{width:100%;max-width:720px;display:block;font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.chart text{fill:var(--ink,#1b2330)}.chart .axis{fill:var(--soft,#566173);font-size:11px}
.chart .grid{stroke:var(--line,#dde2ea)}.chart .middle{stroke:var(--soft,#566173);stroke-dasharray:4 3}
"""
_DARK: Final = """
@media (prefers-color-scheme:dark){.chart{--ink:#e7ecf4;--soft:#a5b0c0;--line:#2e3747;--c1:#ff9d68;--c2:#7cabff;
--c3:#56d196;--c4:#b79cf0}}
"""
_WIDTH: Final = 640
_ROW: Final = 24


class Scale(NamedTuple):
    """Where numbers lie along an axis of the picture."""

    low: float
    high: float
    start: float
    """Where `low` lies, in units of the picture; `end` is where `high` does."""
    end: float
    logarithmic: bool = False

    def __call__(self, number: float) -> float:
        """The place of a number; one outside of the axis lies at its end."""
        low, high, at = (log10(one) if self.logarithmic else one for one in (self.low, self.high, self.inside(number)))
        return self.start + (at - low) / (high - low) * (self.end - self.start)

    def inside(self, number: float) -> float:
        """The nearest number that the axis has."""
        return min(max(number, self.low), self.high)

    @property
    def ticks(self) -> list[float]:
        """Round numbers along the axis."""
        if self.logarithmic:
            powers = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
            wide = len(powers) > 4
            found = [factor * 10.0**power for power in powers for factor in ((1,) if wide else (1, 2, 5))]
            return [one for one in found if self.low <= one <= self.high * (1 + 1e-9)]
        step = _step(self.high - self.low)
        first = ceil(self.low / step - 1e-9)
        return [step * number for number in range(first, floor(self.high / step + 1e-9) + 1)]


def interval_chart(
    rows: Mapping[str, Interval],
    axis: str,
    *,
    middle: float | None = None,
    logarithmic: bool = False,
    notes: Mapping[str, str] | None = None,
) -> str:
    """Return a chart with a row for each estimate: a dot, and a line over its interval.

    Parameters
    ----------
    rows
        The estimates by what they are called, from top to bottom.
    axis
        What the numbers are, with their unit.
    middle
        A number to compare with, such as 0 for a difference; a broken line marks it.
    logarithmic
        Whether equal distances are equal factors. All numbers must then be above 0.
    notes
        What stands at the right of a row; usually the estimate itself.
    """
    left, right, top = 8 + 6.6 * max(map(len, rows), default=0), _WIDTH - 130, 8
    height = top + _ROW * len(rows)
    numbers = [number for row in rows.values() for number in row] + ([] if middle is None else [middle])
    scale = _scale(numbers, left, right, logarithmic)
    parts = [
        f'<line class="grid" x1="{scale(tick):.1f}" x2="{scale(tick):.1f}" y1="{top}" y2="{height}"/>'
        f'<text class="axis" x="{scale(tick):.1f}" y="{height + 14}" text-anchor="middle">{_short(tick)}</text>'
        for tick in scale.ticks
    ]
    if middle is not None:
        parts.append(
            f'<line class="middle" x1="{scale(middle):.1f}" x2="{scale(middle):.1f}" y1="{top}" y2="{height}"/>'
        )
    for number, (name, (value, low, high)) in enumerate(rows.items()):
        y = top + _ROW * (number + 0.5)
        said = (notes or {}).get(name, f"{_short(value)} [{_short(low)}, {_short(high)}]")
        parts += [
            f'<text x="{left - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{escape(name)}</text>',
            f'<line x1="{scale(low):.1f}" x2="{scale(high):.1f}" y1="{y}" y2="{y}" '
            f'style="stroke:{COLOURS[0]};stroke-width:3;stroke-opacity:.45"/>',
            f'<circle cx="{scale(value):.1f}" cy="{y}" r="4" style="fill:{COLOURS[0]}">'
            f"<title>{escape(name)}: {escape(said)}</title></circle>",
            f'<text class="axis" x="{right + 10}" y="{y + 4:.1f}">{escape(said)}</text>',
        ]
    parts.append(f'<text class="axis" x="{left:.1f}" y="{height + 30}">{escape(axis)}</text>')
    return _chart(parts, _WIDTH, height + 38, axis)


def line_chart(
    series: Mapping[str, Sequence[tuple[float, Interval]]],
    x_axis: str,
    y_axis: str,
    *,
    logarithmic: bool = False,
    from_zero: bool = True,
) -> str:
    """Return a chart with a line for each series, at most four, and a band over its intervals.

    Parameters
    ----------
    series
        Points from left to right: a number, and an estimate there.
    x_axis, y_axis
        What the numbers are, with their units.
    logarithmic
        Whether equal distances along the lower axis are equal factors.
    from_zero
        Whether the axis at the left begins at 0.
    """
    left, right, top, bottom = 52, _WIDTH - 130, 12, 240
    points = [point for line in series.values() for point in line]
    x = _scale([at for at, _ in points], left, right, logarithmic)
    heights = [number for _, interval in points for number in interval]
    y = _scale(heights + ([0.0] if from_zero else []), bottom, top, False)
    parts = []
    for tick in y.ticks:
        parts.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>')
        parts.append(f'<text class="axis" x="{left - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{_short(tick)}</text>')
    for tick in x.ticks:
        parts.append(
            f'<text class="axis" x="{x(tick):.1f}" y="{bottom + 16}" text-anchor="middle">{_short(tick)}</text>'
        )
    taken: list[float] = []
    for (name, line), colour in zip(series.items(), COLOURS, strict=False):
        if line:
            parts += _line(name, line, x, y, colour)
            beside = y(line[-1][1][0]) + 4
            while any(abs(beside - other) < 13 for other in taken):
                beside += 13
            taken.append(beside)
            parts.append(f'<text x="{right + 10}" y="{beside:.1f}" style="fill:{colour}">{escape(name)}</text>')
    parts.append(f'<text class="axis" x="{left}" y="{bottom + 33}">{escape(x_axis)}; upwards: {escape(y_axis)}</text>')
    return _chart(parts, _WIDTH, bottom + 42, f"{y_axis} over {x_axis}")


def _line(name: str, line: Sequence[tuple[float, Interval]], x: Scale, y: Scale, colour: str) -> list[str]:
    """One series: its band, its line and its points."""
    upper = [f"{x(at):.1f},{y(high):.1f}" for at, (_, _, high) in line]
    lower = [f"{x(at):.1f},{y(low):.1f}" for at, (_, low, _) in reversed(line)]
    middle = [f"{x(at):.1f},{y(value):.1f}" for at, (value, _, _) in line]
    return [
        f'<polygon points="{" ".join(upper + lower)}" style="fill:{colour};fill-opacity:.16"/>',
        f'<polyline points="{" ".join(middle)}" style="fill:none;stroke:{colour};stroke-width:2.2"/>',
        *(
            f'<circle cx="{x(at):.1f}" cy="{y(value):.1f}" r="3" style="fill:{colour}"><title>{escape(name)}, '
            f"{_short(at)}: {_short(value)} [{_short(low)}, {_short(high)}]</title></circle>"
            for at, (value, low, high) in line
        ),
    ]


def column_chart(columns: Mapping[str, float], x_axis: str, y_axis: str) -> str:
    """Return a chart with a column for each count; the lower axis names some of them."""
    left, right, top, bottom = 52, _WIDTH - 20, 12, 200
    y = _scale([0.0, *columns.values()], bottom, top, False)
    width = (right - left) / max(1, len(columns))
    every = max(1, ceil(len(columns) * 30 / (right - left)))
    parts = []
    for tick in y.ticks:
        parts.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>')
        parts.append(f'<text class="axis" x="{left - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{_short(tick)}</text>')
    for number, (name, count) in enumerate(columns.items()):
        start = left + number * width
        parts.append(
            f'<rect x="{start + width * 0.08:.1f}" width="{width * 0.84:.1f}" y="{y(count):.1f}" '
            f'height="{bottom - y(count):.1f}" style="fill:{COLOURS[0]}"><title>{escape(name)}: {_short(count)}'
            f"</title></rect>"
        )
        if number % every == 0:
            parts.append(
                f'<text class="axis" x="{start + width / 2:.1f}" y="{bottom + 16}" text-anchor="middle">'
                f"{escape(name)}</text>"
            )
    parts.append(f'<text class="axis" x="{left}" y="{bottom + 33}">{escape(x_axis)}; upwards: {escape(y_axis)}</text>')
    return _chart(parts, _WIDTH, bottom + 42, f"{y_axis} over {x_axis}")


def standalone(chart: str) -> str:
    """Return a chart as the text of an SVG file, with its own colours for light and dark."""
    start, middle, rest = chart.partition(">")
    return f"{start}{middle}<style>{escape(STYLE + _DARK, quote=False)}</style>{rest}\n"


def _chart(parts: Sequence[str], width: float, height: float, label: str) -> str:
    head = f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img"'
    return "".join([f'{head} aria-label="{escape(label)}">', *parts, "</svg>"])


def _scale(numbers: Sequence[float], start: float, end: float, logarithmic: bool) -> Scale:
    """An axis on which all the numbers lie, with some room where it does not begin at 0."""
    low, high = min(numbers, default=0.0), max(numbers, default=1.0)
    if logarithmic:
        return Scale(low / 1.1, high * 1.1, start, end, True)
    if low == high:
        low, high = min(0.0, low), max(0.0, high) or 1.0
    step = _step(high - low)
    return Scale(step * floor(low / step + 1e-9), step * ceil(high / step - 1e-9), start, end)


def _step(length: float) -> float:
    """A round number that is between a ninth and a third of a length."""
    power = 10.0 ** floor(log10(length / 3))
    return next(power * factor for factor in (5, 2, 1) if power * factor <= length / 3)


def _short(number: float) -> str:
    """A number with at most three digits that count."""
    if abs(number) >= 1000:
        return f"{number:,.0f}"
    return f"{number:.3g}"
