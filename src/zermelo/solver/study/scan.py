"""Walking through a table: its positions, all of them or a sample, and what it says of their successors."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from zermelo.compiled.explain import explained
from zermelo.errors import TableError
from zermelo.game import Game
from zermelo.solver.model.expand import batch, expand
from zermelo.solver.model.outcome_codes import UNKNOWN, values_of
from zermelo.solver.table.table import Table

POSITIONS: Final = 1 << 15
"""Positions that are looked at together."""


class Neighbours(NamedTuple):
    """Some positions, and the outcomes of what they lead to."""

    keys: Any
    own: Any
    """int32: the outcome of a terminal position, else who is to move, as in `zermelo.solver.model.expand.Batch`."""
    ends: Any
    """int64: where in ``children`` the successors of each end."""
    children: Any
    """int32: the outcome words of successors, negative where the table does not hold one."""
    weights: Any
    """int64: how many positions each stands for, symmetric ones counted."""


def sample(table: Table, count: int | None, seed: int = 0) -> Iterator[tuple[int, Any, Any]]:
    """Stored positions, each equally likely and none twice, all if ``count`` is None: tier, keys, outcome words.

    They come in the order of the table, at most some thousands at a time.
    """
    stored = {int(tier["tier"]): int(tier["stored"]) for tier in table.manifest["tiers"]}
    total = sum(stored.values())
    if count is None or count >= total:
        for tier in stored:
            for keys, words in table.blocks(tier):
                yield tier, keys, words
        return
    chosen = np.sort(_distinct(np.random.default_rng(seed), total, count))
    start = 0
    for tier, positions in stored.items():
        places = chosen[(chosen >= start) & (chosen < start + positions)] - start
        start += positions
        for begin in range(0, len(places), POSITIONS):
            yield tier, *table.picked(tier, places[begin : begin + POSITIONS])


def _distinct(generator: np.random.Generator, total: int, count: int) -> Any:
    """``count`` different numbers below ``total``."""
    if count * 4 > total:
        return generator.permutation(total)[:count]
    chosen = np.unique(generator.integers(0, total, count + count // 2))
    while len(chosen) < count:
        chosen = np.unique(np.concatenate([chosen, generator.integers(0, total, count)]))
    return generator.permutation(chosen)[:count]


def with_neighbours(table: Table, keys: Any) -> Iterator[Neighbours]:
    """What the table says of the successors of stored positions, some thousands at a time.

    Raises
    ------
    TableError
        A key of the table, or what it leads to, is no state of the game.
    """
    rules, layout, fold = table.naming
    room = batch(rules, POSITIONS, 8 * POSITIONS)
    done = 0
    while done < len(keys):
        with explained(rules):
            count = expand(rules, layout, keys[done : done + POSITIONS], fold, room)
        if room.counts.any():
            raise TableError(f"{table.place} holds what is no position of {table.game!r}; solve it again.")
        if count == 0:
            room = batch(rules, POSITIONS, 2 * len(room.children))
            continue
        filled = room.ends[count - 1]
        children = table.known(room.children[:filled], room.tiers[:filled])
        yield Neighbours(
            keys[done : done + count],
            room.own[:count].copy(),
            room.ends[:count].copy(),
            children,
            room.weights[:count].copy(),
        )
        done += count


def results_of(words: Any, game: Game) -> Any:
    """What is kept or lost, as int64: who wins where that is all that counts, the value where margins do."""
    values = values_of(words, game.utility_range)
    return np.sign(values) if game.outcomes == "wdl" else values


def only_moves(found: Neighbours, words: Any, game: Game) -> Any:
    """Which positions have exactly one action that keeps the result, among others that lose it.

    Parameters
    ----------
    found
        Positions with their successors.
    words
        Their own outcomes.
    """
    counts = np.diff(found.ends, prepend=0)
    owners = np.repeat(np.arange(len(counts)), counts)
    kept = results_of(found.children, game) == results_of(words, game)[owners]
    keepers = np.bincount(owners[kept], minlength=len(counts))
    return (found.own < 0) & (keepers == 1) & (counts > 1)


def movers(own: Any) -> Any:
    """Who is to move: 1 for MAX, -1 for MIN, 0 where the game is over."""
    return np.where(own >= 0, 0, np.where(own == UNKNOWN, 1, -1))
