"""Games solved in shards, one task after the other, come to the very files of a solve in one shard."""

from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz import fuzz_game
from loops import loop_game
from solver_once import cut, noted
from zermelo import MAX, Game, make_game, solve
from zermelo.solver import solve as solving
from zermelo.solver.passes import exchange, forward, forward_tasks
from zermelo.solver.passes.forward import Forward, Shards
from zermelo.solver.passes.plan import NEVER, gathered


def compare(game: Game, folder: Path, shards: int, **fields: Any) -> None:
    """Solve with one shard and with several; ``fields`` are others of the plan."""
    one = folder / f"one-{game}"
    many = folder / "-".join(map(str, ["many", game, shards, *fields.items()]))
    if not one.exists():
        solve(game, one, workers=1)
    with pytest.MonkeyPatch.context() as patch:
        cut(patch, shards=shards, **{"whole": 0, "wave": 4, **fields})
        solve(game, many, workers=2)
    assert {path.name: path.read_bytes() for path in one.iterdir()} == {
        path.name: path.read_bytes() for path in many.iterdir()
    }


def test_ways_of_exchange(tmp_path: Path) -> None:
    game = make_game("connect", {"rows": "4", "columns": "3"})
    compare(game, tmp_path, 1)
    compare(game, tmp_path, 1, exchange="compact")
    compare(game, tmp_path, 7, exchange="compact", whole=20, stretch=300, part=100)
    compare(make_game("tictactoe"), tmp_path, 3, exchange="compact")
    compare(game, tmp_path, 7, exchange="ask")
    compare(game, tmp_path, 7, exchange="ask", whole=20, stretch=300, part=100)
    compare(game, tmp_path, 7, exchange="fetch")
    compare(make_game("tictactoe"), tmp_path, 3, exchange="ask")
    compare(make_game("nim"), tmp_path, 5, exchange="ask")


