"""Tiers whose positions lead to each other: with edges in files, they come to the very bytes of those in memory."""

from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faults import contents
from loops import endless_game, loop_game, mirrored_game, short_tiered_game
from solver_once import cut, interrupted, noted
from zermelo import Game, make_game, solve
from zermelo.errors import TableError
from zermelo.solver import solve as solving
from zermelo.solver.kernels.edges import by_bucket
from zermelo.solver.passes import edge_files, filed_tasks, progress, site
from zermelo.solver.passes.edge_files import EdgeFiles, Sorter, turned
from zermelo.solver.passes.progress import Progress
from zermelo.solver.passes.site import Parts, Site
from zermelo.solver.passes.threads import Workers
from zermelo.solver.table.stores import Folder
from zermelo.ui.positions import placed

TINY: dict[str, Any] = {"memory": 4_000, "stretch": 400, "part": 100}
"""A plan so small that a little game has many stretches, buckets and files."""


@cache
def kings() -> tuple[Game, list[Any]]:
    """The positions of one king against one king in checkers, which lead to each other."""
    game = make_game("checkers")
    starts = placed(game, "Kk")
    assert isinstance(starts, list)
    return game, starts


@pytest.fixture
def kinds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds of tasks that solves do."""
    return noted(monkeypatch)


@pytest.fixture
def compare(kinds: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """A function that solves a game in memory and with files, and compares the tables; with fields of the plan.

    It returns how many tiers had their edges in files.
    """
    numbers = count()
    monkeypatch.setattr(filed_tasks, "_SLICE", 1_000)
    monkeypatch.setattr(edge_files, "_READ", 64)
    monkeypatch.setattr(edge_files, "_GAP", 8)
    monkeypatch.setattr(site, "CHUNK", 1_000)

    def compare(game: Game, starts: Any = (), **fields: Any) -> int:
        memory, files = (tmp_path / f"{name}-{next(numbers)}" for name in ("memory", "files"))
        with pytest.MonkeyPatch.context() as patch:
            cut(patch, loops="gather", **{name: size for name, size in fields.items() if name == "part"})
            solve(game, memory, workers=1, starts=starts)
        with pytest.MonkeyPatch.context() as patch:
            cut(patch, loops="files", **fields)
            kinds.clear()
            solve(game, files, workers=2, starts=starts)
        assert contents(memory) == contents(files)
        return kinds.count("solve_filed")

    return compare


@pytest.mark.parametrize("seed", range(3))
def test_games_with_loops(seed: int, compare: Callable[..., int]) -> None:
    for game in (loop_game(seed), endless_game(seed, 1), mirrored_game(seed)):
        assert compare(game) == 1
        assert compare(game, memory=500, stretch=8, part=4, exchange="ask") == 1


def test_games_with_loops_and_tiers(compare: Callable[..., int]) -> None:
    assert sum(compare(short_tiered_game(seed), memory=500, stretch=8, part=4) for seed in range(4)) > 4


def test_games_with_margins_and_with_wins(compare: Callable[..., int], kinds: list[str]) -> None:
    assert compare(make_game("kalah", {"pits": "2", "seeds": "3"}), **TINY, exchange="ask")
    assert compare(*kings(), **TINY) == 1
    assert kinds.count("turn_edges") > 2


def test_several_stretches(compare: Callable[..., int], kinds: list[str]) -> None:
    game, starts = kings()
    assert compare(game, starts[:1], **TINY) == 1
    assert kinds.count("file_edges") > 2


def test_a_tier_that_does_not_fit_goes_into_files(
    kinds: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, starts = kings()
    solve(game, tmp_path / "memory", starts=starts, workers=1)
    assert "solve_web" in kinds
    assert "solve_filed" not in kinds
    kinds.clear()
    monkeypatch.setattr(solving, "LEAST_MEMORY", 10_000)
    monkeypatch.setattr(solving, "LEAST_STRETCH", 500)
    solve(game, tmp_path / "files", starts=starts, workers=1, memory_gb=1e-9)
    assert "solve_web" not in kinds
    assert "solve_filed" in kinds
    assert contents(tmp_path / "memory") == contents(tmp_path / "files")
    assert not (tmp_path / "files" / "work").exists()


@pytest.mark.parametrize("at", ["file_edges", "turn_edges", "solve_filed"])
def test_it_goes_on_with_the_files_that_are_there(at: str, kinds: list[str], tmp_path: Path,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    game, starts = kings()
    cut(monkeypatch, loops="files", **TINY)
    solve(game, tmp_path / "whole", starts=starts, workers=1)
    whole, kinds[:] = {kind: kinds.count(kind) for kind in kinds}, []
    with interrupted(lambda kind: kind == at and kinds.count(at) == whole[at] // 2):
        solve(game, tmp_path / "halted", starts=starts, workers=1)
    solve(game, tmp_path / "halted", starts=starts, workers=1)
    assert kinds.count("file_edges") == whole["file_edges"], "no stretch was expanded twice"
    assert kinds.count("turn_edges") == whole["turn_edges"]
    assert contents(tmp_path / "whole") == contents(tmp_path / "halted")


@pytest.mark.parametrize("damage", ["missing", "flipped"])
def test_files_of_edges_that_are_missing_or_damaged(damage: str, tmp_path: Path,
                                                    monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    game, starts = kings()
    cut(monkeypatch, loops="files", **TINY)
    solve(game, tmp_path / "whole", starts=starts, workers=1)
    with interrupted(lambda kind: kind == "solve_filed"):
        solve(game, tmp_path / "table", starts=starts, workers=1)
    path = next((tmp_path / "table" / "work").glob("turned-*.edges"))
    if damage == "missing":
        path.unlink()
        solve(game, tmp_path / "table", starts=starts, workers=1)
        assert contents(tmp_path / "whole") == contents(tmp_path / "table")
        return
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(TableError, match="is damaged; delete the folder"):
        solve(game, tmp_path / "table", starts=starts, workers=1)


def test_progress_rises_to_the_number_of_positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN", 0.0)
    monkeypatch.setattr(site, "CHUNK", 500)
    cut(monkeypatch, loops="files", **TINY)
    told: dict[int, list[int]] = {}

    def note(report: Progress) -> None:
        if report.phase == "backward":
            told.setdefault(report.tier, []).append(report.done)

    game, starts = kings()
    table = solve(game, tmp_path / "table", starts=starts, workers=1, progress=note)
    longest = max(told.values(), key=len)
    assert longest == sorted(longest)
    assert len(set(longest)) > 10
    assert {numbers[-1] for numbers in told.values()} == {tier["stored"] for tier in table.manifest["tiers"]}


@settings(max_examples=30)
@given(data=st.data(), size=st.integers(1, 60), width=st.integers(1, 20))
def test_predecessors_read_from_files(
    data: st.DataObject, size: int, width: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The files give each position the predecessors that the edges name, whatever frontier asks for them."""
    numbers = st.integers(0, size - 1)
    edges = data.draw(st.lists(st.tuples(numbers, numbers), max_size=200))
    positions = sorted(data.draw(st.sets(numbers)))
    values = np.array(data.draw(st.lists(st.integers(0, 1), min_size=size, max_size=size)), np.int32)
    store = Folder(str(tmp_path_factory.mktemp("edges")))
    with Workers(1) as threads:
        here = Site(solving.plan_for(1 << 20), None, Parts(store, 0), "", threads)  # type: ignore[arg-type]
        sorter = Sorter(here, "edges", width, -(-size // width), 50)
        for target, source in edges:
            sorter.add(np.array([target], np.int32), np.array([source], np.int32))
        sorter.flush()
        firsts = range(0, size, width)
        files, counts = zip(*(
            turned(here, f"work/{first}.edges", parts, first, min(width, size - first))
            for first, parts in zip(firsts, sorter.parts, strict=True)
        ), strict=True)  # fmt: skip
    starts = np.concatenate([[0], np.cumsum(np.concatenate(counts), dtype=np.int64)])
    read: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_files, "_READ", 7)
        patch.setattr(edge_files, "_GAP", 3)
        found = EdgeFiles(store, list(files), starts, width, read.append)
        every = [int(place) for places in found.predecessors(np.array(positions, np.int64)) for place in places]
        same = [int(place) for places in found.predecessors(np.array(positions, np.int32), values) for place in places]
    into = [(source, target) for target, source in edges if target in positions]
    assert sorted(every) == sorted(source for source, _ in into)
    assert sorted(same) == sorted(source for source, target in into if values[source] == values[target])
    assert sum(read) >= 2 * len(into)


def test_edges_are_divided_by_their_targets() -> None:
    targets, sources = np.array([5, 0, 9, 4, 5], np.int32), np.array([1, 2, 3, 4, 5], np.int32)
    assert [edges.tolist() for edges in by_bucket(targets, sources, 5, 2)] == [
        [[0, 4], [2, 4]],
        [[5, 9, 5], [1, 3, 5]],
    ]
