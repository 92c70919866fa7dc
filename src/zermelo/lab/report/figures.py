"""What the games of a tournament come to: counts by player, by two players, by opening and by ending."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from statistics import fmean, median

from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.lab.match import MatchResult
from zermelo.lab.played import PlayedGame
from zermelo.lab.ratings import Ratings
from zermelo.lab.report.positions import Replayer
from zermelo.lab.tournament import TournamentResult


@dataclass(frozen=True)
class Effort:
    """What a player used for its moves, openings left out."""

    moves: int
    mean_seconds: float
    median_seconds: float
    most_seconds: float
    mean_nodes: float | None
    """None for a player that does not tell its nodes; so for the next one."""
    nodes_per_second: float | None
    late: int
    """Games that were forfeited on time."""
    faults: int
    """Games that were lost by another mistake."""


@dataclass(frozen=True)
class Figures:
    """The games of a tournament, and what they come to."""

    result: TournamentResult
    """At least one game, in the order of their numbers."""
    movers: tuple[tuple[bool, ...], ...]
    """Of each game, who made each move: True for the player who moves first in the game's initial position."""

    @property
    def games(self) -> tuple[PlayedGame, ...]:
        """In the order of their numbers."""
        return self.result.games

    @property
    def ratings(self) -> Ratings:
        """All players, rated together."""
        return self.result.ratings

    @property
    def players(self) -> tuple[str, ...]:
        """The strongest first."""
        return self.ratings.players

    @cached_property
    def encounters(self) -> dict[tuple[str, str], MatchResult]:
        """The games of every two players that have met; the stronger player is named first."""
        return {pair: self.result.match(*pair) for pair in combinations(self.players, 2) if pair in self.result.cross}

    def effort(self, player: str) -> Effort | None:
        """What a player used for its moves; None if it never moved."""
        seconds: list[float] = []
        nodes: list[int] = []
        busy = 0.0
        for game, movers in zip(self.games, self.movers, strict=True):
            if player not in (game.first, game.second):
                continue
            for is_first, used, count in zip(movers[game.plies :], game.seconds, game.nodes, strict=False):
                if is_first == (player == game.first):
                    seconds.append(used)
                    if count is not None:
                        nodes.append(count)
                        busy += used
        lost = Counter(game.ending for game in self.result.faults if game.loser == player)
        if not seconds:
            return None
        return Effort(
            moves=len(seconds),
            mean_seconds=fmean(seconds),
            median_seconds=median(seconds),
            most_seconds=max(seconds),
            mean_nodes=fmean(nodes) if nodes else None,
            nodes_per_second=sum(nodes) / busy if nodes and busy else None,
            late=lost["time"],
            faults=lost.total() - lost["time"],
        )

    @cached_property
    def endings(self) -> Counter[str]:
        """How many games ended in each way."""
        return Counter(game.ending for game in self.games)

    @cached_property
    def openings(self) -> dict[tuple[str, ...], list[PlayedGame]]:
        """The games of each opening, by its moves: files of several contests number their openings anew."""
        found: defaultdict[tuple[str, ...], list[PlayedGame]] = defaultdict(list)
        for game in self.games:
            found[game.moves[: game.plies]].append(game)
        return dict(found)


def figures_of(game: Game, games: Iterable[PlayedGame]) -> Figures:
    """Sort the games by their numbers, and find out who made each move.

    Raises
    ------
    BadParameter
        There are no games.
    RecordError
        A game has a move that is not legal.
    """
    played = tuple(sorted(games, key=lambda one: one.number))
    if not played:
        raise BadParameter("There are no games to report on.")
    first, replayer = game.to_move(game.initial), Replayer(game)
    movers = [tuple(game.to_move(state) == first for state in replayer.states(one)[:-1]) for one in played]
    players = tuple(sorted({player for one in played for player in (one.first, one.second)}))
    return Figures(TournamentResult(players, played), tuple(movers))
