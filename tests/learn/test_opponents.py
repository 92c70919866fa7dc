"""Learning against a fixed opponent: what is learned is the best answer to it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reference import expected_result, learned_value
from running import printed_interpreted
from zermelo.errors import BadParameter
from zermelo.game import Action, Game, State
from zermelo.games import connect, mnk
from zermelo.learn import Evaluation, ThreadsAgainst, Training, read_evaluation

TIC_TAC_TOE = mnk()


def indifferent(game: Game) -> Evaluation:
    """An evaluation that thinks nothing of every position."""
    return Training(game).evaluation()


def liked(game: Game, evaluation: Evaluation) -> Callable[[State], list[Action]]:
    """The actions of a player that looks one ply ahead."""

    def thought(state: State, side: int) -> float:
        if game.is_terminal(state):
            return float(np.sign(side * game.utility(state)))
        return side * game.to_move(state) * learned_value(evaluation, game, state)

    def actions(state: State) -> list[Action]:
        thoughts = {one: thought(game.result(state, one), game.to_move(state)) for one in game.actions(state)}
        return [one for one, value in thoughts.items() if value == max(thoughts.values())]

    return actions


@pytest.mark.parametrize("player", [1, -1])
def test_what_is_learned_gets_nearly_as_much_as_can_be_had(player: int) -> None:
    opponent = indifferent(TIC_TAC_TOE)
    found = Training(TIC_TAC_TOE, players=ThreadsAgainst(1, opponent)).run(games=20_000, steps=1)
    its, win = liked(TIC_TAC_TOE, opponent), TIC_TAC_TOE.utility_range[1]
    most = expected_result(TIC_TAC_TOE, player, None, its, 0.1)
    assert most > expected_result(TIC_TAC_TOE, player, its, its, 0.1) + 0.2 * win, "there is something to learn"
    assert expected_result(TIC_TAC_TOE, player, liked(TIC_TAC_TOE, found), its, 0.1) > most - 0.02 * win


def test_one_thread_and_a_seed_give_the_same_weights_also_in_two_halves(tmp_path: Path) -> None:
    opponent = indifferent(TIC_TAC_TOE)
    whole = Training(TIC_TAC_TOE, seed=7, players=ThreadsAgainst(1, opponent)).run(games=300, steps=3)
    first = Training(TIC_TAC_TOE, seed=7, players=ThreadsAgainst(1, opponent))
    first.run(games=100, steps=1)
    first.save(tmp_path / "half")
    second = Training(TIC_TAC_TOE, seed=7, players=ThreadsAgainst(1, opponent))
    second.load(tmp_path / "half")
    assert np.array_equal(second.run(games=200, steps=2).weights, whole.weights)
    assert not np.array_equal(Training(TIC_TAC_TOE, seed=7).run(games=300, steps=3).weights, whole.weights)


def test_two_threads_learn_together() -> None:
    training = Training(TIC_TAC_TOE, players=ThreadsAgainst(2, indifferent(TIC_TAC_TOE)))
    assert training.run(games=500, steps=1).weights.any()
    assert training.games == 500


def test_interpreted_and_compiled_learn_the_same(tmp_path: Path) -> None:
    file = tmp_path / "opponent.eval"
    Training(TIC_TAC_TOE).run(games=64, steps=1).save(file)
    opponent = read_evaluation(file, TIC_TAC_TOE)
    found = Training(TIC_TAC_TOE, seed=5, players=ThreadsAgainst(1, opponent)).run(games=64, steps=1)
    program = (
        "import sys; from zermelo.games import mnk\n"
        "from zermelo.learn import ThreadsAgainst, Training, read_evaluation\n"
        "players = ThreadsAgainst(1, read_evaluation(sys.argv[1], mnk()))\n"
        "print(*Training(mnk(), seed=5, players=players).run(games=64, steps=1).weights.tolist())"
    )
    assert printed_interpreted(program, str(file)).split() == [str(weight) for weight in found.weights]


def test_an_opponent_of_another_game_is_refused() -> None:
    training = Training(TIC_TAC_TOE, players=ThreadsAgainst(1, indifferent(connect(4, 4))))
    with pytest.raises(BadParameter, match="learned for other rules"):
        training.run(games=1, steps=1)


def test_an_opponent_that_sees_other_squares_as_open_is_refused() -> None:
    game = connect(4, 4)
    opponent = indifferent(game)
    assert opponent.open_words
    blind = replace(opponent, cells=replace(opponent.cells, open_words=()))
    with pytest.raises(BadParameter, match="see different squares as open"):
        Training(game, players=ThreadsAgainst(1, blind)).run(games=1, steps=1)
