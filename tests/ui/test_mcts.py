"""``zermelo mcts`` and the player ``mcts``."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zermelo.engine.tree.tree_search import TreeSearch
from zermelo.errors import BadParameter
from zermelo.games import tictactoe
from zermelo.learn import Training
from zermelo.play.limits import MoveLimits
from zermelo.play.match import Match
from zermelo.play.players import TreePlayer, make_player


def test_the_command_prints_visits_and_what_is_proven(zermelo: Callable[..., Any]):
    asked = ("mcts", "tictactoe", "--playouts", "2000", "--rave", "--threads", "2")
    record = json.loads(zermelo(*asked, "--json").out)
    assert sum(record["visits"].values()) == record["nodes"] == 2000 and not record["proven"]
    assert f"playouts       {2000:,}" in zermelo(*asked).out
    won = json.loads(zermelo("mcts", "tictactoe", "--moves", "a1,b1,a2,b2", "--playouts", "100", "--json").out)
    assert won["proven"] and won["value"] == 1000 and won["stopped_by"] == "finished"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("mcts tictactoe --playouts 0", "The limit playouts is 0; it must be more than 0."),
        ("mcts tictactoe --exploration -1", "The option exploration is -1.0; it must be from 0"),
        ("mcts tictactoe --moves a1,b1,a2,b2,a3", "The game is over in this state"),
    ],
)
def test_bad_input(line: str, sentence: str, zermelo: Callable[..., Any]):
    ran = zermelo(*line.split())
    assert ran.status == 1 and sentence in ran.err


def test_the_player_keeps_to_its_settings_and_to_limits():
    game = tictactoe()
    player = make_player("mcts:playouts=300,rave=on,exploration=1.4,threads=2,table_mb=1", game, seed=3)
    assert isinstance(player, TreePlayer) and player.tree.options.seed == 3 and player.tree.options.rave
    thought = player.think(game.initial)
    assert thought.result is not None and thought.result.nodes == 300 and thought.searched
    assert player.think(game.initial, limits=MoveLimits(nodes=50)).result.nodes == 50  # type: ignore[union-attr]
    player.new_game(1)
    player.new_game(0)
    assert player.think(game.initial).action == thought.action
    with pytest.raises(BadParameter, match="The player mcts has no setting 'depth'; it has seconds, playouts"):
        make_player("mcts:depth=3", game)


def test_the_command_and_the_player_take_a_learned_evaluation(tmp_path: Path, zermelo: Callable[..., Any]):
    game, file = tictactoe(), tmp_path / "tictactoe.eval"
    learned = Training(game).run(games=300, steps=1)
    learned.save(file)
    player = make_player(f"mcts:playouts=200,eval={file}", game)
    assert isinstance(player, TreePlayer) and player.tree.options.minimax == 0.4
    visits = TreeSearch(game, evaluation=learned).search(playouts=200).visits
    assert visits != TreeSearch(game).search(playouts=200).visits
    assert player.tree.search(playouts=200).visits == visits
    asked = ("mcts", "tictactoe", "--playouts", "200", "--json", "--eval", str(file))
    assert {int(action): count for action, count in json.loads(zermelo(*asked).out)["visits"].items()} == visits
    for wrong in (("mcts", "nim", "--eval", str(file)), ("mcts", "tictactoe", "--eval", str(tmp_path / "none"))):
        ran = zermelo(*wrong)
        assert ran.status == 1 and str(file.parent) in ran.err and ran.err.count("\n") == 1


def test_it_does_not_lose_tictactoe():
    match = Match(tictactoe(), "mcts:playouts=3000", "mcts:playouts=3000,seed=1")
    while not match.is_over:
        match.play(match.think(match.mover).action)
    assert match.value == 0


def test_a_terminal_says_that_the_value_is_an_estimate(zermelo: Callable[..., Any]):
    said = zermelo("play", "tictactoe", "--max", "mcts:playouts=100", "--min", "random:seed=1").out
    assert "(an estimate)" in said
