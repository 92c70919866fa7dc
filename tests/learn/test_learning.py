"""Learning small games to perfection, going on, files that hold what was learned, and engines that use it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reference import learned_value
from running import printed_interpreted
from thinking import assert_values_are_those_of_the_twin
from zermelo import Engine, make_game
from zermelo.engine.network import WHOLE
from zermelo.engine.switches import Switches
from zermelo.errors import BadParameter
from zermelo.game import Game, State
from zermelo.games import connect, mnk, othello
from zermelo.learn import Evaluation, Step, Training, ask, read_evaluation
from zermelo.learn.evaluation import FOLDER
from zermelo.learn.tensors import read_tensors, write_tensors

TIC_TAC_TOE = mnk()


def learned(game: Game, games: int, **how: Any) -> tuple[Training, Evaluation]:
    """What is learned from so many games."""
    training = Training(game, **how)
    return training, training.run(games=games, steps=1)


@pytest.fixture(scope="module")
def tic_tac_toe() -> tuple[Training, Evaluation]:
    return learned(TIC_TAC_TOE, 40_000)


def worst_result(game: Game, evaluation: Evaluation, player: int) -> int:
    """The least that ``player`` gets by choosing what the evaluation likes best, whatever the opponent plays."""
    known: dict[State, int] = {}

    def liking(state: State) -> float:
        if game.is_terminal(state):
            return player * game.utility(state)
        return player * game.to_move(state) * learned_value(evaluation, game, state)

    def worst(state: State) -> int:
        if game.is_terminal(state):
            return player * game.utility(state)
        if state not in known:
            children = [game.result(state, action) for action in game.actions(state)]
            mine = game.to_move(state) == player
            known[state] = worst(max(children, key=liking)) if mine else min(map(worst, children))
        return known[state]

    return worst(game.initial)


def test_tic_tac_toe_is_learned_to_perfection(tic_tac_toe: tuple[Training, Evaluation]) -> None:
    assert worst_result(TIC_TAC_TOE, tic_tac_toe[1], 1) == 0
    assert worst_result(TIC_TAC_TOE, tic_tac_toe[1], -1) == 0


def test_connect_4x4_is_learned_to_perfection() -> None:
    game = connect(4, 4)
    _, evaluation = learned(game, 60_000, seed=2)
    assert worst_result(game, evaluation, 1) == 0
    assert worst_result(game, evaluation, -1) == 0


def test_one_thread_and_a_seed_give_the_same_weights_also_in_two_halves(tmp_path: Path) -> None:
    whole = Training(TIC_TAC_TOE, seed=7)
    whole.run(games=300, steps=3)
    first = Training(TIC_TAC_TOE, seed=7)
    first.run(games=100, steps=1)
    first.save(str(tmp_path / "half"))  # a name will do for a path
    second = Training(TIC_TAC_TOE, seed=7)
    second.load(tmp_path / "half")
    steps: list[Step] = []
    found = second.run(games=200, steps=2, progress=steps.append)
    assert np.array_equal(found.weights, whole.evaluation().weights)
    assert (second.games, second.plies) == (whole.games, whole.plies)
    assert [(step.games, step.share, step.won + step.drawn + step.lost) for step in steps] == [
        (200, 0.5, 400),
        (300, 1, 400),
    ]
    assert not np.array_equal(learned(TIC_TAC_TOE, 300, seed=8)[1].weights[:100], found.weights[:100])
    with pytest.raises(BadParameter, match="another seed"):
        Training(TIC_TAC_TOE, seed=8).load(tmp_path / "half")


def test_learning_does_not_go_on_where_another_margin_counted_as_a_win(tmp_path: Path) -> None:
    game = othello(4)
    training = Training(game)
    training.save(tmp_path / "now")
    Training(game).load(tmp_path / "now")
    described, arrays = read_tensors(tmp_path / "now")
    assert described.pop("win") == game.utility_range[1] // 4
    write_tensors(tmp_path / "older", described, arrays)  # which did not say what counts as a win: the greatest margin
    with pytest.raises(BadParameter, match="another seed, shape or version; remove it first"):
        Training(game).load(tmp_path / "older")
    Training(game, course=training.course._replace(win=float(game.utility_range[1]))).load(tmp_path / "older")


def test_interpreted_and_compiled_learn_the_same() -> None:
    _, evaluation = learned(TIC_TAC_TOE, 64, seed=5)
    program = (
        "from zermelo.games import mnk; from zermelo.learn import Training\n"
        "print(*Training(mnk(), seed=5).run(games=64, steps=1).weights.tolist())"
    )
    assert printed_interpreted(program).split() == [str(weight) for weight in evaluation.weights]


def test_two_threads_learn_together() -> None:
    training, evaluation = learned(TIC_TAC_TOE, 500, threads=2)
    assert training.games == 500
    assert evaluation.weights.any()
    training.run(seconds=0.2, steps=1)
    assert training.games > 500


def test_a_file_gives_back_what_was_saved(tic_tac_toe: tuple[Training, Evaluation], tmp_path: Path) -> None:
    saved = tic_tac_toe[1]
    saved.save(tmp_path / "ttt.eval")
    read = read_evaluation(tmp_path / "ttt.eval", TIC_TAC_TOE)
    assert np.array_equal(read.weights, saved.weights)
    assert (read.cells, read.tuples, read.reach, read.how) == (saved.cells, saved.tuples, saved.reach, saved.how)
    assert repr(read) == f"<Evaluation of {TIC_TAC_TOE!r}: {len(saved.weights):,} weights>"


def test_files_of_other_games_older_rules_and_flipped_bits_are_refused(
    tic_tac_toe: tuple[Training, Evaluation], tmp_path: Path
) -> None:
    file = tmp_path / "ttt.eval"
    tic_tac_toe[1].save(file)
    with pytest.raises(BadParameter, match="was learned for mnk"):
        read_evaluation(file, connect(4, 4))
    content = bytearray(file.read_bytes())
    for place in (0, 40, len(content) - 1):
        damaged = bytearray(content)
        damaged[place] ^= 4
        (tmp_path / "damaged").write_bytes(damaged)
        with pytest.raises(BadParameter, match="damaged"):
            read_evaluation(tmp_path / "damaged", TIC_TAC_TOE)
    for short in (0, 7, 100, len(content) - 1):
        (tmp_path / "damaged").write_bytes(content[:short])
        with pytest.raises(BadParameter, match="damaged"):
            read_evaluation(tmp_path / "damaged", TIC_TAC_TOE)
    with pytest.raises(BadParameter, match="cannot be read"):
        read_evaluation(tmp_path / "absent", TIC_TAC_TOE)
    older = Evaluation(**{**vars(tic_tac_toe[1]), "fingerprint": "0" * 16} | {"how": {}})
    older.save(file)
    with pytest.raises(BadParameter, match="older or other rules"):
        read_evaluation(file, TIC_TAC_TOE)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("reach", 10**9),
        ("tuples", (((0, 1), (2,)),)),
        ("tuples", (((0, 99),),)),
        ("weights", np.zeros(3, np.int16)),
        ("switches", {"futility": "much"}),
    ],
)
def test_numbers_out_of_range_are_refused(
    tic_tac_toe: tuple[Training, Evaluation], tmp_path: Path, name: str, value: Any
) -> None:
    fields = {one: getattr(tic_tac_toe[1], one) for one in Evaluation.__dataclass_fields__}
    Evaluation(**{**fields, name: value}).save(tmp_path / "odd")
    with pytest.raises(BadParameter, match="does not fit"):
        read_evaluation(tmp_path / "odd", TIC_TAC_TOE)


def test_an_evaluation_names_the_switches_with_which_it_plays_best(
    tic_tac_toe: tuple[Training, Evaluation], tmp_path: Path
) -> None:
    """They go before the game's own ones, and those of the caller go before both."""
    file = tmp_path / "ttt.eval"
    replace(tic_tac_toe[1], switches={"reductions": 1, "futility": 7}).save(file)
    evaluation = read_evaluation(file, TIC_TAC_TOE)
    assert evaluation.switches == {"reductions": 1, "futility": 7}
    game = replace(TIC_TAC_TOE, switches={"reductions": False, "killers": False})
    assert Engine(game).switches == Switches(killers=False)
    assert Engine(game, evaluation=evaluation).switches == Switches(killers=False, reductions=1, futility=7)
    replace(evaluation, switches={"null_moves": 1}).save(file)
    with pytest.raises(BadParameter, match="names a search switch 'null_moves', which this version"):
        read_evaluation(file, TIC_TAC_TOE)
    described, arrays = read_tensors(file)
    write_tensors(file, {**described, "switches": ["futility"]}, arrays)
    with pytest.raises(BadParameter, match="does not fit"):
        read_evaluation(file, TIC_TAC_TOE)
    engine = Engine(game, evaluation=evaluation, futility=0)
    assert engine.switches == Switches(killers=False, reductions=1)
    assert engine.search(depth=3).unsound == ("reductions",)


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.eval")), ids=lambda file: file.stem)
def test_evaluations_that_come_with_zermelo_are_small_and_fit_the_rules(file: Path) -> None:
    game = make_game(file.stem)
    evaluation = read_evaluation("learned", game)
    assert file.stat().st_size < 1_000_000
    assert {"games", "seconds", "seed", "threads"} <= set(evaluation.how)
    assert np.abs(evaluation.weights).max() > 100


