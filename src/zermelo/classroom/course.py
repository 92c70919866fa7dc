"""A course in a folder: assignment, starter code, exercises; for the teacher slides, solutions, tests and scripts."""

import ast
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from zermelo.classroom.exercises import exercises, sheets
from zermelo.classroom.sheet import about, assignment_sheet, readme
from zermelo.classroom.slides import slides
from zermelo.classroom.submission import Place
from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.textbook.homework.assignments import ASSIGNMENTS, Assignment, Limits, Question
from zermelo.textbook.homework.compare import Asked
from zermelo.textbook.homework.exam import MOST_NODES, nodes_of, set_exam

PARTS: Final = {
    "A": "minimax_search",
    "B": "alpha_beta_search",
    "C": "alpha_beta_heuristic_search",
    "D": "minimax_max",
    "E": "alpha_beta_decision",
}
"""The parts of an assignment, one handout each."""
SCRIPTS: Final = {
    "grade": ("Grade submissions: a report for each student, and grades.csv.", "grade_class"),
    "tournament": ("Let submissions play against each other.", "play_tournament"),
}
"""The teacher's scripts: what each is for, and the function of `zermelo.classroom.school` that it calls."""
STARTER: Final = '"""The assignment: write the body of each function. You may add functions and files of your own."""\n'
UNWRITTEN: Final = 'raise NotImplementedError("Write this.")'
FIRST: Final = "return next(iter(game.actions(state)))"
_HERE: Final = Path(__file__).parent


@dataclass(frozen=True)
class Course:
    """What a course is about; it is kept in the file ``course.json``."""

    place: Place
    seed: int
    parts: Sequence[str]
    limits: Limits

    @property
    def assignments(self) -> dict[str, Assignment]:
        """The function of each part."""
        return {part: ASSIGNMENTS[PARTS[part]] for part in self.parts}

    def to_dict(self) -> dict[str, Any]:
        """The content of ``course.json``."""
        return {
            "game": self.place.game,
            "parameters": dict(self.place.parameters),
            "seed": self.seed,
            "parts": list(self.parts),
            "depth": self.limits.depth,
            "width": self.limits.width,
        }


