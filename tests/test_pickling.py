"""Games that have a name are sent to other processes by name; engines are made there."""

import copy
import os
import pickle
import subprocess
import sys
from dataclasses import replace

import pytest

from zermelo import Engine, make_game
from zermelo.compiled import compiled
from zermelo.games import connect, tictactoe

SENT = [("connect", {"rows": 4, "columns": 5}), ("connect", {"rows": 8, "columns": 8}), ("mnk", {"width": 4})]


@pytest.mark.parametrize(("name", "parameters"), SENT, ids=str)
def test_a_game_of_the_shelf_is_pickled_by_its_name(name, parameters):
    game = make_game(name, **parameters)
    compiled(game)
    sent = pickle.dumps(game)
    again = pickle.loads(sent)
    assert len(sent) < 200 and repr(again) == repr(game) and again.fingerprint == game.fingerprint
    assert copy.copy(game).fingerprint == game.fingerprint


def test_a_game_that_was_changed_is_not_taken_for_the_one_of_that_name():
    game = replace(connect(), evaluate=None)
    with pytest.raises((AttributeError, pickle.PicklingError), match="local object"):
        pickle.dumps(game)
    assert copy.copy(game).evaluate is None


def test_an_engine_is_not_pickled():
    with pytest.raises(TypeError, match=r"An Engine cannot be pickled.*send the game, and make an engine there"):
        pickle.dumps(Engine(tictactoe(), table_mb=0.1))


FORK = """
import os, sys
from zermelo import Engine
from zermelo.games import nim
engine = Engine(nim(), table_mb=0.1)
def child(_found):
    pid = os.fork()
    if pid == 0:
        print("child", engine.search(depth=2).depth, flush=True)
        os._exit(0)
    os.waitpid(pid, 0)
engine.search(depth=1, progress=child)
print("parent", engine.search(depth=2).depth)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_child_of_a_fork_can_use_the_engine_that_its_parent_is_using():
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-W", "ignore", "-c", FORK]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=True)
    assert done.stdout.split("\n")[:2] == ["child 2", "parent 2"]
