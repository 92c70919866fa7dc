"""The process in which a student's file runs: ``python -m zermelo.textbook.homework.student TASK``.

The task is JSON: ``file``, ``function`` (null only asks which functions there are), ``game``, ``parameters``,
``depth``, ``width``, ``window``, and ``answer``, the file for the answer, which is JSON, too. Nothing in this process
knows the right solution, and no search of zermelo's is imported before the student's file: if one is imported later,
the student's file did it.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from inspect import unwrap
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from zermelo.errors import ZermeloError, in_a_line
from zermelo.game import Action, Game, State
from zermelo.registry import load_file, make_game
from zermelo.result import plain
from zermelo.textbook.homework.assignments import ASSIGNMENTS, COUNTERS, Assignment, Limits
from zermelo.textbook.recursion import deep_recursion

_TEXTBOOK: Final = ("minimax", "alpha_beta", "heuristic", "path", "decision", "sound", "systems")
SEARCHES: Final = (*(f"zermelo.textbook.{name}" for name in _TEXTBOOK), "zermelo.engine", "zermelo.solver")
"""The modules that hold zermelo's own searches."""


class Trail:
    """A game that records how each state was first reached, so that another process can find it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.places: dict[State, int] = {game.initial: 0}
        self.steps: list[Any] = [None]
        """For each state the place of its parent, and the action: an int, or its number in ACTIONS in a list."""

    def result(self, state: State, action: Action) -> State:
        """RESULT, recorded."""
        child = self.game.result(state, action)
        if child not in self.places and state in self.places:
            self.places[child] = len(self.steps)
            step = action if type(action) is int else [list(self.game.actions(state)).index(action)]
            self.steps.append([self.places[state], step])
        return child


def answer(task: dict[str, Any]) -> dict[str, Any]:
    """The answer to a task: the result, or ``error``, a sentence."""
    game = make_game(task["game"], task["parameters"])
    before, file = set(sys.modules), Path(task["file"])
    sys.path.insert(0, str(file.resolve().parent))
    try:
        module = load_file(file)
    except ZermeloError as error:
        return {"error": str(error)}
    if task["function"] is None:
        names = [name for name in ASSIGNMENTS if callable(getattr(module, name, None))]
        return {"functions": names, "uses": _used_since(before)}
    assignment, limits = ASSIGNMENTS[task["function"]], Limits(task["depth"], task["width"], tuple(task["window"]))
    try:
        return {**_run(getattr(module, assignment.name), assignment, game, limits), "uses": _used_since(before)}
    except BaseException as error:
        where = _place(error.__traceback__, file)
        return {"error": f"{where}: {assignment.name} failed on {game!r}: {in_a_line(error)}."}


def _run(function: Callable[..., object], assignment: Assignment, game: Game, limits: Limits) -> dict[str, Any]:
    """Call the function and record its result, table and counters; counters are globals of its file."""
    trail, table = Trail(game), dict[State, Any]()
    prepared = replace(assignment.prepared(game, limits), result=trail.result)
    names = getattr(unwrap(function), "__globals__", {})
    counters = [name for name in COUNTERS if name in names]
    names.update(dict.fromkeys(counters, 0))
    with deep_recursion():
        found = function(*assignment.arguments(function, prepared, table, limits))
    return {
        "found": entry_of(found, assignment),
        "table": [[trail.places.get(state, -1), entry_of(entry, assignment)] for state, entry in table.items()],
        "trail": trail.steps,
        "counts": {name: plain(names[name]) for name in counters if names[name] != 0 or _must_count(assignment, name)},
    }


def _must_count(assignment: Assignment, counter: str) -> bool:
    """Whether a counter that is still 0 belongs to this function, and not to another one of the file."""
    return counter == "prunings" and assignment.system in ("alpha-beta", "heuristic")


def entry_of(entry: object, assignment: Assignment) -> list[Any] | str:
    """A student's entry as value and action (or path) in a list, a bare value as one in a list; else as text.

    What `alpha_beta_decision` returns alone is, as in its handout, the action.
    """
    if assignment.system == "path":
        if hasattr(entry, "value") and hasattr(entry, "path"):
            entry = entry.value, entry.path
        if isinstance(entry, tuple | list) and len(entry) in (2, 3):
            entry = entry[0], tuple(entry[1] or ()) if isinstance(entry[1], tuple | list | None) else entry[1]
    elif hasattr(entry, "value") and hasattr(entry, "action"):
        entry = entry.value, entry.action
    if isinstance(entry, int | float):
        return [None, entry] if assignment.system == "decision" else [entry]
    if isinstance(entry, tuple | list) and len(entry) == 2 and isinstance(entry[0], int | float):
        return [entry[0], plain(entry[1])]
    text = repr(entry)
    return text if len(text) <= 100 else f"{text[:99]}…"


def _used_since(before: set[str]) -> list[str]:
    """The searches of zermelo's that have been imported since then."""
    return [name for name in SEARCHES if name in sys.modules and name not in before]


def _place(trace: TracebackType | None, file: Path) -> str:
    """The last line of the student's code that an error passed through; helpers beside the file count."""
    folder, place = file.resolve().parent, str(file)
    while trace is not None:
        source = Path(trace.tb_frame.f_code.co_filename)
        if (source.is_absolute() and source.parent == folder) or source.resolve() == file.resolve():
            name = str(file) if source.resolve() == file.resolve() else source.name
            place = f"{name}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return place


def main() -> None:
    """Read the task, carry it out, and write the answer."""
    task = json.loads(sys.argv[1])
    Path(task["answer"]).write_text(json.dumps(answer(task)), encoding="utf-8")


if __name__ == "__main__":
    main()
