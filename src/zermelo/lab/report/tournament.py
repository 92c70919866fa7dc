"""The report of a tournament or of a match, as one HTML file."""

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Final

from zermelo.game import Game
from zermelo.lab.match import MatchResult
from zermelo.lab.page import page, section
from zermelo.lab.report import course, strength
from zermelo.lab.report.figures import Figures, figures_of
from zermelo.lab.report.replay import MOST_REPLAYED, SCRIPT, replay
from zermelo.lab.report.wording import number, percent
from zermelo.lab.tournament import TournamentResult
from zermelo.pictures.board_style import STYLE as BOARD_STYLE

_STYLE: Final = Path(__file__).with_name("report.css")
_NOTHING: Final[Mapping[str, str]] = {}


def tournament_page(
    game: Game,
    result: MatchResult | TournamentResult,
    *,
    title: str = "",
    conditions: Mapping[str, str] = _NOTHING,
    most_replayed: int = MOST_REPLAYED,
) -> str:
    """Return the report of a tournament as the text of an HTML file that needs no network.

    Parameters
    ----------
    game
        The rules by which the games were played.
    result
        What was played. The report of a match tells its result and its test, too.
    title
        The heading of the page; the game's name if empty.
    conditions
        What else a reader should know, by name, such as what `conditions_of` returns.
    most_replayed
        The most games that can be replayed on the board. A thousand games of connect 7x6, of 36 plies on
        average, make a page of 0.6 MB.

    Raises
    ------
    BadParameter
        There are no games.
    RecordError
        A game has a move that is not legal.
    """
    figures = figures_of(game, result.games)
    parts = [_facts(game, figures, conditions), *_strength(figures, result)]
    parts += [
        replay(game, figures, most_replayed),
        course.first_move(figures),
        course.lengths(figures),
        course.endings(figures),
        course.faults(figures),
        course.times(figures),
        course.openings(figures),
    ]
    named = [_with_address(part) for part in parts]
    links = "".join(f'<a href="#{address}">{escape(heading)}</a>' for address, heading, _ in named[1:])
    return page(
        title or f"{game.name}: {'a match' if isinstance(result, MatchResult) else 'a tournament'}",
        _summary(figures, result),
        [f'<nav aria-label="Parts of the report">{links}</nav>', *(text for _, _, text in named)],
        style=BOARD_STYLE + _STYLE.read_text(encoding="utf-8"),
        script=SCRIPT.read_text(encoding="utf-8"),
    )


def _strength(figures: Figures, result: MatchResult | TournamentResult) -> list[str]:
    """The sections that say who is stronger; in a match the result says what likelihoods would say once more."""
    rated = [strength.ratings(figures), strength.cross_table(figures)]
    if isinstance(result, MatchResult):
        return [strength.match_result(result), *rated, strength.pairs(figures)]
    return [*rated, strength.likelihoods(figures), strength.pairs(figures)]


def _summary(figures: Figures, result: MatchResult | TournamentResult) -> str:
    """The result in a sentence or two."""
    games = number(len(result.games), "game")
    if isinstance(result, MatchResult):
        said = f"{' against '.join(result.players)}, {games}."
    else:
        best, second = figures.players[:2]
        said = (
            f"{number(len(figures.players), 'player')}, {games}. {best} has the highest rating; the probability that "
            f"it is stronger than {second} is {percent(figures.ratings.los(best, second))}."
        )
    forfeits = len(result.faults)
    return f"{said} {number(forfeits, 'game')} ended by a forfeit." if forfeits else said


def _facts(game: Game, figures: Figures, conditions: Mapping[str, str]) -> str:
    """The conditions of the tournament."""
    known = {"Game": repr(game), "Players": f"{len(figures.players)}", "Games": f"{len(figures.games):,}", **conditions}
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in known.items())
    return section("Conditions", f'<dl class="facts">{rows}</dl>')


def _with_address(part: str) -> tuple[str, str, str]:
    """The address of a section, its heading, and its text with that address."""
    found = re.match(r"<section><h2>(.*?)</h2>", part)
    assert found is not None
    address = re.sub(r"[^a-z]+", "-", found[1].lower()).strip("-")
    return address, found[1], part.replace("<section>", f'<section id="{address}">', 1)
