"""Learning on a cluster: its workers play games against themselves, and the driver learns from them.

A *generation* is what all workers play with the same weights. The driver puts the weights into Ray's object store, each
worker plays a task of games with them, and the driver learns from the games of one worker after the other. What a task
returns depends on its arguments alone: the weights, and how far the random numbers of its player have come. So Ray may
play it again where a worker died, and a number of games comes to the same weights in every run with as many workers.
"""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from zermelo.cluster.connect import RETRIES, connected, first_line, imported, processors
from zermelo.cluster.source import GameSource, check_rules, source_of
from zermelo.compiled.apart import apart, compile_for
from zermelo.compiled.explain import explained
from zermelo.compiled.game import CompiledGame, compiled
from zermelo.compiled.states import flatten
from zermelo.engine.network import Plan
from zermelo.errors import BadParameter, ClusterError, ZermeloError
from zermelo.learn.examples import Examples, learn_examples, make_examples, play_examples
from zermelo.learn.players import Lesson, at_desks, shares_of
from zermelo.learn.self_play import Course, Desk, Floats, make_desk

_LOOKS: Final = 20_000
"""About how many positions a worker looks at in a task, which takes it a hundredth of a second or two."""
_MOST: Final = 4096
"""The most games of a task."""
_STORE: Final = 1 << 30
"""Bytes of memory that a local cluster may take."""


@dataclass(frozen=True)
class Orders:
    """What a worker needs to know of a lesson."""

    name: str
    """Of this run, different from all others."""
    source: GameSource
    fingerprint: str
    """Of the game's rules and features."""
    open_words: tuple[int, ...]
    """By which ints of a state the evaluation sees open squares."""
    plan: Plan
    course: Course


Answer = tuple[Examples, NDArray[np.int64]]
"""The games of a task, and how far the random numbers of the player have come by them."""


class ClusterPlayers:
    """Workers of a Ray cluster, for `zermelo.learn.Training`.

    >>> Training(game, players=ClusterPlayers("auto")).run(seconds=600)  # doctest: +SKIP

    Parameters
    ----------
    cluster
        ``auto``, ``local`` or an address; see `zermelo.cluster.connect.connected`.
    workers
        How many play side by side; one for each processor of the cluster if None.
    task_games
        How many games a worker plays with the same weights; as many as take a moment if None. With one worker and one
        game, the cluster learns what one thread learns, but for the rounding of sums.

    Raises
    ------
    BadParameter
        A number is out of range.
    """

    kind: str = "workers"

    def __init__(self, cluster: str = "auto", workers: int | None = None, *, task_games: int | None = None) -> None:
        for name, number in (("workers", workers), ("games in a task", task_games)):
            if number is not None and number < 1:
                raise BadParameter(f"The number of {name} is {number}; it must be at least 1.")
        self.count: int = workers or 0
        self._cluster, self._workers, self._task_games = cluster, workers, task_games
        self._orders: Any = None
        self._desk: Desk | None = None

    @contextmanager
    def ready(self, lesson: Lesson) -> Iterator[None]:
        """Join the cluster for the length of a ``with`` block, and have every worker compile.

        Raises
        ------
        ClusterError
            Ray is not installed, the cluster cannot be joined, or a machine has other rules.
        """
        plan, game = lesson.learner.plan, lesson.game
        self._desk = make_desk(plan, 0)
        with explained(lesson.rules):
            nothing = flatten(game.initial), lesson.learner, lesson.course, self._desk, make_examples(0)
            compile_for(learn_examples, lesson.rules, *nothing)
        with connected(self._cluster, self._workers, _STORE):
            self.count = self._workers or processors()
            lesson.seat(self.count)
            name, open_words = secrets.token_hex(8), lesson.rules.open_words
            orders = Orders(name, source_of(game), game.seen_fingerprint, open_words, plan, lesson.course)
            self._orders = imported().put(orders)
            for task in self._start(lesson, [0] * self.count):
                _answer(task)
            yield

    def play(self, lesson: Lesson, games: int | None, deadline: float | None) -> None:
        """Play generations, and learn from them.

        Raises
        ------
        ClusterError
            The cluster failed; what was learned until then stays.
        """
        desk = self._desk
        assert desk is not None, "the players are not ready"
        desk.control[:] = 0
        desk.control[3] = 1
        each = self._task_games or int(min(max(_LOOKS / max(lesson.looked_at, 1), 1), _MOST))
        try:
            while not desk.control[0] and (games is None or games > 0):
                if deadline is not None and time.monotonic() >= deadline:
                    break
                generation = each * self.count if games is None else min(each * self.count, games)
                games = None if games is None else games - generation
                self._learn(lesson, desk, self._start(lesson, shares_of(generation, self.count)))
        finally:
            lesson.count([desk])

    def _start(self, lesson: Lesson, shares: list[int]) -> list[Any]:
        """Start the tasks of a generation: each player plays its share of games with the present weights."""
        ray = imported()
        task = ray.remote(_play).options(max_retries=RETRIES, name=f"learn {lesson.game!r}")
        weights = ray.put(lesson.learner.weights)
        return [
            task.remote(self._orders, weights, lesson.chance[number].copy(), share)
            for number, share in enumerate(shares)
        ]

    def _learn(self, lesson: Lesson, desk: Desk, tasks: list[Any]) -> None:
        """Learn from the games of one player after the other, each as soon as it is there."""
        words = flatten(lesson.game.initial)
        try:
            for number, task in enumerate(tasks):
                examples, chance = _answer(task)
                at_desks([desk], lambda _, played=examples: learn_examples(  # type: ignore[misc]
                    lesson.rules, words, lesson.learner, lesson.course, desk, played
                ))  # fmt: skip
                desk.control[0] = 0
                lesson.chance[number] = chance
        except BaseException:
            for task in tasks:
                with suppress(Exception):  # the cluster may be gone
                    imported().cancel(task)
            raise


