"""Open squares: the empty squares that the player to move can fill with his next action."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numba import njit

from positions import random_moves
from reference import learned_value
from reference import open_squares as open_squares_slowly
from thinking import assert_values_are_those_of_the_twin
from zermelo.compiled.game import code_of, compiled
from zermelo.compiled.seen import open_squares, seen_words
from zermelo.compiled.states import flatten, load_state
from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.games import breakthrough, checkers, connect, domineering, hex, kalah, mnk, nim, othello
from zermelo.learn import Training, ask, read_evaluation
from zermelo.learn.evaluation import Evaluation
from zermelo.learn.finding import find_cells
from zermelo.learn.planning import Shape

PLACING = (connect(5, 4), othello(4), othello(6), domineering(4, 5))
"""Games in which squares are filled one after the other, and not all empty ones can be filled at once."""


def states_of(game: Game) -> list:
    return [state for seed in range(5) for state, _ in random_moves(game, seed) if not game.is_terminal(state)]


@njit
def seen(game, words):
    """Parts of kernels are called by compiled code only."""
    return seen_words(game, load_state(game, words))


@pytest.mark.parametrize("game", PLACING, ids=repr)
def test_open_squares_are_those_of_the_slow_twin_compiled_and_interpreted(game: Game) -> None:
    open_words = find_cells(game).open_words
    rules = compiled(game, open_words)
    assert open_words
    for state in states_of(game):
        expected = open_squares_slowly(game, state, open_words)
        assert open_squares(rules, state) == expected
        assert seen_words(rules, state) == tuple(seen(rules, flatten(state)))
        assert seen_words(rules, state)[-1] == expected


def test_a_disc_falls_onto_the_lowest_empty_square_of_a_column_and_turns_others_in_othello() -> None:
    game = connect(5, 4)
    state = game.result(game.result(game.initial, 0), 0)
    assert open_squares(compiled(game, (0, 1)), state) == 1 << 2 | 1 << 6 | 1 << 12 | 1 << 18
    game = othello()
    assert open_squares(compiled(game, (0, 1)), game.initial) == sum(
        1 << action for action in game.actions(game.initial)
    )


@pytest.mark.parametrize("game", [breakthrough(4, 5), checkers(), hex(4), mnk(), kalah(), nim()], ids=repr)
def test_no_symbol_tells_open_squares_where_men_move_or_every_empty_square_is_open(game: Game) -> None:
    assert find_cells(game).open_words == ()


def test_an_open_square_is_a_symbol_of_its_own() -> None:
    (group,) = find_cells(connect()).groups
    assert group.words == (0, 1, 2)
    assert group.codes == (0, 0b010, 0b011, 0b100)
    (group,) = find_cells(othello()).groups
    assert group.codes == (0, 0b001, 0b010, 0b100)


def test_features_stand_before_open_squares() -> None:
    game = replace(connect(5, 4), features=lambda state: (state.stones & 1,))
    cells = find_cells(game)
    assert [count.word for count in cells.counts] == [2]
    assert cells.groups[0].words == (0, 1, 3)
    rules = compiled(game, cells.open_words)
    assert seen_words(rules, game.initial) == (0, 0, 0, open_squares(rules, game.initial))
    assert tuple(seen(rules, flatten(game.initial))) == seen_words(rules, game.initial)


def learned(game: Game) -> Evaluation:
    return Training(game, seed=3, shape=Shape(length=3, entries=1 << 8, lookups=20)).run(games=200, steps=1)


def test_machine_code_with_and_without_open_squares_stands_side_by_side() -> None:
    game = othello(4)
    plain = compiled(game)
    assert compiled(game, (0, 1)) is compiled(game, (0, 1)) is not plain is compiled(game)
    assert code_of(game) == plain.code != compiled(game, (0, 1)).code


@pytest.mark.parametrize("game", [connect(5, 4), othello(4)], ids=repr)
def test_an_evaluation_that_sees_open_squares_is_written_read_and_searched_with(game: Game, tmp_path: Path) -> None:
    evaluation = learned(game)
    states = states_of(game)
    expected = [game.to_move(state) * learned_value(evaluation, game, state) for state in states]
    assert ask(evaluation, game, states).tolist() == pytest.approx(expected, abs=1e-3)
    assert len(set(expected)) > 10
    evaluation.save(tmp_path / "open.eval")
    read = read_evaluation(tmp_path / "open.eval", game)
    assert read.open_words == evaluation.open_words == (0, 1)
    assert np.array_equal(read.weights, evaluation.weights)
    assert_values_are_those_of_the_twin(read, game, game.initial)


def without_open_squares(evaluation: Evaluation) -> Evaluation:
    """As an evaluation was written before there were open squares."""
    return replace(evaluation, cells=replace(evaluation.cells, open_words=()))


def outside_of_the_state(evaluation: Evaluation) -> Evaluation:
    return replace(evaluation, cells=replace(evaluation.cells, open_words=(0, 3)))


@pytest.mark.parametrize("spoil", [without_open_squares, outside_of_the_state])
def test_a_file_whose_words_do_not_exist_is_refused(spoil: Callable[[Evaluation], Evaluation], tmp_path: Path) -> None:
    spoil(learned(connect(5, 4))).save(tmp_path / "wrong.eval")
    with pytest.raises(BadParameter, match="does not fit the states"):
        read_evaluation(tmp_path / "wrong.eval", connect(5, 4))
