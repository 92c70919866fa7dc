"""The games in ``examples`` are true: they load, play, and hold what their files say."""

from pathlib import Path

import pytest

import reference
from zermelo.play.match import Match, play_out
from zermelo.play.players import make_player
from zermelo.registry import make_game
from zermelo.testing import conformance
from zermelo.textbook.perft import perft

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_an_example_plays_to_the_end(file):
    game = make_game(str(file))
    match = Match(game, make_player("heuristic:hard", game), make_player("random", game))
    assert play_out(match) == "max"
    assert game.draw(match.state)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_an_example_is_short_and_keeps_the_contract(file):
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(lines) < 60
    conformance(make_game(str(file)), seconds=1)


def test_whoever_begins_can_win_chomp():
    """The first player wins by strategy stealing; on a square, the first bite is next to the corner."""
    for height, width in ((1, 4), (2, 3), (3, 3), (3, 4)):
        game = make_game(str(EXAMPLES[0].with_name("chomp.py")), {"height": str(height), "width": str(width)})
        assert reference.solve(game, game.initial)[game.initial] == 100
    square = make_game(str(EXAMPLES[0].with_name("chomp.py")), {"height": "3", "width": "3"})
    values = reference.solve(square, square.initial)
    assert reference.best_actions(square, square.initial, values) == [4]


def test_sim_has_no_draw_and_fifteen_lines():
    game = make_game(str(EXAMPLES[0].with_name("sim.py")))
    assert [perft(game, game.initial, depth) for depth in range(4)] == [1, 15, 15 * 14, 15 * 14 * 13]
    for seed in range(20):
        states = reference.random_states(game, 1, range(8, 12), seed)
        assert all(value in (-100, 100) for value in reference.solve(game, states[0]).values())


def test_take_is_lost_at_multiples_of_four():
    game = make_game(str(EXAMPLES[[file.stem for file in EXAMPLES].index("take")]), {"heap": "30"})
    for state, value in reference.solve(game, game.initial).items():
        assert value == (-10 if state.heap % 4 == 0 else 10) * state.player
