"""Games are gone when nobody needs them, in whatever order they go."""

import gc
import weakref

from zermelo import Engine
from zermelo.compiled import compiled, perft
from zermelo.games import nim


def references_of(game):
    """Weak ones: to the game, to it as kernels take it, and to its engine."""
    engine = Engine(game, table_mb=0.1)
    engine.search(depth=1)
    assert perft(game, game.initial, 1) > 0
    return [weakref.ref(game), weakref.ref(compiled(game)), weakref.ref(engine)]


def test_nothing_of_a_game_is_held():
    for _ in range(2):
        held = references_of(nim())
        gc.collect()
        assert [one() for one in held] == [None, None, None]


def test_games_of_one_code_do_not_lean_on_the_first():
    first, second = nim(), nim()
    assert compiled(first).code == compiled(second).code
    count = perft(first, first.initial, 2)
    alive = weakref.ref(compiled(first))
    del first
    gc.collect()
    assert alive() is None
    assert perft(second, second.initial, 2) == count and Engine(second, table_mb=0.1).prove().proven
