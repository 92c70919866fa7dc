"""Walking through a table: its positions, all of them or a sample, and the outcomes of their successors."""

from collections.abc import Iterator
from typing import Final, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import TableError
from zermelo.solver.model.expand import Batch, batch
from zermelo.solver.model.problem import POSITIONS, expansions
from zermelo.solver.table.table import Table

_CHILDREN: Final = 8
"""Successors for each position that the arrays have room for at first."""


class Neighbours(NamedTuple):
    """Some positions, and the outcomes of their successors."""

    keys: NDArray[np.int64]
    """Shape (positions,)."""
    own: NDArray[np.int32]
    """Shape (positions,): the code of a terminal position, else who is to move; as in `Batch`."""
    ends: NDArray[np.int64]
    """Shape (positions,): where in ``children`` the successors of each position end."""
    children: NDArray[np.int32]
    """Shape (successors,): their outcome codes, negative if the table does not hold them."""
    weights: NDArray[np.int64]
    """Shape (positions,): how many positions each one stands for, symmetric ones included."""


def sample(
    table: Table, count: int | None, seed: int = 0
) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int32]]]:
    """Yield stored positions, drawn at random and without repeats, in the order of the table.

    Parameters
    ----------
    count
        How many positions; all if None.
    seed
        Seed of the random choice.

    Yields
    ------
    tier, keys, codes
        The number of the tier, and the keys and outcome codes of some of its positions, both of shape (n,).
    """
    stored = {int(tier["tier"]): int(tier["stored"]) for tier in table.manifest["tiers"]}
    total = sum(stored.values())
    if count is None or count >= total:
        for tier in stored:
            for keys, codes in table.row_groups(tier):
                yield tier, keys, codes
        return
    chosen = np.sort(_distinct(np.random.default_rng(seed), total, count))
    start = 0
    for tier, positions in stored.items():
        places = chosen[(chosen >= start) & (chosen < start + positions)] - start
        start += positions
        for begin in range(0, len(places), POSITIONS):
            yield tier, *table.lookup.picked(tier, places[begin : begin + POSITIONS])


def _distinct(generator: np.random.Generator, total: int, count: int) -> NDArray[np.int64]:
    """Return ``count`` different numbers below ``total``, in no order."""
    if count * 4 > total:
        return generator.permutation(total)[:count]
    chosen = np.unique(generator.integers(0, total, count + count // 2))
    while len(chosen) < count:
        chosen = np.unique(np.concatenate([chosen, generator.integers(0, total, count)]))
    return generator.permutation(chosen)[:count]


def with_neighbours(table: Table, keys: NDArray[np.int64]) -> Iterator[Neighbours]:
    """Yield stored positions with the outcomes of their successors, a few thousand at a time.

    Parameters
    ----------
    keys
        Shape (n,): the positions.

    Raises
    ------
    TableError
        A key, or that of a successor, stands for no position of the game; or a file of the table is damaged.
    """

    def complain(_: Batch) -> NoReturn:
        raise TableError(f"{table.place} holds a key that is no position of {table.game!r}; solve it again.")

    rules, layout, fold = table.key_makers
    room = batch(rules, POSITIONS, _CHILDREN * POSITIONS)
    for start, found in expansions(rules, layout, keys, fold, room, complain):
        yield Neighbours(
            keys[start : start + len(found.own)],
            found.own.copy(),
            found.ends.copy(),
            table.lookup.codes(found.children, found.tiers),
            found.weights.copy(),
        )
