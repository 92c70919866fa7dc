"""How much strength a player gains by thinking longer: matches between engines, each with twice the nodes of the last.

The limits are nodes and not seconds, so a game is the same on every machine. The time that may be used decides only how
high the ladder goes and how many games are played.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from zermelo.game import Game
from zermelo.lab.estimates import Estimate, grouped_points, grouped_share
from zermelo.lab.match import count_pairs, play_match
from zermelo.lab.openings import Opening, random_openings, usual_openings
from zermelo.lab.pentanomial import elo
from zermelo.lab.played import PlayedGame
from zermelo.lab.study.figures import Line, line_of

LEAST_NODES: Final = 64
"""Of the weakest engine for a move."""
BATCH: Final = 8
"""Openings that a match is begun with; then come half as many again, as long as there is time."""
MOST_OPENINGS: Final = 512
GAP: Final = 16
"""The better player of one of the matches has so many times the nodes of the other."""
OPEN_PLIES: Final = 2
"""Random plies before the games that show what play from the start is like; more where there are too few openings."""
MOST_RUNGS: Final = 16
_TABLE_MB: Final = 8
_LEAST_RUNGS: Final = 3
_BATCHES: Final = 3
"""The ladder ends where the time would not suffice for about so many batches; its intervals would be too wide."""
Progress = Callable[[str, float], None]
"""Told what is being done, and which share of the time has been used."""


class Supply:
    """Openings that are found when they are needed."""

    def __init__(self, openings: Iterable[Opening]) -> None:
        self._more, self._found = iter(openings), list[Opening]()

    def first(self, count: int) -> list[Opening]:
        """Return the first so many of them; fewer if there are no more."""
        self._found += islice(self._more, max(0, count - len(self._found)))
        return self._found[:count]


@dataclass
class Pairing:
    """Two engines and the games between them."""

    strong: int
    """Nodes a move, and those of the weaker engine."""
    weak: int
    openings: Supply
    games: list[PlayedGame] = field(default_factory=list)
    """Games of one opening stand side by side."""
    seconds: float = 0.0
    """What they took."""

    @property
    def begun(self) -> int:
        """How many openings were played."""
        return len(self.games) // 2

    def play(self, game: Game, openings: int, threads: int) -> None:
        """Play more openings, until so many were played; fewer if there are no more."""
        chosen = self.openings.first(openings)[self.begun :]
        if not chosen:
            return
        began = time.monotonic()
        names = [f"engine:nodes={nodes},table_mb={_TABLE_MB}" for nodes in (self.strong, self.weak)]
        found = play_match(game, *names, games=2 * len(chosen), openings=chosen, threads=threads)
        self.games += found.games
        self.seconds += time.monotonic() - began

    @property
    def name(self) -> str:
        """The name of the stronger engine."""
        return f"engine:nodes={self.strong},table_mb={_TABLE_MB}"

    @property
    def points(self) -> list[float]:
        """Of the stronger engine, in each game."""
        return [game.points_of(self.name) for game in self.games]

    def lines(self, game: Game) -> Iterator[Line]:
        """Yield the games as positions."""
        for place, played in enumerate(self.games):
            yield line_of(game, played, place // 2)


@dataclass(frozen=True)
class Step:
    """What twice the nodes gain."""

    nodes: int
    """Of the weaker engine."""
    elo: Estimate
    games: int


@dataclass(frozen=True)
class Better:
    """Whether the better player wins."""

    strong: int
    """Nodes a move, and those of the weaker engine."""
    weak: int
    points: Estimate
    """Of the better player, a game."""
    decisive: Estimate
    """The share of games that the better player won among those that somebody won."""
    games: int


@dataclass(frozen=True)
class Ladder:
    """The matches that were played."""

    steps: list[Pairing]
    gap: Pairing
    open: Pairing
    """From openings that nobody chose, so that they show what the start is worth."""

    @property
    def pairings(self) -> list[Pairing]:
        """All of them."""
        return [*self.steps, self.gap, self.open]


def climb(game: Game, seconds: float, *, seed: int, threads: int, progress: Progress) -> Ladder:
    """Play the matches of a ladder.

    Parameters
    ----------
    game
        Its rules must compile.
    seconds
        What it may take, about.
    seed
        Of the openings.
    threads
        How many games are played side by side.
    progress
        Told what is played.
    """
    even = Supply(usual_openings(game, None, seed))
    even.first(BATCH)  # compiles
    began = time.monotonic()

    def used() -> float:
        return time.monotonic() - began

    steps: list[Pairing] = []
    while len(steps) < MOST_RUNGS:
        nodes = LEAST_NODES << len(steps)
        # After the first batch of all matches, two more at the top among them, there shall be time for more batches.
        if len(steps) >= _LEAST_RUNGS and _BATCHES * (used() + 3 * _next_cost(steps)) > seconds:
            break
        progress(f"matches of {2 * nodes:,} against {nodes:,} nodes", used() / seconds)
        steps.append(Pairing(2 * nodes, nodes, even))
        steps[-1].play(game, BATCH, threads)
    top = steps[-1].strong
    ladder = Ladder(steps, Pairing(top, max(1, top // GAP), even), Pairing(top, top // 2, open_openings(game, seed)))
    openings = BATCH
    while openings <= MOST_OPENINGS:
        for pairing in ladder.pairings:
            if openings > BATCH and used() > seconds:  # the machine is busier than it was
                return ladder
            progress(f"matches of {pairing.strong:,} against {pairing.weak:,} nodes", used() / seconds)
            pairing.play(game, openings, threads)
        an_opening = sum(pairing.seconds for pairing in ladder.pairings) / openings
        more = min(max(BATCH, openings // 2), int((seconds - used()) / an_opening))
        if more < 1:
            break
        openings += more
    return ladder


def _next_cost(steps: Sequence[Pairing]) -> float:
    """Return what the first batch of the next step will take, in seconds: a part of it grows with the nodes."""
    before, last = steps[-2].seconds, steps[-1].seconds
    return last + 2 * max(0.0, last - before)


def open_openings(game: Game, seed: int) -> Supply:
    """Return openings that were chosen for nothing, neither even nor undecided, of as few plies as will do."""
    for plies in (OPEN_PLIES, 2 * OPEN_PLIES):
        found = random_openings(game, MOST_OPENINGS, plies, seed, balanced=False)
        if len(found) >= 4 * BATCH:
            break
    return Supply(found)


def steps_of(ladder: Ladder) -> list[Step]:
    """Return what each doubling gains, the weakest engine first."""
    found = []
    for pairing in ladder.steps:
        value, half, _ = elo(count_pairs(pairing.games, pairing.name))
        found.append(Step(pairing.weak, Estimate(value, value - half, value + half), len(pairing.games)))
    return found


def total(steps: Sequence[Step]) -> Estimate:
    """Return the strength from the foot of the ladder to its top, in Elo; the matches are independent."""
    value = sum(step.elo.value for step in steps)
    half = sum((step.elo.high - step.elo.value) ** 2 for step in steps) ** 0.5
    return Estimate(value, value - half, value + half)


def better(pairing: Pairing) -> Better:
    """Return whether the better player wins."""
    groups = [place // 2 for place in range(len(pairing.games))]
    decisive = [(points == 1, group) for points, group in zip(pairing.points, groups, strict=True) if points != 0.5]
    return Better(
        strong=pairing.strong,
        weak=pairing.weak,
        points=grouped_points(pairing.points, groups),
        decisive=grouped_share([won for won, _ in decisive], [group for _, group in decisive]),
        games=len(pairing.games),
    )
