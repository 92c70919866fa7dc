"""A saved game: what is written is read back, and anything else is refused with a sentence."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.errors import RecordError
from zermelo.games import checkers, connect, minicheckers, mnk, tictactoe
from zermelo.play.match import Match, play_out
from zermelo.play.players import make_player
from zermelo.play.record import Record
from zermelo.play.settings import PlayerOptions

GAME = connect(4, 4, 3)
RECORD = Record("connect", {"rows": 4, "columns": 4, "run": 3}, GAME.fingerprint, "human", "timed:easy", ["0", "3"])

CLOCK = {"base": 180, "increment": 2, "max": 170.5, "min": 160, "left": [None, 160]}


def sealed(**changes: Any) -> bytes:
    """A saved game with some fields changed (or, as ..., left out), and a checksum that fits."""
    fields = {
        "format": "zermelo game 1",
        "game": RECORD.game,
        "parameters": RECORD.parameters,
        "rules": RECORD.rules,
        "max": RECORD.max,
        "min": RECORD.min,
        "moves": RECORD.moves,
        "outcome": None,
    } | changes
    fields = {name: value for name, value in fields.items() if value is not ...}
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return json.dumps(fields | {"checksum": hashlib.sha256(text.encode()).hexdigest()}).encode()


def test_a_record_says_what_ended_the_game(tmp_path: Path):
    game = replace(checkers(), initial=checkers().from_text("B:WK32:BK1"))
    players = [make_player("random", game) for _ in range(2)]
    match = Match(game, *players)
    for move in ("1-6", "32-27", "6-1", "27-32"):
        assert Record.of(match, "checkers").ending is None
        match.play(game.read_action(match.state, move))
    Record.of(match, "checkers").save(tmp_path / "saved.json")
    loaded = Record.load(tmp_path / "saved.json")
    assert (loaded.outcome, loaded.ending) == ("draw", "repetition")
    match = Match(tictactoe(), "random", "random", [0, 3, 1, 4, 2])
    assert Record.of(match, "tictactoe").ending == "rules"


def refusal(path: Path, content: bytes) -> str:
    """The sentence with which a file is refused."""
    path.write_bytes(content)
    with pytest.raises(RecordError) as error:
        Record.load(path)
    sentence = str(error.value)
    assert str(path) in sentence
    assert sentence.endswith(".")
    return sentence


@pytest.mark.parametrize("make", [tictactoe, lambda: mnk(4, 3, 3), lambda: GAME, minicheckers])
def test_a_game_comes_back_as_it_was_played(make: Callable[[], Any], tmp_path: Path):
    game = make()
    match = Match(game, make_player("random", game), make_player("random", game, PlayerOptions(seed=1)))
    play_out(match)
    record = Record.of(match, game.name)
    record.save(tmp_path / "game.json")
    loaded = Record.load(tmp_path / "game.json")
    assert loaded == record
    assert loaded.outcome == match.outcome
    assert loaded.actions(make()) == match.actions


def test_the_record_of_a_game_in_progress():
    match = Match(GAME, make_player("human", GAME), make_player("timed:easy", GAME), [0, 3])
    assert Record.of(match, "connect") == RECORD


def test_saving_again_replaces_the_file_and_leaves_nothing_beside_it(tmp_path: Path):
    path = tmp_path / "game.json"
    path.write_text("something older")
    RECORD.save(path)
    assert Record.load(path) == RECORD
    assert list(tmp_path.iterdir()) == [path]


def test_a_path_of_any_letters_is_kept(tmp_path: Path):
    record = Record("spiele/mühle \\u d800 🎲.py", {"flying": True}, "0" * 16, "human", "human", ["ä1"])
    record.save(tmp_path / "game.json")
    assert Record.load(tmp_path / "game.json") == record


@pytest.mark.parametrize("name", ["no/such/folder/game.json", ".", "a\0b", "x" * 300])
def test_what_cannot_be_saved_is_told(name: str, tmp_path: Path):
    with pytest.raises(RecordError, match="cannot be saved"):
        RECORD.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_what_cannot_be_read_is_told(name: str, tmp_path: Path):
    with pytest.raises(RecordError, match="cannot be read"):
        Record.load(tmp_path / name)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff\xfe", b"rows=4", b"[" * 100_000], ids=["empty", "cut", "bytes", "text", "deep"]
)
def test_a_file_that_is_not_json(content: bytes, tmp_path: Path):
    assert "not JSON" in refusal(tmp_path / "game.json", content)


@pytest.mark.parametrize("content", [b"[]", b"3", b"null", b"{}", b'{"format": "zermelo game 2"}', b'{"format": []}'])
def test_json_that_is_no_record(content: bytes, tmp_path: Path):
    assert "lacks the format 'zermelo game 1'" in refusal(tmp_path / "game.json", content)


def test_a_move_changed_by_hand(tmp_path: Path):
    content = sealed().replace(b'"moves": ["0"', b'"moves": ["1"')
    assert content != sealed()
    assert "damaged" in refusal(tmp_path / "game.json", content)


def test_a_lone_surrogate_is_damage(tmp_path: Path):
    assert "damaged" in refusal(tmp_path / "game.json", sealed().replace(b'"connect"', b'"\\ud800"'))


def test_sealed_makes_good_records(tmp_path: Path):
    (tmp_path / "game.json").write_bytes(sealed())
    assert Record.load(tmp_path / "game.json") == RECORD


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"moves": 3}, "moves must be a list of text"),
        ({"moves": "0,3"}, "moves must be a list of text"),
        ({"moves": {"0": "3"}}, "moves must be a list of text"),
        ({"moves": [0, 3]}, "moves must be a list of text"),
        ({"moves": [["0"]]}, "moves must be a list of text"),
        ({"moves": None}, "moves must be a list of text"),
        ({"game": 7}, "must be text"),
        ({"rules": None}, "must be text"),
        ({"max": ["human"]}, "must be text"),
        ({"min": 0}, "must be text"),
        ({"parameters": [4, 4, 3]}, "parameters must be names with whole numbers"),
        ({"parameters": {"rows": "4"}}, "parameters must be names with whole numbers"),
        ({"parameters": {"rows": 4.5}}, "parameters must be names with whole numbers"),
        ({"options": [3]}, "options must be"),
        ({"options": {"colour": 3}}, "options must be"),
        ({"options": {"seed": "x"}}, "options must be"),
        ({"options": {"seconds": "x"}}, "options must be"),
        ({"options": {"depth": 1.5}}, "options must be"),
        ({"options": {"level": 3}}, "options must be"),
        ({"options": {"handout": "yes"}}, "options must be"),
        ({"variations": 3}, "variations must be"),
        ({"variations": [{"after": 3, "moves": ["0"]}]}, "variations must be"),
        ({"variations": [{"after": True, "moves": ["0"]}]}, "variations must be"),
        ({"variations": [{"after": 0, "moves": [0]}]}, "variations must be"),
        ({"clock": {"base": 60}}, "clock must hold"),
        ({"clock": {"base": 60, "increment": 0, "max": -1, "min": 2, "left": []}}, "clock must hold"),
        ({"clock": {"base": 60, "increment": 0, "max": 1, "min": 2, "left": ["1"]}}, "clock must hold"),
        ({"outcome": "MAX"}, "outcome must be"),
        ({"outcome": [1]}, "outcome must be"),
        ({"ending": "checkmate"}, "ending must be"),
        ({"game": ...}, "missing 1 required"),
        ({"colour": "red"}, "unexpected keyword"),
    ],
)
def test_fields_of_the_wrong_shape(changes: dict[str, Any], words: str, tmp_path: Path):
    assert words in refusal(tmp_path / "game.json", sealed(**changes))


def test_what_came_later_is_left_out_where_there_is_nothing():
    assert not {"variations", "clock"} & set(json.loads(RECORD.to_text()))
    full = replace(RECORD, variations=[{"after": 1, "moves": ["2", "2"]}], clock=CLOCK)
    assert Record.from_text(full.to_text()) == full
    assert full.lines(GAME) == [[0, 2, 2]]
    wrong = replace(RECORD, variations=[{"after": 1, "moves": ["2", "9"]}])
    with pytest.raises(RecordError, match="Variation 1 of the record: '9' is not a legal action"):
        wrong.lines(GAME)


def test_a_record_of_other_rules():
    with pytest.raises(RecordError, match=rf"other rules of connect \(fingerprint {GAME.fingerprint}\)"):
        RECORD.actions(connect(4, 4, 4))


@pytest.mark.parametrize(("moves", "number"), [(["9"], 1), (["0", "zero"], 2), (["0"] * 5, 5)])
def test_an_illegal_move_in_a_record(moves: list[str], number: int):
    record = Record("connect", dict(GAME.parameters), GAME.fingerprint, "human", "human", moves)
    with pytest.raises(RecordError, match=f"Move {number} of the record: .*legal are"):
        record.actions(GAME)


@given(data=st.data())
def test_any_single_changed_byte_is_refused_or_means_the_same(data: st.DataObject, tmp_path_factory: Any):
    path = tmp_path_factory.getbasetemp() / "changed.json"
    record = Record("mühle\\ud800.py", {"rows": 4, "flying": True}, "0f" * 8, "human", "random", ["a1", "b2"], "draw")
    record.save(path)
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1), "place")
    content[place] = data.draw(st.integers(0, 255).filter(lambda byte: byte != content[place]), "byte")
    path.write_bytes(content)
    try:
        loaded = Record.load(path)
    except RecordError as error:
        assert str(error).endswith(".")
    else:
        assert loaded == record


def test_what_was_said_of_the_players_is_kept(tmp_path):
    game = tictactoe()
    options = PlayerOptions(depth=3, handout=True)
    match = Match(game, make_player("heuristic", game, options), make_player("human", game))
    Record.of(match, "tictactoe", options).save(tmp_path / "game.json")
    assert Record.load(tmp_path / "game.json").options == {"depth": 3, "handout": True}


def test_a_record_of_the_time_when_handout_was_called_letter_is_read(tmp_path: Path):
    match = Match(tictactoe(), make_player("minimax", tictactoe()), make_player("human", tictactoe()))
    path = tmp_path / "game.json"
    replace(Record.of(match, "tictactoe"), options={"letter": True}).save(path)
    assert '"letter": true' in path.read_text()
    assert Record.load(path).options == {"handout": True}


def test_every_field_of_a_record_is_documented():
    page = (Path(__file__).parents[2] / "docs" / "reference" / "records.md").read_text(encoding="utf-8")
    documented = {name for row in re.findall(r"^\| (`.*?`) \|", page, re.MULTILINE) for name in re.findall(r"\w+", row)}
    assert documented == {"format", "checksum", *(item.name for item in fields(Record))}


def test_all_options_come_back(tmp_path: Path):
    game = tictactoe()
    options = PlayerOptions(depth=3, width=2, seconds=1, level="easy", seed=7, handout=True)
    match = Match(game, make_player("human", game), make_player("human", game))
    Record.of(match, "tictactoe", options).save(tmp_path / "game.json")
    assert PlayerOptions(**Record.load(tmp_path / "game.json").options) == options
