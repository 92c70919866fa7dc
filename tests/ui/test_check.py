"""``zermelo check`` and ``zermelo new``, as people use them."""

import json

import pytest


@pytest.fixture
def file(zermelo, tmp_path):
    assert zermelo("new", "divide.py").status == 0
    return tmp_path / "divide.py"


def test_a_new_game_passes_the_auditor(zermelo, file):
    ran = zermelo("check", file, "--seconds", "1")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("divide(start=60): nothing found in what was looked at.\n\nNot looked at:\n")
    assert "  The engine: an audit that asks it needs 3 seconds.\n" in ran.out
    assert "value of the game" in ran.out


def test_a_new_game_plays(zermelo, file):
    ran = zermelo("play", file, "-p", "start=12", "--max", "alpha-beta", "--min", "random")
    assert "MAX" in ran.out


def test_a_new_game_never_overwrites(refusal, file):
    before = file.read_text()
    assert refusal("new", "divide.py").startswith("zermelo: divide.py exists already; choose another name")
    assert file.read_text() == before


@pytest.mark.parametrize("name", ["my-game.py", "game.txt", "class.py", "draw.py", "1.py"])
def test_a_new_game_needs_a_name_that_python_can_use(refusal, name):
    assert "is no name for a game" in refusal("new", name)


def test_a_new_game_needs_a_folder(refusal):
    assert "There is no folder nowhere" in refusal("new", "nowhere/halves.py")


def test_findings_come_first_and_the_exit_status_says_so(zermelo, file):
    file.write_text(file.read_text().replace("return -WIN * state.player", "return -2 * WIN * state.player"))
    ran = zermelo("check", file, "--seconds", "1")
    assert ran.status == 1
    assert ran.out.startswith("error: utility gives 200, and utility_range is (-100, 100).\n  after ")
    assert "\n    1, and MIN is to move\n" in ran.out
    assert "  Widen utility_range, or correct utility.\n" in ran.out


def test_a_rule_that_raises_is_a_finding_and_no_traceback(zermelo, file):
    file.write_text(file.read_text().replace("return state.number == 1", "return 1 // (state.number - 7) == 1"))
    ran = zermelo("check", file, "--seconds", "1")
    assert ran.status == 1
    assert "error: is_terminal raises ZeroDivisionError (is_terminal, divide.py line 4" in ran.out
    assert "Traceback" not in ran.out + ran.err


def test_json(zermelo, file):
    ran = zermelo("check", file, "-p", "start=30", "--seconds", "1", "--json")
    report = json.loads(ran.out)
    assert (report["game"], report["ok"], report["findings"]) == ("divide(start=30)", True, [])
    assert report["numbers"]["perft"][:2] == [1, 7]
    file.write_text(file.read_text().replace("yield divisor", "yield 1"))
    ran = zermelo("check", file, "--seconds", "1", "--json")
    finding = json.loads(ran.out)["findings"][0]
    assert ran.status == 1
    assert (finding["check"], finding["severity"], finding["actions"]) == ("duplicate actions", "error", [])


def test_seconds_must_be_positive(refusal):
    assert "seconds > 0" in refusal("check", "tictactoe", "--seconds", "0")


def test_a_new_game_that_cannot_be_written(refusal, monkeypatch):
    def full(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("zermelo.ui.commands.new.write_whole", full, raising=False)
    assert "halves.py cannot be written: No space left on device." in refusal("new", "halves.py")
