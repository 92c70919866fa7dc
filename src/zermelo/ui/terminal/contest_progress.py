"""Progress of a contest: games, score, Elo, the test, games a minute, time to go; nothing if the output is piped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from zermelo.ui.terminal.wording import duration

if TYPE_CHECKING:
    from zermelo.lab.match import MatchResult
    from zermelo.lab.tournament import TournamentResult

Result = TypeVar("Result", "MatchResult", "TournamentResult")


@contextmanager
def contest_progress(
    games: int, standing: Callable[[Result], str], tested: bool = False
) -> Iterator[Callable[[Result], None]]:
    """Show on a terminal how far a contest is.

    Parameters
    ----------
    games
        How many games it has.
    standing
        Tells in words who leads.
    tested
        Whether a test may end it earlier.
    """
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("games"), BarColumn(bar_width=20), MofNCompleteColumn(), TextColumn("{task.description}"),
        console=console, transient=True, disable=not console.is_terminal,
    )  # fmt: skip
    task = bar.add_task("preparing", total=games)
    pace = Pace(games, monotonic(), "at most " if tested else "")

    def report(result: Result) -> None:
        done = len(result.games)
        bar.update(task, completed=done, description=f"{standing(result)}  {pace.text(done, monotonic())}")

    with bar:
        yield report


class Pace:
    """Measures how fast games are played, and estimates how long the rest will take.

    Parameters
    ----------
    games
        How many there are.
    now
        Seconds on some clock.
    bound
        Stands before the time to go.
    """

    def __init__(self, games: int, now: float, bound: str = "") -> None:
        self._games, self._began, self._before, self._bound = games, now, 0, bound
        self._first = True

    def text(self, done: int, now: float) -> str:
        """Return games a minute and the time to go, for people; empty as long as they are unknown."""
        if self._first:  # games of an earlier run are no measure
            self._first, self._began, self._before = False, now, done
        elapsed, played = now - self._began, done - self._before
        if not elapsed or not played:
            return ""
        rate = played / elapsed
        return f"{60 * rate:,.0f} a minute, {self._bound}{duration((self._games - done) / rate)} left"


def match_standing(result: "MatchResult") -> str:
    """Return score, Elo with its interval, and the test, on one line."""
    text = f"+{result.wins} ={result.draws} -{result.losses}"
    if sum(result.pentanomial):
        text += f"  Elo {result.elo.elo:+.0f} ± {result.elo.half_width:.0f}"
        if result.sprt is not None:
            text += f"  LLR {result.llr:.2f} in ({result.sprt.lower:.2f}, {result.sprt.upper:.2f})"
    return text


def tournament_standing(result: "TournamentResult") -> str:
    """Return who leads, on one line."""
    ratings = result.ratings
    return f"{ratings.players[0]} leads, {ratings.elo[0]:+.0f} ± {ratings.half_widths[0]:.0f}"