def read_course(folder: Path) -> Course:
    """The course in a folder; its game, if it is a file, is found in the folder.

    Raises
    ------
    BadParameter
        There is no ``course.json``, or it is damaged.
    """
    file = folder / "course.json"
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
        source = str(said["game"])
        if ".py" in source:
            source = str(folder / source)
        limits = Limits(int(said["depth"]), int(said["width"]))
        parts = [part for part in PARTS if part in said["parts"]]
        return Course(Place(source, dict(said["parameters"])), int(said["seed"]), parts, limits)
    except OSError as error:
        raise BadParameter(f"{file} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadParameter(f"{file} is damaged; make the course again with zermelo course new.") from None


def fitting_parts(game: Game, limits: Limits) -> list[str]:
    """The parts that suit a game: A and B where the whole game can be searched, the others where there is an EVAL.

    Raises
    ------
    BadParameter
        No part does.
    """
    parts = []
    for part, name in PARTS.items():
        assignment = ASSIGNMENTS[name]
        fits = game.evaluate is not None if assignment.needs_eval else game.repetition is None
        if fits and nodes_of(assignment, game, Question(limits=limits), MOST_NODES) is not None:
            parts.append(part)
    if not parts:
        raise BadParameter(f"{game!r} is too large for a course, and has no evaluate function; choose a smaller board.")
    return parts


def write_course(folder: Path, place: Place, game: Game, seed: int, limits: Limits) -> Course:
    """Write a course into a new folder, whole or not at all.

    Parameters
    ----------
    folder
        Where; it must not exist.
    place, game
        The game as a command line names it, and itself.
    seed
        Chooses hidden tests and exercises.
    limits
        The depth and width of parts C, D and E.

    Raises
    ------
    BadParameter
        The folder exists or cannot be written, or the game does not suit any part.
    """
    if folder.exists():
        raise BadParameter(f"{folder} exists already; choose another name, or delete it first.")
    file, _, factory = place.game.partition(":")
    copied = Path(file) if file.endswith(".py") else None
    named = place if copied is None else Place(copied.name + (f":{factory}" if factory else ""), place.parameters)
    course = Course(named, seed, fitting_parts(game, limits), limits)
    try:
        with tempfile.TemporaryDirectory(dir=folder.absolute().parent, prefix=f".{folder.name}.") as part:
            inside = Path(part) / "course"
            for name, text in course_files(course, game, about(place)).items():
                (inside / name).parent.mkdir(parents=True, exist_ok=True)
                (inside / name).write_text(text, encoding="utf-8")
            if copied is not None:
                shutil.copy(copied, inside / copied.name)
            inside.rename(folder)
    except OSError as error:
        raise BadParameter(f"{folder} cannot be written: {error.strerror}.") from None
    return course


def course_files(course: Course, game: Game, about: str) -> dict[str, str]:
    """The texts of all files of a course, by their names in its folder; ``about`` is what to say of the game."""
    exams = {name: set_exam(one, game, course.limits, seed=course.seed) for name, one in course.assignments.items()}
    questions, solutions, pictures = sheets(list(exercises(game, course.seed)))
    shown, drawn = slides(game, list(exercises(game, course.seed + 1)), course.assignments, exams)
    solution = (_HERE / "course_solution.txt").read_text(encoding="utf-8")
    kept = only_parts(solution, course)
    files = {
        "README.md": readme(course.place, course.seed),
        "assignment.md": assignment_sheet(course.place, game, about, exams, course.limits),
        "starter.py": starter_of(kept),
        "exercises.md": questions,
        "course.json": as_json(course.to_dict()),
        "teacher/slides.md": shown,
        "teacher/solution.py": kept,
        "teacher/solutions.md": solutions,
        "teacher/hidden_tests.json": tests_text(hidden_tests(course, game, exams)),
    }
    for name, svg in pictures.items():
        files[f"teacher/trees/{name}" if name.endswith("-solved.svg") else f"trees/{name}"] = svg
    files |= {f"teacher/slides/{name}": svg for name, svg in drawn.items()}
    script = (_HERE / "course_script.txt").read_text(encoding="utf-8")
    for name, (summary, function) in SCRIPTS.items():
        text = script.replace("SUMMARY", summary).replace("NAME", name).replace("FUNCTION", function)
        files[f"teacher/{name}.py"] = text
    return files


def as_json(content: Mapping[str, Any]) -> str:
    """JSON as people read it."""
    return json.dumps(content, indent=1) + "\n"


def tests_text(tests: Mapping[str, Sequence[dict[str, Any]]]) -> str:
    """Hidden tests as JSON, one search a line."""
    parts = (f'"{name}": [\n' + ",\n".join(map(json.dumps, ones)) + "\n]" for name, ones in tests.items())
    return "{\n" + ",\n".join(parts) + "\n}\n"


def hidden_tests(course: Course, game: Game, exams: Mapping[str, Sequence[Asked]]) -> dict[str, Any]:
    """What is asked of each function, and the right answers."""
    return {
        course.assignments[part].name: [hidden_test(game, course.assignments[part], one) for one in asked]
        for part, asked in exams.items()
    }


def hidden_test(game: Game, assignment: Assignment, asked: Asked) -> dict[str, Any]:
    """One search: where it begins, its limits, and what is right."""
    state, moves = game.initial, []
    for action in asked.question.actions(game):
        moves.append(game.show_action(state, action))
        state = game.result(state, action)
    test: dict[str, Any] = {"moves": moves}
    if assignment.needs_eval:
        test["depth"] = asked.question.limits.depth
    value, action = asked.ours.found
    path = list(action) if assignment.system == "path" else [] if action is None else [action]
    shown = []
    for one in path:
        shown.append(game.show_action(state, one))
        state = game.result(state, one)
    test |= {"value": value, "path" if assignment.system == "path" else "action": shown}
    if assignment.has_table:
        test["states"] = len(asked.ours.table)
    if assignment.system != "minimax":
        test["prunings"] = asked.ours.counts.prunings
    return test


def only_parts(solution: str, course: Course) -> str:
    """The solution without the functions of parts that the course does not have."""
    left_out = set(PARTS.values()) - {one.name for one in course.assignments.values()}
    lines = solution.splitlines(keepends=True)
    for node in reversed(functions_of(solution)):
        if node.name in left_out:
            del lines[node.lineno - 1 : (node.end_lineno or 0) + 2]
        elif node.name == "choose" and PARTS["E"] in left_out:
            replace_body(lines, node, FIRST)
    return "".join(lines)


def starter_of(solution: str) -> str:
    """The solution with the bodies of its searches taken out."""
    lines = solution.splitlines(keepends=True)
    for node in reversed(functions_of(solution)):
        replace_body(lines, node, FIRST if node.name == "choose" else UNWRITTEN)
    return STARTER + "".join(lines[1:])


def functions_of(text: str) -> list[ast.FunctionDef]:
    """The functions of a module, in order."""
    return [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]


def replace_body(lines: list[str], node: ast.FunctionDef, line: str) -> None:
    """Put one line in the place of what follows a function's docstring."""
    lines[node.body[0].end_lineno or 0 : node.end_lineno] = [f"    {line}\n"]
