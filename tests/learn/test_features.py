"""Features that a game adds to what a learned evaluation sees."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from positions import random_moves
from reference import learned_value
from thinking import assert_values_are_those_of_the_twin
from zermelo import Engine
from zermelo.compiled.game import code_of
from zermelo.errors import BadGame, BadParameter
from zermelo.game import Game
from zermelo.games import breakthrough, mnk
from zermelo.learn import Training, ask, read_evaluation
from zermelo.learn.cells import seen_ints
from zermelo.learn.finding import find_cells
from zermelo.learn.planning import Shape

PLAIN = breakthrough(width=4, height=5)


def men(state: tuple) -> tuple[int, int, int]:
    mine, theirs = state.max_men.bit_count(), state.min_men.bit_count()
    return mine, theirs, mine - theirs


def counted(word: int) -> int:
    found = 0
    while word != 0:
        word &= word - 1
        found += 1
    return found


def compiled_men(state: tuple) -> tuple[int, int, bool]:
    """Counts for both players, and whether they are equal."""
    return counted(state.max_men), counted(state.min_men), counted(state.max_men) == counted(state.min_men)


WITH = replace(PLAIN, features=compiled_men, noisy_actions=None)


def positions(game: Game) -> list:
    found = []
    for seed in range(20):
        found += [state for state, _ in random_moves(game, seed)]
    return found


def test_features_are_cells_after_all_others_and_swap_exchanges_them() -> None:
    plain, cells = find_cells(PLAIN), find_cells(replace(PLAIN, features=men))
    assert len(cells.symbols) == len(plain.symbols) + 3
    assert cells.groups == plain.groups
    assert [count.word for count in cells.counts[-3:]] == [3, 4, 5]
    assert cells.swapped is not None
    first = len(plain.symbols)
    assert cells.swapped.cells[-3:] == (first + 1, first, first + 2)
    turned = cells.swapped.symbols[-1]
    middle = -cells.counts[-1].low
    assert turned[middle] == middle
    assert turned[middle + 1] == middle - 1
    assert [image[:first] for image in cells.symmetries] == [image[:first] for image in plain.symmetries]
    lopsided = find_cells(replace(PLAIN, features=lambda state: (int(state.max_men.bit_count() > 4),)))
    assert lopsided.swapped is None


def test_a_feature_that_a_reflection_changes_is_no_symmetry() -> None:
    left = 0b0011 * 0x11111
    assert find_cells(PLAIN).symmetries
    one_sided = replace(PLAIN, features=lambda state: ((state.max_men & left).bit_count(),))
    assert find_cells(one_sided).symmetries == ()


def test_games_without_features_are_as_before_and_others_differ() -> None:
    assert PLAIN.seen_fingerprint == PLAIN.fingerprint == WITH.fingerprint
    assert WITH.seen_fingerprint != replace(PLAIN, features=men).seen_fingerprint != PLAIN.fingerprint
    assert code_of(WITH) != code_of(PLAIN)
    assert seen_ints(WITH, WITH.initial) == (*WITH.initial, 8, 8, 1)


def test_learning_uses_features_and_an_engine_searches_with_them(tmp_path: Path) -> None:
    training = Training(WITH, seed=3, shape=Shape(length=3, entries=1 << 8, lookups=40))
    evaluation = training.run(games=300, steps=1)
    of_features = set(range(len(evaluation.cells.symbols) - 3, len(evaluation.cells.symbols)))
    assert any(of_features & set(image) for images in evaluation.tuples for image in images)
    states = positions(WITH)
    expected = [WITH.to_move(state) * learned_value(evaluation, WITH, state) for state in states]
    assert ask(evaluation, WITH, states).tolist() == pytest.approx(expected, abs=1e-3)
    evaluation.save(tmp_path / "with.eval")
    read = read_evaluation(tmp_path / "with.eval", WITH)
    assert np.array_equal(read.weights, evaluation.weights)
    assert_values_are_those_of_the_twin(read, WITH, WITH.initial)
    for other in (PLAIN, replace(PLAIN, features=men)):
        with pytest.raises(BadParameter, match="older or other rules"):
            read_evaluation(tmp_path / "with.eval", other)
        with pytest.raises(BadParameter, match="learned for other rules"):
            Engine(other, evaluation=read)


@pytest.mark.parametrize(
    ("features", "sentence"),
    [
        (lambda state: [1], "must be a tuple of small ints"),
        (lambda state: (0.5,), "must be a tuple of small ints"),
        (lambda state: (1,) * (1 + state.max_men.bit_count() % 2), "different lengths"),
        (lambda state: (state.max_men,), "at most 1,024 values"),
    ],
)
def test_features_of_the_wrong_kind_are_refused(features, sentence) -> None:
    with pytest.raises(BadParameter, match=sentence):
        find_cells(replace(PLAIN, features=features))


def test_features_must_be_a_function() -> None:
    with pytest.raises(BadGame, match="must be a function"):
        replace(mnk(), features=(1, 2))
