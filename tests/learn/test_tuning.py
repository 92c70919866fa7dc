"""Tuning finds the numbers of an EVAL: by regression on values that are known, and by games."""

import pickle
import random
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.compiled.game import compiled
from zermelo.compiled.states import flatten
from zermelo.errors import BadGame, BadParameter
from zermelo.game import Game
from zermelo.games import breakthrough, connect, konane
from zermelo.learn import Round, Tuning
from zermelo.learn.regression import Curve, error, fit, fitted_curve, within
from zermelo.learn.tuning_games import is_quiet
from zermelo.learn.weighing import asking, weighed
from zermelo.weights import numbers_of, unbound, with_numbers


class Weights(NamedTuple):
    man: int
    rows: tuple[int, ...]


def small() -> Game:
    return breakthrough(width=5, height=5)


def states_of(game: Game, count: int) -> list:
    chooser, found = random.Random(0), []
    while len(found) < count:
        state = game.initial
        while not game.is_terminal(state):
            found.append(state)
            state = game.result(state, chooser.choice(game.legal_actions(state)))
    return found[:count]


numbers = st.integers(-1000, 1000)


@given(numbers, st.lists(numbers, min_size=1, max_size=4), st.lists(numbers, min_size=5, max_size=5))
def test_numbers_are_put_back_where_they_were(man: int, rows: list[int], others: list[int]) -> None:
    weights = Weights(man, tuple(rows))
    assert list(numbers_of(weights)) == [man, *rows]
    assert with_numbers(weights, [man, *rows]) == weights
    changed = with_numbers(weights, others)
    assert type(changed) is Weights
    assert list(numbers_of(changed)) == others[: 1 + len(rows)]


def test_weights_change_eval_and_nothing_else() -> None:
    game = small()
    heavier = replace(game, weights=game.weights._replace(man=50))
    for state in states_of(game, 100):
        men = state.max_men.bit_count() - state.min_men.bit_count()
        assert heavier.evaluate(state) - game.evaluate(state) == 30 * men
    assert heavier.fingerprint == game.fingerprint
    assert unbound(heavier.evaluate) is unbound(game.evaluate)


def counted(state: tuple, weights: Weights) -> int:
    return weights.man * state.max_men.bit_count()


def test_a_game_with_weights_is_pickled() -> None:
    game = replace(small(), evaluate=counted, weights=Weights(3, (1,)))
    state = game.initial
    assert pickle.loads(pickle.dumps(small())).weights == small().weights
    held = game.__getstate__()
    assert held["evaluate"] is counted
    twin = object.__new__(Game)
    twin.__setstate__(held)
    assert twin.evaluate(state) == game.evaluate(state) == 30


@pytest.mark.parametrize("weights", [5, (), (1.5,), (True,), ("x",), {"man": 1}])
def test_weights_of_the_wrong_kind_are_refused(weights: object) -> None:
    with pytest.raises(BadGame, match="they must be a NamedTuple of ints"):
        replace(connect(), evaluate=counted, weights=weights)


def test_weights_need_an_eval_that_takes_them() -> None:
    with pytest.raises(BadGame, match="must be evaluate"):
        replace(connect(), evaluate=lambda state: 0, weights=(1,))
    with pytest.raises(BadGame, match="no evaluate"):
        replace(connect(), evaluate=None, weights=(1,))


def test_compiled_eval_with_any_weights_agrees_with_the_game_itself() -> None:
    game = small()
    states = states_of(game, 300)
    ask = asking(compiled(weighed(game)), np.array([flatten(state) for state in states]))
    for numbers in ([20, 2], [-7, 31], [0, 0]):
        other = replace(game, weights=with_numbers(game.weights, numbers))
        assert ask(np.array(numbers)).tolist() == [other.evaluate(state) for state in states]


