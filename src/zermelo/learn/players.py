"""Who plays the games that are learned from: threads of this process, or whoever else keeps the same protocol."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.apart import compile_for
from zermelo.compiled.explain import explained
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.states import flatten
from zermelo.engine.network import UNIT, Plan, fitting_network
from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.learn.evaluation import Evaluation
from zermelo.learn.opponents import Opponent, learn_against
from zermelo.learn.self_play import Course, Desk, Learner, learn_games, make_chance, make_desk
from zermelo.learn.threads import in_threads

_CHUNK: Final = 0.25
"""About so many seconds a thread plays before it looks at the clock."""


@dataclass
class Lesson:
    """What is learned, how, and from how many games so far: what a training shares with those who play."""

    game: Game
    rules: CompiledGame
    learner: Learner
    course: Course
    looked_at: float
    """At how many positions a learner looks in a random game, on average."""
    seed: int
    games: int = 0
    plies: int = 0
    chance: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int64))
    """Of shape (players, 2): how far the random numbers of each player have come."""

    def seat(self, players: int) -> None:
        """Have random numbers for so many players; those who played before go on with theirs."""
        new = [make_chance(self.seed * 1000 + number) for number in range(len(self.chance), players)]
        if new:
            self.chance = np.concatenate([self.chance, new])

    def count(self, desks: Sequence[Desk]) -> None:
        """Add the games that were learned from at some desks."""
        self.games += sum(int(desk.control[1]) for desk in desks)
        self.plies += sum(int(desk.control[2]) for desk in desks)


class Players(Protocol):
    """Who plays the games of a training. They play side by side, and the training learns from their games."""

    @property
    def kind(self) -> str:
        """What they are, in the plural, as an evaluation's file says it."""

    @property
    def count(self) -> int:
        """How many play; of a cluster, that is known when it is joined."""

    def ready(self, lesson: Lesson) -> AbstractContextManager[None]:
        """Be ready to play in a ``with`` block: what they need is compiled, and they can be reached."""

    def play(self, lesson: Lesson, games: int | None, deadline: float | None) -> None:
        """Play so many games together, or until a time of the clock `time.monotonic`; learn from them, and count them.

        Ctrl-C ends it. What was learned until then stays and is counted.
        """


class Threads:
    """Threads of this process, which learn from each of their games at once.

    Parameters
    ----------
    count
        How many.
    """

    kind: str = "threads"

    def __init__(self, count: int) -> None:
        self.count: int = count
        self._desks: list[Desk] = []

    @contextmanager
    def ready(self, lesson: Lesson) -> Iterator[None]:
        """Compile, and give each thread a desk."""
        lesson.seat(self.count)
        self._desks = self._make_desks(lesson, lesson.learner.plan)
        with explained(lesson.rules):
            self._compile(lesson)
        yield

    def play(self, lesson: Lesson, games: int | None, deadline: float | None) -> None:
        """Play in all threads, so many games together or until a time."""
        shares = [None] * self.count if games is None else shares_of(games, self.count)

        def work(number: int) -> None:
            self._play(lesson, number, shares[number], deadline)

        for number, desk in enumerate(self._desks):
            desk.control[:] = 0
            desk.control[3] = number == 0
        try:
            at_desks(self._desks, work)
        finally:
            lesson.count(self._desks)

    def _play(self, lesson: Lesson, number: int, games: int | None, deadline: float | None) -> None:
        """Play so many games in a thread, or until a time, a few games at a time."""
        desk, chunk = self._desks[number], 1
        while not desk.control[0] and (games is None or games > 0):
            now = time.monotonic()
            if deadline is not None and now >= deadline:
                break
            share = chunk if games is None else min(chunk, games)
            self._learn(lesson, number, share)
            games = None if games is None else games - share
            chunk = chunk * 2 if time.monotonic() - now < _CHUNK else max(1, chunk // 2)

    def _make_desks(self, lesson: Lesson, plan: Plan) -> list[Desk]:
        """Return a desk for each thread, for networks of that plan; it has the thread's random numbers."""
        return [make_desk(plan, 0)._replace(chance=lesson.chance[number]) for number in range(self.count)]

    def _compile(self, lesson: Lesson) -> None:
        """Compile what `_learn` calls."""
        words = flatten(lesson.game.initial)
        compile_for(learn_games, lesson.rules, words, lesson.learner, lesson.course, self._desks[0], 0)

    def _learn(self, lesson: Lesson, number: int, games: int) -> None:
        """Play so many games in a thread, and learn from them."""
        words = flatten(lesson.game.initial)
        learn_games(lesson.rules, words, lesson.learner, lesson.course, self._desks[number], games)


class ThreadsAgainst(Threads):
    """Threads in which the network plays against another evaluation, which does not change.

    Parameters
    ----------
    count
        How many.
    evaluation
        The opponent. It looks one ply ahead, and chooses one action in ten at random.
    """

    def __init__(self, count: int, evaluation: Evaluation) -> None:
        super().__init__(count)
        self.evaluation: Evaluation = evaluation
        self._opponent: Opponent = Opponent(evaluation.plan, (evaluation.weights / UNIT).astype(np.float32))
        self._its_desks: list[Desk] = []

    def _compile(self, lesson: Lesson) -> None:
        """Compile what `_learn` calls.

        Raises
        ------
        BadParameter
            The opponent belongs to other rules, or sees other squares as open than the network does.
        """
        fitting_network(self.evaluation, lesson.game)
        if self.evaluation.open_words != lesson.rules.open_words:
            raise BadParameter(
                "The opponent and the network see different squares as open; learn the opponent with the same seed."
            )
        self._its_desks = self._make_desks(lesson, self._opponent.plan)
        words, desk, its_desk = flatten(lesson.game.initial), self._desks[0], self._its_desks[0]
        compile_for(
            learn_against, lesson.rules, words, lesson.learner, lesson.course, desk, self._opponent, its_desk, 0
        )

    def _learn(self, lesson: Lesson, number: int, games: int) -> None:
        """Play so many games in a thread, and learn from them."""
        words, desk, its_desk = flatten(lesson.game.initial), self._desks[number], self._its_desks[number]
        learn_against(lesson.rules, words, lesson.learner, lesson.course, desk, self._opponent, its_desk, games)


def at_desks(desks: Sequence[Desk], work: Callable[[int], None]) -> None:
    """Call ``work`` for the number of each desk, in a thread for each; what fails in one ends all, and is raised here.

    After Ctrl-C, it returns when the game under way at each desk is done.
    """

    def stop() -> None:
        for desk in desks:
            desk.control[0] = 1

    in_threads(len(desks), work, stop)


def shares_of(total: int, parts: int) -> list[int]:
    """Divide a number into nearly equal parts."""
    return [(total * (part + 1)) // parts - (total * part) // parts for part in range(parts)]
