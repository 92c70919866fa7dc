"""A second process compares the rules while this one compiles; without it, or if it fails, this process does so."""

import io
import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core import config

from zermelo import Engine, Game, make_game
from zermelo.compiled import agreement, beside, compiled
from zermelo.compiled.beside import agreeing, do_as_asked
from zermelo.engine.line import follow_line
from zermelo.engine.warm_up import warm_up_line
from zermelo.errors import NotCompilable

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="the compiler is off")


@pytest.fixture
def idle(monkeypatch, tmp_path):
    """An empty cache, and a processor that is idle."""
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(beside, "_is_processor_idle", lambda: True)
    return tmp_path


@pytest.fixture
def begun(monkeypatch):
    """The processes that are begun."""
    processes = []
    begin = beside._begin

    def note(*arguments):
        processes.append(begin(*arguments))
        return processes[-1]

    monkeypatch.setattr(beside, "_begin", note)
    return processes


PINS = itertools.count(20)


def fresh():
    """A game that this process has not compared yet."""
    return compiled(make_game("kayles", pins=next(PINS)))


def files(folder):
    return sorted(file.name.partition("-")[0] for file in folder.glob("*/*") if not file.name.startswith("."))


def test_the_second_process_compares_the_rules_and_compiles_what_it_is_asked_to(idle, begun, monkeypatch):
    game = fresh()
    monkeypatch.setattr(agreement, "_compare", lambda _game: pytest.fail("this process compared the rules"))
    with agreeing(game, warm_up_line):
        assert not game.agrees
    assert game.agrees
    assert [process.returncode for process in begun] == [0]
    assert files(idle) == ["agrees", "answers", follow_line.__name__]


def test_a_game_that_is_compared_needs_no_second_process(idle, begun):
    game = fresh()
    for _ in range(2):
        with agreeing(game):
            pass
        game.agrees = False  # the file tells it
    assert begun[0] is not None and begun[1] is None


@pytest.mark.parametrize("executable", ["", "/no/such/python", "/bin/true"])
def test_without_a_second_process_this_one_compares(idle, begun, monkeypatch, executable):
    monkeypatch.setattr(sys, "executable", executable)
    game = fresh()
    with agreeing(game):
        pass
    assert begun == [None]
    assert game.agrees and files(idle) == ["agrees", "answers"]


@pytest.fixture
def failing(monkeypatch, tmp_path):
    """A Python that ends at once, and complains."""
    python = tmp_path / "python-that-fails"
    python.write_text("#!/bin/sh\necho no\necho no >&2\nexit 1\n", encoding="utf-8")
    python.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(python))


@pytest.mark.usefixtures("failing")
def test_if_the_second_process_fails_this_one_compares_and_says_nothing(idle, begun, capfd):
    game = fresh()
    with agreeing(game):
        pass
    assert capfd.readouterr() == ("", "")
    assert [process.returncode for process in begun] == [1]
    assert game.agrees and files(idle) == ["agrees", "answers"]


def test_no_second_process_where_no_processor_is_idle(idle, begun, monkeypatch):
    monkeypatch.setattr(beside, "_is_processor_idle", lambda: False)
    with agreeing(fresh()):
        pass
    assert begun == [None]


def test_the_system_tells_whether_a_processor_is_idle(monkeypatch):
    monkeypatch.setattr(beside.os, "sched_getaffinity", lambda _process: range(1 << 20), raising=False)
    assert beside._is_processor_idle() == Path("/proc/loadavg").exists()
    monkeypatch.setattr(beside.os, "sched_getaffinity", lambda _process: range(0))
    assert not beside._is_processor_idle()
    monkeypatch.delattr(beside.os, "sched_getaffinity")
    assert not beside._is_processor_idle()


def climbing():
    """A game of no registry, which is over at once."""
    return Game(
        name="climbing",
        initial=make_game("nim").initial,
        utility_range=(-1, 1),
        to_move=lambda state: 1,
        actions=lambda state: range(1, 2),
        result=lambda state, action: state,
        is_terminal=lambda state: True,
        utility=lambda state: 1,
    )


def test_a_game_of_no_registry_is_compared_here(idle, begun):
    game = compiled(climbing())
    with agreeing(game):
        pass
    assert begun == [None] and game.agrees


def test_an_error_in_the_block_ends_the_second_process(idle, begun):
    with pytest.raises(KeyboardInterrupt), agreeing(fresh()):
        raise KeyboardInterrupt
    assert begun[0].returncode is not None and begun[0].returncode != 0
    assert "agrees" not in files(idle)


@pytest.mark.usefixtures("failing")
def test_rules_that_disagree_are_refused_though_the_second_process_only_fails(idle, begun, monkeypatch):
    def refuse(_game):
        raise NotCompilable("utility differs")

    monkeypatch.setattr(agreement, "_compare", refuse)
    game = fresh()
    with pytest.raises(NotCompilable, match="utility differs"), agreeing(game):
        pass
    assert not game.agrees and begun[0].returncode == 1


def test_other_code_than_this_process_has_is_left_alone(idle, monkeypatch):
    game = fresh()
    asked = [game.game.name, dict(game.game.parameters), [[], False, False], "another code", []]
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(asked)))
    do_as_asked()
    assert files(idle) == []


def test_an_engine_begins_one(idle, begun):
    result = Engine(make_game("kayles", pins=19)).search(depth=3)
    assert result.action is not None
    assert [process.returncode for process in begun] == [0]


def test_a_game_that_the_second_process_does_not_know_is_an_error_there():
    done = subprocess.run(
        [sys.executable, "-c", "from zermelo.compiled.beside import do_as_asked; do_as_asked()"],
        input=json.dumps(["no such game", {}, [[], False, False], "", []]),
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
