"""Many random games: how many a second, how long they are, and who wins them."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from zermelo.compiled.agreement import require_agreement
from zermelo.compiled.apart import compile_for
from zermelo.compiled.explain import explained
from zermelo.compiled.game import CompiledGame, compiled
from zermelo.compiled.states import flatten
from zermelo.engine.requests import checked_state
from zermelo.engine.results import Clock
from zermelo.engine.runner import run
from zermelo.engine.tree.playout import COUNTS, MOST_ACTIONS, PLAYOUTS, TOO_WIDE, count_games
from zermelo.errors import BadParameter
from zermelo.game import Game, State
from zermelo.result import StoppedBy

LIMIT: Final = 2000
"""The plies after which a playout is stopped, unless the caller says otherwise."""
MOST_THREADS: Final = 256
_MANY: Final = 1 << 62


@dataclass(frozen=True, kw_only=True)
class Playouts:
    """The ends of many random games."""

    playouts: int
    seconds: float
    plies: int
    """Of all games together."""
    longest: int
    """The plies of the longest game."""
    wins: int
    """Games that MAX won."""
    draws: int
    losses: int
    """Games that MIN won."""
    unfinished: int
    """Games that were stopped after ``limit`` plies."""
    limit: int
    seed: int
    threads: int
    stopped_by: StoppedBy = "finished"

    @property
    def playouts_per_second(self) -> float:
        """Games a second, in all threads together."""
        return self.playouts / self.seconds if self.seconds > 0 else 0.0

    @property
    def plies_per_playout(self) -> float:
        """The mean length of a game."""
        return self.plies / self.playouts if self.playouts else 0.0

    def to_dict(self) -> dict[str, Any]:
        """All figures, in types that JSON has."""
        speeds = {"playouts_per_second": self.playouts_per_second, "plies_per_playout": self.plies_per_playout}
        return speeds | asdict(self)


def count_playouts(
    game: Game,
    state: State | None = None,
    *,
    seconds: float | None = None,
    games: int | None = None,
    seed: int = 0,
    threads: int = 1,
    limit: int = LIMIT,
) -> Playouts:
    """Play random games until a limit is reached, and count their ends.

    Parameters
    ----------
    game
        The game.
    state
        Where each game begins; the game's initial state if None.
    seconds, games
        Limits of time and of games; without any, one second.
    seed
        The seed of the random moves. The game of each number is the same whatever the limits and threads are.
    threads
        How many threads play side by side.
    limit
        The plies after which a game is stopped and counted as unfinished.

    Raises
    ------
    NotCompilable
        The rules do not compile, or give other answers compiled than interpreted.
    TerminalState
        The game is over in ``state``.
    BadParameter
        A limit is out of range, or a state has more than 4,096 actions.
    """
    state = checked_state(game, state, seconds=seconds)
    for name, number, least, most in (
        ("limit of games", 1 if games is None else games, 1, _MANY),
        ("seed", seed, 0, _MANY),
        ("number of threads", threads, 1, MOST_THREADS),
        ("limit of plies", limit, 1, _MANY),
    ):
        if not least <= number <= most:
            raise BadParameter(f"The {name} is {number}; it must be {least} or more, and at most {most:,}.")
    if seconds is None and games is None:
        seconds = 1.0
    rules = compiled(game)
    words, jobs = flatten(state), [_make_job() for _ in range(threads)]
    _warm_up(rules, jobs[0])
    clock, last = Clock(seconds), _MANY if games is None else games

    def work(number: int, _say: Callable[[Any], None]) -> None:
        count_games(rules, words, seed, number, threads, last, limit, jobs[number])

    ended = run(jobs, work, seconds, lambda _: None, wait_for_all=True)
    took = clock.seconds()
    if any(job["status"] == TOO_WIDE for job in jobs):
        raise BadParameter(f"A state of {game!r} has more than {MOST_ACTIONS:,} actions, too many for playouts.")
    total = {name: int(sum(int(job[name]) for job in jobs)) for name in COUNTS}
    total["longest"] = max(int(job["longest"]) for job in jobs)
    return Playouts(
        playouts=total.pop("games"),
        seconds=took,
        limit=limit,
        seed=seed,
        threads=threads,
        stopped_by=ended or "finished",
        **total,
    )


def _make_job() -> np.record:
    """Return a new workspace."""
    job: np.record = np.recarray(1, PLAYOUTS)[0]
    for name in PLAYOUTS.names or ():
        job[name] = 0
    return job


def _warm_up(game: CompiledGame, job: np.record) -> None:
    """Compile or load what `count_playouts` runs, before its clock starts."""
    require_agreement(game)
    with explained(game):
        compile_for(count_games, game, flatten(game.initial), 0, 0, 1, 1, 1, job)
