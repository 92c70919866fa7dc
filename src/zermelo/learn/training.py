"""`Training`: learning a game from its rules, in several threads, with progress, and going on later."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import log10
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.agreement import require_agreement
from zermelo.compiled.apart import DeepThread, apart, compile_for
from zermelo.compiled.explain import explained
from zermelo.compiled.game import compiled
from zermelo.compiled.states import flatten
from zermelo.engine.job import MOST_CELLS, MOST_WORDS
from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.learn.cells import Cells, seen_ints
from zermelo.learn.evaluation import Evaluation, quantized
from zermelo.learn.finding import find_cells
from zermelo.learn.planning import Shape, Tuple, choose_tuples, make_plan
from zermelo.learn.prospects import find_prospects, usual_course, usual_shape
from zermelo.learn.self_play import Course, Desk, learn_games, make_desk, make_learner, play_match
from zermelo.learn.tensors import read_tensors, write_tensors

FORMAT: Final = "zermelo training 1"
OPENINGS: Final = 4
"""Random plies at the beginning of the games that compare two versions."""
KEPT: Final = ("weights", "sums", "sizes", "means", "averaged")
"""What of a learner is kept to go on."""
COMPARED: Final = 400
"""Games of such a comparison."""
_PATIENCE: Final = 0.1
"""Seconds that the main thread sleeps before it looks for Ctrl-C."""
_CHUNK: Final = 0.25
"""About so many seconds a thread plays before it looks at the clock."""


@dataclass(frozen=True)
class Step:
    """What is known after a part of the time."""

    games: int
    plies: int
    seconds: float
    share: float
    """The share of the work that is done, from 0 to 1."""
    left: float
    """How many seconds the rest is likely to take."""
    won: int
    drawn: int
    lost: int
    """Games against the version of the step before, of `COMPARED`; sides change, and openings are random."""

    @property
    def elo(self) -> float | None:
        """How much stronger it became, by these games; None if it won all of them, or none."""
        points = (self.won + self.drawn / 2) / max(1, self.won + self.drawn + self.lost)
        return -400 * log10(1 / points - 1) if 0 < points < 1 else None


class Training:
    """Learning one game.

    Parameters
    ----------
    game
        Its states and actions are such that it compiles.
    threads
        How many threads play; with more than one, results differ from run to run.
    seed
        Of the tuples and of all games.
    shape
        How large the network is; None for what suits games of this length.
    course
        How to learn; None for what suits games of this length.

    Raises
    ------
    NotCompilable
        The rules cannot become machine code.
    BadParameter
        The game's positions do not differ.
    """

    def __init__(
        self, game: Game, threads: int = 1, seed: int = 0, shape: Shape | None = None, course: Course | None = None
    ) -> None:
        self.game, self.seed = game, seed
        self.rules = compiled(game)
        self.cells: Cells = find_cells(game, seed)
        if not self.cells.symbols:
            raise BadParameter(f"The positions of {game!r} do not differ, so there is nothing to learn.")
        if len(self.cells.symbols) > MOST_CELLS or len(seen_ints(game, game.initial)) > MOST_WORDS:
            raise BadParameter(
                f"The states of {game!r} are too large; there may be {MOST_CELLS} cells, {MOST_WORDS} ints."
            )
        prospects = find_prospects(game, seed)
        shape = shape or usual_shape(prospects, len(self.cells.symbols))
        self.tuples: list[list[Tuple]] = choose_tuples(self.cells, shape, seed)
        self.reach, self.course = prospects.reach, course or usual_course(prospects)
        plan = make_plan(self.cells, self.tuples, self.reach)
        self.learner = make_learner(plan)
        self.desks = [make_desk(plan, seed * 1000 + number) for number in range(threads)]
        self.judge = make_desk(plan, -1 - seed)
        self.games = self.plies = 0
        self.seconds = 0.0

    def run(
        self,
        seconds: float | None = None,
        games: int | None = None,
        progress: Callable[[Step], None] = lambda _: None,
        steps: int = 10,
    ) -> Evaluation:
        """Learn for a time or a number of games, in so many steps; Ctrl-C ends it, and what is learned stays."""
        if (seconds is None) == (games is None):
            raise BadParameter("Learning needs a limit: of time, or of games.")
        self._warm_up()
        began, games_before, seconds_before = time.monotonic(), self.games, self.seconds
        try:
            for step in range(1, steps + 1):
                before = self.learner.weights.copy()
                if games is not None:
                    self._learn(games_before + games * step // steps - self.games, None)
                else:
                    assert seconds is not None
                    self._learn(None, began + seconds * step / steps)
                self.seconds = seconds_before + time.monotonic() - began
                won, drawn, lost = self._match(before, COMPARED)
                left = (time.monotonic() - began) * (steps / step - 1)
                progress(Step(self.games, self.plies, self.seconds, step / steps, left, won, drawn, lost))
        except KeyboardInterrupt:
            self.seconds = seconds_before + time.monotonic() - began
            raise
        return self.evaluation()

    def evaluation(self) -> Evaluation:
        """What has been learned so far."""
        how = {"games": self.games, "plies": self.plies, "seconds": round(self.seconds, 1), "seed": self.seed}
        return Evaluation(
            game=repr(self.game),
            fingerprint=self.game.seen_fingerprint,
            cells=self.cells,
            tuples=tuple(tuple(images) for images in self.tuples),
            reach=self.reach,
            weights=quantized(self.learner.means if self.learner.averaged[0] else self.learner.weights),
            how=how | {"threads": len(self.desks)} | self.course._asdict(),
        )

    def save(self, path: Path) -> None:
        """Write what is needed to go on with learning.

        Raises
        ------
        BadParameter
            The file cannot be written.
        """
        chance = np.array([desk.chance for desk in self.desks], dtype=np.int64)
        described = {
            "format": FORMAT,
            "fingerprint": self.game.seen_fingerprint,
            "seed": self.seed,
            "tuples": self.tuples,
        }
        described |= {"games": self.games, "plies": self.plies, "seconds": self.seconds}
        arrays = {name: getattr(self.learner, name) for name in KEPT}
        write_tensors(path, described, {**arrays, "chance": chance})

    def load(self, path: Path) -> None:
        """Go on with what `save` wrote, for the same game, seed and shape.

        Raises
        ------
        BadParameter
            The file is damaged, or belongs to other rules, another seed or another shape.
        """
        described, arrays = read_tensors(path)
        same = {"format": FORMAT, "fingerprint": self.game.seen_fingerprint, "seed": self.seed}
        same["tuples"] = [[list(image) for image in images] for images in self.tuples]
        if any(described.get(name) != value for name, value in same.items()):
            raise BadParameter(
                f"{path} holds the learning of other rules, or with another seed or shape; remove it first."
            )
        for name in KEPT:
            getattr(self.learner, name)[:] = arrays[name]
        for desk, chance in zip(self.desks, arrays["chance"], strict=False):
            desk.chance[:] = chance
        self.games, self.plies, self.seconds = (described[name] for name in ("games", "plies", "seconds"))

    def _warm_up(self) -> None:
        """Compile before the clock starts."""
        require_agreement(self.rules)
        words = flatten(self.game.initial)
        with explained(self.rules):
            compile_for(learn_games, self.rules, words, self.learner, self.course, self.desks[0], 0)
            self._match(self.learner.weights, 0)

    def _learn(self, games: int | None, deadline: float | None) -> None:
        """Play in all threads, so many games together or until a time."""
        shares = [None] * len(self.desks) if games is None else _shares(games, len(self.desks))
        failures: list[BaseException] = []
        threads = [
            DeepThread(target=self._work, args=(number, share, deadline, failures), daemon=True)
            for number, share in enumerate(shares)
        ]
        for number, desk in enumerate(self.desks):
            desk.control[:] = 0
            desk.control[3] = number == 0
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():  # now and then it looks for Ctrl-C
                    thread.join(_PATIENCE)
        finally:
            for desk in self.desks:
                desk.control[0] = 1
            for thread in threads:
                thread.join()
            self.games += sum(int(desk.control[1]) for desk in self.desks)
            self.plies += sum(int(desk.control[2]) for desk in self.desks)
        if failures:
            raise failures[0]

    def _work(self, number: int, games: int | None, deadline: float | None, failures: list[BaseException]) -> None:
        """Play in one thread; what fails is raised in the thread that waits."""
        try:
            self._play(self.desks[number], games, deadline)
        except BaseException as error:
            failures.append(error)
            for desk in self.desks:
                desk.control[0] = 1

    def _play(self, desk: Desk, games: int | None, deadline: float | None) -> None:
        """Play so many games, or until a time, a few games at a time."""
        words, chunk = flatten(self.game.initial), 1
        while not desk.control[0] and (games is None or games > 0):
            now = time.monotonic()
            if deadline is not None and now >= deadline:
                break
            share = chunk if games is None else min(chunk, games)
            learn_games(self.rules, words, self.learner, self.course, desk, share)
            games = None if games is None else games - share
            chunk = chunk * 2 if time.monotonic() - now < _CHUNK else max(1, chunk // 2)

    def _match(self, other: NDArray[np.float32], games: int) -> tuple[int, int, int]:
        """Let the network play against an earlier one; how many games it won, drew and lost."""
        plan, weights = self.learner.plan, self.learner.weights
        words = flatten(self.game.initial)
        win, judge = self.course.win, self.judge
        return apart(
            lambda: play_match(self.rules, words, (plan, plan), (weights, other), OPENINGS, 0.0, win, judge, games)
        )


def _shares(total: int, parts: int) -> list[int]:
    """Divide a number into nearly equal parts."""
    return [(total * (part + 1)) // parts - (total * part) // parts for part in range(parts)]
