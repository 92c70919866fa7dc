"""A game solved on a cluster comes to the very files that one machine writes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clusters import SHARED, cluster_of, contents
from fuzz import fuzz_game
from loops import loop_game
from zermelo import Game, make_game, solve
from zermelo.cluster.forward import ClusterForward
from zermelo.cluster.memory import Watch
from zermelo.cluster.solve import ClusterSolved, solve_on_cluster
from zermelo.errors import ClusterError, TableError

pytestmark = pytest.mark.filterwarnings("default")


def compare(
    game: Game, folder: Path, shards: int, exchange: str = "auto", loops: str = "auto", whole: int = 0
) -> ClusterSolved:
    """Solve here and on the cluster."""
    one, many = folder / f"one-{game}", folder / f"many-{game}-{shards}-{exchange}-{loops}-{whole}"
    if not one.exists():
        solve(game, one, workers=1)
    ways: Any = {"exchange": exchange, "loops": loops, "whole": whole}
    _, solved = solve_on_cluster(game, many, memory_gb=SHARED, shards=shards, **ways)
    assert contents(one) == contents(many)
    assert solved.shards == shards
    return solved


@pytest.mark.slow
@pytest.mark.parametrize("nodes", [2, 3, 5])
def test_the_same_files_on_several_nodes(nodes: int, tmp_path: Path) -> None:
    with cluster_of(nodes):
        for rows, columns in ((3, 3), (4, 4)):
            game = make_game("connect", {"rows": str(rows), "columns": str(columns)})
            solved = compare(game, tmp_path, 2 * nodes + 1)
            assert solved.nodes == nodes
            assert solved.exchanged_bytes > solved.crossed_bytes > 0
        compare(make_game("kalah", {"pits": "2", "seeds": "2"}), tmp_path, nodes + 1)


@pytest.mark.slow
def test_games_of_all_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With tiers and without, with moves that stay within a tier, with loops; two ways of exchange, many shards."""
    with cluster_of(2):
        game = make_game("connect", {"rows": "4", "columns": "3"})
        compare(game, tmp_path, 1)
        compare(game, tmp_path, 7, "ask")
        compare(game, tmp_path, 7, "ask", whole=2_000)
        compare(game, tmp_path, 7, "fetch")
        compare(make_game("tictactoe"), tmp_path, 3, "ask")
        compare(make_game("kalah", {"pits": "3", "seeds": "2"}), tmp_path, 3)
        compare(make_game("kayles"), tmp_path, 4)
        compare(make_game("nim"), tmp_path, 5, "ask")
        compare(make_game("breakthrough", {"width": "2", "height": "5"}), tmp_path, 3)
        # Tiers that begin in one shard and are scattered: of a game without tiers, and of one with.
        scattered: list[str] = []
        scatter = ClusterForward._scattered

        def noting(self: ClusterForward, name: str, *rest: Any) -> Any:
            scattered.append(name.split("-")[0])
            return scatter(self, name, *rest)

        monkeypatch.setattr(ClusterForward, "_scattered", noting)
        compare(replace(make_game("tictactoe"), name="without", tier=None), tmp_path, 3, whole=5)
        assert {"scatter", "known"} == set(scattered)
        scattered.clear()
        compare(make_game("kalah", {"pits": "3", "seeds": "2"}), tmp_path, 3, whole=5)
        assert "scatter" in scattered
        for seed in range(4):
            compare(fuzz_game(seed), tmp_path, 3, "ask")
            compare(loop_game(seed), tmp_path, 3)
            compare(fuzz_game(seed), tmp_path, 3, whole=2)


@pytest.mark.slow
def test_loops_in_rounds(tmp_path: Path) -> None:
    with cluster_of(2):
        for seed in range(8):
            compare(loop_game(seed), tmp_path, 3, loops="rounds", whole=seed % 2)
        compare(make_game("kalah", {"pits": "2", "seeds": "2"}), tmp_path, 3, "ask", "rounds")
        compare(make_game("breakthrough", {"width": "2", "height": "5"}), tmp_path, 2, "fetch", "rounds")


@pytest.mark.slow
def test_connect_four_on_4x5(tmp_path: Path) -> None:
    """On nodes of four processors a task has two threads."""
    game = make_game("connect", {"rows": "4", "columns": "5"})
    solve(game, tmp_path / "one")
    with cluster_of(2, processors=4):
        _, solved = solve_on_cluster(game, tmp_path / "many", memory_gb=1.0, whole=1000)
    assert contents(tmp_path / "one") == contents(tmp_path / "many")
    assert (solved.positions, solved.shards) == (3_945_711, 8)


