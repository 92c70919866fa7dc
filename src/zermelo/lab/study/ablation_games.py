"""What each switch of the engine is worth in games, at equal time or with equal nodes."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.lab.estimates import Estimate, finite
from zermelo.lab.match import MatchResult, play_match
from zermelo.lab.openings import random_openings
from zermelo.lab.study.ablation import PLIES, TABLE_MB, flips_of
from zermelo.result import plain

SECONDS: Final = 0.005
"""The time of each player for a move."""


@dataclass(frozen=True)
class EloCost:
    """What a flipped switch costs in strength."""

    flip: str
    """Such as ``history=off``."""
    elo: Estimate
    """Of the engine with the switch flipped against the usual one: below 0 where the switch is better as it is."""
    los: float
    """The likelihood that the flipped engine is the stronger one."""
    wins: int
    """Of the flipped engine."""
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class EloAblation:
    """What all switches of the engine cost in strength."""

    game: str
    seconds: float
    """Of each move; means nothing if ``nodes`` are given."""
    nodes: int | None
    """Of each move; None if the time was the limit."""
    plies: int
    """The length of an opening."""
    seed: int
    costs: list[EloCost]
    """The most expensive flip first."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; an estimate becomes a list: the value, and both ends of its interval."""
        record: dict[str, Any] = finite(plain(asdict(self)))
        return record


def ablate_elo(
    game: Game,
    *,
    games: int,
    seconds: float = SECONDS,
    nodes: int | None = None,
    plies: int = PLIES,
    seed: int = 0,
    threads: int = 1,
    folder: Path | str | None = None,
    progress: Callable[[int], None] | None = None,
) -> EloAblation:
    """Let the engine play a match against itself for each switch, with the switch flipped on one side.

    Each opening is played twice with sides exchanged, and both sides have the same time, or as many nodes, for a move.

    Parameters
    ----------
    game
        Its rules must compile.
    games
        Of each match; an even number.
    seconds
        For each move.
    nodes
        For each move, in the place of ``seconds``. Then the games are the same on every machine, but they do not count
        how much time a switch takes or saves.
    plies, seed
        Of the random openings.
    threads
        How many games are played side by side; not more than the machine has idle processors.
    folder
        Where to keep the games, a file for each switch. If it holds some already, the matches go on from there.
    progress
        Called with a number of games that have been played since the last call.

    Raises
    ------
    BadParameter
        A number is out of range.
    RecordError
        The folder holds games of other matches.
    """
    if games < 2 or seconds <= 0 or (nodes is not None and nodes < 1):
        limit = f"{seconds} seconds" if nodes is None else f"{nodes} nodes"
        raise BadParameter(f"A match has {games} games of {limit} a move; it needs 2 games and a limit above 0.")
    place = None if folder is None else Path(folder)
    if place is not None:
        place.mkdir(parents=True, exist_ok=True)
    openings = random_openings(game, games // 2, plies, seed)
    limit = f"seconds={seconds:g}" if nodes is None else f"nodes={nodes}"
    usual = f"engine:{limit},table_mb={TABLE_MB}"
    costs = []
    for flip in flips_of(game):
        count = _Difference(progress)
        found = play_match(
            game,
            f"{usual},{flip.text}",
            usual,
            games=games,
            openings=openings,
            seed=seed,
            threads=threads,
            file=None if place is None else place / f"{flip.switch}.jsonl",
            progress=count,
        )
        count(found)
        costs.append(_cost(flip.text, found))
    return EloAblation(repr(game), seconds, nodes, plies, seed, sorted(costs, key=lambda cost: cost.elo.value))


class _Difference:
    """Reports how many games of a match were added since the last report."""

    def __init__(self, progress: Callable[[int], None] | None) -> None:
        self.progress, self.known = progress, 0

    def __call__(self, match: MatchResult) -> None:
        if self.progress is not None:
            self.progress(len(match.games) - self.known)
        self.known = len(match.games)


def _cost(flip: str, match: MatchResult) -> EloCost:
    found = match.elo
    interval = Estimate(found.elo, found.elo - found.half_width, found.elo + found.half_width)
    return EloCost(flip, interval, found.los, match.wins, match.draws, match.losses)