def _answer(task: Any) -> Answer:
    """Return what a task returned.

    Raises
    ------
    ClusterError
        The task failed, or the cluster did.
    """
    ray = imported()
    try:
        found: Answer | ZermeloError = ray.get(task)
    except ray.exceptions.RayError as error:
        cause = getattr(error, "cause", None) or error
        raise ClusterError(
            f"Games failed on the cluster ({type(cause).__name__}: {first_line(cause)}); the same command goes on."
        ) from error
    if isinstance(found, ZermeloError):
        raise found
    return found


class _Seat:
    """Where a worker plays the games of a lesson."""

    def __init__(self, orders: Orders) -> None:
        game = orders.source.make()
        check_rules(game, game.seen_fingerprint, orders.fingerprint)
        self.rules: CompiledGame = compiled(game, orders.open_words)
        self.words = flatten(game.initial)
        # What lies in the object store cannot be written, and machine code for such arrays would be a second one.
        self.plan, self.course = orders.plan.copy(), orders.course
        self.desk = make_desk(self.plan, 0)

    def play(self, weights: Floats, chance: NDArray[np.int64], games: int) -> Answer:
        """Play so many games."""
        desk, examples = self.desk._replace(chance=chance.copy()), make_examples(games)
        play_examples(self.rules, self.words, self.plan, weights.copy(), self.course, desk, examples)
        return examples.whole(), desk.chance


_SEATS: Final[dict[str, _Seat]] = {}
"""Where this worker plays the latest lesson, by the name of its orders."""


def _play(orders: Orders, weights: Floats, chance: NDArray[np.int64], games: int) -> Answer | ZermeloError:
    """Play games on a worker; an error that a user can understand is returned."""
    try:
        if orders.name not in _SEATS:
            _SEATS.clear()
            _SEATS[orders.name] = _Seat(orders)
        return apart(lambda: _SEATS[orders.name].play(weights, chance, games))
    except ZermeloError as error:
        return error
