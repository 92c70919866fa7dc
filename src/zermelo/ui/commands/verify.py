"""``zermelo verify``: whether a table is whole, and what it says is right."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from zermelo.errors import BadParameter
from zermelo.ui.arguments import EXIT_ERROR, check_seed
from zermelo.ui.commands.probe import GameOption, TableArgument, open_table


def verify(
    folder: TableArgument,
    sample: Annotated[
        int, typer.Option(help="Positions to check against their successors; 0 checks all of them.")
    ] = 100_000,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
    game: GameOption = "",
) -> None:
    """Check a solved table: every file's checksum, the order of its keys, sampled positions by the rules.

    Exit status 1 if anything is wrong.
    """
    from zermelo.solver.table.verify import damaged_files, misplaced, wrong_entries

    if sample < 0:
        raise BadParameter(f"The sample is {sample}; it must be 0 or more.")
    check_seed(seed)
    damaged = damaged_files(folder)
    if damaged:
        say_and_leave(damaged)
    table = open_table(folder, game)
    stored = int(table.manifest["stored"])
    count = min(sample, stored) or stored
    with counted("keys", stored) as done:
        wrong = list(misplaced(table, done))
    if not wrong:
        with counted("positions", count) as done:
            wrong = list(wrong_entries(table, sample or None, seed, done))
    if wrong:
        say_and_leave(wrong)
    files = sum(len(tier["files"]) for tier in table.manifest["tiers"])
    print(f"{folder}: {files} files and {stored:,} keys are whole; {count:,} positions agree with their successors.")


def say_and_leave(sentences: list[str]) -> None:
    """Print what is wrong, a line each, and leave with exit status 1."""
    for sentence in sentences:
        print(sentence)
    sys.exit(EXIT_ERROR)


@contextmanager
def counted(name: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how many are done on a terminal, and nothing when piped."""
    console = Console(stderr=True)
    bar = Progress(TextColumn(name), BarColumn(), MofNCompleteColumn(), console=console, transient=True,
                   disable=not console.is_terminal)  # fmt: skip
    task = bar.add_task(name, total=total)
    with bar:
        yield lambda done: bar.advance(task, done)
