"""Tournaments: many players, who meet in pairs of games."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

from zermelo.errors import BadParameter, RecordError
from zermelo.game import Game
from zermelo.lab.adjudication import NO_ADJUDICATION, Adjudication
from zermelo.lab.clocks import NO_LIMITS, TimeControl
from zermelo.lab.contest import Contest, counted, distinct
from zermelo.lab.hall import Entrant
from zermelo.lab.holding import hold
from zermelo.lab.ledger import read_ledger
from zermelo.lab.match import MatchResult, player_name
from zermelo.lab.openings import Opening
from zermelo.lab.played import FORFEITS, PlayedGame
from zermelo.lab.ratings import Ratings, Results, rate


class Score(NamedTuple):
    """The games of one player, or of one player against another."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many."""
        return sum(self)

    @property
    def points(self) -> float:
        """A win counts 1, a draw 1/2."""
        return self.wins + self.draws / 2


@dataclass(frozen=True)
class TournamentResult:
    """A tournament, or as much of one as has been played."""

    players: tuple[str, ...]
    games: tuple[PlayedGame, ...]
    """In the order of their numbers."""

    @cached_property
    def cross(self) -> Mapping[tuple[str, str], Score]:
        """The score of each player against each other one whom it has met."""
        counts: Counter[tuple[str, str, float]] = Counter()
        for game in self.games:
            counts[game.first, game.second, game.points] += 1
            counts[game.second, game.first, 1 - game.points] += 1
        met = sorted({(one, other) for one, other, _ in counts})
        return {pair: Score(*(counts[(*pair, points)] for points in (1, 0.5, 0))) for pair in met}

    def score(self, player: str) -> Score:
        """The score of a player against all others together."""
        mine = [score for (one, _), score in self.cross.items() if one == player]
        return Score(*(sum(counts) for counts in zip(*mine, strict=True))) if mine else Score()

    def match(self, one: str, other: str) -> MatchResult:
        """The games of two players."""
        return MatchResult(
            (one, other), tuple(game for game in self.games if {game.first, game.second} == {one, other})
        )

    @cached_property
    def ratings(self) -> Ratings:
        """The players' ratings, the strongest first."""
        return rate_games(self.games)

    @property
    def faults(self) -> tuple[PlayedGame, ...]:
        """The games that were lost by a mistake or on time."""
        return tuple(game for game in self.games if game.ending in FORFEITS)

    def to_dict(self) -> dict[str, Any]:
        """The result for JSON, without the games."""
        return {
            "games": len(self.games),
            "players": [
                {
                    "player": player,
                    **self.score(player)._asdict(),
                    "points": self.score(player).points,
                    "elo": float(elo),
                    "elo_half_width": float(half_width),
                }
                for player, elo, half_width in zip(
                    self.ratings.players, self.ratings.elo, self.ratings.half_widths, strict=True
                )
            ],
            "first_move": self.ratings.first_move,
            "draws": self.ratings.draws,
            "cross": [
                {"player": one, "opponent": other, **score._asdict(), "los": self.ratings.los(one, other)}
                for (one, other), score in self.cross.items()
            ],
            "faults": [game.fault() for game in self.faults],
        }


def read_tournaments(files: Iterable[Path | str]) -> TournamentResult:
    """Return the games in files of matches and tournaments of one game, as if they were one tournament.

    Games after the verdict of a sequential test do not count. Games are numbered anew; pairs stay pairs.

    Raises
    ------
    BadParameter
        There are no games in them.
    RecordError
        A file cannot be read, is damaged, or is of another game than the first.
    """
    games: list[PlayedGame] = []
    players: dict[str, None] = {}
    rules: dict[str, Any] = {}
    for file in files:
        header, played = read_ledger(file)
        if header["rules"] != rules.setdefault("rules", header["rules"]):
            raise RecordError(f"{file} is of another game, {header['game']}, than the files before it.")
        players |= dict.fromkeys(header["players"])
        begin = 2 * (games[-1].number // 2 + 1) if games else 0
        games += [replace(game, number=begin + game.number) for game in counted(header, played)]
    if not games:
        raise BadParameter("There are no games in these files; play some first.")
    return TournamentResult(tuple(players), tuple(games))


def rate_games(games: Iterable[PlayedGame]) -> Ratings:
    """Rate the players of any games; errors as `zermelo.lab.rate`."""
    counts = Counter((game.first, game.second, game.points) for game in games)
    met = sorted({(first, second) for first, second, _ in counts})
    return rate(Results(*pair, *(counts[(*pair, points)] for points in (1, 0.5, 0))) for pair in met)


def play_tournament(
    game: Game,
    players: Sequence[str | Entrant],
    *,
    kind: Literal["round robin", "gauntlet"] = "round robin",
    games: int = 20,
    openings: Sequence[Opening] | None = None,
    plies: int | None = None,
    control: TimeControl = NO_LIMITS,
    seed: int = 0,
    threads: int = 1,
    cluster: str | None = None,
    file: Path | str | None = None,
    adjudication: Adjudication = NO_ADJUDICATION,
    source: str | None = None,
    parameters: Mapping[str, str] | None = None,
    log: Path | None = None,
    progress: Callable[[TournamentResult], None] | None = None,
) -> TournamentResult:
    """Play a tournament.

    Parameters
    ----------
    players
        As a command line names them; or functions that make a competitor.
    kind
        In a round robin everybody meets everybody; in a gauntlet the first player meets each of the others.
    games
        How many games two players play who meet; an even number.
    game, openings, plies, control, seed, threads, cluster, file, adjudication, source, parameters, log, progress
        As in `zermelo.lab.play_match`.

    Raises
    ------
    BadParameter
        An argument is out of range, or names no player.
    RecordError
        The file holds another tournament, or is damaged.
    """
    names = distinct([player_name(player) for player in players])
    chosen = None if openings is None else tuple(openings)
    asked = (control, adjudication, seed, plies, None, source or "", parameters, log)
    contest = Contest(game, names, kind, games, chosen, *asked)

    def report(played: tuple[PlayedGame, ...]) -> None:
        if progress is not None:
            progress(TournamentResult(names, played))

    return TournamentResult(names, hold(contest, players, threads=threads, cluster=cluster, file=file, progress=report))
