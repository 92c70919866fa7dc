"""Published positions, and the engine's own signature."""

import importlib.util
from pathlib import Path

import pytest

from facts import rows
from zermelo import Engine, factories, make_game
from zermelo.games import connect

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def utility_of(score, stones, side):
    """The utility of a game whose winner is known by Pons's score: the last stone's number has the winner's parity."""
    if score == 0:
        return 0
    last = 44 - 2 * abs(score)
    if (last - stones) % 2 == (0 if score > 0 else 1):
        last -= 1
    return (side if score > 0 else -side) * (10000 * 42 // last)


def test_published_positions_are_proven_exactly():
    game = connect()
    facts = rows("connect_positions.tsv")
    states = [game.replay([int(column) - 1 for column in fact["moves"]]) for fact in facts]
    expected = [
        utility_of(int(fact["score"]), len(fact["moves"]), game.to_move(state))
        for fact, state in zip(facts, states, strict=True)
    ]
    assert Engine(game, threads=2, table_mb=64).prove_many(states).tolist() == expected
    engine = Engine(game, table_mb=16)
    for state, value in zip(states[:5], expected[:5], strict=True):
        assert engine.prove(state).value == value


def test_small_boards_are_won_by_whom_and_when_they_should():
    """On all boards of at most 25 cells but two, which tests/solver/test_published.py solves."""
    for fact in rows("connect_boards.tsv"):
        height, width = int(fact["height"]), int(fact["width"])
        if height * width <= 25 and (height, width) not in [(4, 5), (5, 4)]:
            found = Engine(connect(height, width), table_mb=32).prove(quickest=False)
            last, winner = int(fact["last_ply"]), {"1": 1, "2": -1, "D": 0}[fact["steininger"]]
            assert found.proven and found.value == winner * (10000 * height * width // last)


spec = importlib.util.spec_from_file_location("signature_of_the_engine", BENCHMARKS / "signature.py")
benchmark = importlib.util.module_from_spec(spec)
spec.loader.exec_module(benchmark)
SIGNATURE = dict(line.split() for line in benchmark.FILE.read_text().splitlines())
TOTAL = int(SIGNATURE.pop("total"))


@pytest.mark.parametrize("name", SIGNATURE)
def test_the_signature_is_the_recorded_one(name):
    assert benchmark.nodes_of(make_game(name)) == int(SIGNATURE[name])


def test_the_signature_has_every_game_and_adds_up():
    assert SIGNATURE.keys() == factories().keys()
    assert sum(map(int, SIGNATURE.values())) == TOTAL
