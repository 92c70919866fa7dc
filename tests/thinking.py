"""What an engine thinks with a learned evaluation."""

import pytest

from reference import learned_value
from zermelo import Engine
from zermelo.game import Game, State
from zermelo.learn import Evaluation


def assert_values_are_those_of_the_twin(evaluation: Evaluation, game: Game, state: State) -> None:
    """Each action's value, one ply deep, is what the slow twin of the evaluation thinks of the result."""
    found = Engine(game, evaluation=evaluation).search(state, depth=1, root_values=True)
    assert found.root_values is not None
    assert set(found.root_values) == set(game.actions(state))
    for action, value in found.root_values.items():
        child = game.result(state, action)
        thought = game.to_move(child) * learned_value(evaluation, game, child)
        assert value == pytest.approx(thought * evaluation.reach, abs=1 + 0.002 * evaluation.reach)
