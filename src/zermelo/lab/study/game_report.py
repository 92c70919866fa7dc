"""What a game is like, for its inventor: who has the advantage, how long it lasts, how deep it is."""

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from zermelo.errors import BadParameter, NotCompilable
from zermelo.game import Game
from zermelo.lab.estimates import Estimate, finite, grouped_share
from zermelo.lab.study.figures import Band, Figures, Line, by_ply, figures, random_line
from zermelo.lab.study.ladder import Better, Ladder, Progress, Step, better, climb, steps_of, total
from zermelo.lab.study.sampling import random_game
from zermelo.result import plain

MINUTES: Final = 5.0
RANDOM_GAMES: Final = 1000
PROOF_NODES: Final = 10_000
"""A position is decided if a proof needs no more nodes than that."""
PROVEN_GAMES: Final = 128
"""The most games in which positions are proven."""
TABLE_MB: Final = 8
_RANDOM: Final = 0.05
"""The share of the time for random games, and then for matches; the rest is for proofs."""
_MATCHES: Final = 0.85


@dataclass(frozen=True)
class Skilled:
    """What the engine says of a game."""

    nodes: int
    """The stronger engine's in the games of `play`; the weaker one has half of them."""
    plies: int
    """Random plies at the start of these games."""
    play: Figures
    decided: list[Band]
    """The share of positions whose value a small proof finds, by ply, in these games."""
    half_decided: int | None
    """The first ply of the first band in which half of the positions are decided."""
    proven_games: int
    """In how many of these games positions were proven."""
    steps: list[Step]
    """What each doubling of the nodes gains."""
    total: Estimate
    """The sum of these gains, in Elo."""
    better: Better


@dataclass(frozen=True)
class GameReport:
    """What a game is like."""

    game: str
    sides: tuple[str, str]
    """The names of the player who moves first, and of the other."""
    seed: int
    minutes: float
    """How long it took to find out; compiling included."""
    random: Figures
    broken_off: int
    """Random games that did not end."""
    skilled: Skilled | None
    """None where the rules do not compile."""
    why_not: str
    """Why they do not."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; an estimate becomes a list: the value, and both ends of its interval."""
        record: dict[str, Any] = finite(plain(asdict(self)))
        return record


def report_on(
    game: Game, *, minutes: float = MINUTES, seed: int = 0, threads: int = 2, progress: Progress = lambda *_: None
) -> GameReport:
    """Find out what a game is like.

    The engine's limits are nodes, so that the figures do not depend on the machine; a quick machine plays more games,
    and between stronger engines.

    Parameters
    ----------
    game
        The rules. If they do not compile, only random games are played.
    minutes
        About how long it may take, without compiling.
    seed
        Of random games and openings.
    threads
        How many games are played side by side.
    progress
        Told what is being done, and which share of the time has been used.

    Raises
    ------
    BadParameter
        A number is out of range, or no random game ends.
    """
    if minutes <= 0:
        raise BadParameter(f"The report may take {minutes} minutes; give it more than 0.")
    began = time.monotonic()
    seconds = 60 * minutes
    lines, broken_off = random_games(game, _RANDOM * seconds, seed, progress)
    if not lines:
        raise BadParameter(f"None of {broken_off} random games of {game!r} ended, so there is nothing to report.")
    skilled, why_not = None, ""
    try:
        skilled = _skilled(game, seconds, seed, threads, progress)
    except NotCompilable as error:
        why_not = str(error)
    first = game.to_move(game.initial)
    return GameReport(
        game=repr(game),
        sides=(game.side_name(first), game.side_name(-first)),
        seed=seed,
        minutes=(time.monotonic() - began) / 60,
        random=figures(game, lines),
        broken_off=broken_off,
        skilled=skilled,
        why_not=why_not,
    )


def random_games(game: Game, seconds: float, seed: int, progress: Progress) -> tuple[list[Line], int]:
    """Play random games: `RANDOM_GAMES`, or fewer if the time is up. Returns those that ended, and how many did not."""
    generator, began = random.Random(seed), time.monotonic()
    lines, broken_off = [], 0
    for number in range(RANDOM_GAMES):
        used = (time.monotonic() - began) / seconds
        if used > 1 and number >= 2:
            break
        if number % 50 == 0:
            progress("random games", _RANDOM * used)
        line = random_line(game, random_game(game, generator)[0], number)
        if line is None:
            broken_off += 1
        else:
            lines.append(line)
    return lines, broken_off


def _skilled(game: Game, seconds: float, seed: int, threads: int, progress: Progress) -> Skilled:
    from zermelo.engine import Engine

    progress("compiling", _RANDOM)
    engine = Engine(game, table_mb=TABLE_MB)
    engine.search(game.initial, nodes=1)
    engine.prove(game.initial, nodes=1)
    ladder = climb(
        game,
        _MATCHES * seconds,
        seed=seed,
        threads=threads,
        progress=lambda text, share: progress(text, _RANDOM + _MATCHES * share),
    )
    lines = list(ladder.open.lines(game))
    share = 1 - _RANDOM - _MATCHES
    decided = list(_decided(game, lines, share * seconds, lambda text, used: progress(text, 1 - share + share * used)))
    return _sum_up(game, ladder, lines, decided)


def _sum_up(game: Game, ladder: Ladder, lines: Sequence[Line], decided: Sequence[tuple[int, float, int]]) -> Skilled:
    bands = by_ply(decided, grouped_share)
    steps = steps_of(ladder)
    return Skilled(
        nodes=ladder.open.strong,
        plies=ladder.open.games[0].plies,
        play=figures(game, lines),
        decided=bands,
        half_decided=next((band.first for band in bands if band.estimate.value >= 0.5), None),
        proven_games=len({group for *_, group in decided}),
        steps=steps,
        total=total(steps),
        better=better(ladder.gap),
    )


def _decided(game: Game, lines: Sequence[Line], seconds: float, progress: Progress) -> Iterator[tuple[int, float, int]]:
    """Yield the ply, whether a position is decided, and the group, for the positions of some games.

    Of the two games of an opening only one is looked at.
    """
    from zermelo.engine import Engine

    engine, began = Engine(game, table_mb=TABLE_MB), time.monotonic()
    for number, line in enumerate(lines[: 2 * PROVEN_GAMES : 2]):
        used = (time.monotonic() - began) / seconds
        if used > 1 and number >= 2:
            break
        progress("proofs", min(1.0, used))
        for ply, state in enumerate(line.states[:-1]):
            engine.clear()
            result = engine.prove(state, nodes=PROOF_NODES, quickest=False)
            if result.stopped_by == "interrupted":
                raise KeyboardInterrupt
            yield ply, float(result.proven), line.group
