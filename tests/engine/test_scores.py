"""Values and distances in one int, and games that are longer than a score can tell."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from numba import njit

from zermelo import MAX, MIN, Engine
from zermelo.engine import scores as parts
from zermelo.engine.job import make_job
from zermelo.engine.scores import remoteness_in, value_in
from zermelo.engine.switches import Switches
from zermelo.game import Game

LONGEST = 511


# Parts of kernels are called by compiled code only.
@njit
def score_of(value, plies, job):
    return parts.score_of(value, plies, job)


@njit
def endless_score(value, job):
    return parts.endless_score(value, job)


@njit
def solved_score(side, known, job):
    return parts.solved_score(side, known, job)


@njit
def shrink(score, job):
    return parts.shrink(score, job)


@njit
def grow(bound, job):
    return parts.grow(bound, job)


@njit
def turn_score(score, same, job):
    return parts.turn_score(score, same, job)


@njit
def turn_window(alpha, beta, same, job):
    return parts.turn_window(alpha, beta, same, job)


@pytest.fixture(scope="module")
def job():
    return make_job(Switches())


@pytest.fixture(scope="module")
def scores(job):
    """Every score of a few values."""
    return sorted({score_of(value, plies, job) for value in range(-3, 4) for plies in range(LONGEST + 1)})


def test_a_score_tells_value_and_distance(job):
    for value in range(-3, 4):
        for plies in (0, 1, 7, LONGEST - 1):
            score = score_of(value, plies, job)
            assert value_in(score, 1024) == value
            assert remoteness_in(score, 1024) == (plies if value else None)
        for score in (score_of(value, LONGEST, job), score_of(value, 10**6, job), endless_score(value, job)):
            assert value_in(score, 1024) == value and remoteness_in(score, 1024) is None


def test_a_ply_further_up_keeps_the_value_and_the_order(job, scores):
    for score in scores:
        higher = shrink(score, job)
        assert value_in(higher, 1024) == value_in(score, 1024)
        plies = remoteness_in(score, 1024)
        assert remoteness_in(higher, 1024) == (None if plies in (None, LONGEST - 1) else plies + 1)
        assert turn_score(score, True, job) == higher and turn_score(score, False, job) == shrink(-score, job)
    shrunk = [shrink(score, job) for score in scores]
    assert shrunk == sorted(shrunk)


def test_a_window_asks_of_the_child_what_it_asks_of_the_parent(job, scores):
    """For every bound near the ends of a value's scores: a child is beyond the child's just where it is beyond."""
    edges = {1024 * value + part for value in range(-3, 4) for part in (*range(-4, 5), *range(508, 517))}
    shrunk = {score: shrink(score, job) for score in scores}
    for bound in edges:
        window, turned = turn_window(bound, bound, True, job), turn_window(bound, bound, False, job)
        assert window == (grow(bound, job), -grow(-bound, job)) and turned == (-window[1], -window[0])
        for score, higher in shrunk.items():
            assert (score > window[0]) == (higher > bound), (bound, score)
            assert (score >= window[1]) == (higher >= bound), (bound, score)


def test_without_remoteness_scores_are_values():
    job = make_job(Switches(remoteness=False))
    for value in range(-3, 4):
        assert score_of(value, 5, job) == endless_score(value, job) == shrink(value, job) == grow(value, job) == value
        assert solved_score(MIN, 2 * 65536 + 9, job) == -2


class Step(NamedTuple):
    at: int
    winner: int


def corridor(length: int, winner: int) -> Game:
    """A game with one action in each position, won after ``length`` plies."""

    def to_move(state: Step) -> int:
        return MAX if state.at & 1 == 0 else MIN

    def actions(state: Step) -> Iterator[int]:
        yield 0

    def result(state: Step, action: int) -> Step:
        return Step(state.at + 1, state.winner)

    def is_terminal(state: Step) -> bool:
        return state.at == length

    def utility(state: Step) -> int:
        return state.winner

    return Game(
        name="corridor",
        initial=Step(0, winner),
        utility_range=(-1, 1),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
    )


def test_a_win_farther_away_than_scores_tell_is_a_win_all_the_same():
    for winner in (MAX, MIN):
        engine = Engine(corridor(700, winner), table_mb=1)
        far, near = engine.search(), engine.search(Step(400, winner))
        assert far.proven and far.value == winner and far.remoteness is None
        assert near.proven and near.value == winner and near.remoteness == 300
