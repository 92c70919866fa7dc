"""``zermelo verify``: check that a solved table is complete and right."""

import sys
from typing import Annotated

import typer

from zermelo.errors import BadParameter
from zermelo.ui.arguments import EXIT_ERROR, check_seed
from zermelo.ui.tables import GameOption, TableArgument, open_table
from zermelo.ui.terminal.progress import counting


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
    from zermelo.solver import damaged_files, misplaced, wrong_entries

    if sample < 0:
        raise BadParameter(f"The sample is {sample}; it must be 0 or more.")
    check_seed(seed)
    damaged = damaged_files(folder)
    if damaged:
        say_and_leave(damaged)
    table = open_table(folder, game)
    stored = int(table.manifest["stored"])
    count = min(sample, stored) or stored
    with counting("keys", stored) as done:
        wrong = list(misplaced(table, done))
    if not wrong:
        with counting("positions", count) as done:
            wrong = list(wrong_entries(table, sample or None, seed, done))
    if wrong:
        say_and_leave(wrong)
    files = sum(len(tier["files"]) for tier in table.manifest["tiers"])
    print(f"{folder}: {files} files and {stored:,} keys are whole; {count:,} positions agree with their successors.")


def say_and_leave(sentences: list[str]) -> None:
    """Print each mistake on a line, and leave with exit status 1."""
    for sentence in sentences:
        print(sentence)
    sys.exit(EXIT_ERROR)
