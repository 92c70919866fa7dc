"""The same solver without a compiler, and with every index checked."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from zermelo.solver.table.sealed import add_up

SMALL = """
import sys
from loops import tiered_game
from reference import outcomes
from zermelo import solve
from zermelo.games import connect, kalah, tictactoe

for number, game in enumerate((connect(3, 3, 3), tiered_game(205), kalah(2, 1))):
    table = solve(game, f"{sys.argv[1]}/{number}")
    expected = outcomes(game, [game.initial])
    assert {state: (table[state].value, table[state].remoteness) for state in expected} == expected
    assert table.values(list(expected)).tolist() == [value for value, _ in expected.values()]
print("agreed")
"""


@pytest.mark.parametrize("variable", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_small_games_agree_with_the_reference(variable: str, tmp_path: Path) -> None:
    environment = os.environ | {variable: "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SMALL, str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "agreed\n", done.stderr


def test_checksums_are_the_same_without_a_compiler() -> None:
    """Sums that leave 64 bits wrap around in machine code, and are cut to 64 bits afterwards in Python."""
    keys = np.random.default_rng(0).integers(-(1 << 62), 1 << 62, 1000)
    interpreted = getattr(add_up, "py_func", add_up)
    assert [word % (1 << 64) for word in add_up(keys)] == [word % (1 << 64) for word in interpreted(keys)]
