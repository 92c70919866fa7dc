import dataclasses
import re
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.errors import BadGame, BadParameter, GameFileError, IllegalAction, UnknownGame, ZermeloError
from zermelo.games import checkers, connect, minicheckers, mnk, nim, tictactoe
from zermelo.registry import factories, find_factory, load_file, make_game

RULES = """
from typing import NamedTuple
from zermelo.game import MAX, MIN, Game
import {helpers}

class State(NamedTuple):
    left: int
    player: int

def take(start: int = 5) -> Game:
    '''Take one or two; who takes the last wins.'''
    def to_move(state):
        return state.player
    def actions(state):
        return range(1, min({helpers}.most(), state.left) + 1)
    def result(state, action):
        return State(state.left - action, -state.player)
    def is_terminal(state):
        return state.left == 0
    def utility(state):
        return -state.player
    return Game(name="take", parameters={{"start": start}}, initial=State(start, MAX), utility_range=(-1, 1),
                to_move=to_move, actions=actions, result=result, is_terminal=is_terminal, utility=utility)
"""


@pytest.fixture
def write_game(tmp_path, monkeypatch):
    """Writes a game file and the helper module that it imports, and gives its fingerprint in a new process."""

    def fingerprint(rules=RULES, helpers="def most():\n    return 2\n", name="helpers_of_take"):
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(helpers))
        (tmp_path / "take.py").write_text(rules.format(helpers=name))
        code = "from zermelo.registry import make_game; print(make_game('take.py').fingerprint)"
        env = {"PYTHONPATH": f"{':'.join(sys.path)}:{tmp_path}", "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    return fingerprint


def test_fingerprints_are_the_same_in_every_process(write_game):
    code = "from zermelo.games import *; print(connect(5, 4).fingerprint, tictactoe().fingerprint)"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert outputs == {f"{connect(5, 4).fingerprint} {tictactoe().fingerprint}\n"}
    assert write_game() == write_game()


def test_comments_docstrings_annotations_and_blank_lines_do_not_count(write_game):
    changed = RULES.replace(
        "def to_move(state):", "def to_move(state: State) -> int:\n\n        # whose turn\n        'Doc.'"
    )
    assert write_game(changed) == write_game()
    assert write_game(helpers="# new\n\ndef most():\n    '''At most two.'''\n    return 2\n") == write_game()


def test_a_changed_rule_helper_or_parameter_counts(write_game):
    plain = write_game()
    assert write_game(RULES.replace("return -state.player", "return state.player")) != plain
    assert write_game(helpers="def most():\n    return 3\n") != plain
    assert write_game(RULES.replace("start: int = 5", "start: int = 6")) != plain
    assert connect(rows=5).fingerprint != connect(rows=4).fingerprint
    assert mnk(3, 3, 3).fingerprint != connect(3, 3, 3).fingerprint


def test_a_helper_of_a_helper_counts(write_game):
    helpers = "LIMIT = {}\ndef inner():\n    return LIMIT\ndef most():\n    return inner()\n"
    assert write_game(helpers=helpers.format(2)) != write_game(helpers=helpers.format(3))


def test_lambdas_on_one_line_are_told_apart():
    pair = [lambda state: state + 1, lambda state: state + 2]
    from zermelo.fingerprint import fingerprint

    assert fingerprint(pair[0]) != fingerprint(pair[1])
    assert fingerprint(pair[0]) == fingerprint(lambda state: state + 1)


def test_functions_without_source_have_fingerprints():
    from zermelo.fingerprint import fingerprint

    one, other = {}, {}
    exec("def f(x):\n    return x + 1", one)
    exec("def f(x):\n    return x + 2", other)
    assert fingerprint(one["f"]) != fingerprint(other["f"])


def test_repr_is_constructor_code():
    game = connect(rows=5, run=3)
    assert repr(game) == "connect(rows=5, columns=7, run=3)"
    assert eval(repr(game), {"connect": connect}).fingerprint == game.fingerprint


def test_a_game_is_frozen():
    with pytest.raises(AttributeError):
        tictactoe().name = "other"


def test_replay():
    game = connect(4, 5, 3)
    state = game.replay([1, 2, 1])
    assert game.to_text(state) == ".....|.....|.X...|.XO.."
    assert game.replay([1], state) == game.replay([1, 2, 1, 1])
    with pytest.raises(IllegalAction, match=r"Action 2: 7 is not a legal action here; legal are 0, 1, 2, 3, 4\."):
        game.replay([1, 7])
    with pytest.raises(IllegalAction, match=r"Action 6: 4 is not a legal action here; the game is over\."):
        game.replay([1, 2, 1, 2, 1, 4])


def test_actions_read_as_written_or_as_numbers():
    game = tictactoe()
    assert game.read_action(game.initial, "a3") == game.read_action(game.initial, " 0 ") == 0
    with pytest.raises(IllegalAction, match="'d4' is not a legal action here; legal are a3, b3"):
        game.read_action(game.initial, "d4")


def test_play_takes_text_as_people_write_it():
    game = minicheckers()
    action = game.legal_actions(game.initial)[0]
    text = game.show_action(game.initial, action)
    assert game.play(game.initial, text) == game.play(game.initial, action)
    game = tictactoe()
    assert game.replay(["b2", 0, "c3"]) == game.replay("b2,a3 c3") == game.replay([4, 0, 2])
    with pytest.raises(IllegalAction, match=r"^'d4' is not a legal action here; legal are a3, .*c1\.$"):
        game.play(game.initial, "d4")
    with pytest.raises(IllegalAction, match=r"^Action 2: 'b2' is not a legal action here; legal are a3, "):
        game.replay("b2 b2")
    assert nim().play(nim().initial, "A-1") == nim().play(nim().initial, "a1")


def test_an_action_given_is_the_game_s_own():
    game = connect(4, 4, 3)
    assert type(game.legal_action(game.initial, np.int64(2))) is int
    with pytest.raises(IllegalAction, match=r"^-1 is not a legal action here; legal are 0, 1, 2, 3\.$"):
        game.play(game.initial, -1)


def test_a_number_that_the_game_writes_is_never_the_number_of_another_action():
    """Columns written from 1 on: "1", where column 1 is full, is not the action of number 1, which is column 2."""
    game = replace(connect(1, 3, 3), format_action=lambda state, action: str(action + 1))
    assert [game.read_action(game.initial, text) for text in "123"] == [0, 1, 2]
    with pytest.raises(IllegalAction, match=r"^'1' is not a legal action here; legal are 2, 3\.$"):
        game.play(game.play(game.initial, "1"), "1")
    assert nim().read_action(nim().initial, "0") == 0  # no number in nim's own notation


def test_a_parser_that_fails_does_not_matter_where_an_action_is_written_just_so():
    game = replace(tictactoe(), parse_action=lambda state, text: {}[text])
    assert game.read_action(game.initial, "b2") == 4
    with pytest.raises(KeyError):
        game.read_action(game.initial, "center")


def test_text_that_may_mean_several_actions_is_refused():
    twins = replace(tictactoe(), format_action=lambda state, action: "ab"[action % 2])
    with pytest.raises(IllegalAction, match=r"^'b' may mean 1 or 3 or 5 or 7 here; give the action itself\.$"):
        twins.play(twins.initial, "b")
    game = checkers()
    state = game.from_text("W:WK18,22:B6,7,14,15,K25")
    with pytest.raises(IllegalAction, match=r"^'\S+' may mean \S+ or \S+\.$"):
        game.play(state, "18x18")


def test_a_message_names_no_more_than_forty_actions():
    game = mnk(15, 15, 5)
    with pytest.raises(IllegalAction, match=r"and 185 more\.$") as caught:
        game.play(game.initial, "z99")
    assert len(str(caught.value)) < 300


def test_a_game_without_its_functions_is_refused():
    with pytest.raises(BadGame, match="lacks actions and utility; a game needs the functions to_move, actions"):
        zermelo.Game(name="half", initial=0, utility_range=(0, 1), to_move=abs, result=max, is_terminal=bool)
    rules = dict.fromkeys(("to_move", "actions", "result", "is_terminal", "utility"), abs)
    with pytest.raises(BadGame, match="low <= high"):
        zermelo.Game(name="upside down", initial=0, utility_range=(1, 0), **rules)
    with pytest.raises(BadGame, match="'wdl' or 'margin'"):
        zermelo.Game(name="odd", initial=0, utility_range=(0, 1), outcomes="points", **rules)


def test_the_reference_names_every_field_of_a_game():
    text = (Path(__file__).parents[1] / "docs" / "reference" / "functions.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)(?:\([\w, ]+\))?`", text))
    assert {field.name for field in dataclasses.fields(zermelo.Game)} - named == set()


