"""Every registered game keeps the contract, and plays as its golden playthrough says."""

import random
from pathlib import Path

import pytest

from zermelo import factories
from zermelo.errors import ZermeloError
from zermelo.notation import split_moves
from zermelo.testing import conformance, playthrough, write_playthroughs

FOLDER = Path(__file__).parent / "data" / "playthroughs"


NAMES = pytest.mark.parametrize("name", sorted(factories()))


def make(name):
    """A registered game, as its factory makes it without arguments."""
    try:
        return factories()[name]()
    except ZermeloError as error:
        if "not installed" in str(error):
            pytest.skip(str(error))
        raise


@NAMES
def test_conformance(name):
    conformance(make(name), seconds=0.8)


@NAMES
def test_the_playthrough_is_as_it_was(name):
    game, file = make(name), FOLDER / f"{name}.txt"
    assert file.exists(), f"{file.name} is missing; make playthroughs writes it"
    assert playthrough(game) == file.read_text(encoding="utf-8")


@NAMES
def test_a_list_of_moves_is_read_as_it_is_written(name):
    game, chooser = make(name), random.Random(0)
    state, played, said = game.initial, [], []
    while not game.is_terminal(state) and len(played) < 40:
        played.append(chooser.choice(game.legal_actions(state)))
        shown = game.show_action(state, played[-1])
        assert not set(" ,") & set(shown)
        said.append(shown)
        state = game.result(state, played[-1])
    for text in (",".join(said), " ".join(said)):
        read, state = [], game.initial
        for move in split_moves(text):
            read.append(game.read_action(state, move))
            state = game.result(state, read[-1])
        assert read == played


def test_no_playthrough_is_left_of_a_game_that_is_gone():
    assert {file.stem for file in FOLDER.glob("*.txt")} <= set(factories())


def test_playthroughs_are_written_and_compared(tmp_path, capsys):
    write_playthroughs(tmp_path)
    (tmp_path / "connect.txt").write_text("something else", encoding="utf-8")
    capsys.readouterr()
    write_playthroughs(tmp_path)
    said = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert said["connect"] == "CHANGED, read the difference"
    assert said["tictactoe"] == "unchanged"
    assert (tmp_path / "connect.txt").read_text(encoding="utf-8") == playthrough(factories()["connect"]())
