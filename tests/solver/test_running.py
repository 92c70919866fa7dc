"""A solve on the way: stopped, killed, short of memory or of disk, it comes to the same bytes."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from faults import contents
from solver_once import noted
from zermelo import make_game, solve
from zermelo.errors import BadParameter, TableError, Unsolvable
from zermelo.game import Game
from zermelo.games import breakthrough, connect, tictactoe
from zermelo.solver import solve as solving
from zermelo.solver.local.executor import LocalExecutor
from zermelo.solver.local.workdir import WorkFolder
from zermelo.solver.passes import outcomes, plan, progress, publish_tasks, site
from zermelo.solver.passes.plan import FILES, load_plan, save_plan
from zermelo.solver.passes.site import Held, HeldCompact
from zermelo.solver.table.stores import Folder

SOLVE = """
import json, sys
from zermelo import make_game, solve
solve(make_game(sys.argv[2], json.loads(sys.argv[3])), sys.argv[1], workers=2)
"""
KILLED = [
    ("connect", {"rows": "4", "columns": "5"}, 20),
    ("nim", {"first": "9", "second": "9", "third": "9", "fourth": "9"}, 6),
]


def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files and tasks so small that a little game takes many."""
    for module in (plan, outcomes, publish_tasks):
        monkeypatch.setattr(module, "PART", 5000)
    monkeypatch.setattr(solving, "PART", 5000)
    monkeypatch.setattr(site, "CHUNK", 1000)


