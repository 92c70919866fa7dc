"""Compiled code on disk: found again, never stale, and gone when it is cleared."""

import gc
import os
import subprocess
import sys
import time
from itertools import combinations
from pathlib import Path

import pytest

from running import PATIENCE
from zermelo.compiled import cache_info, clear_cache, turns
from zermelo.compiled.cache import without_collections
from zermelo.compiled.turns import lock_of, one_at_a_time
from zermelo.games import kalah
from zermelo.textbook import perft as interpreted_perft

GAME = """
from typing import NamedTuple
from zermelo import MAX, Game
from helper import amount

class State(NamedTuple):
    player: int
    left: int

def actions(state):
    for action in range(1, amount(state.left) + 1):
        yield action

game = Game(
    name="take", initial=State(MAX, 6), utility_range=(-1, 1), to_move=lambda state: state.player, actions=actions,
    result=lambda state, action: State(-state.player, state.left - action),
    is_terminal=lambda state: state.left <= 0, utility=lambda state: -state.player,
)
"""
RUN = """
from take import game
from zermelo.compiled import compiled, perft
from zermelo.compiled.cache import KernelCache
loaded = []
real = KernelCache.load_overload
def load(self, sig, context):
    found = real(self, sig, context)
    loaded.append(found is not None)
    return found
KernelCache.load_overload = load
compiled(game).agrees = True  # which is a kernel of its own, and tested elsewhere
print(perft(game, game.initial, 2), *loaded)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "take.py").write_text(GAME)
    return tmp_path


def start(folder: Path, code: str = RUN) -> subprocess.Popen[str]:
    environment = os.environ | {
        "ZERMELO_CACHE_DIR": str(folder / "cache"),
        "PYTHONPATH": os.pathsep.join([str(folder), *sys.path]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)


def run(folder: Path, helper: str) -> list[str]:
    (folder / "helper.py").write_text(helper)
    process = start(folder)
    printed, _ = process.communicate()
    assert process.returncode == 0
    return printed.split()


def test_code_is_found_again_and_an_edited_helper_in_another_file_is_not_served_stale(folder):
    two, three = "def amount(left):\n    return 2\n", "def amount(left):\n    return 3\n"
    assert run(folder, two) == ["4", "False"]
    assert run(folder, two) == ["4", "True"]
    assert run(folder, "# a comment changes nothing\n" + two) == ["4", "True"]
    assert run(folder, three) == ["9", "False"]
    assert run(folder, two) == ["4", "True"]


def test_a_damaged_file_is_compiled_anew(folder):
    helper = "def amount(left):\n    return 2\n"
    run(folder, helper)
    (file,) = (folder / "cache").glob("*/*.code")
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 2] ^= 1
    file.write_bytes(whole)
    assert run(folder, helper) == ["4", "False"]
    assert run(folder, helper) == ["4", "True"]


def test_of_processes_that_need_the_same_code_one_compiles_and_the_others_wait_for_it(folder):
    (folder / "helper.py").write_text("def amount(left):\n    return 2\n")
    together = [start(folder) for _ in range(3)]
    printed = sorted(process.communicate()[0].split() for process in together)
    assert printed == [["4", "False"], ["4", "True"], ["4", "True"]]
    assert not any((folder / "cache").glob("*/.*"))


def test_code_that_cannot_be_compiled_keeps_nobody_waiting(tmp_path):
    file = tmp_path / "folder" / "kernel.code"
    with pytest.raises(ZeroDivisionError), one_at_a_time(file), one_at_a_time(file):
        assert lock_of(file).exists()
        raise ZeroDivisionError
    assert not lock_of(file).exists()
    with one_at_a_time(file):
        assert lock_of(file).exists()


def test_a_lock_is_waited_for_and_goes_with_its_process(tmp_path, monkeypatch):
    file = tmp_path / "folder" / "kernel.code"
    code = "import sys, time; from pathlib import Path; from zermelo.compiled.turns import one_at_a_time\n"
    code += f"with one_at_a_time(Path({str(file)!r})): print('locked', flush=True); time.sleep(1000)"
    with start(tmp_path, code) as other:
        assert other.stdout is not None and other.stdout.readline() == "locked\n"
        monkeypatch.setattr(turns, "PATIENCE", 0.1)
        began = time.monotonic()
        with one_at_a_time(file):  # without the lock, in the end
            assert time.monotonic() - began >= 0.1
        assert lock_of(file).exists()
        other.kill()
        other.wait()
        monkeypatch.setattr(turns, "PATIENCE", PATIENCE)
        with one_at_a_time(file):
            assert lock_of(file).exists()
        assert not lock_of(file).exists()


def test_info_counts_and_clear_deletes_only_what_is_compiled(folder, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(folder / "cache"))
    assert cache_info().entries == 0
    run(folder, "def amount(left):\n    return 2\n")
    (folder / "cache" / "note.txt").write_text("mine")
    found = cache_info()
    assert (found.entries, found.games, found.path) == (1, 1, folder / "cache") and found.size > 1000
    assert clear_cache().entries == 1
    assert cache_info().entries == 0 and (folder / "cache" / "note.txt").exists()


COUNT = """
import sys
from zermelo.compiled import compiled, perft
from zermelo.compiled.numba_names import FunctionIdentity
from zermelo.games import kalah
for board in sys.argv[1:]:
    game = kalah(*map(int, board.split(",")))
    compiled(game).agrees = True
    print(perft(game, game.initial, 6))
