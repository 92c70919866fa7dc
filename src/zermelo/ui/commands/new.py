"""``zermelo new``: write a small complete game to start from."""

import keyword
import re
from pathlib import Path
from typing import Annotated, Final

import typer

from zermelo.errors import BadParameter
from zermelo.files import write_whole

TEMPLATE: Final = "my_game"
"""The name of the game in ``new_game.txt``."""


def new(file: Annotated[Path, typer.Argument(metavar="FILE.py", help="Where to write it; it must not exist.")]) -> None:
    """Write a small complete game to start from."""
    write_new_game(file)
    print(f"{file} is written. Now try: zermelo check {file}")


def write_new_game(file: Path) -> None:
    """Write a small complete game to ``file``, named after it.

    Raises
    ------
    BadParameter
        The file exists or cannot be written, or its name is not that of a Python function followed by ``.py``.
    """
    name = file.stem
    template = (Path(__file__).parent / "new_game.txt").read_text(encoding="utf-8")
    taken = name in re.findall(r"(?:^def|^class|^from|import|,) (\w+)", template, re.MULTILINE) and name != TEMPLATE
    if file.suffix != ".py" or not name.isidentifier() or keyword.iskeyword(name) or taken:
        raise BadParameter(f"{file} is no name for a game; write one like {TEMPLATE}.py, which Python does not use.")
    if file.exists():
        raise BadParameter(f"{file} exists already; choose another name, or delete it first.")
    if not file.parent.is_dir():
        raise BadParameter(f"There is no folder {file.parent}; make it first.")
    try:
        write_whole(file, template.replace(TEMPLATE, name).encode())
    except OSError as error:
        raise BadParameter(f"{file} cannot be written: {error.strerror}.") from None
