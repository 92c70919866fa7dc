"""The parts of the report that say who is stronger: results, ratings, cross table, likelihoods, pairs of games."""

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Final

import numpy as np

from zermelo.lab.match import Counts, MatchResult, count_pairs
from zermelo.lab.page import Markup, paragraph, section, table
from zermelo.lab.pentanomial import elo, normalized_elo
from zermelo.lab.report.figures import Figures
from zermelo.lab.report.wording import number, percent, signed, stack
from zermelo.lab.sprt import Sprt
from zermelo.pictures.charts import line_chart

_MOST_POINTS: Final = 150
"""The most points of the curve of a test."""
_SELF: Final = Markup('<span class="self" aria-label="the same player">·</span>')
_KINDS: Final = ("LL", "LD", "DD, WL", "WD", "WW")


def match_result(match: MatchResult) -> str:
    """Return the section on a match between two players, and on its test if there is one."""
    one, other = match.players
    counts, games = (match.wins, match.draws, match.losses), len(match.games)
    parts = [
        f'<p class="score"><b>{match.points:g}</b> : <b>{games - match.points:g}</b></p>',
        f"<p>{escape(one)} against {escape(other)}: {number(match.wins, 'win')}, {number(match.draws, 'draw')} and "
        f"{number(match.losses, 'loss', 'losses')} in {number(games, 'game')}.</p>",
        stack(counts, ("won", "drawn", "lost")),
    ]
    estimate, normalized, los = _estimates(match.pentanomial)
    if normalized:
        parts.append(
            f"<p><b>{estimate} Elo</b> (normalized Elo {normalized}). {escape(one)} is the stronger player with "
            f"probability {los}.</p>"
        )
    if match.sprt is not None:
        parts.append(_test(match, match.sprt))
    return section("Result", *parts, how="Intervals are 95 % intervals, from pairs of games with sides exchanged.")


def _test(match: MatchResult, sprt: Sprt) -> str:
    """The state of a test: a sentence, and the curve of its LLR."""
    said = {
        "accept": f"The test has accepted {sprt.elo1:g} Elo",
        "reject": f"The test has accepted {sprt.elo0:g} Elo",
        None: "The test has not decided yet",
    }[match.verdict]
    kind = "" if sprt.model == "logistic" else f" {sprt.model}"
    return paragraph(
        f"A sequential test of {sprt.elo1:g} against {sprt.elo0:g}{kind} Elo. {said}: its LLR is "
        f"{signed(sprt.llr(match.pentanomial), 2)}, between {signed(sprt.lower, 2)} and {signed(sprt.upper, 2)}."
    ) + _curve(match, sprt)


def _curve(match: MatchResult, sprt: Sprt) -> str:
    """The LLR after each pair of games, between the bounds of the test."""
    whole = sum(match.pentanomial)
    ends = sorted({math.ceil(whole * step / _MOST_POINTS) for step in range(1, _MOST_POINTS + 1)} - {0})
    if len(ends) < 2:
        return ""
    counts = [count_pairs(match.games[: 2 * end], match.players[0]) for end in ends]
    curve = [(2.0 * end, ratio) for end, ratio in zip(ends, sprt.llrs(np.array(counts, dtype=np.float64)), strict=True)]
    lines = {
        "LLR": curve,
        f"accept {sprt.elo1:g}": [(end, sprt.upper) for end, _ in (curve[0], curve[-1])],
        f"accept {sprt.elo0:g}": [(end, sprt.lower) for end, _ in (curve[0], curve[-1])],
    }
    series = {name: [(end, (height, height, height)) for end, height in line] for name, line in lines.items()}
    return f'<div class="scroll" tabindex="0" role="group" aria-label="LLR">{line_chart(series, "games", "LLR")}</div>'


def ratings(figures: Figures) -> str:
    """Return the table of ratings, each with a bar for its interval."""
    found = figures.ratings
    low = min(rating - half for rating, half in zip(found.elo, found.half_widths, strict=True))
    high = max(rating + half for rating, half in zip(found.elo, found.half_widths, strict=True))
    rows = []
    for place, player in enumerate(found.players):
        rating, half = float(found.elo[place]), float(found.half_widths[place])
        score = figures.result.score(player)
        rows.append(
            [
                Markup(f'<span class="place">{place + 1}</span> {escape(player)}'),
                f"{signed(rating, 0)} ± {half:.0f}",
                _bar(rating, half, low, high),
                f"{score.points:g}",
                f"{score.games:,}",
                percent(score.points / score.games),
                *(f"{count:,}" for count in score),
            ]
        )
    head = ("Player", "Elo", "95 % interval", "Points", "Games", "Score", "Won", "Drawn", "Lost")
    return section(
        "Ratings",
        table(head, rows, name="Ratings"),
        how="All players are rated together by maximum likelihood; the mean of the ratings is 0. "
        f"Moving first is worth {signed(found.first_move, 0)} ± {1.96 * found.first_move_error:.0f} Elo here; "
        f"equal players draw {percent(found.draws)} of their games.",
    )


