"""A report on a game in words, as tables and plots, and as an HTML page."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from zermelo.lab.estimates import Estimate
from zermelo.lab.page import page, section, table
from zermelo.lab.pentanomial import elo_of_score
from zermelo.lab.study.figures import Band, Figures
from zermelo.lab.study.game_report import PROOF_NODES, GameReport, Skilled
from zermelo.pictures.charts import line_chart


@dataclass(frozen=True)
class Part:
    """A part of a report."""

    heading: str
    rows: list[tuple[str, str]]
    """What was measured, and the figure."""
    how: str
    """How it was measured."""
    charts: list[str] = field(default_factory=list)
    """SVG."""


def game_report_page(found: GameReport) -> str:
    """Return the page."""
    parts = [section(part.heading, *part.charts, table(("", ""), part.rows), how=part.how) for part in parts_of(found)]
    return page(f"A report on {found.game}", summary(found), parts, style="td{white-space:nowrap}")


def summary(found: GameReport) -> str:
    """Return how long it took, and what was left out."""
    said = f"It took {found.minutes:.1f} minutes (seed {found.seed}). Intervals: 95 %."
    return f"{said} No engine played: {found.why_not}" if found.why_not else said


def parts_of(found: GameReport) -> Iterator[Part]:
    """Yield the parts of a report."""
    if found.skilled is not None:
        yield from _skilled(found, found.skilled)
    broken = f" {found.broken_off:,} more did not end and are left out." if found.broken_off else ""
    yield Part(
        "Random play",
        list(_rows(found.random, found.sides)),
        f"{found.random.games:,} games in which both sides choose each legal move with the same probability.{broken}",
    )


def _skilled(found: GameReport, skilled: Skilled) -> Iterator[Part]:
    games, weak = skilled.play.games, skilled.nodes // 2
    yield Part(
        "Skilled play",
        list(_rows(skilled.play, found.sides)),
        f"{games:,} games between engines with {skilled.nodes:,} and {weak:,} nodes a move, with sides exchanged, "
        f"after {skilled.plies} random plies. Games of one opening count as one observation.",
        [line_chart({"legal moves": _points(skilled.play.widths)}, "ply", "legal moves")],
    )
    yield Part("Depth of skill", list(_depth(skilled)), _how_depth(skilled), [ladder_chart(skilled)])
    when = "in no band of plies" if skilled.half_decided is None else f"from ply {skilled.half_decided} on"
    yield Part(
        "Decided positions",
        [("half of the positions are decided", when)]
        + [(f"ply {_plies(band)}", band.estimate.percent(0)) for band in skilled.decided],
        f"A position is decided if a proof finds its value within {PROOF_NODES:,} nodes, from empty tables. Positions: "
        f"all of {skilled.proven_games:,} of the games above. A band counts games that last so long.",
        [line_chart({"decided": _points(skilled.decided)}, "ply", "share of positions")],
    )


def _rows(figures: Figures, sides: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the figures of a set of games."""
    first = figures.first
    yield f"points of {sides[0]}, who moves first", first.percent()
    yield "the same in Elo", Estimate(*(elo_of_score(one) for one in first)).text("+z.0f")
    yield "draws", figures.draws.percent()
    yield "plies of a game, mean", figures.plies.text(".1f")
    tenth, half, last = figures.middle
    yield "plies: 10th, 50th, 90th of a hundred games", f"{tenth}, {half}, {last}"
    yield "legal moves, mean", figures.branching.text(".1f")


def _depth(skilled: Skilled) -> Iterator[tuple[str, str]]:
    steps, better = skilled.steps, skilled.better
    for step in steps:
        yield f"from {step.nodes:,} to {2 * step.nodes:,} nodes", f"{step.elo.text('+z.0f')} Elo"
    yield f"from {steps[0].nodes:,} to {2 * steps[-1].nodes:,} nodes", f"{skilled.total.text('+z.0f')} Elo"
    mean = Estimate(*(one / len(steps) for one in skilled.total))
    yield "a doubling, on average", f"{mean.text('+z.0f')} Elo"
    times = better.strong // better.weak
    yield f"points of a player with {times} times the nodes", better.points.percent()
    yield "games that the better player wins, of those not drawn", better.decisive.percent()


def _how_depth(skilled: Skilled) -> str:
    steps, better = skilled.steps, skilled.better
    least, most = min(step.games for step in steps), max(step.games for step in steps)
    games = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return (
        f"For each doubling a match of {games} games between engines with a limit of nodes a move, and one of "
        f"{better.games:,} games with {better.strong:,} against {better.weak:,} nodes. The random openings are even "
        "and undecided, where the game has such; each is played twice with sides exchanged. Games do not depend on the "
        "speed of the machine. "
        "Where every game is won, the Elo of a doubling is a lower bound."
    )


def ladder_chart(skilled: Skilled) -> str:
    """Return the gain of each doubling as SVG."""
    points = [(float(2 * step.nodes), step.elo) for step in skilled.steps]
    return line_chart({"one doubling": points}, "nodes a move", "Elo gained", logarithmic=True)


def _plies(band: Band) -> str:
    return f"{band.first}" if band.first == band.last else f"{band.first} to {band.last}"


def _points(bands: list[Band]) -> list[tuple[float, Estimate]]:
    """Return the points of a chart, without bands that have no interval."""
    return [((band.first + band.last) / 2, band.estimate) for band in bands if not math.isnan(band.estimate.low)]
