"""Whole games solved: the value and remoteness of every position, on disk.

model     what is to be solved: problem, successors, outcome codes
kernels   compiled loops that know no game
passes    forward enumeration and backward induction, written once over an executor
local     the executor, the files and the memory of one machine
table     the result on disk
study     what can be learnt of a game and from its table: estimate, census, puzzles
solve     a whole game solved on one machine

The functions solve, estimate, census, puzzles and export are in the modules of these names; `zermelo.solve` is one.
"""

from typing import TYPE_CHECKING

from zermelo.lazy import lazily

if TYPE_CHECKING:
    from zermelo.solver.solve import Progress, Solved, solve_timed
    from zermelo.solver.study.census import Census
    from zermelo.solver.study.estimate import Estimate
    from zermelo.solver.study.puzzles import Puzzle
    from zermelo.solver.table.table import Entry, Move, Table
    from zermelo.solver.table.verify import damaged_files, misplaced, wrong_entries

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
    "study.estimate": ("Estimate",),
    "solve": ("Progress", "Solved", "solve_timed"),
    "study.census": ("Census",),
    "study.puzzles": ("Puzzle",),
    "table.table": ("Entry", "Move", "Table"),
    "table.verify": ("damaged_files", "misplaced", "wrong_entries"),
}
if not TYPE_CHECKING:
    _HOMES = {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names}
    __getattr__, __dir__ = lazily(__name__, _HOMES)
