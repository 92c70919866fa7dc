"""The same engine without a compiler, and with every index checked: the kernels mean what they say in Python."""

import os
import subprocess
import sys

import pytest

SMALL = """
import sys

from knowing import knowing_tictactoe
from loops import loop_game
from reference import best_actions, loop_values, random_states, solve
from fuzz import fuzz_game
from reference import MonteCarloTree, random_words
from zermelo import Engine
from zermelo.compiled import perft

game = knowing_tictactoe()
values = solve(game, game.initial)
assert perft(game, game.initial, 4) == 3024
engine = Engine(game, table_mb=0.01)
states = random_states(game, 12, range(3, 7))
assert engine.prove_many(states).tolist() == [values[state] for state in states]
for state in states:
    found = engine.search(state, root_values=True)
    assert found.proven and list(found.best_actions) == best_actions(game, state, values)
    assert engine.decide(state, values[state]).bound == "lower"
    assert engine.decide(state, values[state] + 1).bound == "upper"
games = int(sys.argv[1])
for seed in range(games):
    game = loop_game(seed)
    assert Engine(game, table_mb=0.01).prove().value == loop_values(game, game.initial)[game.initial]
for seed, rave in ((2, True), (1, False))[:games]:
    game = fuzz_game(seed)
    twin = MonteCarloTree(game, game.initial, random_words(0, 0), rave=rave)
    twin.search(60)
    visits = {child.action: child.visits for child in twin.root.children}
    assert Engine(game, table_mb=0.01).mcts(playouts=60, rave=rave, minimax=0.0).visits == visits
print("agreed")
"""


@pytest.mark.parametrize(("variable", "games"), [("NUMBA_DISABLE_JIT", 4), ("NUMBA_BOUNDSCHECK", 1)])
def test_small_games_agree_with_the_reference(variable, games):
    """With checks of indices, each game is compiled anew, so there are fewer of them."""
    environment = os.environ | {variable: "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", SMALL, str(games)], env=environment, capture_output=True, text=True)
    assert done.stdout == "agreed\n", done.stderr
