"""What all tasks of the backward pass share: they count, check and write the outcomes of positions."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import Unsolvable
from zermelo.solver.kernels.tally import tallied
from zermelo.solver.model.outcome_codes import remoteness_of, value_of
from zermelo.solver.model.problem import Problem
from zermelo.solver.passes.plan import PART
from zermelo.solver.passes.site import Codes, Filed, Keys, Site
from zermelo.solver.table.parquet import entry_of, file_content, release_unused
from zermelo.solver.table.stores import Part


@dataclass(frozen=True)
class Files:
    """Where a task writes the outcomes of some parts of a shard."""

    unit: str
    """The name of the unit of work, with which the names of parts of codes begin."""
    published: str | None
    """How the names of the table's files begin, if the task writes such files; None if it writes parts of codes."""
    first: int = 0
    """The number of the task's first part in its shard."""


def is_publishable(parts: Sequence[Part]) -> bool:
    """Return whether each of a shard's parts holds the positions of one file of a table."""
    return all(part.size == PART for part in parts[:-1]) and all(part.size <= PART for part in parts[-1:])


def write_outcomes(site: Site, files: Files, parts: Sequence[Part], keys: Keys, codes: Codes) -> list[Filed]:
    """Write the outcomes of some parts: for each part of keys, a part of codes or a file of the table.

    Parameters
    ----------
    parts
        Parts of keys.
    keys, codes
        Shape (n,): the keys of all the parts, and their outcome codes.

    Returns
    -------
    list
        For each part, where its codes are.
    """
    cuts = np.cumsum([part.size for part in parts])[:-1]
    pieces = np.split(codes, cuts)

    def write_codes(numbered: tuple[int, Codes]) -> Filed:
        return site.parts.write(f"work/{files.unit}-{numbered[0]:05d}.codes", numbered[1])

    def publish(numbered: tuple[int, tuple[Keys, Codes]]) -> Filed:
        return write_file(site, f"{files.published}-{files.first + numbered[0]:05d}.parquet", *numbered[1])

    if files.published is None:
        return list(site.workers.in_order(write_codes, enumerate(pieces)))
    written = list(site.workers.in_order(publish, enumerate(zip(np.split(keys, cuts), pieces, strict=True))))
    release_unused()
    return written


def write_file(site: Site, name: str, keys: Keys, codes: Codes) -> dict[str, Any]:
    """Write a file of the table, and return its entry in the manifest.

    Parameters
    ----------
    name
        The name of the file in the store.
    keys, codes
        Shape (n,): ascending keys, and the outcome code of each.
    """
    content = file_content(keys, codes, site.problem.game.utility_range)
    site.store.write_soon(name, content)
    return entry_of(name, keys, content)


def count_into(census: Counter[int], codes: Codes, weights: NDArray[Any]) -> None:
    """Add positions to a census, which counts positions by outcome code.

    Parameters
    ----------
    census
        Changed.
    codes
        Shape (n,): the outcome codes.
    weights
        Shape (n,): how many positions each one stands for.
    """
    for code, count in tallied(codes, weights):
        census[code] += count


def outcome_rows(census: Counter[int], problem: Problem) -> list[list[int | None]]:
    """Return rows of value, remoteness and number of positions, in the order of outcome codes."""
    bounds = problem.game.utility_range
    return [[value_of(code, bounds), remoteness_of(code, bounds), count] for code, count in sorted(census.items())]


def worth_of_endless(problem: Problem, worths: Iterable[tuple[int, int]]) -> int:
    """Return what endless play within a tier is worth, less the least utility.

    Parameters
    ----------
    worths
        For several sets of positions of the tier: the least and the greatest value of repetition.

    Raises
    ------
    Unsolvable
        The value is not the same for all positions.
    """
    game = problem.game
    if not callable(game.repetition):
        return game.endless_value + problem.zero
    found = [worth for pair in worths for worth in pair]
    if min(found) != max(found):
        raise Unsolvable(
            f"Endless play of {game!r} is worth from {min(found)} to {max(found)} in one tier; name a tier(state) "
            "within which the value of repetition is the same for all states."
        )
    return found[0] + problem.zero
