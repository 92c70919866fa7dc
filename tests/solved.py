"""Small solved tables that several tests read; each is solved once in a process."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from loops import loop_game
from zermelo.game import Game
from zermelo.registry import make_game
from zermelo.solver.solve import solve
from zermelo.solver.table.table import Table


@cache
def _solved(name: str, parameters: tuple[tuple[str, int], ...]) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="zermelo-table-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    solve(game_of(name, **dict(parameters)), folder, workers=1, memory_gb=1)
    return folder


@cache
def _loops(seed: int) -> Game:
    return loop_game(seed)


def game_of(name: str, **parameters: int) -> Game:
    if name == "loops":
        return _loops(parameters["seed"])
    return make_game(name, {parameter: str(value) for parameter, value in parameters.items()})


def solved(name: str, **parameters: int) -> Table:
    """The table of a game. Do not change it."""
    return Table(_solved(name, tuple(sorted(parameters.items()))), game_of(name, **parameters))


def copy_of(table: Table, folder: Path) -> Path:
    """A copy of a table, which a test may damage."""
    return Path(shutil.copytree(table.place, folder))
