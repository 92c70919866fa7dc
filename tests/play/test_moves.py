"""Moves as people write them."""

import pytest

from zermelo.errors import IllegalAction
from zermelo.games import tictactoe
from zermelo.play.moves import read_moves


def test_commas_and_spaces_are_the_same() -> None:
    game = tictactoe()
    assert read_moves(game, "b2,a1, c3") == read_moves(game, "b2 a1 c3") == [4, 6, 2]
    assert read_moves(game, "") == []


def test_from_a_state_on() -> None:
    game = tictactoe()
    assert read_moves(game, "a1", game.replay([4])) == [6]
    with pytest.raises(IllegalAction, match="Move 1: 'b2' is not a legal action here"):
        read_moves(game, "b2", game.replay([4]))


def test_the_move_that_is_not_legal_is_named() -> None:
    with pytest.raises(IllegalAction, match="Move 3: 'b2' is not a legal action here; legal are"):
        read_moves(tictactoe(), "b2,a1,b2")
