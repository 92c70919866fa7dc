"""``zermelo course``: a folder with all that a course on search needs."""

from pathlib import Path
from typing import Annotated

import typer

from zermelo.classroom.course import write_course
from zermelo.classroom.submission import Place
from zermelo.errors import BadParameter
from zermelo.textbook.homework.assignments import Limits
from zermelo.textbook.rules import depth_limit
from zermelo.ui.arguments import DepthOption, ParameterOption, WidthOption, check_seed, complete_game, parse_parameters
from zermelo.ui.loading import load_game

course = typer.Typer(help="Courses on search, for teachers.", no_args_is_help=True, rich_markup_mode=None)


@course.callback()
def about() -> None:
    """Courses on search, for teachers."""


@course.command()
def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to write it; it must not exist.")],
    game: Annotated[
        str,
        typer.Option(
            metavar="GAME", help="A game's name, my_game.py or my_game.py:factory.", autocompletion=complete_game
        ),
    ],
    parameter: ParameterOption = None,
    seed: Annotated[int, typer.Option(help="Chooses hidden tests and exercises; take another one each year.")] = 0,
    depth: DepthOption = None,
    width: WidthOption = None,
) -> None:
    """Write an assignment, starter code, exercises, hidden tests, a solution, and scripts that grade and play."""
    check_seed(seed)
    limits = Limits(Limits.depth if depth is None else depth, Limits.width if width is None else width)
    depth_limit(limits.depth)
    if limits.width < 1:
        raise BadParameter(f"The width is {limits.width}; it must be a whole number, 1 or more.")
    place = Place(game, parse_parameters(parameter))
    written = write_course(folder, place, load_game(*place), seed, limits)
    print(f"{folder} is written, with the parts {', '.join(written.parts)}. Begin with {folder / 'README.md'}.")
