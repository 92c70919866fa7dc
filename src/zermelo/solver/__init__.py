"""Whole games solved: the value and remoteness of every position, on disk.

codec       states as single words
outcomes    values and remoteness as single words
expand      the one place that asks the rules
lookup, induction, loops   kernels that know no game
workers, runs, storage     threads, sorting, files of an unfinished solve
problem     what is to be solved
forward, backward, solve   the three steps
files, table               the result

The functions solve, estimate, census, puzzles and export are in the modules of these names; `zermelo.solve` is one.
"""

from typing import TYPE_CHECKING

from zermelo.lazy import lazily

if TYPE_CHECKING:
    from zermelo.solver.census import Census
    from zermelo.solver.estimate import Estimate
    from zermelo.solver.puzzles import Puzzle
    from zermelo.solver.solve import Progress, Solved, solve_timed
    from zermelo.solver.table import Entry, Move, Table
    from zermelo.solver.verify import damaged_files, misplaced, wrong_entries

__all__ = [
    "Census",
    "Entry",
    "Estimate",
    "Move",
    "Progress",
    "Puzzle",
    "Solved",
    "Table",
    "damaged_files",
    "misplaced",
    "solve_timed",
    "wrong_entries",
]

_MODULES = {
    "census": ("Census",),
    "estimate": ("Estimate",),
    "puzzles": ("Puzzle",),
    "solve": ("Progress", "Solved", "solve_timed"),
    "table": ("Entry", "Move", "Table"),
    "verify": ("damaged_files", "misplaced", "wrong_entries"),
}
if not TYPE_CHECKING:
    _HOMES = {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names}
    __getattr__, __dir__ = lazily(__name__, _HOMES)
