"""The names of games for people."""

import pytest

from zermelo.ui.web.gallery import introduction, title_of
from zermelo.ui.web.searches import read_search
from zermelo.ui.web.shelf import Shelf

TITLES = {
    "mnk": "The m,n,k-game",
    "chess": "Chess",
    "nine_mens_morris": "Nine men's morris",
    "tictactoe": "Tic-tac-toe",
    "dots_and_boxes": "Dots and boxes",
}


@pytest.mark.parametrize("name", TITLES)
def test_games_have_the_names_that_people_call_them_by(name: str) -> None:
    shelf = Shelf()
    assert introduction(name, shelf.summary(name), ("X", "O")).title == TITLES[name]


@pytest.mark.parametrize("name", ["my_game.py", "homework/my_game.py:factory"])
def test_a_game_of_a_file_has_the_name_of_the_file(name: str) -> None:
    assert introduction(name, "Take one or two.", ("X", "O")).title == "My game"


def test_a_game_with_parameters_is_named_with_them() -> None:
    shelf = Shelf()
    game = shelf.game("kayles", {"pins": "5"})
    assert title_of(game, "kayles", shelf.summary("kayles"), game.parameters) == "Kayles: pins 5"
    assert title_of(shelf.game("tictactoe"), "tictactoe", shelf.summary("tictactoe"), {}) == "Tic-tac-toe"


@pytest.mark.parametrize(
    ("address", "title"),
    [
        ({}, "Kayles: pins 7"),
        ({"p.pins": "5"}, "Kayles: pins 5"),
        ({"game": "kayles", "p.pins": "5"}, "Kayles: pins 5"),
        ({"game": "kayles"}, "Kayles"),
        ({"game": "tictactoe"}, "Tic-tac-toe"),
    ],
)
def test_a_search_is_named_with_the_parameters_that_were_chosen(address: dict[str, str], title: str) -> None:
    """Those of the address, and those with which the server opens if the address names no game."""
    shelf = Shelf("kayles", {"kayles": {"pins": "7"}})
    assert read_search(shelf, address).title == title