@pytest.mark.slow
def test_a_head_without_processors(tmp_path: Path) -> None:
    """It is given no tasks, and no share of the memory is planned for any."""
    game = make_game("tictactoe")
    with cluster_of(2, head=0):
        _, solved = solve_on_cluster(game, tmp_path / "table", memory_gb=SHARED)
        assert (solved.nodes, solved.shards, solved.value) == (1, 2, 0)
        # What lies in a folder named work is somebody's.
        mine = tmp_path / "mine" / "work" / "thesis.txt"
        mine.parent.mkdir(parents=True)
        mine.write_text("mine")
        with pytest.raises(TableError, match=r"mine/work holds what no solve on a cluster wrote"):
            solve_on_cluster(game, tmp_path / "mine", memory_gb=SHARED)
        (tmp_path / "mine" / "manifest.json").write_bytes((tmp_path / "table" / "manifest.json").read_bytes())
        for file in (tmp_path / "table").glob("*.parquet"):
            (tmp_path / "mine" / file.name).write_bytes(file.read_bytes())
        assert solve_on_cluster(game, tmp_path / "mine", memory_gb=SHARED)[1].value == 0
        assert mine.read_text() == "mine"
    with cluster_of(1, head=0), pytest.raises(ClusterError, match="No node of the cluster has a processor for tasks"):
        solve_on_cluster(game, tmp_path / "other", memory_gb=SHARED)


@pytest.mark.slow
def test_minicheckers(tmp_path: Path) -> None:
    """34 million positions; men never move back, kings do: tiers with moves inside, solved as one."""
    game = make_game("minicheckers")
    whole = solve(game, tmp_path / "one")
    with cluster_of(2):
        _, solved = solve_on_cluster(game, tmp_path / "many", memory_gb=3.0, shards=3)
    assert contents(tmp_path / "one") == contents(tmp_path / "many")
    assert (solved.positions, solved.value, solved.remoteness) == (len(whole), 0, 20)


@pytest.mark.slow
def test_no_node_takes_more_memory_than_allowed(tmp_path: Path) -> None:
    """Keys, outcomes and the way in to all positions come to 530 MiB, and no node may take more than 430."""
    allowed = 0.42
    game = make_game("connect", {"rows": "5", "columns": "5"})
    with cluster_of(2):
        # Compiling takes memory of its own, which the plan leaves room for, once.
        solve_on_cluster(game, tmp_path / "first", starts=[game.replay([2] * 5 + [1] * 5 + [3] * 5)], memory_gb=2.0)
    driver = Watch()
    with cluster_of(2):
        driver.begin()
        before = driver.now()
        _, solved = solve_on_cluster(game, tmp_path / "table", memory_gb=allowed)
    assert (solved.positions, solved.value, solved.remoteness) == (69_763_700, 0, 25)
    assert solved.worker_peak_mb < solved.node_peak_mb < 1024 * allowed < 16 * solved.stored / (1 << 20)
    # The driver holds references and the journal, and no positions.
    assert driver.peak - before < 4 * solved.stored


@pytest.mark.slow
def test_proofs_by_several_workers(tmp_path: Path) -> None:
    """The same values as on one machine, whoever asks for how long; and nodes that are made of something else."""
    from zermelo.cluster import crew
    from zermelo.cluster.prove import prove_on_cluster
    from zermelo.engine import Engine
    from zermelo.errors import BadParameter

    with cluster_of(2):
        for name, parameters, moves in (
            ("tictactoe", {}, []),
            ("connect", {"rows": "4", "columns": "5"}, [2]),
            ("kalah", {"pits": "3", "seeds": "2"}, []),
        ):
            game = make_game(name, parameters)
            state = game.replay(moves)
            found = prove_on_cluster(game, state, table_mb=16, slice_seconds=0.2)
            assert (found.value, found.proven, found.bound) == (Engine(game).prove(state).value, True, "exact")
            assert Engine(game).prove(game.result(state, found.action)).value == found.value
        with pytest.raises(BadParameter, match="only one machine"):
            prove_on_cluster(loop_game(1))
        patch = pytest.MonkeyPatch()
        patch.setattr(crew, "versions", lambda: {"zermelo": "9", "numba": "0", "numpy": "0"})
        with pytest.raises(ClusterError, match=r"The node .* has zermelo .*, and this machine 9; install the same"):
            solve_on_cluster(make_game("tictactoe"), tmp_path / "table", memory_gb=SHARED)
        patch.undo()