def test_all_errors_are_one_family():
    errors = [item for item in vars(zermelo.errors).values() if isinstance(item, type)]
    assert len(errors) > 5
    assert all(issubclass(error, ZermeloError) for error in errors)


def test_games_by_name():
    assert {"connect", "minicheckers", "mnk", "tictactoe"} <= set(factories())
    assert repr(make_game("connect", {"rows": "4"})) == "connect(rows=4, columns=7, run=4)"
    with pytest.raises(UnknownGame, match="no game called 'conect'; did you mean connect"):
        make_game("conect")
    with pytest.raises(UnknownGame, match=r"known games are .*connect"):
        make_game("zzzzzzz")
    with pytest.raises(BadParameter, match="has no parameter 'height'; it has rows, columns, run"):
        make_game("connect", {"height": "4"})
    with pytest.raises(BadParameter, match="The parameter rows is 'four'; it must be a whole number from 1 to 31"):
        make_game("connect", {"rows": "four"})


def test_parameters_by_name_and_of_their_own_type():
    games = [make_game("connect", rows=4, columns="5"), make_game("connect", {"rows": 4}, columns=np.int64(5))]
    assert {repr(game) for game in games} == {"connect(rows=4, columns=5, run=4)"}
    assert make_game("nim", {"misere": True}).fingerprint == make_game("nim", misere="yes").fingerprint
    assert make_game("nim", misere=True).fingerprint != make_game("nim").fingerprint