@pytest.mark.parametrize("shards", [7, 9])
def test_an_exchange_with_two_levels(shards: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bundles of two shards, the last of one; and of three shards. The last stretches are fewer than the others."""
    monkeypatch.setattr(exchange, "TWO_LEVELS", 4)
    kinds = noted(monkeypatch)
    game = make_game("connect", {"rows": "4", "columns": "3"})
    compare(game, tmp_path, shards, exchange="ask", stretch=300, part=100)
    assert {"unbundle", "bundle"} <= set(kinds)
    compare(game, tmp_path, shards, exchange="ask", whole=20, stretch=300, part=100, wave=5)
    compare(make_game("tictactoe"), tmp_path, shards, exchange="ask")
    compare(make_game("kalah", {"pits": "3", "seeds": "2"}), tmp_path, shards, exchange="ask", stretch=500, part=100)
    compare(loop_game(0), tmp_path, shards, exchange="ask", loops="rounds")
    compare(fuzz_game(1), tmp_path, shards, exchange="ask")


@given(st.lists(st.integers(0, 9)), st.integers(1, 20))
def test_groups_are_as_large_as_they_may_be(sizes: list[int], most: int) -> None:
    groups = gathered(enumerate(sizes), lambda item: item[1], most)
    assert list(chain.from_iterable(groups)) == list(enumerate(sizes))
    keys = [sum(size for _, size in group) for group in groups]
    assert all(count <= most or len(group) == 1 for count, group in zip(keys, groups, strict=True))
    assert all(count + after[0][1] > most for count, after in zip(keys, groups[1:], strict=False))


def test_small_stretches_share_a_wave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tier of few positions is one wave, however many shards it has: for each shard a task collects its keys, and one
    answers questions about them.
    """
    kinds = noted(monkeypatch)
    cut(monkeypatch, shards=40, whole=0, wave=4, exchange="ask")
    game = make_game("tictactoe")
    solve(game, tmp_path, workers=1)
    assert kinds.count("collect") == 40 * 10  # ten tiers
    assert kinds.count("answer") == 40 * 9  # the last one is asked by none
    assert kinds.count("expand") > kinds.count("collect") / 2


def test_a_wave_has_the_keys_of_full_stretches() -> None:
    plan = replace(solving.plan_for(1 << 30), wave=3, stretch=10)
    assert plan.waves([10, 10, 10, 10], int) == [[10, 10, 10], [10]]
    assert plan.waves([7, 7, 7, 7, 3, 25], int) == [[7, 7, 7, 7], [3, 25]]


@pytest.mark.parametrize(("memory", "merges"), [(11_000, True), (4_000_000, False)])
def test_stretches_are_merged_if_their_wave_needs_much_memory(
    memory: int, merges: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The successors of a stretch take at most 4,424 bytes, those of a wave up to 7,128."""
    merged: list[int] = []
    merge = forward_tasks.merged_arrays

    def noting(workers: Any, memory: int, groups: dict[Any, list[Any]]) -> Any:
        merged.append(sum(run.nbytes for runs in groups.values() for run in runs))
        return merge(workers, memory, groups)

    monkeypatch.setattr(forward_tasks, "merged_arrays", noting)
    compare(make_game("connect", {"rows": "4", "columns": "3"}), tmp_path, 1, stretch=300, part=100, memory=memory)
    assert bool(merged) == merges
    assert all(size <= memory // 2 for size in merged)


@given(st.data())
def test_each_shard_has_one_bundle(data: st.DataObject) -> None:
    first, count = data.draw(st.integers(0, 300)), data.draw(st.integers(1, 300))
    width = data.draw(st.integers(1, count))
    bundles = exchange.bundles_of(range(first, first + count), width)
    assert list(chain.from_iterable(bundles)) == list(range(first, first + count))
    assert {len(bundle) for bundle in bundles[:-1]} <= {width}
    assert len(bundles[-1]) <= width


def test_few_shards_have_no_bundles_and_many_have_their_square_root() -> None:
    assert [exchange.width_of(shards, 1, 1) for shards in (0, 1, exchange.TWO_LEVELS - 1)] == [1, 1, 1]
    assert len(exchange.bundles_of(range(4096), exchange.width_of(4096, 1, 1))) == exchange.width_of(4096, 1, 1) == 64


def test_long_stretches_have_no_bundles() -> None:
    keys = 5 * 1024 * 100**2
    assert [exchange.width_of(100, some, 5) for some in (keys - 1, keys)] == [10, 1]
    assert exchange.width_of(100, keys, 6) == 10


TOP = (1 << 63) - 1
"""The greatest key that there can be."""


class Pile(NamedTuple):
    """A pile from which the players take one or two stones in turn; who takes the last one wins."""

    stones: int
    player: int


def pile_game() -> Game:
    """The pile, with keys down from the greatest one."""

    def unpack(key: int) -> Pile:
        return Pile((TOP - key) >> 1, 1 - 2 * ((TOP - key) & 1))

    return Game(
        name="pile",
        initial=Pile(9, MAX),
        utility_range=(-1, 1),
        to_move=lambda state: state.player,
        actions=lambda state: range(1, min(2, state.stones) + 1),
        result=lambda state, action: Pile(state.stones - action, -state.player),
        is_terminal=lambda state: state.stones == 0,
        utility=lambda state: -state.player,
        pack=lambda state: TOP - (state.stones << 1) - (1 - state.player) // 2,
        unpack=unpack,
        tier=lambda state: 9 - state.stones,
    )


def test_the_greatest_keys(tmp_path: Path) -> None:
    game = pile_game()
    assert game.pack is not None
    assert game.pack(Pile(0, MAX)) == TOP
    for shards in (1, 2):
        compare(game, tmp_path, shards, exchange="ask")
        compare(game, tmp_path, shards, exchange="compact")


class Walk(NamedTuple):
    """A place on a way from 0 to 40; players step ahead or back in turn."""

    place: int
    player: int


def walk_game() -> Game:
    """The walk; whoever reaches the end wins."""
    return Game(
        name="walk",
        initial=Walk(0, MAX),
        utility_range=(-1, 1),
        to_move=lambda state: state.player,
        actions=lambda state: range(-1 if state.place else 1, 2, 2),
        result=lambda state, action: Walk(state.place + action, -state.player),
        is_terminal=lambda state: state.place == 40,
        utility=lambda state: -state.player,
        repetition="draw",
    )


def test_games_with_moves_within_a_tier(tmp_path: Path) -> None:
    compare(make_game("kalah", {"pits": "3", "seeds": "2"}), tmp_path, 3, stretch=500, part=100)
    compare(make_game("kalah", {"pits": "3", "seeds": "2"}), tmp_path, 2, exchange="compact")
    compare(make_game("kayles"), tmp_path, 4)
    compare(make_game("breakthrough", {"width": "2", "height": "5"}), tmp_path, 3)


def test_tiers_that_are_scattered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They begin in one shard or in some, and grow: over more, or over all where moves stay within the tier."""
    scattered: set[tuple[str, int, int]] = set()
    scatter = Forward._scattered

    def noting(self: Forward, name: str, number: int, runs: Shards, shards: int, **options: Any) -> Any:
        assert len(runs) < shards
        scattered.add((name.split("-")[0], len(runs), shards))
        return scatter(self, name, number, runs, shards, **options)

    monkeypatch.setattr(Forward, "_scattered", noting)
    monkeypatch.setattr(forward, "_GROWTH", 2)
    compare(replace(make_game("tictactoe"), name="without", tier=None), tmp_path, 7, whole=1)
    assert scattered == {("scatter", 1, 7), ("known", 1, 7)}
    scattered.clear()
    compare(make_game("kalah", {"pits": "3", "seeds": "2"}), tmp_path, 9, whole=2)
    assert {("scatter", 1, 3), ("scatter", 2, 8), ("known", 3, 9)} <= scattered
    assert {shards for kind, _, shards in scattered if kind == "known"} == {9}
    scattered.clear()
    compare(walk_game(), tmp_path, 5, whole=1)
    assert scattered == {("scatter", 1, 5), ("known", 1, 5)}, "each level is small, but the tier is not"
    scattered.clear()
    monkeypatch.setattr(forward, "_GROWTH", 1 << 40)
    compare(make_game("kalah", {"pits": "3", "seeds": "2"}), tmp_path, 8, whole=2)
    assert not scattered, "a tier may have somewhat more positions than lead to it"


@given(st.integers(0, 10**12), st.integers(1, 10**6), st.integers(1, 5_000))
def test_a_tier_has_the_root_of_its_positions_in_shards(count: int, whole: int, shards: int) -> None:
    some = Forward.__new__(Forward)
    some.plan = replace(solving.plan_for(1 << 30), whole=whole, shards=shards)
    found = some._shards_after(count)
    assert 1 <= found <= shards
    assert found == 1 or found**2 * whole <= count
    assert found == shards or (found + 1) ** 2 * whole > count
    some.plan = replace(some.plan, whole=0)
    assert some._shards_after(count) == shards
    some.plan = replace(some.plan, whole=NEVER)
    assert some._shards_after(count) == 1


@pytest.mark.parametrize("seed", range(4))
def test_games_of_any_shape(seed: int, tmp_path: Path) -> None:
    compare(fuzz_game(seed), tmp_path, 3, exchange="ask")
    compare(fuzz_game(seed), tmp_path, 3, whole=2)
    compare(loop_game(seed), tmp_path, 3)
    compare(loop_game(seed), tmp_path, 3, loops="rounds", whole=seed % 2)
    compare(loop_game(seed), tmp_path, 2, loops="gather", exchange="ask")


def test_loops_in_rounds(tmp_path: Path) -> None:
    compare(make_game("kalah", {"pits": "2", "seeds": "2"}), tmp_path, 3, exchange="ask", loops="rounds")
    compare(make_game("breakthrough", {"width": "2", "height": "5"}), tmp_path, 2, exchange="fetch", loops="rounds")
    for seed in range(4, 8):
        compare(loop_game(seed), tmp_path, 3, loops="rounds", whole=seed % 2)