def _bar(rating: float, half: float, low: float, high: float) -> Markup:
    """An interval as a bar, and the rating as a dot on it; the table has both as numbers."""
    start, end, middle, zero = (100 * (one - low) / (high - low) for one in (rating - half, rating + half, rating, 0))
    return Markup(
        f'<span class="bar" aria-hidden="true"><s style="left:{zero:.1f}%"></s>'
        f'<i style="left:{start:.1f}%;width:{end - start:.1f}%"></i><b style="left:{middle:.1f}%"></b></span>'
    )


def cross_table(figures: Figures) -> str:
    """Return the cross table: a row for each player, a column for each opponent."""

    def cell(one: str, other: str) -> Markup:
        score = figures.result.cross.get((one, other))
        if score is None:
            return Markup()
        said = f"{score.wins} won, {score.draws} drawn, {score.losses} lost"
        return Markup(
            f'<span title="{said}">{score.points:g}<small>/{score.games}</small></span>'
            f"{_shade(score.points / score.games)}"
        )

    rows = [
        [*row, f"{figures.result.score(player).points:g}"]
        for player, row in zip(figures.players, _matrix(figures, cell), strict=True)
    ]
    return section(
        "Cross table",
        table(["Player", *_columns(figures), "Points"], rows, name="Cross table"),
        how="Points of the player on the left out of the games against the player of the column.",
    )


def likelihoods(figures: Figures) -> str:
    """Return the table of likelihoods of superiority, for every two players."""

    def cell(one: str, other: str) -> Markup:
        los = figures.ratings.los(one, other)
        return Markup(f"{percent(los)}{_shade(los)}")

    return section(
        "Who is the stronger player?",
        table(["Player", *_columns(figures)], _matrix(figures, cell), name="Likelihood of superiority"),
        how="Likelihood of superiority: the probability that the player on the left is stronger than the player of the "
        "column, given all games of the tournament.",
    )


def pairs(figures: Figures) -> str:
    """Return the table of pairs of games: a pentanomial result, and what follows from it, for every two players."""
    rows = [
        [
            f"{one} against {other}",
            *(f"{count:,}" for count in match.pentanomial),
            *_estimates(match.pentanomial),
        ]
        for (one, other), match in figures.encounters.items()
    ]
    return section(
        "Pairs of games",
        table(["Players", *_KINDS, "Elo", "Normalized Elo", "Stronger"], rows, name="Pairs of games"),
        how="Each opening is played twice, with sides exchanged, and the two games count together. LL: the first named "
        "player lost both; WD: won one and drew one. The columns on the right use these two players' games only.",
    )


def _estimates(counts: Counts) -> list[str]:
    """Elo, normalized Elo and LOS from pairs of games; no numbers where there are none, or where nobody ever scored."""
    pairs = sum(counts)
    if not pairs:
        return ["", "", ""]
    if pairs in (counts[0], counts[4]):
        return ["all lost" if counts[0] else "all won", "", percent(elo(counts).los)]
    estimate, normalized = elo(counts), normalized_elo(counts)
    return [
        f"{signed(estimate.elo)} ± {estimate.half_width:.1f}",
        f"{signed(normalized[0])} ± {normalized[1]:.1f}",
        percent(estimate.los),
    ]


def _columns(figures: Figures) -> list[str]:
    """Heads of the columns of a square table: places, since names are long."""
    return [str(place) for place in range(1, len(figures.players) + 1)]


def _matrix(figures: Figures, cell: Callable[[str, str], Markup]) -> Iterable[Sequence[str]]:
    """Rows of a square table; ``cell`` gives what stands in the row of one player and the column of another."""
    for place, one in enumerate(figures.players, 1):
        head = Markup(f'<span class="place">{place}</span> {escape(one)}')
        yield [head, *(_SELF if one == other else cell(one, other) for other in figures.players)]


def _shade(share: float) -> Markup:
    """The colour of a cell, from all lost to all won."""
    kind, strength = ("good", share - 0.5) if share >= 0.5 else ("bad", 0.5 - share)
    return Markup(f'<i class="shade {kind}" style="opacity:{0.7 * strength:.2f}"></i>')
