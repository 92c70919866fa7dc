"""The process in which a student's file runs: ``python -m zermelo.textbook.homework.student``.

The task is JSON on standard input: ``file``, ``game``, ``parameters``, ``memory_mb``, ``answers`` (the file for the
answers), ``function`` (null only asks which functions there are), and ``questions``. The answers are lines of JSON,
each written as soon as it is known. Nothing in this process knows the right solution, and
`zermelo.textbook.homework.guard` refuses zermelo's own searches.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from inspect import unwrap
from pathlib import Path
from types import TracebackType
from typing import Any

from zermelo.errors import ZermeloError, in_a_line
from zermelo.game import Action, Game, State
from zermelo.registry import load_file, make_game
from zermelo.result import plain
from zermelo.textbook.homework.assignments import ASSIGNMENTS, COUNTERS, Assignment, Question, read_question
from zermelo.textbook.homework.guard import guard
from zermelo.textbook.recursion import deep_recursion


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


def answers(task: dict[str, Any], game: Game) -> Iterator[dict[str, Any]]:
    """Yield the answers to a task: which functions there are, then one for each question, until one is an ``error``."""
    file = Path(task["file"])
    sys.path.insert(0, str(file.resolve().parent))
    try:
        module = load_file(file)
    except ZermeloError as error:
        yield {"error": str(error)}
        return
    yield {"functions": [name for name in ASSIGNMENTS if callable(getattr(module, name, None))]}
    if task["function"] is None:
        return
    assignment = ASSIGNMENTS[task["function"]]
    function = getattr(module, assignment.name)
    for question in map(read_question, task["questions"]):
        try:
            yield _run(function, assignment, game, question)
        except BaseException as error:
            what = "the memory is full" if isinstance(error, MemoryError) else in_a_line(error)
            where = _place(error.__traceback__, file)
            yield {"error": f"{where}: {assignment.name} failed {_where(game, question)}: {what}."}
            return


def _where(game: Game, question: Question) -> str:
    """Where a search began, in words."""
    begun = f" after the moves {', '.join(map(str, question.actions(game)))}" if question.path else ""
    return f"on {game!r}{begun}"


def _run(function: Callable[..., object], assignment: Assignment, whole: Game, question: Question) -> dict[str, Any]:
    """Call the function and record its result, table and counters; counters are globals of its file."""
    game, table = question.begun(whole), dict[State, Any]()
    trail = Trail(game)
    prepared = replace(assignment.prepared(game, question.limits), result=trail.result)
    names = getattr(unwrap(function), "__globals__", {})
    counters = [name for name in COUNTERS if name in names]
    names.update(dict.fromkeys(counters, 0))
    with deep_recursion():
        found = function(*assignment.arguments(function, prepared, table, question.limits))
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


def limit_memory(memory_mb: int) -> None:
    """Limit the data of this process; where the system has no such limit, do nothing."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
        resource.setrlimit(kind, (memory_mb << 20, memory_mb << 20))


def main() -> None:
    """Read the task, carry it out, and write the answers."""
    task = json.load(sys.stdin)
    with Path(task["answers"]).open("ab", buffering=0) as out:

        def write(answer: dict[str, Any]) -> None:
            out.write(json.dumps(answer).encode() + b"\n")

        game = make_game(task["game"], task["parameters"])  # before the guard: a teacher's game may import anything
        limit_memory(task["memory_mb"])
        guard(Path(task["file"]).resolve().parent, lambda sentence: write({"refused": sentence}))
        for answer in answers(task, game):
            write(answer)
        write({"done": True})
        os._exit(0)  # threads that the file has started need not end


if __name__ == "__main__":
    main()
