"""Mutants are what they say, and the auditor catches its share of them."""

import ast
import inspect
from pathlib import Path

import pytest

from check.mutants import SMALL, differences, dropped_lines, judge, mutants, sample
from zermelo.games import connect, mnk, tictactoe
from zermelo.registry import find_factory, make_game

SOURCE = '''
"""A module."""
SIZE = 3

def half(number: int = 4) -> int:
    """A docstring of 7 words."""
    rest = number % 2
    if rest == 1:
        raise ValueError(f"{number - 1} is even")
    return number // 2
'''


def test_mutants_change_one_thing():
    found = [(mutant.line, mutant.what) for mutant in mutants(SOURCE)]
    assert sorted(found) == sorted(
        [
            (3, "constant"),
            (7, "operator"),
            (7, "constant"),
            (8, "operator"),
            (8, "constant"),
            (10, "operator"),
            (10, "constant"),
        ]
    )
    assert [mutant.line for mutant in dropped_lines(SOURCE)] == [7, 10]
    for mutant in [*mutants(SOURCE), *dropped_lines(SOURCE)]:
        assert ast.unparse(ast.parse(SOURCE)) != mutant.source
        ast.parse(mutant.source)


def test_a_game_does_not_differ_from_itself():
    assert differences(tictactoe(), mnk(3, 3, 3), games=5) == set()


def test_another_game_differs():
    assert {"is_terminal"} <= differences(connect(4, 4, 3), connect(4, 4, 4), games=20)


@pytest.mark.parametrize("name", ["tictactoe", "examples/take.py"])
def test_the_auditor_catches_its_share(name, tmp_path):
    """Measured over 30 mutants of each by benchmarks/mutants.py: 68 and 67 per cent of those that differ.

    With this seed, a tenth of a second of auditing finds as many as 1.6 seconds, so a slow machine changes nothing.
    """
    root = Path(__file__).parents[2]
    factory = find_factory(str(root / name) if name.endswith(".py") else name)
    healthy = factory(**SMALL.get(name, {}))
    chosen = sample(Path(inspect.getsourcefile(factory)), 20, seed=0)
    verdicts = [judge(mutant, healthy, factory.__name__, tmp_path, seconds=0.4) for mutant in chosen]
    differing = [verdict for verdict in verdicts if verdict.differs]
    assert len(differing) >= 6
    assert sum(verdict.caught for verdict in differing) >= 0.4 * len(differing)


def test_an_unchanged_source_is_not_caught(tmp_path):
    file = Path(__file__).parents[2] / "examples" / "take.py"
    healthy = make_game(str(file))
    mutant = sample(file, 1, 0)[0]._replace(source=file.read_text(encoding="utf-8"))
    assert judge(mutant, healthy, "take", tmp_path, seconds=0.4) == (False, False, False)
