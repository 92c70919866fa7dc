"""At every file operation in turn a solve is killed, loses its power, fails: the same call comes to the same bytes."""

import shutil
from pathlib import Path

import pytest

from faults import Killed, Kind, contents, disk
from loops import loop_game, tiered_game
from solver_once import cut, game_of, in_known_steps, late
from zermelo import Game
from zermelo.errors import TableError
from zermelo.game import State
from zermelo.solver import solve as solving

# Games of one stone a move write the same kinds of files as clobber; tests/solver/test_values.py solves them all.
TIERED: list[tuple[str, dict[str, str]]] = [
    ("nim", {}),
    ("kayles", {}),
    ("kalah", {"pits": "2", "seeds": "2"}),
    ("oware", {"pits": "2", "seeds": "2", "split_cycle": "true"}),
    ("clobber", {"width": "3", "height": "4"}),
    ("breakthrough", {"width": "2", "height": "5"}),
]


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    in_known_steps(monkeypatch)


def goes_on(game: Game, starts: list[State], folder: Path, kinds: tuple[Kind, ...], steps: int = 1) -> int:
    """Each fault at each operation, and the same call again; how many operations there are."""

    def solve(target: Path) -> None:
        solving.solve(game, target, workers=1, memory_gb=1, starts=starts)

    with disk() as counted:
        solve(folder / "whole")
    whole, target = contents(folder / "whole"), folder / "table"
    for at in range(0, len(counted.done), steps):
        for kind in kinds:
            shutil.rmtree(target, ignore_errors=True)
            with disk(at, kind), pytest.raises((Killed, TableError, KeyboardInterrupt)):
                solve(target)
            with disk():
                solve(target)
            assert contents(target) == whole, (kind, at, counted.done[at])
    return len(counted.done)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameters"), TIERED, ids=lambda item: str(item))
def test_every_operation_killed_and_failed(name: str, parameters: dict[str, str], tmp_path: Path) -> None:
    game = game_of(name, **parameters)
    kinds: tuple[Kind, ...] = ("killed", "failed") if name in ("nim", "kalah", "oware") else ("killed",)
    assert goes_on(game, [late(game)], tmp_path, kinds) > 40


def test_what_was_not_synced_is_gone_when_the_power_is(tmp_path: Path) -> None:
    """Half of the content, and names of new files, are lost unless files and folders were synced."""
    game = game_of("nim")
    goes_on(game, [late(game)], tmp_path, ("power cut",))


def test_ctrl_c_at_every_operation(tmp_path: Path) -> None:
    game = game_of("nim")
    goes_on(game, [late(game)], tmp_path, ("interrupted",))


def test_many_runs_and_loops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no memory to speak of, a tier has many runs, which are merged in several steps."""
    cut(monkeypatch, stretch=8, part=4, wave=1, objects=64)
    goes_on(tiered_game(3), [], tmp_path / "tiers", ("killed", "failed"), steps=11)
    goes_on(loop_game(3), [], tmp_path / "loops", ("killed", "failed"), steps=3)


def test_edges_in_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where moves within a tier do not fit in memory."""
    cut(monkeypatch, stretch=8, part=4, wave=1, memory=500, loops="files")
    goes_on(loop_game(3), [], tmp_path, ("killed", "power cut", "failed"), steps=3)


def test_shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a cluster: tiers in shards, published by tasks of their own, loops in rounds."""
    cut(monkeypatch, shards=2, whole=0, exchange="ask", loops="rounds")
    game = game_of("nim")
    goes_on(game, [late(game, 5)], tmp_path / "tiers", ("killed", "failed"), steps=2)
    goes_on(loop_game(3), [], tmp_path / "loops", ("killed", "failed"), steps=5)


def test_killed_again_and_again(tmp_path: Path) -> None:
    """Each attempt dies a little later than the one before; what one leaves behind, the next goes on with."""
    game = game_of("nim")
    start = [late(game)]
    with disk() as counted:
        solving.solve(game, tmp_path / "whole", workers=1, memory_gb=1, starts=start)
    for at in range(len(counted.done)):
        with disk(at, "killed"):
            try:
                solving.solve(game, tmp_path / "table", workers=1, memory_gb=1, starts=start)
            except Killed:
                continue
        break
    assert 3 < at < len(counted.done) - 1, "what an attempt had done was not done again"
    assert contents(tmp_path / "table") == contents(tmp_path / "whole")


@pytest.mark.parametrize("share", [0.3, 0.5, 0.8])
def test_a_bit_flipped_in_what_is_gone_on_with(share: float, tmp_path: Path) -> None:
    """It is noticed, or what it was in is solved again: no solve ends with another table."""
    game = game_of("kalah", pits="2", seeds="2")

    def solve(folder: Path) -> None:
        solving.solve(game, folder, workers=1, memory_gb=1, starts=[late(game)])

    with disk() as counted:
        solve(tmp_path / "whole")
    whole, folder, target = contents(tmp_path / "whole"), tmp_path / "halted", tmp_path / "table"
    with disk(int(share * len(counted.done)), "killed"), pytest.raises(Killed):
        solve(folder)
    outcomes = {"refused": 0, "same": 0}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        for bit in range(0, 8 * path.stat().st_size, 1 + path.stat().st_size):
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(folder, target)
            damaged = bytearray(path.read_bytes())
            damaged[bit // 8] ^= 1 << bit % 8
            (target / path.relative_to(folder)).write_bytes(damaged)
            try:
                with disk():
                    solve(target)
            except TableError as error:
                assert "delete the folder" in str(error)
                outcomes["refused"] += 1
            else:
                assert contents(target) == whole, (path.name, bit)
                outcomes["same"] += 1
    assert outcomes["refused"] > 10
