"""``zermelo probe`` and the player ``table:FOLDER``."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solved import solved
from zermelo.errors import BadParameter, TableError
from zermelo.game import MAX
from zermelo.games import connect, tictactoe
from zermelo.play.players import make_player
from zermelo.solver.table.manifest import FORMAT, manifest_content

BOARD = {"rows": 4, "columns": 4, "run": 3}


@pytest.fixture(scope="module")
def folder() -> Path:
    return solved("connect", **BOARD).place


def test_json_has_every_move_best_first(zermelo: Callable[..., Any], folder: Path):
    ran = zermelo("probe", folder, "--moves", "1,2", "--json")
    assert (ran.status, ran.err) == (0, "")
    record = json.loads(ran.out)
    table = solved("connect", **BOARD)
    state = table.game.replay([1, 2])
    assert (record["value"], record["remoteness"]) == (table[state].value, table[state].remoteness)
    assert [move["action"] for move in record["moves"]] == [move.action for move in table.moves(state)]
    assert sorted(move["move"] for move in record["moves"]) == ["0", "1", "2", "3"]
    assert record["best_actions"] == table.best_actions(state)
    assert len(record["line"]) == record["remoteness"]


def test_people_see_the_board_and_the_moves(zermelo: Callable[..., Any], folder: Path):
    ran = zermelo("probe", folder, "--moves", "1")
    assert ran.out.startswith(". . . .\n. . . .\n. . . .\n. X . .\n0 1 2 3\n\nvalue 17777: Red wins, ")
    assert "Yellow (MIN) is to move\n\nmove            value remoteness\n" in ran.out
    assert "\nline: " in ran.out


def test_a_finished_game_has_no_moves(zermelo: Callable[..., Any], folder: Path):
    record = json.loads(zermelo("probe", folder, "--moves", "0,1,0,1,0", "--json").out)
    assert (record["to_move"], record["moves"], record["action"], record["remoteness"]) == (None, [], None, 0)
    assert "the game is over" in zermelo("probe", folder, "--moves", "0,1,0,1,0").out


def test_a_position_in_text(zermelo: Callable[..., Any], folder: Path, refusal: Callable[..., str]):
    game = connect(**BOARD)
    assert game.to_text is not None
    text = game.to_text(game.replay([1, 2]))
    by_text = zermelo("probe", folder, "--position", text, "--json").out
    assert by_text == zermelo("probe", folder, "--moves", "1,2", "--json").out
    assert "is no position of connect" in refusal("probe", folder, "--position", "nonsense")


def test_what_cannot_be_probed(refusal: Callable[..., str], folder: Path, tmp_path: Path):
    assert "holds no solved table" in refusal("probe", tmp_path)
    assert "'9' is not a legal action here" in refusal("probe", folder, "--moves", "9")
    assert "has no parameter 'columns'" in refusal("probe", folder, "--game", "kayles")


@pytest.mark.parametrize("content", ["", "{", "[]", "3", "null", '"checksum"'])
def test_a_manifest_that_is_none(content: str, refusal: Callable[..., str], tmp_path: Path):
    (tmp_path / "manifest.json").write_text(content)
    assert "manifest.json is damaged; it must be the manifest that 'zermelo solve' wrote." in refusal("probe", tmp_path)


def test_a_manifest_that_lacks_something(refusal: Callable[..., str], tmp_path: Path):
    (tmp_path / "manifest.json").write_bytes(manifest_content({"format": FORMAT, "positions": 1, "stored": 1}))
    assert "manifest.json is damaged: it lacks columns, fold, identity, tiers." in refusal("probe", tmp_path)


def test_a_game_of_a_file_is_run_only_where_it_is_named(zermelo: Callable[..., Any], refusal: Callable[..., str]):
    zermelo("new", "halves.py")
    assert zermelo("solve", "halves.py", "-p", "start=12", "--out", "table").status == 0
    assert "name its file with --game" in refusal("probe", "table")
    record = json.loads(zermelo("probe", "table", "--game", "halves.py", "--json").out)
    assert (record["value"], record["parameters"]) == (100, {"start": 12})


def test_the_player_keeps_the_value_to_the_end_and_hurries():
    table = solved("connect", **BOARD)
    game = table.game
    player = make_player(f"table:{table.place}", game)
    rival = make_player("random", game)
    state, moves = game.initial, 0
    while not game.is_terminal(state):
        thought = (player if game.to_move(state) == MAX else rival).think(state)
        if game.to_move(state) == MAX:
            assert thought.result is not None
            assert thought.result.proven
            assert thought.result.value == table[state].value
        state, moves = game.result(state, thought.action), moves + 1
    assert game.utility(state) >= table[game.initial].value
    remoteness = table[game.initial].remoteness
    assert remoteness is not None
    assert moves <= remoteness


def test_tables_that_the_player_refuses(tmp_path: Path, folder: Path):
    with pytest.raises(BadParameter, match="write table:FOLDER"):
        make_player("table", tictactoe())
    with pytest.raises(TableError, match="is a table of connect"):
        make_player(f"table:{folder}", tictactoe())
    with pytest.raises(TableError, match="holds no solved table"):
        make_player(f"table:{tmp_path}", tictactoe())


def test_two_tables_play_in_the_terminal(zermelo: Callable[..., Any], folder: Path):
    player = f"table:{folder}"
    ran = zermelo("play", "connect", *[part for name, value in BOARD.items() for part in ("-p", f"{name}={value}")],
                  "--max", player, "--min", player)  # fmt: skip
    assert ran.status == 0
    assert "Minimax value for this state: 17777, optimal move: 1" in ran.out
    assert f"The winner is Red (MAX): {player}." in ran.out