@settings(max_examples=30)
@given(st.lists(st.integers(-300, 300), min_size=3, max_size=3), st.booleans(), st.integers(0, 1000))
def test_regression_finds_known_numbers(truth: list[int], margin: bool, seed: int) -> None:
    """Where targets follow from numbers, these are found, from a start of nothing."""
    counts = np.random.default_rng(seed).integers(-3, 4, size=(8000, 3))

    def ask(numbers: np.ndarray) -> np.ndarray:
        return (counts @ numbers).astype(float)

    curve = Curve(3000.0 if margin else 400.0, margin)
    targets = curve.expected(ask(np.array(truth)))
    found = fit(ask, np.zeros(3, dtype=np.int64), targets, curve)
    # what pulls the numbers to their start costs up to 22 of 300, where all three are that large
    assert np.abs(found - truth).max() <= 2 + 0.07 * np.abs(truth).max()
    assert error(curve, ask(found), targets) <= error(curve, ask(np.zeros(3, dtype=np.int64)), targets)


def test_numbers_that_no_position_speaks_of_stay() -> None:
    counts = np.zeros((100, 2))
    counts[:, 0] = np.arange(100) - 50

    def ask(numbers: np.ndarray) -> np.ndarray:
        return counts @ numbers

    curve = Curve(100.0)
    found = fit(ask, np.array([1, 77]), curve.expected(ask(np.array([4, 0]))), curve)
    assert found[1] == 77
    assert abs(found[0] - 4) <= 1


def test_an_eval_that_is_no_sum_is_fitted() -> None:
    first, second = np.random.default_rng(1).integers(-9, 10, size=(2, 2000))

    def ask(numbers: np.ndarray) -> np.ndarray:
        return np.where(second > 0, numbers[0] * first, numbers[0] * first * numbers[1] // 16).astype(float)

    curve = Curve(300.0)
    targets = curve.expected(ask(np.array([40, 8])))
    found = fit(ask, np.array([20, 16]), targets, curve)
    assert error(curve, ask(found), targets) < error(curve, ask(np.array([20, 16])), targets) / 20


def test_the_curve_that_made_the_results_is_found() -> None:
    scores = np.random.default_rng(2).normal(0, 300, 5000)
    curve = fitted_curve(scores, Curve(250.0).expected(scores), 1000)
    assert 220 < curve.scale < 280


def test_numbers_stay_small_enough() -> None:
    def ask(numbers: np.ndarray) -> np.ndarray:
        return np.array([10.0, -30.0]) * numbers[0]

    assert within(ask, [100], np.array([1]), 600.0).tolist() == [20]
    assert within(ask, [10], np.array([1]), 600.0).tolist() == [10]
    assert within(ask, [100], np.array([50]), 600.0).tolist() == [50]


def test_positions_before_captures_are_not_quiet() -> None:
    game = small()
    for state in states_of(game, 200):
        noisy = set(game.noisy_actions(state))
        assert {action for action in game.legal_actions(state) if not is_quiet(game, state, action)} == noisy


def test_tuning_is_the_same_in_every_run_and_goes_on(tmp_path: Path) -> None:
    begin = replace(small(), weights=small().weights._replace(man=-20, row=-9))
    rounds: list[Round] = []
    tuning = Tuning(begin, threads=2, nodes=200)
    found = tuning.run(games=60, progress=rounds.append, rounds=2)
    assert found == Tuning(begin, threads=1, nodes=200).run(games=60, rounds=2)
    assert [one.games for one in rounds] == [30, 60]
    assert rounds[0].error < rounds[0].before
    assert rounds[0].won > 2 * rounds[0].lost
    assert all(one.won + one.drawn + one.lost == 100 for one in rounds)
    assert tuning.tuned.weights == found != begin.weights
    tuning.save(tmp_path / "numbers", tmp_path / "numbers.tuning")
    again = Tuning(begin, nodes=200)
    again.load(tmp_path / "numbers.tuning")
    assert (again.weights, again.games, again.described()) == (found, 60, tuning.described())
    again.run(games=10, rounds=1)
    assert again.games == 70
    for other in (Tuning(begin, seed=1, nodes=200), Tuning(begin), Tuning(breakthrough(width=5), nodes=200)):
        with pytest.raises(BadParameter, match="remove it first"):
            other.load(tmp_path / "numbers.tuning")


def test_a_game_without_weights_has_nothing_to_tune() -> None:
    with pytest.raises(BadParameter, match="no numbers to tune"):
        Tuning(konane())


def test_a_game_whose_positions_are_all_proven_is_refused() -> None:
    with pytest.raises(BadParameter, match="fewer nodes"):
        Tuning(breakthrough(width=2, height=4), nodes=100_000).run(games=10, rounds=1)
