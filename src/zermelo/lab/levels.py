"""Ten levels of a game, evenly spaced, from full strength down, each found by matches against the next stronger one.

All levels lie on one line, from a beginner to full strength (`Ladder`). The further on, the deeper the engine looks,
and the less often it errs. The strongest level is the end of the line. Each other level is the place from which the
next stronger level is `SPACING` Elo away, found by regula falsi between matches. Limits are depths and nodes, so the
games are the same on every machine.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import log2, modf
from pathlib import Path
from typing import Any, Final

from zermelo.engine import Engine
from zermelo.errors import RecordError
from zermelo.files import write_whole
from zermelo.game import Game, State
from zermelo.lab.adjudication import Adjudication
from zermelo.lab.match import play_match
from zermelo.lab.openings import Opening, usual_openings
from zermelo.lab.pentanomial import EloEstimate, elo
from zermelo.play.levels import Levels, MeasuredLevel, Step
from zermelo.play.settings import MEASURED

SPACING: Final = 150.0
"""Elo between neighbours."""
TOLERANCE: Final = 30.0
TOP_NODES: Final = 5_000
"""What full strength looks at for a move."""
MOST_DEPTH: Final = 3
_LEAST_NODES: Final = 100
PIECE: Final = 32
"""Pairs of games that are played before a match is looked at."""
PIECES: Final = 3
"""After so many pieces a step counts as measured."""
MOST_PLIES: Final = 300
"""A game of that many plies counts as a draw: in some games two kings can chase each other for more than a thousand."""
_ATTEMPTS: Final = 7
"""Points that are tried for a level."""
_TABLE_MB: Final = 1
Counts = tuple[int, ...]
Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class Ladder:
    """The line from a beginner, at 0, to full strength, at `top`; the share of errors falls from 1 to 0 on the way.

    Up to ``depths``, the engine looks 1 to ``depths`` plies ahead; between two depths, it looks deeper in a growing
    share of its moves. Then a limit of nodes takes over, which doubles on each part of length 1.
    """

    depths: int
    least_nodes: int
    """Where the limit of nodes takes over."""

    @property
    def top(self) -> float:
        """Where full strength is."""
        return self.depths + log2(TOP_NODES / self.least_nodes)

    def settings(self, place: float) -> str:
        """Return the engine's settings at a place, as in a player's text."""
        error = round(1 - place / self.top, 3)
        sight = f"nodes={round(self.least_nodes * 2 ** (place - self.depths))}"
        if place < self.depths:
            deeper, depth = modf(1 + place * (self.depths - 1) / self.depths)
            sight = f"depth={depth:.0f},deeper={deeper:.3g},nodes={TOP_NODES}"
        return f"{sight},error={error:g}" if error > 0 else f"nodes={TOP_NODES}"


def ladder_of(game: Game, positions: Sequence[State]) -> Ladder:
    """Return the ladder of a game: up to `MOST_DEPTH` plies, as long as they take few of the nodes of full strength."""
    engine = Engine(game, table_mb=_TABLE_MB)
    visited: list[float] = []
    for depth in range(1, MOST_DEPTH + 1):
        nodes = 0
        for state in positions:
            engine.clear()
            nodes += engine.search(state, depth=depth, nodes=TOP_NODES).nodes
        if visited and nodes > len(positions) * TOP_NODES / 8:
            break
        visited.append(nodes / len(positions))
    return Ladder(len(visited), min(TOP_NODES // 2, max(_LEAST_NODES, round(visited[-1]))))


@dataclass
class Matches:
    """Matches between places of a ladder; what was played is kept in a file, so that a search for levels can go on.

    Parameters
    ----------
    game, ladder
        What is played, and by whom.
    openings
        Where games begin.
    seed
        Of the errors.
    file
        Where to keep results; nowhere if None.
    threads
        How many games are played side by side.
    """

    game: Game
    ladder: Ladder
    openings: Sequence[Opening]
    seed: int = 0
    file: Path | None = None
    threads: int = 1
    played: dict[str, list[int]] = field(default_factory=dict)
    """The pentanomials of pieces of matches."""

    def __post_init__(self) -> None:
        if self.file is not None and self.file.exists():
            try:
                kept = json.loads(self.file.read_text(encoding="utf-8"))
                same = kept["about"] == self._about()
                self.played = kept["played"] if same else {}
            except (OSError, ValueError, KeyError, TypeError):
                raise RecordError(f"{self.file} is damaged; delete it to measure levels from the beginning.") from None

    def _about(self) -> dict[str, Any]:
        ladder = [self.ladder.depths, self.ladder.least_nodes, TOP_NODES]
        return {"rules": self.game.fingerprint, "ladder": ladder, "seed": self.seed, "pairs": PIECE}

    @property
    def games(self) -> int:
        """How many games were played."""
        return 2 * sum(sum(counts) for counts in self.played.values())

    def result(self, stronger: float, weaker: float, pieces: int) -> Counts:
        """Return the pentanomial of so many pieces of a match, for the stronger player; play what is missing."""
        found = [self._piece(stronger, weaker, number) for number in range(pieces)]
        return tuple(map(sum, zip(*found, strict=True)))

    def _piece(self, stronger: float, weaker: float, number: int) -> list[int]:
        one, other = (self.ladder.settings(place) for place in (stronger, weaker))
        name = f"{one} {other} {number}"
        if name not in self.played:
            some = len(self.openings) // PIECES
            counts = play_match(
                self.game,
                *(f"engine:{settings},table_mb={_TABLE_MB}" for settings in (one, other)),
                games=2 * PIECE,
                openings=self.openings[number * some : (number + 1) * some] if some else self.openings,
                seed=self.seed + 2 * number,
                threads=self.threads,
                adjudication=Adjudication(plies=MOST_PLIES),
            ).pentanomial
            self.played[name] = list(counts)
            self._keep()
        return self.played[name]

    def _keep(self) -> None:
        if self.file is not None:
            self.file.parent.mkdir(exist_ok=True)
            write_whole(self.file, json.dumps({"about": self._about(), "played": self.played}, indent=1).encode())


@dataclass(frozen=True)
class Point:
    """A place of the ladder, and how much weaker it is than the level above it."""

    place: float
    counts: Counts

    @property
    def estimate(self) -> EloEstimate:
        """The difference in Elo."""
        return elo(self.counts)

    @property
    def miss(self) -> float:
        """How far the difference is from what is wanted."""
        return abs(self.estimate.elo - SPACING)


def find_levels(
    game: Game, *, seed: int = 0, threads: int = 1, file: Path | None = None, progress: Progress | None = None
) -> Levels:
    """Find up to ten levels of a game, `SPACING` Elo apart.

    Parameters
    ----------
    game
        Its rules compile.
    seed
        Of the openings and the errors.
    threads
        How many games to play side by side. The result does not depend on it.
    file
        Where to keep the matches that were played; the same call goes on from there.
    progress
        Told what is being done, and the share of levels that are found.

    Returns
    -------
    Levels
        Fewer than ten where the game has no room for more.

    Raises
    ------
    NotCompilable
        The rules cannot become machine code.
    RecordError
        The file is damaged.
    """
    say = progress or (lambda doing, share: None)
    say("choosing openings", 0.0)
    openings = list(islice(usual_openings(game, None, seed), PIECE * PIECES))
    ladder = ladder_of(game, [game.replay(opening) for opening in openings[:10]])
    matches = Matches(game, ladder, openings, seed, file, threads)
    places, steps = [ladder.top], []
    stride = ladder.top / (len(MEASURED) - 1)
    while len(places) < len(MEASURED):
        share = len(places) / len(MEASURED)

        def tell(point: float, pairs: int, share: float = share) -> None:
            say(f"level {len(MEASURED) - len(places)}: {ladder.settings(point)}, {pairs} pairs", share)

        found = next_level(matches, places[-1], stride, tell)
        if found is None:
            break
        stride = places[-1] - found.place
        places.append(found.place)
        steps.append(found)
    return _levels(game, ladder, places, steps, matches, seed)


def _levels(
    game: Game, ladder: Ladder, places: Sequence[float], steps: Sequence[Point], matches: Matches, seed: int
) -> Levels:
    """The levels with their steps, the weakest first."""
    levels = [MeasuredLevel(ladder.settings(places[0]))]
    for place, point in zip(places[1:], steps, strict=True):
        estimate = point.estimate
        step = Step(round(estimate.elo, 1), round(estimate.half_width, 1), point.counts)
        levels.append(MeasuredLevel(ladder.settings(place), step))
    how = {"games": matches.games, "openings": len(matches.openings), "seed": seed, "table_mb": _TABLE_MB}
    return Levels(game.name, dict(game.parameters), game.fingerprint, tuple(reversed(levels)), how)


def next_level(matches: Matches, above: float, stride: float, tell: Callable[[float, int], None]) -> Point | None:
    """Find the place that is `SPACING` Elo weaker than the level at ``above``; None if the ladder ends before.

    Parameters
    ----------
    matches
        Where they are played.
    above
        The place of the level above.
    stride
        How far away to look first.
    tell
        Told each place, and after how many pairs of games it was looked at.
    """
    if above <= 0:
        return None
    points: list[Point] = []
    place = max(0.0, above - stride)
    for _ in range(_ATTEMPTS):
        point = _measured(matches, above, place, tell)
        points.append(point)
        if sum(point.counts) == PIECE * PIECES and point.miss <= TOLERANCE:
            return point
        if place == 0 and point.estimate.elo < SPACING:
            break
        following = _next_place(above, points)
        if any(matches.ladder.settings(following) == matches.ladder.settings(one.place) for one in points):
            break
        place = following
    nearest = min(points, key=lambda point: point.miss)
    nearest = Point(nearest.place, matches.result(above, nearest.place, PIECES))
    return nearest if SPACING - 2 * TOLERANCE <= nearest.estimate.elo <= SPACING + 2 * TOLERANCE else None


def _measured(matches: Matches, above: float, place: float, tell: Callable[[float, int], None]) -> Point:
    """Play as much of a match as it takes to see that the place is wrong, or the whole."""
    for pieces in range(1, PIECES + 1):
        tell(place, (pieces - 1) * PIECE)
        point = Point(place, matches.result(above, place, pieces))
        if point.miss > point.estimate.half_width + TOLERANCE / 2:
            break
    return point


def _next_place(above: float, points: Sequence[Point]) -> float:
    """Where to look next: between the nearest points on either side of what is wanted, or further down."""
    stronger = min((one for one in points if one.estimate.elo < SPACING), key=lambda one: one.place, default=None)
    weaker = max((one for one in points if one.estimate.elo >= SPACING), key=lambda one: one.place, default=None)
    high, high_elo = (above, 0.0) if stronger is None else (stronger.place, stronger.estimate.elo)
    if weaker is None:
        slope = max(high_elo, SPACING / 4) / max(above - high, 1e-9)
        return max(0.0, above - SPACING / slope)
    if weaker.place >= high:  # noise: a weaker place seemed stronger
        return (weaker.place + high) / 2
    part = (SPACING - high_elo) / max(weaker.estimate.elo - high_elo, 1e-9)
    part = min(0.9, max(0.1, part))
    return high + part * (weaker.place - high)