print(FunctionIdentity.from_function(kalah).unique_id)
"""


@pytest.mark.slow
def test_code_of_two_processes_goes_together_in_a_third(tmp_path: Path) -> None:
    """Games of one factory, compiled apart, keep to their own rules when they are loaded together.

    Numba numbers the functions that it compiles, and the numbers are part of the names by which machine code is linked.
    While every process counted from 1, a process that loaded the code of two others played Kalah(4, 3) in part by the
    rules of Kalah(5, 4).
    """
    environment = os.environ | {"ZERMELO_CACHE_DIR": str(tmp_path)}
    numbers = []
    truth = {"4,3": interpreted_perft(kalah(4, 3), kalah(4, 3).initial, 6)}
    truth["5,4"] = interpreted_perft(kalah(5, 4), kalah(5, 4).initial, 6)
    for boards in (["4,3"], ["5,4"], ["4,3", "5,4"], ["5,4", "4,3"]):
        command = [sys.executable, "-c", COUNT, *boards]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        *counts, number = map(int, done.stdout.split())
        assert counts == [truth[board] for board in boards]
        numbers.append(number)
    distances = [abs(one - other) for one, other in combinations(numbers, 2)]
    assert min(distances) > 1 << 20  # far more than a process has functions


def test_objects_that_were_made_while_compiling_are_old():
    gc.unfreeze()
    try:
        with without_collections():
            assert not gc.isenabled()
            kept = [[number] for number in range(5000)]
        assert gc.isenabled()
        assert gc.get_freeze_count() == 0
        assert {id(item) for item in kept} <= {id(item) for item in gc.get_objects(generation=2)}
    finally:
        gc.freeze()  # as all tests begin (conftest.py)


def test_objects_that_were_set_aside_stay_aside_and_no_others_join_them():
    gc.freeze()
    before = gc.get_freeze_count()
    assert before > 0
    with without_collections():
        kept = [[number] for number in range(5000)]
    assert len(kept) > before - gc.get_freeze_count() >= 0


def test_objects_that_were_set_aside_are_not_counted_where_few_are_new(monkeypatch):
    """To count them takes long in a server, which sets millions aside, and each kernel of a new game would ask."""
    monkeypatch.setattr(gc, "get_freeze_count", lambda: pytest.fail("they were counted"))
    gc.collect()
    with without_collections():
        pass
    assert gc.isenabled()


def test_who_has_turned_the_collector_off_finds_it_off():
    gc.disable()
    try:
        with without_collections():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
