"""What a search returns: how it is printed, compared, saved and shown."""

import json
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from zermelo.engine import Engine
from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.games import mnk, nim, tictactoe
from zermelo.play.players import make_player
from zermelo.result import SearchResult
from zermelo.textbook.systems import ALGORITHMS, Settings, System


def rows(result: SearchResult) -> dict[str, str]:
    return {line[:14].strip(): line[15:] for line in str(result).splitlines()}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_actions_print_as_people_write_them(algorithm: str) -> None:
    game = tictactoe()
    result = System(game, algorithm, Settings(depth=3, seconds=5)).search(game.initial)
    assert rows(result)["action"] == game.show_action(game.initial, result.action)
    assert rows(result)["line"] == result.line
    assert game.replay(result.line) == game.replay(result.principal_variation)
    assert "<td>" + result.line + "</td>" in result._repr_html_()


def test_the_engine_and_its_proofs_print_actions_as_people_write_them() -> None:
    game = tictactoe()
    engine = Engine(game)
    state = game.replay("b2 a3")
    for result in (engine.search(state, depth=4, root_values=True), engine.prove(state), engine.decide(state, 1)):
        assert rows(result)["action"] == game.show_action(state, result.action)
        assert game.replay(result.line, state) == game.replay(result.principal_variation, state)
    values = engine.search(state, root_values=True)
    texts = [game.show_action(state, action) for action in values.best_actions or ()]
    assert rows(values)["best actions"] == " ".join(texts)
    assert rows(values)["values"].startswith(f"{game.show_action(state, next(iter(values.root_values or ())))}: ")
    thought = make_player("engine", game, depth=2).think(state)
    assert thought.result is not None
    assert rows(thought.result)["action"] == game.show_action(state, thought.action)


def test_decide_takes_the_state_first_and_still_understands_it_second() -> None:
    game = tictactoe()
    engine, state = Engine(game), game.replay("b2 b3")
    asked = [engine.decide(state, 1), engine.decide(1, state), engine.decide(state=state, at_least=np.int64(1))]
    assert {(one.value, one.bound) for one in asked} == {(1, "lower")}
    assert [engine.decide(1).bound, engine.decide(at_least=0).bound] == ["upper", "lower"]
    for question in ((), (state,), (state, "1")):
        with pytest.raises(BadParameter, match=r"^decide needs the value to ask for: decide\(state, 1\) asks "):
            engine.decide(*question)
    assert engine.prove_many([state, game.initial]).tolist() == [engine.prove(state).value, 0]


def test_texts_with_spaces_are_told_apart() -> None:
    game = replace(nim(1, 2), format_action=lambda state, action: f"take {action}")
    result = System(game, "minimax").search(game.initial)
    assert result == replace(System(game, "minimax").search(), seconds=result.seconds)
    assert ", " in result.line
    assert result.line.split(", ")[0] == game.show_action(game.initial, result.action)


def searched(game: Game) -> SearchResult:
    return System(game, "alpha-beta").search(game.replay("b2 a3 c3"))


def test_what_was_searched_is_no_part_of_the_result(tmp_path: Path) -> None:
    result = searched(tictactoe())
    bare = replace(result, game=None, state=None)
    assert result == bare
    assert result.to_dict() == bare.to_dict()
    assert not {"game", "state"} & set(result.to_dict())
    assert pickle.loads(pickle.dumps(result)) == result
    assert bare.line == " ".join(map(str, result.principal_variation))
    result.save(tmp_path / "result.json")
    assert json.loads((tmp_path / "result.json").read_text()) == result.to_dict()
    with pytest.raises(BadParameter, match="cannot be written: No such file or directory"):
        result.save(tmp_path / "nowhere" / "result.json")


def test_a_repr_is_constructor_code_of_what_is_not_usual() -> None:
    result = replace(searched(tictactoe()), seconds=0.0)
    assert repr(SearchResult(value=0, action=4)) == "SearchResult(value=0, action=4)"
    assert eval(repr(result)) == result
    assert len(repr(result)) < 400


def test_a_result_with_thousands_of_actions_fits_on_a_screen() -> None:
    game = mnk(15, 15, 5)
    actions = tuple(game.legal_actions(game.initial)) * 10
    result = SearchResult(
        value=0,
        action=0,
        best_actions=actions,
        principal_variation=actions,
        root_values=dict.fromkeys(range(5000), 0),
    )
    assert len(repr(result)) < 600
    assert "2,210 more" in rows(result)["best actions"]
    assert "4,960 more" in rows(result)["values"]
    assert len(str(result)) < 2000
    system = System(tictactoe(), "minimax")
    system.search(tictactoe().initial)
    assert len(repr(system)) < 400
