"""``zermelo compare``: a student's searches beside the handouts', for people and for programs that grade."""

import json
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from zermelo.errors import BadParameter, GameFileError
from zermelo.game import Game
from zermelo.games import HOMEWORK, USUAL
from zermelo.parameters import parameters_of
from zermelo.registry import find_factory
from zermelo.textbook.homework.assignments import ASSIGNMENTS, Assignment, Limits, assigned
from zermelo.textbook.homework.compare import Comparison, Theirs, read_answer
from zermelo.textbook.homework.compare import compare as compare_answers
from zermelo.textbook.homework.runner import Place, Student, StudentFailed
from zermelo.textbook.rules import depth_limit, evaluation, require_end
from zermelo.ui.arguments import DepthOption, JsonOption, ParameterOption, WidthOption, parse_parameters
from zermelo.ui.loading import load_game
from zermelo.ui.terminal.comparison_report import comparison_record, print_comparison, print_difference
from zermelo.ui.terminal.exits import status_of

EXIT_DIFFERENT: Final = 1
EXIT_NOT_RUN: Final = 2
NAMES: Final = tuple(info.name for info in parameters_of(find_factory(USUAL)))
"""What the numbers of a board mean."""
SHAPE: Final = "x".join(name.upper() for name in NAMES)
SECONDS: Final = 60.0


@dataclass(frozen=True)
class Ran:
    """One function on one board: the comparison, or why there is none."""

    assignment: Assignment
    game: Game
    comparison: Comparison | None = None
    error: str | None = None
    causes: list[str] = field(default_factory=list)
    """Likely causes of the difference; only the first difference of each function is explained."""

    @property
    def differs(self) -> bool:
        """Whether it ran and its result differs."""
        return self.comparison is not None and not self.comparison.agrees

    @property
    def status(self) -> int:
        """The exit status that belongs to it."""
        if self.comparison is None:
            return EXIT_NOT_RUN
        return 0 if self.comparison.agrees else EXIT_DIFFERENT


def compare(
    student: Annotated[Path, typer.Argument(metavar="STUDENT.py", help="A file with searches as in the handouts.")],
    board: Annotated[
        list[str] | None, typer.Option(metavar=SHAPE, help=f"A board of {USUAL}; may be repeated.")
    ] = None,
    game: Annotated[str, typer.Option(metavar="GAME", help=f"Another game than {USUAL}.")] = "",
    parameter: ParameterOption = None,
    function: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this function; may be repeated.")
    ] = None,
    depth: DepthOption = None,
    width: WidthOption = None,
    seconds: Annotated[float, typer.Option(help="How long each run of the file may take.")] = SECONDS,
    as_json: JsonOption = False,
) -> None:
    """Compare a student's own searches with the handouts': results, tables, counts, the first difference and its cause.

    The file may have minimax_search(game, state, table), minimax(game, state, table), which returns the bare value,
    alpha_beta_search(game, state, alpha, beta, table), alpha_beta_heuristic_search(game, state, alpha, beta, depth,
    table), alpha_beta_heuristic, its bare value from depth 1 on, minimax_max(game, state, depth_so_far, alpha, beta,
    max_depth, max_width) and alpha_beta_decision(game, state, limit). Globals named prunings, prunings_max,
    prunings_min and nodes are read as the student's counts. The exit status is 0 where all is the same, 1 where
    something differs, and 2 where something could not be run.
    """
    try:
        limits = Limits(Limits.depth if depth is None else depth, Limits.width if width is None else width)
        check_limits(limits, seconds)
        uses, ran = run(Student(student, seconds), places(board, game, parameter), function or [], limits)
    except Exception as error:
        status_of(error)
        sys.exit(EXIT_NOT_RUN)
    status = max(one.status for one in ran)
    if as_json:
        records = [comparison_record(one.assignment, one.game, one.comparison, one.error, one.causes) for one in ran]
        print(json.dumps({"file": str(student), "uses": uses, "status": status, "comparisons": records}))
    else:
        print_all(Console(), student, uses, ran)
    sys.exit(status)


def places(board: list[str] | None, game: str, parameter: list[str] | None) -> list[Place]:
    """Return the games that the command line names.

    Raises
    ------
    BadParameter
        PlayerOptions that do not go together, or a board that is none.
    """
    if board and (game or parameter):
        raise BadParameter(f"--board goes without --game and -p; it is a board of {USUAL}, and says all of it.")
    if parameter and not game:
        raise BadParameter(f"-p goes with --game; a board of {USUAL} is --board {SHAPE}.")
    if game:
        return [Place(game, parse_parameters(parameter))]
    return [Place(USUAL, parse_board(text)) for text in board or HOMEWORK]


