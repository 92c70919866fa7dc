"""`Training`: learning a game from its rules, with progress, and going on later."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import log10
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.agreement import require_agreement
from zermelo.compiled.apart import apart
from zermelo.compiled.explain import explained
from zermelo.compiled.game import compiled
from zermelo.compiled.states import flatten
from zermelo.engine.job import MOST_CELLS, MOST_WORDS
from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.learn.cells import Cells, seen_ints
from zermelo.learn.deciding import find_deciding
from zermelo.learn.evaluation import Evaluation, quantized
from zermelo.learn.finding import find_cells
from zermelo.learn.planning import Shape, Tuple, choose_tuples, make_plan
from zermelo.learn.players import Lesson, Players, Threads
from zermelo.learn.prospects import find_prospects, usual_course, usual_reach, usual_shape
from zermelo.learn.self_play import Course, Learner, make_desk, make_learner, play_match
from zermelo.learn.tensors import read_tensors, write_tensors

FORMAT: Final = "zermelo training 1"
OPENINGS: Final = 4
"""Random plies at the beginning of the games that compare two versions."""
KEPT: Final = ("weights", "sums", "sizes", "means", "averaged")
"""What of a learner is kept to go on."""
COMPARED: Final = 400
"""Games of such a comparison."""


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
    players: int
    """How many threads or workers played side by side."""

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
        How many threads of this process play; with more than one, results differ from run to run.
    seed
        Of the tuples and of all games.
    shape
        How large the network is; None for what suits games of this length.
    course
        How to learn; None for what suits games of this length.
    players
        Who plays instead of threads, such as the workers of a cluster (`zermelo.cluster.learn.ClusterPlayers`).

    Raises
    ------
    NotCompilable
        The rules cannot become machine code.
    BadParameter
        The game's positions do not differ.
    """

    def __init__(
        self,
        game: Game,
        threads: int = 1,
        seed: int = 0,
        shape: Shape | None = None,
        course: Course | None = None,
        *,
        players: Players | None = None,
    ) -> None:
        self.game, self.seed = game, seed
        self.cells: Cells = find_cells(game, seed)
        self.rules = compiled(game, self.cells.open_words)
        if not self.cells.symbols:
            raise BadParameter(f"The positions of {game!r} do not differ, so there is nothing to learn.")
        words = len(seen_ints(game, game.initial)) + bool(self.cells.open_words)
        if len(self.cells.symbols) > MOST_CELLS or words > MOST_WORDS:
            raise BadParameter(
                f"The states of {game!r} are too large; there may be {MOST_CELLS} cells, {MOST_WORDS} ints."
            )
        prospects = find_prospects(game, seed)
        self._greatest_win = prospects.win
        shape = shape or usual_shape(prospects, self.cells)
        # The long tuples of a quick game hold enough.
        deciding = [] if prospects.quick else find_deciding(game, self.cells, shape, seed)
        self.tuples: list[list[Tuple]] = choose_tuples(self.cells, shape, seed, deciding)
        course = course or usual_course(prospects)
        self.reach = usual_reach(prospects, course)
        plan = make_plan(self.cells, self.tuples, self.reach)
        self.lesson = Lesson(game, self.rules, make_learner(plan), course, prospects.looked_at, seed)
        self.players: Players = players or Threads(threads)
        self.judge = make_desk(plan, -1 - seed)
        self.seconds = 0.0

    @property
    def learner(self) -> Learner:
        """What is learned."""
        return self.lesson.learner

    @property
    def course(self) -> Course:
        """How it is learned."""
        return self.lesson.course

    @property
    def games(self) -> int:
        """How many games were learned from."""
        return self.lesson.games

    @property
    def plies(self) -> int:
        """How many plies they had together."""
        return self.lesson.plies

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
        require_agreement(self.rules)
        with explained(self.rules):
            self._match(self.learner.weights, 0)
        with self.players.ready(self.lesson):
            self._run(seconds, games, progress, steps)
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
            how=how | {self.players.kind: self.players.count} | self.course._asdict(),
        )

    def save(self, path: Path | str) -> None:
        """Write what is needed to go on with learning.

        Raises
        ------
        BadParameter
            The file cannot be written.
        """
        described = {
            "format": FORMAT,
            "fingerprint": self.game.seen_fingerprint,
            "seed": self.seed,
            "tuples": self.tuples,
            "win": self.course.win,
        }
        described |= {"games": self.games, "plies": self.plies, "seconds": self.seconds}
        arrays = {name: getattr(self.learner, name) for name in KEPT}
        write_tensors(path, described, {**arrays, "chance": self.lesson.chance})

    def load(self, path: Path | str) -> None:
        """Go on with what `save` wrote, for the same game, seed, shape, and utility that counts as a win.

        Raises
        ------
        BadParameter
            The file is damaged, or what it holds differs in one of these.
        """
        described, arrays = read_tensors(path)
        described.setdefault("win", self._greatest_win)  # older files do not say it
        same = {"format": FORMAT, "fingerprint": self.game.seen_fingerprint, "seed": self.seed, "win": self.course.win}
        same["tuples"] = [[list(image) for image in images] for images in self.tuples]
        if any(described.get(name) != value for name, value in same.items()):
            raise BadParameter(
                f"{path} holds the learning of other rules, or with another seed, shape or version; remove it first."
            )
        for name in KEPT:
            getattr(self.learner, name)[:] = arrays[name]
        lesson = self.lesson
        lesson.chance = arrays["chance"]
        lesson.games, lesson.plies, self.seconds = (described[name] for name in ("games", "plies", "seconds"))

    def _run(self, seconds: float | None, games: int | None, progress: Callable[[Step], None], steps: int) -> None:
        """Learn in so many steps; everything is compiled, and the players are ready."""
        began, games_before, seconds_before = time.monotonic(), self.games, self.seconds
        try:
            for step in range(1, steps + 1):
                before = self.learner.weights.copy()
                if games is not None:
                    self.players.play(self.lesson, games_before + games * step // steps - self.games, None)
                else:
                    assert seconds is not None
                    self.players.play(self.lesson, None, began + seconds * step / steps)
                self.seconds = seconds_before + time.monotonic() - began
                won, drawn, lost = self._match(before, COMPARED)
                left = (time.monotonic() - began) * (steps / step - 1)
                share, count = step / steps, self.players.count
                progress(Step(self.games, self.plies, self.seconds, share, left, won, drawn, lost, count))
        except KeyboardInterrupt:
            self.seconds = seconds_before + time.monotonic() - began
            raise

    def _match(self, other: NDArray[np.float32], games: int) -> tuple[int, int, int]:
        """Let the network play against an earlier one; how many games it won, drew and lost."""
        plan, weights = self.learner.plan, self.learner.weights
        words = flatten(self.game.initial)
        win, judge = self.course.win, self.judge
        return apart(
            lambda: play_match(self.rules, words, (plan, plan), (weights, other), OPENINGS, 0.0, win, judge, games)
        )
