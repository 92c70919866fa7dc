"""What ``zermelo learn`` and ``zermelo tune`` ask for alike, and how it is checked."""

from pathlib import Path
from typing import Annotated

import typer

from zermelo.errors import BadParameter

MinutesOption = Annotated[float | None, typer.Option(help="How long to learn; 10 if nothing is said.")]
GamesOption = Annotated[int | None, typer.Option(help="How many games to learn from, in the place of a time.")]


def check_limits(minutes: float | None, games: int | None, threads: int) -> None:
    """Refuse limits and threads that are out of range.

    Raises
    ------
    BadParameter
        One of them is, or both limits are given.
    """
    if minutes is not None and games is not None:
        raise BadParameter("Say --minutes or --games, not both.")
    if minutes is not None and not 0 < minutes <= 100_000:
        raise BadParameter(f"--minutes is {minutes:g}; it must be more than 0.")
    if games is not None and games < 1:
        raise BadParameter(f"--games is {games}; it must be 1 or more.")
    if not 1 <= threads <= 256:
        raise BadParameter(f"--threads is {threads}; it must be from 1 to 256.")


def unfinished_file(out: Path, ending: str) -> Path:
    """Return the file beside ``out`` that holds what is needed to go on.

    Raises
    ------
    BadParameter
        There is no such folder, or ``out`` exists without that file.
    """
    if not out.parent.is_dir():
        raise BadParameter(f"There is no folder {out.parent} to write {out.name} to.")
    unfinished = out.with_name(out.name + ending)
    if out.exists() and not unfinished.exists():
        raise BadParameter(
            f"{out} exists, and {unfinished.name}, which is needed to go on, does not; choose another name."
        )
    return unfinished
