"""Random games: the same as in plain Python, the same in any number of threads, and stopped in time."""

import pytest

from loops import loop_game
from reference import random_game, random_words
from zermelo.engine.tree.playouts import count_playouts
from zermelo.errors import BadParameter, TerminalState
from zermelo.game import Game
from zermelo.games import tictactoe


@pytest.fixture(scope="module")
def game() -> Game:
    return tictactoe()


def counted(game: Game, seed: int, games: int, limit: int) -> dict[str, int]:
    """What `count_playouts` counts, in plain Python."""
    ends = [random_game(game, game.initial, random_words(seed, number), limit) for number in range(games)]
    values = [game.utility(state) for state, _ in ends if game.is_terminal(state)]
    return {
        "playouts": games,
        "plies": sum(plies for _, plies in ends),
        "longest": max(plies for _, plies in ends),
        "wins": sum(value > 0 for value in values),
        "draws": values.count(0),
        "losses": sum(value < 0 for value in values),
        "unfinished": games - len(values),
    }


@pytest.mark.parametrize(("seed", "limit"), [(0, 2000), (7, 2000), (2**62, 6)])
def test_games_are_those_of_plain_python(game: Game, seed: int, limit: int):
    expected = counted(game, seed, 300, limit)
    for threads in (1, 3):
        found = count_playouts(game, games=300, seed=seed, limit=limit, threads=threads)
        assert {name: getattr(found, name) for name in expected} == expected


def test_a_game_that_need_not_end_is_stopped_and_counted():
    game = loop_game(1)
    found = count_playouts(game, games=200, limit=12)
    expected = counted(game, 0, 200, 12)
    assert {name: getattr(found, name) for name in expected} == expected and found.unfinished > 0


def test_time_stops_the_games(game: Game):
    found = count_playouts(game, seconds=0.1)
    assert found.stopped_by == "time" and 0.1 <= found.seconds < 0.5
    assert found.playouts == found.wins + found.draws + found.losses > 1000


def test_bad_input(game: Game):
    for wrong in ({"seconds": 0}, {"games": 0}, {"seed": -1}, {"threads": 0}, {"limit": 0}):
        with pytest.raises(BadParameter):
            count_playouts(game, **wrong)
    with pytest.raises(TerminalState):
        count_playouts(game, game.replay("a1 b1 a2 b2 a3"))
