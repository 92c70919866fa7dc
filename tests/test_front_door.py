"""All that a reader needs comes from the front door, which opens at once."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import zermelo

SOURCE = Path(zermelo.__file__).parent
ROOMS = ("zermelo", "zermelo.textbook", "zermelo.play", "zermelo.solver")
PUBLIC = """
    MAX MIN Board Cell Engine Game Match MinimaxInfo Piece Player Record SearchCounts SearchResult Settings System Table
    ZermeloError alpha_beta_decision alpha_beta_heuristic_search alpha_beta_search check_game checked depth_limit divide
    errors explain factories make_game make_player minimax_max minimax_min minimax_search perft play_out show solve
    sound_search timed_decision
"""


def run(code: str) -> str:
    """What a new process prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_the_front_door_hands_out_what_it_says() -> None:
    assert sorted(zermelo.__all__) == sorted(PUBLIC.split())


@pytest.mark.parametrize("room", ROOMS)
def test_every_name_is_there_and_completion_shows_it(room: str) -> None:
    module = import_module(room)
    assert set(module.__all__) <= set(dir(module))
    things = {name: getattr(module, name) for name in module.__all__}
    assert {name for name, thing in things.items() if isinstance(thing, ModuleType)} <= {"errors"}
    assert things == {name: getattr(module, name) for name in module.__all__}
    with pytest.raises(AttributeError, match=f"module '{room}' has no attribute 'nonsense'"):
        _ = module.nonsense


@pytest.mark.parametrize("room", ROOMS)
def test_type_checkers_see_every_name(room: str) -> None:
    """Each name is imported by a statement, under TYPE_CHECKING where it is lazy, from the module that has it."""
    file = SOURCE.joinpath(*room.split(".")[1:], "__init__.py")
    imported = {
        alias.name: getattr(import_module(node.module or ""), alias.name)
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    module = import_module(room)
    assert {name: imported[name] for name in module.__all__} == {name: getattr(module, name) for name in module.__all__}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_entered_without_numba(room: str) -> None:
    heavy = "numba numpy pyarrow typer rich ray nicegui"
    assert run(f"import {room}, sys; print(*(set('{heavy}'.split()) & set(sys.modules)))") == ""


def test_names_are_the_same_whichever_was_asked_for_first() -> None:
    names = "from zermelo import Match, make_player, minimax_search, perft, solve, Table; print(perft, solve)"
    first = run(f"import zermelo.textbook.perft, zermelo.solver.solve; {names}").split(" at ")[0]
    assert first == run(names).split(" at ")[0]
    assert first.startswith("<function perft")
    assert (
        run("import zermelo; before = dir(zermelo); zermelo.perft; print(set(zermelo.__all__) <= set(before))")
        == "True"
    )
