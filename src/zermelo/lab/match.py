"""Matches: two players, the same openings with sides exchanged, and what the result says of their strength."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from zermelo.errors import NotCompilable
from zermelo.game import Game
from zermelo.lab.adjudication import NO_ADJUDICATION, Adjudication
from zermelo.lab.clocks import NO_LIMITS, TimeControl
from zermelo.lab.competitors import make_competitor
from zermelo.lab.openings import Opening, random_openings
from zermelo.lab.pentanomial import EloEstimate, elo
from zermelo.lab.played import FORFEITS, PlayedGame
from zermelo.lab.schedule import schedule
from zermelo.lab.sprt import Sprt, Verdict
from zermelo.lab.tournament import Entrant, Hall, play_all

USUAL_PLIES: Final = 6
"""Plies of a random opening, if nothing is said of them."""


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
        return self._count(1.0)

    @property
    def draws(self) -> int:
        """Games that nobody won."""
        return self._count(0.5)

    @property
    def losses(self) -> int:
        """Of the first named player."""
        return self._count(0.0)

    def _count(self, points: float) -> int:
        return sum(game.points_of(self.players[0]) == points for game in self.games)

    @cached_property
    def pentanomial(self) -> tuple[int, int, int, int, int]:
        """How many pairs brought the first named player 0, 1/2, 1, 3/2 and 2 points; only whole pairs count."""
        return count_pairs(self.games, self.players[0])

    @property
    def elo(self) -> EloEstimate:
        """How much stronger the first named player is."""
        return elo(self.pentanomial)

    @property
    def llr(self) -> float | None:
        """The log-likelihood ratio of the test; None where there is no test."""
        return None if self.sprt is None else self.sprt.llr(self.pentanomial)

    @property
    def verdict(self) -> Verdict | None:
        """What the test has decided; None where there is none, or it has not."""
        return None if self.sprt is None else self.sprt.verdict(self.pentanomial)

    @property
    def faults(self) -> tuple[PlayedGame, ...]:
        """The games that were lost by a mistake or on time."""
        return tuple(game for game in self.games if game.ending in FORFEITS)


def count_pairs(games: Iterable[PlayedGame], player: str) -> tuple[int, int, int, int, int]:
    """How many pairs of games brought a player 0, 1/2, 1, 3/2 and 2 points; half pairs do not count."""
    counts = [0, 0, 0, 0, 0]
    halves: dict[int, float] = {}
    for game in games:
        pair, points = game.number // 2, game.points_of(player)
        if pair in halves:
            counts[round(2 * (halves.pop(pair) + points))] += 1
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
    adjudication: Adjudication = NO_ADJUDICATION,
    source: str | None = None,
    parameters: Mapping[str, str] | None = None,
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
    adjudication
        When the referee ends a game early.
    source, parameters
        The game as the command line names it, for players that are programs of their own.
    progress
        Called after each game with the match so far.

    Raises
    ------
    BadParameter
        An argument is out of range, or names no player.
    """
    if openings is None:
        openings = usual_openings(game, games // 2, plies, seed)
    names = _names(one, other)
    entrants = {
        name: player if callable(player) else _entrant(player, game, source, parameters or {}, seed + place)
        for place, (name, player) in enumerate(zip(names, (one, other), strict=True))
    }
    hall = Hall(game, entrants, openings, control, adjudication)
    pairings = schedule([names], games, len(openings))
    played: dict[int, PlayedGame] = {}
    result = MatchResult(names, (), sprt)
    results = play_all(hall, pairings, threads)
    try:
        for finished in results:
            played[finished.number] = finished
            result = decided_by(names, played, sprt)
            if progress is not None:
                progress(result)
            if result.verdict is not None:
                break
    finally:
        results.close()
    return result


def decided_by(names: tuple[str, str], played: Mapping[int, PlayedGame], sprt: Sprt | None) -> MatchResult:
    """Return the match after these games. A test looks at whole pairs, in the order of their numbers, without gaps.

    So its verdict does not depend on which thread was the fastest. Games after the verdict do not count.
    """
    games = tuple(played[number] for number in sorted(played))
    if sprt is None:
        return MatchResult(names, games)
    counts = [0, 0, 0, 0, 0]
    place = 0
    while place in played and place + 1 in played:
        points = played[place].points_of(names[0]) + played[place + 1].points_of(names[0])
        counts[round(2 * points)] += 1
        place += 2
        if sprt.verdict(counts) is not None:
            break
    return MatchResult(names, games[:place], sprt)


def _names(one: str | Entrant, other: str | Entrant) -> tuple[str, str]:
    """Two different names."""
    names = [player if isinstance(player, str) else getattr(player, "name", "player") for player in (one, other)]
    return (names[0], names[1]) if names[0] != names[1] else (names[0], f"{names[1]} (2)")


def _entrant(description: str, game: Game, source: str | None, parameters: Mapping[str, str], seed: int) -> Entrant:
    return lambda: make_competitor(description, game, source=source or game.name, parameters=parameters, seed=seed)


def usual_openings(game: Game, count: int, plies: int | None, seed: int) -> list[Opening]:
    """Random openings; balanced ones where the game compiles."""
    try:
        return random_openings(game, count, USUAL_PLIES if plies is None else plies, seed)
    except NotCompilable:
        return random_openings(game, count, USUAL_PLIES if plies is None else plies, seed, balanced=False)
