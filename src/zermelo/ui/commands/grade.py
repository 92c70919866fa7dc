"""``zermelo grade``: a student's searches beside the handouts', for people and for programs that grade."""

import json
import sys
from math import inf
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from zermelo.classroom.explanation import report_record
from zermelo.classroom.gradescope import write_results
from zermelo.classroom.grading import grade_all
from zermelo.classroom.program import PREFIX, Program
from zermelo.classroom.python_file import PythonFile
from zermelo.classroom.submission import Allowance, Place, Submission
from zermelo.errors import BadParameter
from zermelo.games import HOMEWORK, USUAL
from zermelo.parameters import parameters_of
from zermelo.registry import find_factory
from zermelo.textbook.homework.assignments import Limits
from zermelo.textbook.rules import depth_limit
from zermelo.ui.arguments import (
    EXIT_USAGE,
    DepthOption,
    JsonOption,
    ParameterOption,
    WidthOption,
    check_seed,
    complete_game,
    parse_parameters,
)
from zermelo.ui.loading import load_game
from zermelo.ui.terminal.exits import status_of
from zermelo.ui.terminal.grade_report import print_report

NAMES: Final = tuple(info.name for info in parameters_of(find_factory(USUAL)))
"""What the numbers of a board mean."""
LEAST_MB: Final = 64
"""Python itself takes about half of it."""
SHAPE: Final = "x".join(name.upper() for name in NAMES)


def grade(
    student: Annotated[
        str, typer.Argument(metavar="STUDENT.py|program:COMMAND", help="A file with searches as in the handouts.")
    ],
    board: Annotated[
        list[str] | None, typer.Option(metavar=SHAPE, help=f"A board of {USUAL}; may be repeated.")
    ] = None,
    game: Annotated[
        str, typer.Option(metavar="GAME", help=f"Another game than {USUAL}.", autocompletion=complete_game)
    ] = "",
    parameter: ParameterOption = None,
    function: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Grade this function; may be repeated.")
    ] = None,
    depth: DepthOption = None,
    width: WidthOption = None,
    seconds: Annotated[float, typer.Option(help="Time for each function in each game.")] = Allowance.seconds,
    memory: Annotated[int, typer.Option(help="Memory, in MiB.")] = Allowance.memory_mb,
    seed: Annotated[int, typer.Option(help="Chooses the positions; students do not know that of hidden tests.")] = 0,
    as_json: JsonOption = False,
    gradescope: Annotated[
        Path | None, typer.Option(metavar="results.json", help="Write a report that Gradescope reads.")
    ] = None,
    points: Annotated[float, typer.Option(help="Points in the report for Gradescope.")] = 100.0,
) -> None:
    """Grade a student's own searches: verdicts, the smallest position that shows a mistake, and its likely cause.

    The file may have minimax_search(game, state, table), alpha_beta_search(game, state, alpha, beta, table) and
    alpha_beta_heuristic_search(game, state, alpha, beta, depth, table); minimax, alpha_beta and alpha_beta_heuristic,
    which return the bare value, the last from depth 1 on; minimax_max(game, state, depth_so_far, alpha, beta,
    max_depth, max_width) and alpha_beta_decision(game, state, limit). Globals named prunings, prunings_max,
    prunings_min and nodes are read as the student's counts. The exit status is 0 for right, 1 for wrong, 3 for
    crashed, 4 for too slow and 5 for cheated; of several, the greatest. It is 2 if nothing could be graded.
    """
    try:
        check_seed(seed)
        limits = Limits(Limits.depth if depth is None else depth, Limits.width if width is None else width)
        allowance = checked(limits, Allowance(seconds, memory), points)
        where = places(board, game, parameter)
        games = [(place, load_game(place.game, place.parameters)) for place in where]
        report = grade_all(submission_of(student, allowance), games, function or [], limits, seed)
        if gradescope is not None:
            write_results(gradescope, report, points)
    except Exception as error:
        status_of(error)
        sys.exit(EXIT_USAGE)
    if as_json:
        print(json.dumps(report_record(report)))
    else:
        print_report(Console(), report)
    sys.exit(report.status)


def submission_of(student: str, allowance: Allowance) -> Submission:
    """Return a Python file, or the program of a ``program:COMMAND``."""
    if student.startswith(PREFIX):
        return Program(student.removeprefix(PREFIX), allowance)
    return PythonFile(Path(student), allowance)


def places(board: list[str] | None, game: str, parameter: list[str] | None) -> list[Place]:
    """Return the games that the command line names.

    Raises
    ------
    BadParameter
        Options that do not go together, or a board that is none.
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


def checked(limits: Limits, allowance: Allowance, points: float) -> Allowance:
    """Refuse numbers with which nothing can be graded."""
    depth_limit(limits.depth)
    if limits.width < 1:
        raise BadParameter(f"The width is {limits.width}; it must be a whole number, 1 or more.")
    if not allowance.seconds > 0:
        raise BadParameter(f"The time is {allowance.seconds} seconds; it must be more than 0.")
    if allowance.memory_mb < LEAST_MB:
        raise BadParameter(f"The memory is {allowance.memory_mb} MiB; it must be {LEAST_MB} or more.")
    if not 0 <= points < inf:
        raise BadParameter(f"There are {points} points; it must be 0 or more.")
    return allowance
