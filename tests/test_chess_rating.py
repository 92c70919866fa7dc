"""The rating that `benchmarks/chess_rating.py` finds, beside its definition."""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from zermelo.lab.pentanomial import elo_of_score, score_of_elo

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch):
    """The script."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield import_module("chess_rating")
    for name in ("chess_rating", "results"):
        sys.modules.pop(name)


def rated(script: ModuleType, *matches: tuple[int, int, int, int]) -> tuple[float, float]:
    """The rating that matches tell, each a rating and games won, drawn and lost; and half its interval."""
    return script.rating_of([script.Opponent(*match) for match in matches])


@pytest.mark.parametrize(("won", "drawn", "lost"), [(10, 0, 10), (29, 34, 137), (86, 18, 96), (176, 5, 19)])
def test_one_match_gives_the_rating_at_which_its_score_is_expected(script: ModuleType, won: int, drawn: int, lost: int):
    rating, half = rated(script, (2000, won, drawn, lost))
    assert rating == pytest.approx(2000 + elo_of_score((won + drawn / 2) / (won + drawn + lost)), abs=1e-6)
    assert half > 0


def test_all_matches_together_are_expected_to_bring_the_points_that_they_brought(script: ModuleType):
    rating, _ = rated(script, (2000, 134, 19, 47), (2100, 81, 25, 94), (2200, 29, 34, 137))
    expected = sum(200 * score_of_elo(rating - other) for other in (2000, 2100, 2200))
    assert expected == pytest.approx(134 + 81 + 29 + (19 + 25 + 34) / 2, abs=1e-6)


def test_four_times_the_games_halve_the_interval(script: ModuleType):
    once, many = rated(script, (2000, 50, 20, 30)), rated(script, (2000, 200, 80, 120))
    assert many[1] == pytest.approx(once[1] / 2)


def test_the_interval_of_even_games_is_that_of_a_fair_coin(script: ModuleType):
    _, half = rated(script, (2000, 200, 0, 200))
    assert half == pytest.approx(elo_of_score(0.5 + 1.96 * 0.5 / 20), rel=0.01)
