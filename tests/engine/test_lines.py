"""The line of play that a proof gives where a value tells how long the game lasts."""

import random
from dataclasses import replace

import pytest

from zermelo import Engine
from zermelo.game import Game, State
from zermelo.games import connect

GAME = connect(rows=5, columns=4)


def positions(game: Game, count: int) -> list[State]:
    chooser, found = random.Random(4), [game.initial]
    while len(found) < count:
        state = game.initial
        for _ in range(chooser.randint(1, 14)):
            if not game.is_terminal(state):
                state = game.result(state, chooser.choice(game.legal_actions(state)))
        if not game.is_terminal(state):
            found.append(state)
    return found


@pytest.mark.parametrize("threads", [1, 2])
def test_it_goes_to_the_end_and_is_worth_the_value(threads: int) -> None:
    engine, slow = Engine(GAME, threads, table_mb=8), Engine(replace(GAME, plies_to_end=None), table_mb=8)
    for state in positions(GAME, 60):
        engine.clear()
        slow.clear()
        found, known = engine.prove(state), slow.prove(state)
        assert (found.value, found.proven) == (known.value, True)
        assert known.remoteness in (found.remoteness, None)  # None if the search for it takes too many nodes
        end = GAME.replay(found.principal_variation, state)
        assert GAME.is_terminal(end)
        assert GAME.utility(end) == found.value
        assert len(found.principal_variation) == found.remoteness
        assert found.action == found.principal_variation[0]


def test_without_the_length_only_the_action_is_told() -> None:
    for state in positions(GAME, 20):
        engine = Engine(GAME, table_mb=1)
        found = engine.prove(state, quickest=False)
        assert (found.remoteness, len(found.principal_variation)) == (None, 1)
        assert engine.prove_many([GAME.result(state, found.action)]).tolist() == [found.value]


def test_a_limit_of_nodes_that_is_reached_by_the_line_keeps_the_proof() -> None:
    state = GAME.initial
    whole = Engine(GAME, table_mb=8).prove(state)
    found = Engine(GAME, table_mb=8).prove(state, nodes=whole.nodes)
    assert (found.value, found.proven, found.stopped_by) == (whole.value, True, "finished")
    assert found.action in Engine(GAME, table_mb=8).prove(state, root_values=True).best_actions


def test_an_emptied_table_knows_nothing() -> None:
    engine = Engine(GAME, table_mb=8)
    first = engine.prove(quickest=False).nodes
    assert engine.prove(quickest=False).nodes < first
    engine.clear()
    assert engine.prove(quickest=False).nodes == first


def test_the_value_of_connect_tells_the_length() -> None:
    assert GAME.plies_to_end is not None
    for seed in range(50):
        chooser, path = random.Random(seed), [GAME.initial]
        while not GAME.is_terminal(path[-1]):
            path.append(GAME.result(path[-1], chooser.choice(GAME.legal_actions(path[-1]))))
        value = GAME.utility(path[-1])
        assert [GAME.plies_to_end(state, value) for state in path] == list(range(len(path) - 1, -1, -1))