@pytest.mark.parametrize(
    ("arguments", "named", "sentence"),
    [
        (("connect",), {"rows": 4.5}, r"The parameter rows is 4\.5; it must be a whole number from 1 to 31\."),
        (("connect",), {"rows": True}, r"The parameter rows is True; it must be a whole number from 1 to 31\."),
        (("connect",), {"rows": None}, r"The parameter rows is None; it must be a whole number from 1 to 31\."),
        (("connect",), {"height": 4}, r"The game connect has no parameter 'height'; it has rows, columns, run\."),
        (("connect", {"rows": 4}), {"rows": 4}, r"The parameter rows is given twice; give it once\."),
        (("connect", 4), {}, r"The parameters are 4; give them by name: make_game\('connect', rows=4\)\."),
        (("nim",), {"misere": 1}, r"The parameter misere is 1; it must be true or false\."),
        ((7,), {}, r"7 is no name of a game; write a name, such as 'connect', or a file, 'my_game\.py'\."),
    ],
)
def test_wrong_parameters_get_one_sentence(arguments, named, sentence):
    with pytest.raises(ZermeloError, match=f"^{sentence}$"):
        make_game(*arguments, **named)


def test_yes_no_parameters(tmp_path):
    file = tmp_path / "switch.py"
    file.write_text(
        "from zermelo.games import tictactoe\nfrom zermelo import Game\n"
        "def switch(on: bool = False) -> Game:\n    assert on is True\n    return tictactoe()\n"
    )
    assert repr(make_game(str(file), {"on": "true"})) == "tictactoe()"
    with pytest.raises(BadParameter, match="The parameter on is 'maybe'; it must be true or false"):
        make_game(str(file), {"on": "maybe"})


def test_games_of_other_packages(tmp_path, monkeypatch):
    (tmp_path / "another_package.py").write_text("from zermelo.games import tictactoe as noughts\n")
    info = tmp_path / "another_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: another-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[zermelo.games]\nnoughts = another_package:noughts\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert repr(make_game("noughts")) == "tictactoe()"
    (info / "entry_points.txt").write_text("[zermelo.games]\nnoughts = another_package:crosses\n")
    with pytest.raises(GameFileError, match="'noughts' is registered as 'another_package:crosses', which cannot be"):
        make_game("noughts")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = 1\n", "holds no game"),
        ("def broken(:\n", "cannot be imported: line 1: SyntaxError"),
        ("import nothing_of_that_name\n", "line 1: ModuleNotFoundError"),
        ("x = 1\ny = x / 0\n", "line 2: ZeroDivisionError"),
        ("raise SystemExit(3)\n", "line 1: SystemExit"),
        ("from zermelo.games import tictactoe\na = tictactoe()\nb = tictactoe()\n", "holds several games; choose one"),
        (
            "from zermelo import Game\ndef game() -> Game:\n    return 3\n",
            "returned a int; it must return a zermelo Game",
        ),
        (
            "from zermelo import Game\ndef f() -> Game:\n    return Game(name='g', initial=0, utility_range=(0, 1))\n",
            "lacks to_move and actions",
        ),
        ("from zermelo import Game\ndef game() -> Game:\n    return {}['x']\n", "line 3: KeyError"),
    ],
)
def test_files_that_hold_no_good_game(tmp_path, text, sentence):
    file = tmp_path / "my_game.py"
    file.write_text(text)
    with pytest.raises(ZermeloError, match=sentence):
        make_game(str(file))


def test_a_factory_in_a_file(tmp_path):
    file = tmp_path / "two.py"
    file.write_text(
        "from zermelo.games import tictactoe, connect\n"
        "def one():\n    return tictactoe()\ndef other(rows: int = 3):\n    return connect(rows, 3, 3)\n"
    )
    assert repr(make_game(f"{file}:other", {"rows": "4"})) == "connect(rows=4, columns=3, run=3)"
    with pytest.raises(GameFileError, match=r"two\.py has no function 'third'"):
        find_factory(f"{file}:third")
    with pytest.raises(GameFileError, match="There is no file"):
        load_file(tmp_path / "missing.py")


def test_a_state_on_one_line() -> None:
    """In the game's own notation if it has one; a state that is no tuple is shown as it is."""
    game = connect(rows=3, columns=3, run=3)
    assert game.to_text is not None
    assert game.show_state(game.initial) == game.to_text(game.initial)
    assert replace(game, to_text=None).show_state(game.initial) == str(tuple(game.initial))
    assert replace(game, to_text=None).show_state(7) == "7"
