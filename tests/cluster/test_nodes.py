"""Solves on nodes that are not as usual: of several processors, of none, with little memory."""

from pathlib import Path

import numpy as np
import pytest

from clusters import SHARED, STORE, cluster_of, contents
from loops import loop_game
from zermelo import make_game, solve
from zermelo.cluster.memory import Watch, store_memory
from zermelo.cluster.solve import solve_on_cluster
from zermelo.errors import ClusterError, TableError
from zermelo.solver.passes.progress import Progress

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]


def test_tasks_of_two_threads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On nodes of four processors a task has two; and workers find the memory of Ray's object store.

    Ray's messages about workers that failed do not get among the results.
    """
    game = make_game("connect", {"rows": "4", "columns": "4"})
    solve(game, tmp_path / "one")
    with cluster_of(1, processors=4):
        _, solved = solve_on_cluster(game, tmp_path / "many", memory_gb=1.0, shards=4, whole=20)
        import ray

        before = ray.get(ray.remote(store_memory).remote())
        block = ray.put(np.ones(20 << 20, dtype=np.uint8))
        assert ray.get(ray.remote(store_memory).remote()) >= before + (20 << 20)
        del block
        failed = {"lines": ["Task failed."], "pid": "raylet", "is_err": False}
        ray._private.worker.print_to_stdstream(failed, ignore_prefix=False)
        assert "Task failed" not in capsys.readouterr().out
    assert store_memory() == 0, "no worker of Ray"
    assert contents(tmp_path / "one") == contents(tmp_path / "many")
    assert (solved.positions, solved.shards) == (161_029, 4)


def test_a_single_node_needs_no_shards(tmp_path: Path) -> None:
    """It writes the same files as this machine alone, with loops, too; and with a second node from the middle on."""
    game, loops = make_game("connect", {"rows": "4", "columns": "4"}), loop_game(1)
    for some in (game, loops):
        solve(some, tmp_path / f"one {some}")

    def stop(progress: Progress) -> None:
        if progress.phase == "backward":
            raise KeyboardInterrupt

    with cluster_of(1, processors=2) as cluster:
        for some in (game, loops):
            _, solved = solve_on_cluster(some, tmp_path / f"many {some}", memory_gb=SHARED)
            assert (solved.nodes, solved.shards) == (1, 1)
            assert contents(tmp_path / f"one {some}") == contents(tmp_path / f"many {some}")
        with pytest.raises(KeyboardInterrupt):
            solve_on_cluster(game, tmp_path / "grown", memory_gb=SHARED, progress=stop)
        cluster.add_node(num_cpus=1, object_store_memory=STORE)
        cluster.wait_for_nodes()
        _, solved = solve_on_cluster(game, tmp_path / "grown", memory_gb=1.0)
        assert (solved.nodes, solved.shards) == (2, 1)
        assert solved.units_resumed > 0
        assert contents(tmp_path / f"one {game}") == contents(tmp_path / "grown")


def test_a_head_without_processors(tmp_path: Path) -> None:
    """It is given no tasks, and no share of the memory is planned for any."""
    game = make_game("tictactoe")
    with cluster_of(2, head=0):
        _, solved = solve_on_cluster(game, tmp_path / "table", memory_gb=SHARED)
        assert (solved.nodes, solved.shards, solved.value) == (1, 1, 0)
        # What lies in a folder named work is somebody's.
        mine = tmp_path / "mine" / "work" / "thesis.txt"
        mine.parent.mkdir(parents=True)
        mine.write_text("mine")
        with pytest.raises(TableError, match=r"thesis.txt belongs to no solve; choose another folder for the table"):
            solve_on_cluster(game, tmp_path / "mine", memory_gb=SHARED)
        (tmp_path / "mine" / "manifest.json").write_bytes((tmp_path / "table" / "manifest.json").read_bytes())
        for file in (tmp_path / "table").glob("*.parquet"):
            (tmp_path / "mine" / file.name).write_bytes(file.read_bytes())
        assert solve_on_cluster(game, tmp_path / "mine", memory_gb=SHARED)[1].value == 0
        assert mine.read_text() == "mine"
    with cluster_of(1, head=0), pytest.raises(ClusterError, match="No node of the cluster has a processor for tasks"):
        solve_on_cluster(game, tmp_path / "other", memory_gb=SHARED)


def test_no_node_takes_more_memory_than_allowed(tmp_path: Path) -> None:
    """Keys, outcomes and the way in to all positions come to 530 MiB, and no node may take more than 430.

    There are 69,763,700 positions (Tromp), and the game is a draw with the last disc (Tromp, Steininger).
    """
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