@pytest.mark.parametrize(("memory", "exchange"), [(100_000, {"compact"}), (15_000, {"ask", "answer"})])
def test_workers_and_memory_make_no_difference(
    memory: int, exchange: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_steps(monkeypatch)
    game = connect(4, 4)
    solve(game, tmp_path / "one", workers=1)
    monkeypatch.setattr(solving, "LEAST_MEMORY", memory)
    monkeypatch.setattr(solving, "LEAST_STRETCH", 500)
    kinds = noted(monkeypatch)
    solve(game, tmp_path / "two", workers=3, memory_gb=1e-9)
    assert {"merge"} | exchange <= set(kinds), "tiers have many runs, and not all successors are held as they are"
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert len(list((tmp_path / "one").iterdir())) > 20


def test_shards_in_the_ordinary_form_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tier leads to several others. Where some are made compact, none stays in the ordinary form beside them."""
    small_steps(monkeypatch)
    game = make_game("kalah", {"pits": "3", "seeds": "2"})
    solve(game, tmp_path / "one", workers=1)
    monkeypatch.setattr(solving, "LEAST_MEMORY", 60_000)
    monkeypatch.setattr(solving, "LEAST_STRETCH", 2_000)
    start, kinds, beside = LocalExecutor.start, [""], []

    def noting(self: LocalExecutor, kind: str, *arguments: Any, **options: Any) -> Any:
        if kinds[-1] == "compact" != kind:
            beside.extend(type(argument) for argument in arguments if isinstance(argument, Held | HeldCompact))
        kinds.append(kind)
        return start(self, kind, *arguments, **options)

    monkeypatch.setattr(LocalExecutor, "start", noting)
    solve(game, tmp_path / "two", workers=2, memory_gb=1e-9)
    assert set(beside) == {HeldCompact}
    assert "load" in kinds, "others are small enough for the ordinary form"
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_loops_without_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_steps(monkeypatch)
    game = breakthrough(3, 4)
    solve(game, tmp_path / "one", workers=1)
    monkeypatch.setattr(solving, "LEAST_MEMORY", 10_000)
    solve(game, tmp_path / "two", workers=2, memory_gb=1e-9)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_it_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = connect(4, 4)
    solve(game, tmp_path / "whole")

    class Stopped(Exception):
        pass

    kinds = noted(monkeypatch)
    for stop_at in (("forward", 5), ("forward", 12), ("backward", 14), ("backward", 3)):

        def stop(report: solving.Progress, at: tuple[str, int] = stop_at) -> None:
            if (report.phase, report.tier) == at and report.done == report.total:
                raise Stopped

        monkeypatch.setattr(progress, "_SECONDS_BETWEEN", 0.0)
        with pytest.raises(Stopped):
            solve(game, tmp_path / "halting", progress=stop)
    _, solved = solving.solve_timed(game, tmp_path / "halting")
    assert solved.positions_per_second is None, "earlier runs did a part of the work"
    assert contents(tmp_path / "whole") == contents(tmp_path / "halting")
    assert 17 <= kinds.count("expand") <= 17 + 4, "no finished tier was expanded again"
    assert 17 <= kinds.count("solve_parts") <= 17 + 4


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameters", "times"), KILLED, ids=["connect", "nim"])
def test_killed_at_random(name: str, parameters: dict[str, str], times: int, tmp_path: Path) -> None:
    solve(make_game(name, parameters), tmp_path / "whole")
    chooser = random.Random(1)
    target = tmp_path / "killed"
    command = [sys.executable, "-c", SOLVE, str(target), name, json.dumps(parameters)]
    kills = 0
    for _ in range(3 * times):
        process = subprocess.Popen(command)
        began = time.monotonic()
        while process.poll() is None and not (target / "work").exists() and time.monotonic() - began < 60:
            time.sleep(0.01)
        time.sleep(chooser.uniform(0, 0.3))
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
        if kills >= times:
            break
    subprocess.run(command, check=True)
    assert kills >= 3
    print(f"killed {kills} times")
    assert contents(tmp_path / "whole") == contents(target)


def test_a_finished_table_is_opened_as_it_is(tmp_path: Path) -> None:
    solve(tictactoe(), tmp_path / "table")
    before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "table").iterdir()}
    (tmp_path / "table" / "work").mkdir()  # as a kill between the manifest and the end leaves it
    solve(tictactoe(), tmp_path / "table")
    assert before == {path.name: path.stat().st_mtime_ns for path in (tmp_path / "table").iterdir()}


def test_a_finished_table_that_lacks_a_file_is_refused(tmp_path: Path) -> None:
    solve(tictactoe(), tmp_path / "table")
    whole = contents(tmp_path / "table")
    victim = sorted((tmp_path / "table").glob("*.parquet"))[3]
    victim.write_bytes(b"")
    with pytest.raises(TableError, match=rf"{victim.name} is missing or damaged; delete .*manifest.json, and"):
        solve(tictactoe(), tmp_path / "table")
    (tmp_path / "table" / "manifest.json").unlink()
    solve(tictactoe(), tmp_path / "table")
    assert contents(tmp_path / "table") == whole


def test_what_is_not_a_solves_own_is_never_deleted(tmp_path: Path) -> None:
    thesis = tmp_path / "work" / "thesis.txt"
    thesis.parent.mkdir()
    thesis.write_text("precious")
    with pytest.raises(TableError, match=r"thesis.txt belongs to no solve; choose another folder"):
        solve(tictactoe(), tmp_path)
    assert [path.name for path in tmp_path.rglob("*")] == ["work", "thesis.txt"]
    thesis.parent.rename(tmp_path / "aside")
    solve(tictactoe(), tmp_path)
    (tmp_path / "aside").rename(thesis.parent)
    solve(tictactoe(), tmp_path)  # a finished table is opened, and the folder beside it left alone
    assert thesis.read_text() == "precious"


def test_a_solve_of_an_earlier_version_is_refused(tmp_path: Path) -> None:
    state = tmp_path / "work" / "state.json"
    state.parent.mkdir()
    state.write_text("{}")
    with pytest.raises(TableError, match=r"holds an unfinished solve of an earlier version .*; delete that folder"):
        solve(tictactoe(), tmp_path)
    state.unlink()
    solve(tictactoe(), tmp_path)


def test_a_solve_with_files_of_another_form_is_refused(tmp_path: Path) -> None:
    """Form 1, whose plans do not say so, had eight bytes for each key."""

    class Stopped(Exception):
        pass

    def stop(report: solving.Progress) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        solve(tictactoe(), tmp_path, progress=stop)
    store = Folder(str(tmp_path))
    settled = load_plan(store)
    assert settled is not None
    assert settled.pop("files") == FILES
    save_plan(store, settled)
    with pytest.raises(TableError, match=r"holds an unfinished solve of an earlier version .*; delete that folder"):
        solve(tictactoe(), tmp_path)
    store.delete("work")
    solve(tictactoe(), tmp_path)


def test_a_solve_of_a_cluster_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopped(Exception):
        pass

    def stop(report: solving.Progress) -> None:
        raise Stopped

    monkeypatch.setattr(solving, "ONE_MACHINE", "a cluster")
    with pytest.raises(Stopped):
        solve(tictactoe(), tmp_path, progress=stop)
    monkeypatch.undo()
    with pytest.raises(TableError, match=r"was begun on a cluster, and one machine cannot go on with it; delete"):
        solve(tictactoe(), tmp_path)


def test_another_game_in_the_folder_is_refused(tmp_path: Path) -> None:
    solve(tictactoe(), tmp_path / "table")
    with pytest.raises(TableError, match="already holds a table for which the game is 'tictactoe'"):
        solve(connect(3, 3, 3), tmp_path / "table")
    solve(connect(3, 3, 3), tmp_path / "other")
    with pytest.raises(TableError, match="the parameters"):
        solve(connect(3, 4, 3), tmp_path / "other")


def test_two_processes_at_once_are_refused(tmp_path: Path) -> None:
    import fcntl

    target = tmp_path / "table"
    target.mkdir()
    handle = os.open(target, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    with pytest.raises(TableError, match="Another process is solving"):
        solve(tictactoe(), target)
    os.close(handle)


def test_bad_numbers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="workers is 0"):
        solve(tictactoe(), tmp_path, workers=0)
    with pytest.raises(BadParameter, match="memory_gb is -1"):
        solve(tictactoe(), tmp_path, memory_gb=-1)


def test_a_full_disk_is_said_and_gone_on_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solve(connect(4, 4), tmp_path / "whole")
    write, written = WorkFolder.write_soon, []

    def full(self: WorkFolder, name: str, content: Any) -> None:
        written.append(name)
        if len(written) == 9:
            raise OSError(28, "No space left on device")
        write(self, name, content)

    monkeypatch.setattr(WorkFolder, "write_soon", full)
    with pytest.raises(TableError, match="full; make room, and the same command goes on"):
        solve(connect(4, 4), tmp_path / "table")
    solve(connect(4, 4), tmp_path / "table")
    assert contents(tmp_path / "whole") == contents(tmp_path / "table")


def test_a_full_tmpfs_is_said_and_gone_on_from(tmp_path: Path) -> None:
    mount = tmp_path / "small"
    mount.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(mount)]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("no right to mount a tmpfs here")
    try:
        game = connect(4, 5)
        with pytest.raises(TableError, match="full; make room"):
            solve(game, mount / "table")
        subprocess.run(["mount", "-o", "remount,size=200m", str(mount)], check=True)
        solve(game, mount / "table")
        solve(game, tmp_path / "whole")
        assert contents(tmp_path / "whole") == contents(mount / "table")
    finally:
        subprocess.run(["umount", str(mount)], check=False)


def test_loops_that_are_not_declared_are_refused(tmp_path: Path) -> None:
    from dataclasses import replace

    from loops import loop_game

    game = replace(loop_game(1), repetition=None)
    with pytest.raises(Unsolvable, match="does not say so"):
        solve(game, tmp_path / "table")


def test_states_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    game: Game = make_game("connect", {"rows": "8", "columns": "7"})
    from dataclasses import replace

    with pytest.raises(Unsolvable, match=r"vary in 1\d\d bits, and keys of solved tables have 63"):
        solve(replace(game, pack=None, unpack=None), tmp_path / "table")