def test_a_game_without_such_an_evaluation_gets_a_sentence() -> None:
    with pytest.raises(BadParameter, match="zermelo learn mnk learns one"):
        read_evaluation("learned", TIC_TAC_TOE)


def test_an_evaluation_is_asked_about_many_states(tic_tac_toe: tuple[Training, Evaluation]) -> None:
    states = [TIC_TAC_TOE.initial, TIC_TAC_TOE.replay("b2"), TIC_TAC_TOE.replay("b2 a1 c3")]
    expected = [TIC_TAC_TOE.to_move(state) * learned_value(tic_tac_toe[1], TIC_TAC_TOE, state) for state in states]
    assert ask(tic_tac_toe[1], TIC_TAC_TOE, states).tolist() == pytest.approx(expected, abs=1e-3)
    assert ask(tic_tac_toe[1], TIC_TAC_TOE, []).tolist() == []


def test_an_engine_searches_with_what_was_learned(tic_tac_toe: tuple[Training, Evaluation]) -> None:
    evaluation = tic_tac_toe[1]
    state = TIC_TAC_TOE.replay("b2 a1")
    assert_values_are_those_of_the_twin(evaluation, TIC_TAC_TOE, state)
    assert Engine(TIC_TAC_TOE, evaluation=evaluation).prove(state).value == 0
    with pytest.raises(BadParameter, match="learned for other rules"):
        Engine(mnk(4, 4, 4), evaluation=evaluation)
    assert 0 < evaluation.reach < WHOLE
