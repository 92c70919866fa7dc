"""The parts of the report that say how the games went: the first move, lengths, endings, faults, times, openings."""

from collections import Counter
from html import escape
from statistics import fmean, median
from typing import Final

from zermelo.lab.page import Markup, section, table
from zermelo.lab.played import PlayedGame
from zermelo.lab.report.figures import Figures
from zermelo.lab.report.wording import number, percent, stack
from zermelo.pictures.charts import column_chart

ENDINGS: Final = {
    "rules": "the rules ended the game",
    "repetition": "a position came back",
    "resignation": "resignation: both agreed who wins",
    "agreement": "draw: both agreed",
    "plies": "the most plies were reached",
    "table": "a solved table decided",
    "time": "forfeit: too late",
    "start": "forfeit: the player did not start",
    "hang": "forfeit: no answer",
    "crash": "forfeit: crash",
    "flood": "forfeit: too much output",
    "illegal": "forfeit: illegal move",
    "protocol": "forfeit: wrong protocol",
}
"""Each ending in words."""
_COLUMNS: Final = 40
_MOST_ROWS: Final = 300
"""The most openings or faults that a table lists."""


def link(game: PlayedGame) -> Markup:
    """Return a link that shows a game on the board."""
    return Markup(f'<a href="#game-{game.number}">game {game.number}</a>')


def first_move(figures: Figures) -> str:
    """Return the section on how much the first move is worth."""
    points = Counter(game.points for game in figures.games)
    counts = points[1.0], points[0.5], points[0.0]
    games = sum(counts)
    return section(
        "The first move",
        stack(counts, ("won by the first player", "drawn", "won by the second player")),
        f"<p>The first player won {percent(counts[0] / games)} of the games and lost {percent(counts[2] / games)}; "
        f"{percent(counts[1] / games)} were drawn.</p>",
        how="The first player is the one who moves first in the game's initial position, before the opening.",
    )


def lengths(figures: Figures) -> str:
    """Return the section on how long the games were."""
    plies = [len(game.moves) for game in figures.games]
    shortest = min(figures.games, key=lambda game: len(game.moves))
    longest = max(figures.games, key=lambda game: len(game.moves))
    width = max(1, -(-(max(plies) - min(plies) + 1) // _COLUMNS))
    counts = Counter((one - min(plies)) // width for one in plies)
    starts = range(min(plies), max(plies) + 1, width)
    names = [f"{start}" if width == 1 else f"{start} to {start + width - 1}" for start in starts]
    columns = {name: counts[place] for place, name in enumerate(names)}
    return section(
        "Lengths",
        f"<p>The mean length is {fmean(plies):.1f} plies, the median {median(plies):g}. The shortest is "
        f"{link(shortest)} with {number(min(plies), 'ply', 'plies')}, the longest "
        f"{link(longest)} with {max(plies):,}.</p>",
        f'<div class="scroll" tabindex="0" role="group" aria-label="Lengths">'
        f"{column_chart(columns, 'plies', 'games')}</div>",
        how="Lengths count the plies of the opening, too.",
    )


def endings(figures: Figures) -> str:
    """Return the table of how games ended."""
    total = len(figures.games)
    rows = [
        [ENDINGS[ending], f"{count:,}", Markup(f"{percent(count / total)}{_share(count / total)}")]
        for ending, count in figures.endings.most_common()
    ]
    return section("How games ended", table(["Ending", "Games", "Share"], rows, name="Endings"))


def _share(share: float) -> Markup:
    return Markup(f'<span class="bar" aria-hidden="true"><i class="full" style="width:{100 * share:.1f}%"></i></span>')


def faults(figures: Figures) -> str:
    """Return the table of games that were lost by a mistake or on time."""
    found = figures.result.faults
    if not found:
        return section("Faults", "<p>No game was lost by a mistake or on time.</p>")
    rows = [[link(game), game.loser or "", ENDINGS[game.ending], game.reason] for game in found[:_MOST_ROWS]]
    more = f"<p>There are {len(found) - _MOST_ROWS:,} more.</p>" if len(found) > _MOST_ROWS else ""
    return section(
        "Faults",
        f"<p>{number(len(found), 'game')} of {len(figures.games):,} "
        f"{'was' if len(found) == 1 else 'were'} lost by a mistake or on time.</p>",
        f'<div class="tall texts">{table(("Game", "Player", "Ending", "What happened"), rows, name="Faults")}</div>',
        more,
    )


def times(figures: Figures) -> str:
    """Return the table of what players used for their moves."""
    rows = []
    for player in figures.players:
        found = figures.effort(player)
        if found is None:
            continue
        speed = "" if found.nodes_per_second is None else f"{found.nodes_per_second:,.0f}"
        rows.append(
            [
                player,
                f"{found.moves:,}",
                _seconds(found.mean_seconds),
                _seconds(found.median_seconds),
                _seconds(found.most_seconds),
                "" if found.mean_nodes is None else f"{found.mean_nodes:,.0f}",
                speed,
                f"{found.late:,}",
                f"{found.faults:,}",
            ]
        )
    head = (
        "Player",
        "Moves",
        "Mean",
        "Median",
        "Longest",
        "Nodes a move",
        "Nodes a second",
        "Too late",
        "Other faults",
    )
    return section(
        "Times",
        table(head, rows, name="Times"),
        how="Seconds from the request to the answer, by the clock of the tournament; moves of openings do not count.",
    )


def _seconds(seconds: float) -> str:
    if seconds < 1e-4:
        return "< 0.1 ms"
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def openings(figures: Figures) -> str:
    """Return the table of openings: how each of them ended."""
    found = figures.openings
    rows = []
    for place, (opening, games) in enumerate(list(found.items())[:_MOST_ROWS]):
        points = sum(game.points for game in games)
        moves = " ".join(opening)
        rows.append(
            [
                str(place + 1),
                Markup(f'<span class="line">{escape(moves) or "the initial position"}</span>'),
                f"{len(games):,}",
                percent(points / len(games)),
                f"{sum(game.points == 0.5 for game in games):,}",
                f"{fmean(len(game.moves) for game in games):.1f}",
                link(games[0]),
            ]
        )
    more = f" The table lists the first {_MOST_ROWS:,}." if len(found) > _MOST_ROWS else ""
    head = ("Opening", "Moves", "Games", "First player's score", "Draws", "Mean plies", "The first")
    return section(
        "Openings",
        f"<p>The games began with {number(len(found), 'opening')}.{more}</p>",
        f'<div class="tall">{table(head, rows, name="Openings")}</div>',
    )
