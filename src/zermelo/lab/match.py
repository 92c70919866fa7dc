"""Matches: two players, the same openings with sides exchanged, and what the result says of their strength."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from zermelo.game import Game
from zermelo.lab.adjudication import NO_ADJUDICATION, Adjudication
from zermelo.lab.clocks import NO_LIMITS, TimeControl
from zermelo.lab.contest import Contest, distinct
from zermelo.lab.hall import Entrant
from zermelo.lab.holding import hold
from zermelo.lab.openings import Opening
from zermelo.lab.pentanomial import EloEstimate, elo, pair_kind
from zermelo.lab.played import FORFEITS, PlayedGame
from zermelo.lab.sprt import Sprt, Verdict

Counts = tuple[int, int, int, int, int]
"""Numbers of pairs: LL, LD+DL, LW+DD+WL, DW+WD, WW."""


@dataclass(frozen=True)
class MatchResult:
    """A match, or as much of one as has been played."""

    players: tuple[str, str]
    games: tuple[PlayedGame, ...]
    """In the order of their numbers."""
    sprt: Sprt | None = None

    @cached_property
    def points(self) -> float:
        """Of the first named player."""
        return sum(game.points_of(self.players[0]) for game in self.games)

    @property
    def wins(self) -> int:
        """Of the first named player."""
        return self._count(1)

    @property
    def draws(self) -> int:
        """Games that nobody won."""
        return self._count(0.5)

    @property
    def losses(self) -> int:
        """Of the first named player."""
        return self._count(0)

    def _count(self, points: float) -> int:
        return sum(game.points_of(self.players[0]) == points for game in self.games)

    @cached_property
    def pentanomial(self) -> Counts:
        """How many pairs brought the first named player 0, 1/2, 1, 3/2 and 2 points; only whole pairs count."""
        return count_pairs(self.games, self.players[0])

    @cached_property
    def elo(self) -> EloEstimate:
        """How much stronger the first named player is."""
        return elo(self.pentanomial)

    @cached_property
    def llr(self) -> float | None:
        """The log-likelihood ratio of the test; None where there is no test."""
        return None if self.sprt is None else self.sprt.llr(self.pentanomial)

    @cached_property
    def verdict(self) -> Verdict | None:
        """What the test has decided; None where there is none, or it has not."""
        return None if self.sprt is None else self.sprt.verdict(self.pentanomial)

    @property
    def faults(self) -> tuple[PlayedGame, ...]:
        """The games that were lost by a mistake or on time."""
        return tuple(game for game in self.games if game.ending in FORFEITS)

    def to_dict(self) -> dict[str, Any]:
        """The result for JSON, without the games."""
        return {
            "players": list(self.players),
            "games": len(self.games),
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "points": self.points,
            "pentanomial": list(self.pentanomial),
            "elo": self.elo.elo,
            "elo_half_width": self.elo.half_width,
            "los": self.elo.los,
            "llr": self.llr,
            "llr_bounds": None if self.sprt is None else [self.sprt.lower, self.sprt.upper],
            "verdict": self.verdict,
            "faults": [game.fault() for game in self.faults],
        }


def count_pairs(games: Iterable[PlayedGame], player: str) -> Counts:
    """How many pairs of games brought a player 0, 1/2, 1, 3/2 and 2 points; half pairs do not count."""
    counts = [0, 0, 0, 0, 0]
    halves: dict[int, float] = {}
    for game in games:
        pair, points = game.number // 2, game.points_of(player)
        if pair in halves:
            counts[pair_kind(halves.pop(pair) + points)] += 1
        else:
            halves[pair] = points
    return counts[0], counts[1], counts[2], counts[3], counts[4]


def play_match(
    game: Game,
    one: str | Entrant,
    other: str | Entrant,
    *,
    games: int = 200,
    openings: Sequence[Opening] | None = None,
    plies: int | None = None,
    control: TimeControl = NO_LIMITS,
    seed: int = 0,
    threads: int = 1,
    sprt: Sprt | None = None,
    cluster: str | None = None,
    file: Path | str | None = None,
    adjudication: Adjudication = NO_ADJUDICATION,
    source: str | None = None,
    parameters: Mapping[str, str] | None = None,
    log: Path | None = None,
    progress: Callable[[MatchResult], None] | None = None,
) -> MatchResult:
    """Play a match between two players.

    Parameters
    ----------
    game
        The rules.
    one, other
        The players, as a command line names them; or functions that make a competitor.
    games
        How many, an even number. With ``sprt`` the most that are played.
    openings
        The positions from which they are played; random ones if None.
    plies
        The length of random openings.
    control
        What the players may use for their moves.
    seed
        Of the openings, and of players that play at random.
    threads
        How many games are played side by side. The result does not depend on it where the players are deterministic.
    sprt
        A test that ends the match as soon as it has decided.
    cluster
        The Ray cluster on which the games are played; None for this machine.
    file
        Where to keep the games. If it holds games of the same match already, the match goes on from there.
    adjudication
        When the referee ends a game early.
    source, parameters
        The game as the command line names it, for players that are programs of their own.
    log
        A file for what such players write to their standard error.
    progress
        Called now and then with the match so far.

    Returns
    -------
    MatchResult
        The games and what they say. With a test, the games up to its verdict.

    Raises
    ------
    BadParameter
        An argument is out of range, or names no player.
    RecordError
        The file holds another match, or is damaged.
    """
    names = distinct([player_name(one), player_name(other)])
    chosen = None if openings is None else tuple(openings)
    asked = (control, adjudication, seed, plies, sprt, source or "", parameters, log)
    contest = Contest(game, names, "match", games, chosen, *asked)

    def result(played: tuple[PlayedGame, ...]) -> MatchResult:
        return MatchResult((names[0], names[1]), played, sprt)

    def report(played: tuple[PlayedGame, ...]) -> None:
        if progress is not None:
            progress(result(played))

    return result(hold(contest, (one, other), threads=threads, cluster=cluster, file=file, progress=report))


def player_name(player: str | Entrant) -> str:
    """What a table calls a player that is given as a text, or as a function that makes a competitor."""
    return player if isinstance(player, str) else getattr(player, "__name__", "player")
