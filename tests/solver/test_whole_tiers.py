"""One machine solves a tier with one task while its positions fit into memory, and stretch by stretch otherwise."""

from pathlib import Path
from typing import Any

import pytest

from faults import contents
from solver_once import cut, interrupted, noted
from zermelo import Game, make_game, solve
from zermelo.solver.local.executor import LocalExecutor
from zermelo.solver.passes.plan import keys_in

SMALL = {"stretch": 1_000, "part": 500}
"""So that the large tiers of the game have several stretches."""
LITTLE, ENOUGH = 20_000, 1 << 20
"""Bytes for positions of later tiers: those of the large tiers do not fit, or those of any two do."""
TIERS = 17
"""The game has a tier for each number of stones."""


@pytest.fixture
def game() -> Game:
    return make_game("connect", {"rows": "4", "columns": "4"})


@pytest.fixture
def kinds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds of tasks that solves do."""
    return noted(monkeypatch)


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many positions each task solves."""
    found: list[int] = []
    start = LocalExecutor.start

    def noting(self: LocalExecutor, kind: str, *arguments: Any, **options: Any) -> list[Any]:
        blocks = start(self, kind, *arguments, **options)
        if kind == "solve_parts":
            found.append(keys_in(arguments[1]))
        return blocks

    monkeypatch.setattr(LocalExecutor, "start", noting)
    return found


def solved(game: Game, folder: Path, objects: int) -> dict[str, bytes]:
    """The files of a table, solved with ``objects`` bytes for positions of later tiers."""
    with pytest.MonkeyPatch.context() as patch:
        cut(patch, **SMALL, objects=objects)
        solve(game, folder, workers=1)
    return contents(folder)


def test_no_tier_is_read_again_while_two_fit(game: Game, kinds: list[str], tmp_path: Path) -> None:
    whole = solved(game, tmp_path / "whole", ENOUGH)
    assert kinds.count("solve_parts") == TIERS
    assert not {"load", "compact", "ask"} & {*kinds}
    kinds.clear()
    assert solved(game, tmp_path / "pieces", LITTLE) == whole
    assert kinds.count("solve_parts") > 3 * TIERS
    assert {"load", "compact", "ask"} & {*kinds}


@pytest.mark.parametrize(("first", "then"), [(LITTLE, ENOUGH), (ENOUGH, LITTLE)])
@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
def test_another_run_goes_on_with_other_memory(
    game: Game, sizes: list[int], share: float, first: int, then: int, tmp_path: Path
) -> None:
    """It solves no position again, neither of whole tiers nor of the stretches of a tier that is half done."""
    expected = solved(game, tmp_path / "expected", first)
    total, stop = sum(sizes), int(share * len(sizes))
    sizes.clear()
    with interrupted(lambda kind: kind == "solve_parts" and len(sizes) == stop):
        solved(game, tmp_path / "table", first)
    assert len(sizes) == stop
    assert 0 < sum(sizes) < total
    assert solved(game, tmp_path / "table", then) == expected
    assert sum(sizes) == total