def parse_board(text: str) -> dict[str, str]:
    """Return ``4x5x3`` as the parameters of the usual game, in their order."""
    parts = text.lower().split("x")
    if len(parts) != len(NAMES):
        raise BadParameter(f"--board {text} is not a board; write {SHAPE}, as in {HOMEWORK[-1]}.")
    return dict(zip(NAMES, parts, strict=True))


def check_limits(limits: Limits, seconds: float) -> None:
    """Refuse limits with which no search is possible."""
    depth_limit(limits.depth)
    if limits.width < 1:
        raise BadParameter(f"The width is {limits.width}; it must be a whole number, 1 or more.")
    if not seconds > 0:
        raise BadParameter(f"The time is {seconds} seconds; it must be more than 0.")


def run(student: Student, where: list[Place], wanted: list[str], limits: Limits) -> tuple[list[str], list[Ran]]:
    """Run every wanted function on every board; return also which of zermelo's own searches the file uses."""
    games = [load_game(place.game, place.parameters) for place in where]
    if not student.file.is_file():
        raise GameFileError(f"There is no file {student.file}.")
    names, uses = student.functions(where[0])
    chosen = [ASSIGNMENTS[name] for name in choose(student.file, names, wanted)]
    for game in games:
        for assignment in chosen:
            check_game(game, assignment)
    ran: list[Ran] = []
    for place, game in zip(where, games, strict=True):
        for assignment in chosen:
            one = run_one(student, assignment, place, game, limits, uses)
            if one.differs and not any(other.differs and other.assignment == assignment for other in ran):
                one = replace(one, causes=likely_causes(student, place, one))
            ran.append(one)
    return uses, ran


def run_one(student: Student, assignment: Assignment, place: Place, game: Game, limits: Limits, uses: list[str]) -> Ran:
    """Run one function on one board, and add to ``uses`` which of zermelo's own searches it uses."""
    try:
        answer = student.run(assignment, place, limits, repr(game))
        comparison = compare_answers(assignment, game, limits, answer)
    except StudentFailed as error:
        return Ran(assignment, game, error=str(error))
    uses += [name for name in answer["uses"] if name not in uses]
    return Ran(assignment, game, comparison)


def likely_causes(student: Student, place: Place, one: Ran) -> list[str]:
    """Return what explains a difference; run the student's search again to tell similar mistakes apart."""
    if one.comparison is None:
        return []

    def ask(limits: Limits) -> Theirs:
        return read_answer(one.game, student.run(one.assignment, place, limits, repr(one.game)))

    try:
        return one.comparison.causes(ask)
    except StudentFailed:
        return one.comparison.causes()


def choose(file: Path, names: list[str], wanted: list[str]) -> list[str]:
    """Return the functions to compare: those that are wanted, or all that the file has.

    Raises
    ------
    BadParameter, GameFileError
        A function that nobody knows; a file without it, or without any.
    """
    for name in wanted:
        if name not in ASSIGNMENTS:
            raise BadParameter(f"There is no function {name!r} in the handouts; there are {', '.join(ASSIGNMENTS)}.")
        if name not in names:
            raise GameFileError(f"{file} has no function {name}; write {ASSIGNMENTS[name].signature}.")
    if not names:
        known = [one.signature for one in ASSIGNMENTS.values()]
        raise GameFileError(f"{file} has none of the handouts' functions; write one of {'; '.join(known)}.")
    return wanted or assigned(names)


def check_game(game: Game, assignment: Assignment) -> None:
    """Refuse a game that may have no end, or no EVAL, if the assignment needs one."""
    if assignment.needs_eval:
        evaluation(game)
    else:
        require_end(game, assignment.name)


def print_all(console: Console, student: Path, uses: list[str], ran: list[Ran]) -> None:
    """Print all counts, then the first difference of each function."""
    for one in ran:
        print_comparison(console, one.assignment, one.game, one.comparison, one.error)
    told = set()
    for one in ran:  # later boards seldom show more than the first that differs
        if one.comparison is not None and one.differs and one.assignment not in told:
            told.add(one.assignment)
            print_difference(console, one.comparison, one.causes)
    if uses:
        console.print(f"\nNote: {student} uses zermelo's own searches: {', '.join(uses)}.", style="red", soft_wrap=True)
