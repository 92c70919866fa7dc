"""What other packages' tests call."""

from dataclasses import replace

import pytest

from zermelo.games import tictactoe
from zermelo.testing import conformance, playthrough


def test_conformance_names_every_mistake():
    game = replace(tictactoe(), utility=lambda state: 1001, to_text=lambda state: "")
    with pytest.raises(AssertionError) as raised:
        conformance(game, seconds=3, compile=False)
    said = str(raised.value)
    assert said.startswith("tictactoe() breaks the contract of a game.")
    assert "error: utility gives 1001, and utility_range is (-1000, 1000)." in said
    assert "from_text raises ValueError" in said


def test_conformance_hands_back_the_numbers():
    assert conformance(tictactoe(), seconds=1, compile=False).numbers["positions seen"] > 1000


def test_a_playthrough_depends_on_its_seed_alone():
    assert playthrough(tictactoe(), 1) == playthrough(tictactoe(), 1) != playthrough(tictactoe(), 2)


def test_a_playthrough_stops_where_a_position_comes_back():
    game = replace(tictactoe(), result=lambda state, action: state, repetition="draw")
    assert playthrough(game).endswith("the position came back\n")
