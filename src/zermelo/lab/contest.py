"""Contests: what a match and a tournament have in common, from the schedule to the games that count."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from zermelo.game import Game
from zermelo.lab.adjudication import NO_ADJUDICATION, Adjudication
from zermelo.lab.clocks import NO_LIMITS, TimeControl
from zermelo.lab.competitors import make_competitor
from zermelo.lab.hall import Entrant, Hall
from zermelo.lab.openings import Opening, Openings, usual_openings, written
from zermelo.lab.pentanomial import pair_kind
from zermelo.lab.played import PlayedGame
from zermelo.lab.schedule import Kind, Pairing, couples_of, schedule
from zermelo.lab.sprt import Sprt, Verdict

FORMAT: Final = "zermelo tournament 1"


@dataclass(frozen=True)
class Contest:
    """Who plays whom, how often, from where, and under which rules.

    Parameters
    ----------
    game
        The rules.
    players
        Their names, all different.
    kind
        Who plays whom.
    games
        How many games each two players play who meet; an even number.
    openings
        In the order of their numbers; None for random ones.
    control
        What the players may use for their moves.
    adjudication
        When the referee ends a game early.
    seed
        Of players that play at random, and of random openings.
    plies
        The length of random openings; None for one that suits the game.
    sprt
        A test that ends a match as soon as it has decided.
    source, parameters
        The game as the command line names it.
    log
        Where players that are processes of their own write what they say on standard error.
    """

    game: Game
    players: tuple[str, ...]
    kind: Kind
    games: int
    openings: tuple[Opening, ...] | None = None
    control: TimeControl = NO_LIMITS
    adjudication: Adjudication = NO_ADJUDICATION
    seed: int = 0
    plies: int | None = None
    sprt: Sprt | None = None
    source: str = ""
    parameters: Mapping[str, str] | None = None
    log: Path | None = None

    def pairings(self) -> list[Pairing]:
        """The games, in order."""
        return schedule(couples_of(self.kind, self.players), self.games)

    def header(self) -> dict[str, Any]:
        """The first line of the contest's file, for JSON."""
        return {
            "format": FORMAT,
            "game": self.source or self.game.name,
            "parameters": dict(self.game.parameters),
            "rules": self.game.fingerprint,
            "kind": self.kind,
            "players": list(self.players),
            "games": self.games,
            "control": asdict(self.control),
            "adjudication": asdict(self.adjudication),
            "seed": self.seed,
            "plies": self.plies,
            "sprt": None if self.sprt is None else asdict(self.sprt),
            "openings": self.openings and [written(self.game, opening) for opening in self.openings],
        }

    def hall(self, makers: Sequence[str | Entrant]) -> Hall:
        """Where the games are played."""
        openings = usual_openings(self.game, self.plies, self.seed) if self.openings is None else self.openings
        return Hall(self.game, self.entrants(makers), Openings(openings), self.control, self.adjudication)

    def entrants(self, makers: Sequence[str | Entrant]) -> dict[str, Entrant]:
        """What makes each player's competitor, by name."""
        return {
            name: maker if callable(maker) else self._entrant(maker, self.seed + place)
            for place, (name, maker) in enumerate(zip(self.players, makers, strict=True))
        }

    def _entrant(self, description: str, seed: int) -> Entrant:
        source, parameters = self.source or self.game.name, self.parameters or {}
        return lambda: make_competitor(
            description, self.game, source=source, parameters=parameters, log=self.log, seed=seed
        )


class Tally:
    """The games that count, as they come in.

    A test asks about the strength of ``player``. It looks at whole pairs in the order of their numbers, without gaps.
    So its verdict does not depend on which thread was the fastest, and games after the verdict do not count.
    """

    def __init__(self, player: str, sprt: Sprt | None) -> None:
        self._player, self._sprt = player, sprt
        self._played: dict[int, PlayedGame] = {}
        self._counts = [0, 0, 0, 0, 0]
        self._next = 0
        self.verdict: Verdict | None = None

    def add(self, game: PlayedGame) -> None:
        """Take a game into account."""
        self._played[game.number] = game
        while self._sprt and not self.verdict and self._next in self._played and self._next + 1 in self._played:
            pair = (self._played[self._next], self._played[self._next + 1])
            self._counts[pair_kind(pair[0].points_of(self._player) + pair[1].points_of(self._player))] += 1
            self._next += 2
            self.verdict = self._sprt.verdict(self._counts)

    def games(self) -> tuple[PlayedGame, ...]:
        """Return the games that count, in the order of their numbers."""
        last = self._next if self._sprt else max(self._played, default=-1) + 1
        return tuple(self._played[number] for number in sorted(self._played) if number < last)


def counted(header: Mapping[str, Any], games: Iterable[PlayedGame]) -> tuple[PlayedGame, ...]:
    """Return the games of a file that count, in the order of their numbers."""
    tally = Tally(header["players"][0], test_in(header))
    for game in games:
        tally.add(game)
    return tally.games()


def test_in(header: Mapping[str, Any]) -> Sprt | None:
    """Return the test that the header of a file tells; None if there is none."""
    said = header["sprt"]
    return said and Sprt(**{name: said[name] for name in ("elo0", "elo1", "alpha", "beta", "model")})


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Names that are all different: a second ``engine`` is called ``engine (2)``."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(found)
