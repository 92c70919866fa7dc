"""The accuracy of a player as an HTML page."""

import math

from zermelo.lab.page import page, section, table
from zermelo.lab.study.accuracy import Accuracy, Phase
from zermelo.pictures.charts import line_chart


def accuracy_page(found: Accuracy) -> str:
    """Return the page."""
    return page(
        f"Accuracy of {found.player}",
        f"Game: {found.game}. {' '.join(sentences(found))}",
        [section("By phase", phase_chart(found), table(head(found), phase_rows(found)), how=how(found))],
    )


def head(found: Accuracy) -> list[str]:
    """Return the names of the columns of `phase_rows`."""
    return [found.phase, "positions", "value kept", "random choice", "critical", "kept there", "loss a move"]


def phase_rows(found: Accuracy) -> list[list[str]]:
    """Return a row of texts for each phase; `head` names the columns."""
    return [
        [
            phase_name(one),
            f"{one.positions:,}",
            one.kept.percent(0),
            f"{one.chance.value:.0%}".replace("%", " %"),
            f"{one.critical:,}",
            one.kept_critical.percent(0) if one.critical else "",
            one.loss.text(".3f"),
        ]
        for one in found.phases
    ]


def phase_name(phase: Phase) -> str:
    """Return where a phase begins and ends: ``3 to 7``."""
    first, last = ("no end" if math.isinf(end) else f"{end:.0f}" for end in (phase.first, phase.last))
    return first if first == last else f"{first} to {last}"


def sentences(found: Accuracy) -> list[str]:
    """Return what was found, in words."""
    said = [
        f"{found.player} keeps the value in {found.kept.percent()} of {found.positions:,} positions. "
        f"Random choice keeps it in {found.chance.percent()}."
    ]
    if found.critical:
        said.append(
            f"In {found.critical:,} critical positions, in which some move loses something, "
            f"it keeps the value in {found.kept_critical.percent()}."
        )
    said.append(f"Expected loss a move: {found.loss.text('.4f')} {found.unit}.")
    if found.mistakes:
        counts = ", ".join(f"{count} from {name}" for name, count in found.mistakes.items())
        said.append(f"Mistakes: {counts}.")
    return said


def how(found: Accuracy) -> str:
    """Return how the figures were measured."""
    return f"Positions: {found.weights}. Only positions with at least two moves count. Intervals: 95 %."


def phase_chart(found: Accuracy) -> str:
    """Return the share of positions in which the value is kept, over the phases, as SVG."""
    finite = [one for one in found.phases if not math.isinf(one.last)]
    series = {
        found.player: [((one.first + one.last) / 2, one.kept) for one in finite],
        "random choice": [((one.first + one.last) / 2, one.chance) for one in finite],
    }
    return line_chart(series, found.phase, "share of positions with the value kept")
