"""Moves as people write them."""

import pytest

from zermelo.errors import IllegalAction
from zermelo.game import Game
from zermelo.games import dots_and_boxes, nim, tictactoe
from zermelo.play.match import Match
from zermelo.play.moves import read_moves, write_moves
from zermelo.play.players import Human


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


@pytest.mark.parametrize(
    ("game", "actions", "text"),
    [
        (tictactoe(), [4, 6], "b2,a1"),
        (nim(), [0, 1], "A-1,B-1"),
        (dots_and_boxes(), [0, 1], "h0.0,h0.1"),
        (nim(), [], ""),
    ],
    ids=repr,
)
def test_moves_are_written_so_that_they_can_be_read(game: Game, actions: list[int], text: str) -> None:
    player = Human("human", game)
    match = Match(game, player, player, actions)
    assert write_moves(match) == text
    assert read_moves(game, text) == actions
    assert write_moves(match, 1) == text.partition(",")[0]
