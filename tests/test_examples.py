"""The games in ``examples`` are true: they load, play, and hold what their files say."""

from pathlib import Path

import pytest

import reference
from zermelo.play.match import Match, play_out
from zermelo.play.players import make_player
from zermelo.registry import make_game

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_an_example_plays_to_the_end(file):
    game = make_game(str(file))
    match = Match(game, make_player("heuristic:easy", game), make_player("random", game))
    assert play_out(match) == "max"
    assert game.draw(match.state)


def test_take_is_lost_at_multiples_of_four():
    game = make_game(str(EXAMPLES[[file.stem for file in EXAMPLES].index("take")]), {"heap": "30"})
    for state, value in reference.solve(game, game.initial).items():
        assert value == (-10 if state.heap % 4 == 0 else 10) * state.player
