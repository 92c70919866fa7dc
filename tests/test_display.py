"""What an object shows of itself fits on a screen of 24 lines of 80 letters, whatever its size."""

from collections.abc import Callable
from typing import Any

import pytest

import zermelo
from zermelo.games import connect, hex, minicheckers, mnk, tictactoe
from zermelo.play import Record
from zermelo.textbook import Recipe
from zermelo.textbook.explain import explain

SCREEN = 24 * 80


def long_match() -> zermelo.Match:
    return zermelo.Match(mnk(15, 15, 15), "random", "random", range(200))


def searched_system() -> zermelo.System:
    system = zermelo.System(connect(4, 4, 3), "minimax")
    system.search(system.game.initial)
    return system


THINGS: dict[str, Callable[[], Any]] = {
    "Game": mnk,
    "Board": lambda: hex().board(hex().initial),
    "Picture": lambda: zermelo.show(connect()),
    "SearchTree": lambda: explain(minicheckers(), recipe=Recipe(depth=6)),
    "ShownTree": lambda: zermelo.explain(minicheckers(), depth=6),
    "Match": long_match,
    "Record": lambda: Record.of(long_match(), "mnk"),
    "System": searched_system,
    "SearchResult": lambda: searched_system().search(connect(4, 4, 3).initial),
    "Thought": lambda: zermelo.make_player("minimax", tictactoe()).think(tictactoe().initial),
    "Report": lambda: zermelo.check_game(tictactoe(), 0.1, compile=False),
    "SearchCounts": zermelo.SearchCounts,
}


@pytest.mark.parametrize("name", THINGS)
def test_what_a_thing_shows_fits_on_a_screen(name: str) -> None:
    thing = THINGS[name]()
    assert 0 < len(repr(thing)) < SCREEN
    assert len(str(thing)) < SCREEN
    assert len(str(thing).splitlines()) <= 24
