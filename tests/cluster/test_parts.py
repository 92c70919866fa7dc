"""The pieces of a cluster solve that need no cluster: shards, stores, the journal, merging, games on their way."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from zermelo import make_game
from zermelo.cluster.source import source_of
from zermelo.errors import TableError
from zermelo.registry import make_game as make_from
from zermelo.solver.kernels.shards import shard_of, split
from zermelo.solver.passes.journal import JOURNAL, Journal
from zermelo.solver.passes.merging import merged_arrays, merged_runs, merged_shards
from zermelo.solver.passes.plan import load_plan, parts_of, save_plan
from zermelo.solver.passes.site import Block, Site
from zermelo.solver.passes.threads import Workers
from zermelo.solver.table.stores import Folder, Part, store_at

PLAN = {"shards": 3}
SPARE = """
from zermelo.games.nim import nim as other
from zermelo import Game

def mine() -> Game:
    from dataclasses import replace
    game = other()
    return replace(game, name="mine", is_terminal=ended)

def ended(state):
    return not any(state.heaps) if hasattr(state, "heaps") else not any(state)
"""


def test_bytes_of_another_node_have_crossed() -> None:
    """What a task receives is counted, and what comes from another node once more."""
    unused: Any = None
    site = Site(unused, unused, unused, "here", unused)
    blocks = [Block(node, {0: np.zeros(size)}) for node, size in (("here", 10), ("there", 3), ("elsewhere", 4))]
    assert site.take(blocks) == blocks
    assert (site.spent.received, site.spent.crossed) == (8 * 17, 8 * 7)


def test_split_keeps_every_key_and_its_order() -> None:
    keys = np.random.default_rng(1).integers(0, 1 << 62, 10_000)
    for shards in (1, 2, 7, 64):
        seen = np.zeros(len(keys), dtype=bool)
        for shard, some, places in split(keys, shards):
            assert (keys[places] == some).all()
            assert (np.diff(places) > 0).all()
            assert {shard_of(int(key), shards) for key in some[:50]} == {shard}
            assert abs(len(some) - len(keys) / shards) < 0.5 * len(keys) / shards
            seen[places] = True
        assert seen.all()


def test_arrays_are_checked(tmp_path: Path) -> None:
    store = store_at(str(tmp_path))
    part = store.write_array("work/some.keys", np.arange(100))
    assert (store.read_array(part, np.int64) == np.arange(100)).all()
    assert store.names("work") == ["work/some.keys"]
    (tmp_path / "work" / "some.keys").write_bytes(b"damaged " * 100)
    with pytest.raises(TableError, match=r"some\.keys is damaged; delete"):
        store.read_array(part, np.int64)
    with pytest.raises(TableError, match=r"other\.keys is missing"):
        store.read_array(Part("work/other.keys", 1, ""), np.int64)
    store.delete("work")
    assert store.names("work") == []


def test_the_journal_outlives_its_writer(tmp_path: Path) -> None:
    store = Folder(str(tmp_path))
    journal = Journal(store, PLAN)
    journal.note("one", [Part("a", 1, "x")])
    journal.note("two", {"reach": 5})
    journal.flush()
    journal.note("three", 3)  # never flushed: the writer is killed
    again = Journal(store, PLAN)
    assert (again.resumed, "three" in again) == (2, False)
    assert parts_of(again["one"]) == [Part("a", 1, "x")]
    again.note("three", 3)
    again.flush()
    assert Journal(store, PLAN)["three"] == 3
    assert not Journal(store, {"shards": 4}).done, "of another plan"
    (tmp_path / JOURNAL / "00000000.json").write_text("{")
    with pytest.raises(TableError, match="is damaged"):
        Journal(store, PLAN)
    assert load_plan(store) is None
    save_plan(store, {"shards": 3})
    assert load_plan(store) == {"shards": 3}
    assert store.names("work") == ["work/plan.json"]


def test_shards_are_merged_in_order(tmp_path: Path) -> None:
    store = Folder(str(tmp_path))
    keys = np.unique(np.random.default_rng(2).integers(0, 1 << 62, 5_000))
    words = (keys % 1000).astype(np.int32)
    shards = []
    for shard, some, _ in split(keys, 3):
        cuts = range(0, len(some), 300 + 100 * shard)
        size = cuts.step
        key_parts = [store.write_array(f"{shard}-{cut}.keys", some[cut : cut + size]) for cut in cuts]
        word_parts = [
            store.write_array(f"{shard}-{cut}.words", (some[cut : cut + size] % 1000).astype(np.int32)) for cut in cuts
        ]
        shards.append((key_parts, word_parts))
    shards.append(([], []))

    def pairs(shard: tuple[list[Part], list[Part]]) -> Iterator[Any]:
        return (
            (store.read_array(one, np.int64), store.read_array(two, np.int32)) for one, two in zip(*shard, strict=True)
        )

    pieces = list(merged_shards(list(map(pairs, shards)), 700))
    assert [len(some) for some, _ in pieces[:-1]] == [700] * (len(pieces) - 1)
    assert (np.concatenate([some for some, _ in pieces]) == keys).all()
    assert (np.concatenate([some for _, some in pieces]) == words).all()
    assert list(merged_shards([pairs(([], []))], 700)) == []


def test_runs_are_united(tmp_path: Path) -> None:
    """Keys that several runs hold are there once, as in a set."""
    store = Folder(str(tmp_path))
    generator = np.random.default_rng(3)

    def read(part: Part) -> Any:
        return store.read_array(part, np.int64)

    for count in (0, 1, 2, 5):
        runs = [np.unique(generator.integers(0, 3_000, size)) for size in generator.integers(1, 2_000, count)]
        expected = sorted({int(key) for run in runs for key in run})
        stored = [
            [store.write_array(f"{number}-{cut}.keys", run[cut : cut + 300]) for cut in range(0, len(run), 300)]
            for number, run in enumerate(runs)
        ]
        with Workers(2) as workers:
            found = [*merged_runs(read, workers, 1, stored)]
            assert [key for _, keys in found for key in keys.tolist()] == expected
            known = merged_runs(read, workers, 1, stored[:1], stored[1:])
            first = set(runs[0].tolist()) if runs else set()
            others = {int(key) for run in runs[1:] for key in run}
            assert sorted(first - others) == [key for _, keys in known for key in keys.tolist()]
            if runs:
                assert merged_arrays(workers, 1, {"all": runs})["all"].tolist() == expected


def test_games_travel(tmp_path: Path) -> None:
    """By name where they are registered, else with their text; the rules are the same."""
    game = make_game("connect", {"rows": "4", "columns": "3"})
    source = source_of(game)
    assert not source.pickled
    assert source.make().fingerprint == game.fingerprint
    assert source_of(replace(game, tier=None)).pickled
    file = tmp_path / "my_nim.py"
    file.write_text(SPARE)
    mine = make_from(str(file))
    source = source_of(mine)
    assert source.pickled
    assert list(source.texts) == [str(file)]
    assert source.make().fingerprint == mine.fingerprint
