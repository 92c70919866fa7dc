"""Failures injected while a cluster solves: it comes to the same files, and nothing durable is done twice."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from clusters import SHARED, STORE, contents
from zermelo import make_game, solve
from zermelo.cluster import greet
from zermelo.cluster.executor import RayExecutor
from zermelo.cluster.solve import ClusterSolved, solve_on_cluster
from zermelo.errors import BadParameter, ClusterError
from zermelo.solver.passes.journal import JOURNAL

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]
BOARD = {"rows": "4", "columns": "5"}
SMALL = {"rows": "4", "columns": "4"}
"""Where processes are killed, those that follow mostly load their code, however small the board."""
TRIED: list[str] = []
"""Faults that were injected; a test that ends well survived its own."""
DRIVER = """
import sys
import time
from zermelo import make_game
from zermelo.cluster.solve import solve_on_cluster
game = make_game("connect", {"rows": "4", "columns": "4"})
memory = float(sys.argv[3])
pause = lambda done: time.sleep(0.1)
solve_on_cluster(game, sys.argv[1], cluster=sys.argv[2], memory_gb=memory, shards=5, whole=0, progress=pause)
"""
"""A driver that pauses after each tier, so that it has not ended when it is killed."""


@pytest.fixture(scope="module", autouse=True)
def counted() -> Iterator[None]:
    """Say in the end how many faults were injected; all of them were survived if all tests pass."""
    yield
    print(f"faults injected: { {fault: TRIED.count(fault) for fault in sorted(set(TRIED))} }")


def files_of(board: dict[str, str], folder: Path) -> dict[str, bytes]:
    """The files that one machine writes."""
    solve(make_game("connect", board), folder)
    return contents(folder)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return files_of(BOARD, tmp_path_factory.mktemp("whole") / "table")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return files_of(SMALL, tmp_path_factory.mktemp("small") / "table")


def workers_of(node: Any) -> list[int]:
    """The processes of a node's workers that are at something."""
    parent = node.all_processes["raylet"][0].process.pid
    command = ["ps", "-o", "pid=,args=", "--ppid", str(parent)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    working = [line for line in lines if "ray::" in line and "IDLE" not in line and "Agent" not in line]
    return [int(line.split()[0]) for line in working]


def signalled(pid: int, number: int) -> bool:
    """Send a signal to a process, and return whether it was still there."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def solve_with(
    table: Path, fault: Callable[[], bool], after: int, times: int, board: dict[str, str] = BOARD
) -> ClusterSolved:
    """Solve while a fault is injected some times, each time that so many more files are in the journal.

    `fault` says whether it found something to break; it is tried again until it did.
    """
    game = make_game("connect", board)
    with ThreadPoolExecutor(1) as pool:
        solving = pool.submit(solve_on_cluster, game, table, memory_gb=SHARED, shards=5, whole=0)
        for number in range(times):
            while not solving.done() and len(list((table / JOURNAL).glob("*.json"))) < 1 + after * (number + 1):
                time.sleep(0.02)
            while not solving.done() and not fault():
                time.sleep(0.002)
        return solving.result()[1]


def test_workers_killed(two_nodes: Any, tmp_path: Path, small: dict[str, bytes]) -> None:
    nodes = [two_nodes.head_node, *two_nodes.worker_nodes]

    def kill() -> bool:
        busy = [pid for node in nodes for pid in workers_of(node)]
        killed = [pid for pid in busy[:1] if signalled(pid, signal.SIGKILL)]
        TRIED.extend("worker killed" for _ in killed)
        return bool(killed)

    solve_with(tmp_path / "table", kill, 1, times=4, board=SMALL)
    assert contents(tmp_path / "table") == small
    assert TRIED.count("worker killed") >= 2


def test_a_node_killed(two_nodes: Any, tmp_path: Path, whole: dict[str, bytes]) -> None:
    """Its objects are lost with it; another takes its place later."""

    def kill() -> bool:
        TRIED.append("node killed")
        two_nodes.remove_node(next(iter(two_nodes.worker_nodes)), allow_graceful=False)
        two_nodes.add_node(num_cpus=1, object_store_memory=STORE)
        return True

    solve_with(tmp_path / "table", kill, 4, times=2)
    assert contents(tmp_path / "table") == whole
    assert TRIED.count("node killed") >= 1


def test_a_node_that_has_just_died(
    two_nodes: Any, tmp_path: Path, small: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ray takes a while to notice that a node has died, and lists it as alive until then."""
    listed = greet.able()
    dead = next(iter(two_nodes.worker_nodes))
    two_nodes.remove_node(dead, allow_graceful=False)
    two_nodes.add_node(num_cpus=1, object_store_memory=STORE)
    while dead.node_id in [node["NodeID"] for node in greet.able()]:
        time.sleep(0.05)
    TRIED.append("node killed")
    monkeypatch.setattr(greet, "able", lambda: listed)
    solve_on_cluster(make_game("connect", SMALL), tmp_path / "table", memory_gb=SHARED, shards=5, whole=0)
    assert contents(tmp_path / "table") == small
    monkeypatch.setattr(greet, "able", lambda: [node for node in listed if node["NodeID"] == dead.node_id])
    with pytest.raises(ClusterError, match=r"A node has left the cluster; the same command goes on\."):
        solve_on_cluster(make_game("connect", SMALL), tmp_path / "none", memory_gb=SHARED, shards=5, whole=0)


def test_a_slow_node(two_nodes: Any, tmp_path: Path, whole: dict[str, bytes]) -> None:
    """A worker that does nothing for a while."""

    def slow() -> bool:
        halted = [pid for pid in workers_of(next(iter(two_nodes.worker_nodes))) if signalled(pid, signal.SIGSTOP)]
        time.sleep(len(halted))
        for pid in halted:
            TRIED.append("worker halted")
            signalled(pid, signal.SIGCONT)
        return bool(halted)

    solve_with(tmp_path / "table", slow, 2, times=3)
    assert contents(tmp_path / "table") == whole


def test_the_driver_killed(two_nodes: Any, tmp_path: Path, small: dict[str, bytes]) -> None:
    """Killed again and again, on a cluster that lives on; each run goes on from the journal of the one before."""
    table = tmp_path / "table"
    kills = 0
    units: set[str] = set()
    for _ in range(3):
        command = [sys.executable, "-c", DRIVER, str(table), two_nodes.address, str(SHARED)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        before = len(list((table / JOURNAL).glob("*.json")))
        while process.poll() is None and len(list((table / JOURNAL).glob("*.json"))) < before + 2:
            time.sleep(0.02)
        if process.poll() is not None:
            break
        process.kill()
        process.wait()
        kills += 1
        TRIED.append("driver killed")
        found = [json.loads(file.read_text())["units"] for file in sorted((table / JOURNAL).glob("*.json"))]
        names = [name for some in found for name in some]
        assert len(names) == len(set(names)), "no unit in the journal was done again"
        assert units <= set(names)
        units = set(names)
    with pytest.raises(BadParameter, match="was begun with 5 shards, and not 6"):
        solve_on_cluster(make_game("connect", SMALL), table, memory_gb=SHARED, shards=6, whole=0)
    _, solved = solve_on_cluster(make_game("connect", SMALL), table, memory_gb=SHARED, shards=5, whole=0)
    assert kills >= 2
    assert contents(table) == small
    assert solved.units_resumed >= len(units)
    assert solved.positions_per_second is None


def test_objects_lost(two_nodes: Any, tmp_path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks that only one node has vanish with it, before anyone takes them; what made them is done again."""
    start, lost = RayExecutor.start, []
    worker = next(iter(two_nodes.worker_nodes))

    def losing(self: RayExecutor, kind: str, *arguments: Any, **options: Any) -> list[Any]:
        if kind != "expand" or lost or not 12 <= options["tier"] < 16:
            return start(self, kind, *arguments, **options)
        there = NodeAffinitySchedulingStrategy(worker.node_id, soft=True)
        blocks = start(self, kind, *arguments, **options, scheduling_strategy=there)
        if blocks:
            ray.wait(blocks, num_returns=len(blocks), fetch_local=False)
            where = ray.experimental.get_object_locations(blocks)
            lost.extend(block for block in blocks if where[block]["node_ids"] == [worker.node_id])
            if lost:
                TRIED.append("object lost")
                two_nodes.remove_node(worker, allow_graceful=False)
                two_nodes.add_node(num_cpus=1, object_store_memory=STORE)
        return blocks

    monkeypatch.setattr(RayExecutor, "start", losing)
    solve_on_cluster(make_game("connect", BOARD), tmp_path / "table", memory_gb=SHARED, shards=5, whole=0)
    assert lost
    assert contents(tmp_path / "table") == whole
