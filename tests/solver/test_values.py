"""Every position of small games, and of random graphs: value and remoteness as plain iteration finds them."""

from dataclasses import replace
from pathlib import Path

import pytest

from fuzz import fuzz_game
from loops import loop_game, tiered_game
from reference import outcomes
from zermelo import Game, make_game, solve
from zermelo.errors import Unsolvable
from zermelo.solver.table.table import Table

SMALL = [
    ("tictactoe", {}),
    ("connect", {"rows": "3", "columns": "3", "run": "3"}),
    ("connect", {"rows": "4", "columns": "3", "run": "3"}),
    ("mnk", {"width": "4", "height": "2", "run": "3"}),
    ("nim", {}),
    ("nim", {"misere": "true"}),
    ("kayles", {}),
    ("dawson", {}),
    ("domineering", {"width": "4", "height": "3"}),
    ("clobber", {"width": "3", "height": "4"}),
    ("dots_and_boxes", {"width": "2", "height": "2"}),
    ("hex", {"size": "3"}),
    ("konane", {"size": "4"}),
    ("breakthrough", {"width": "2", "height": "5"}),
    ("kalah", {"pits": "2", "seeds": "2"}),
    ("kalah", {"pits": "3", "seeds": "2"}),
]


def check_all(game: Game, table: Table) -> None:
    """Every position that can be reached is in the table, with the reference's value and remoteness."""
    expected = outcomes(game, [game.initial], lambda state: game.endless_value)
    assert len(table) == len(expected)
    for state, (value, plies) in expected.items():
        entry = table[state]
        assert (entry.value, entry.remoteness) == (value, plies), game.draw(state)
    states = list(expected)
    assert table.values(states).tolist() == [expected[state][0] for state in states]


@pytest.mark.parametrize(("name", "parameters"), SMALL, ids=lambda item: str(item))
def test_every_position_of_small_games(name: str, parameters: dict[str, str], tmp_path: Path) -> None:
    game = make_game(name, parameters)
    check_all(game, solve(game, tmp_path / "table", workers=2))


@pytest.mark.parametrize("seed", range(12))
def test_random_graphs_without_loops(seed: int, tmp_path: Path) -> None:
    game = fuzz_game(seed)
    check_all(game, solve(game, tmp_path / "table", workers=1))


@pytest.mark.parametrize("seed", range(40))
def test_random_graphs_with_loops(seed: int, tmp_path: Path) -> None:
    game = loop_game(seed)
    check_all(game, solve(game, tmp_path / "table", workers=1))


@pytest.mark.parametrize("seed", range(200, 260))
def test_random_graphs_in_tiers(seed: int, tmp_path: Path) -> None:
    game = tiered_game(seed)
    check_all(game, solve(game, tmp_path / "table", workers=1))


@pytest.mark.parametrize("endless", [-1, 1, 2])
@pytest.mark.parametrize("seed", range(100, 108))
def test_random_graphs_where_endless_play_is_worth_something(seed: int, endless: int, tmp_path: Path) -> None:
    game = replace(loop_game(seed), endless_value=endless)
    check_all(game, solve(game, tmp_path / "table", workers=1))


@pytest.mark.parametrize(("pits", "seeds"), [(2, 2), (2, 3), (3, 1)])
def test_margins_with_loops(pits: int, seeds: int, tmp_path: Path) -> None:
    """Oware, where a cycle leaves to each what he has stored: another worth in each tier."""
    game = make_game("oware", {"pits": str(pits), "seeds": str(seeds), "split_cycle": "true"})
    assert callable(game.repetition) and game.tier is not None
    table = solve(game, tmp_path / "table")
    expected = outcomes(game, [game.initial], game.repetition, game.tier)
    assert {state: (table[state].value, table[state].remoteness) for state in expected} == expected


def test_endless_play_of_no_one_worth_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unsolvable, match="Endless play of oware"):
        solve(make_game("oware", {"pits": "2", "seeds": "2"}), tmp_path / "table")
