"""A census of a solved table: how many positions are won by whom, how far the ends are, where one move saves.

Counts by tier and by remoteness are exact and cost nothing: the table's manifest has them. Positions with one saving
move are counted by asking the rules, in a sample where the table is large.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from zermelo.game import Action, State
from zermelo.result import plain
from zermelo.solver.model.outcome_codes import code_of
from zermelo.solver.study.scan import only_moves, sample, with_neighbours
from zermelo.solver.table.table import Table

SAMPLE: Final = 200_000
"""Positions that are looked at for saving moves, unless told otherwise."""


@dataclass(frozen=True)
class Row:
    """Positions of one tier or one remoteness, symmetric ones counted."""

    number: int | None
    """The tier; or the plies to the end, None where play need never end."""
    positions: int
    max_wins: int
    """Positions of a value above 0."""
    draws: int
    min_wins: int
    """Positions of a value below 0."""


@dataclass(frozen=True)
class Longest:
    """A won or lost position whose end is furthest, and best play from it."""

    state: State
    value: int
    remoteness: int
    line: list[Action]


@dataclass(frozen=True)
class Saving:
    """Positions in which exactly one of several moves keeps the result."""

    looked_at: int
    """Stored positions."""
    exact: bool
    """Whether they are all."""
    share: float
    """Of all positions, symmetric ones counted."""
    error: float
    """One standard error of the share; 0 where it is exact."""
    positions: int
    """How many there are in all: counted or, from a sample, estimated."""


@dataclass(frozen=True)
class Census:
    """What a table holds, in numbers."""

    game: str
    positions: int
    stored: int
    max_wins: int
    draws: int
    min_wins: int
    by_tier: list[Row]
    by_remoteness: list[Row]
    longest: Longest | None
    """None where nobody can win."""
    saving: Saving

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {name: plain(value) for name, value in asdict(self).items()}


def census(table: Table, looked_at: int | None = SAMPLE, seed: int = 0) -> Census:
    """The census of a table.

    Parameters
    ----------
    looked_at
        How many stored positions are looked at for saving moves; all of them if None.
    seed
        Of the sample.

    Raises
    ------
    TableError
        A file of the table is damaged.
    """
    tiers = table.census()
    by_tier = [_row(tier["tier"], tier["outcomes"]) for tier in tiers]
    outcomes = [outcome for tier in tiers for outcome in tier["outcomes"]]
    plies = defaultdict(list)
    for value, remoteness, count in outcomes:
        plies[remoteness].append((value, remoteness, count))
    finite = sorted(remoteness for remoteness in plies if remoteness is not None)
    by_remoteness = [_row(number, plies[number]) for number in [*finite, *([None] if None in plies else [])]]
    everything = _row(None, outcomes)
    return Census(
        game=repr(table.game),
        positions=len(table),
        stored=int(table.manifest["stored"]),
        max_wins=everything.max_wins,
        draws=everything.draws,
        min_wins=everything.min_wins,
        by_tier=by_tier,
        by_remoteness=by_remoteness,
        longest=longest(table),
        saving=saving(table, looked_at, seed),
    )


def _row(number: int | None, outcomes: Iterable[Any]) -> Row:
    wins = {1: 0, 0: 0, -1: 0}
    for value, _, count in outcomes:
        wins[(value > 0) - (value < 0)] += count
    return Row(number, sum(wins.values()), wins[1], wins[0], wins[-1])


def longest(table: Table) -> Longest | None:
    """The first position in the table among those that are won and whose end is furthest; None if nobody can win."""
    won = [
        (remoteness, -tier["tier"], value)
        for tier in table.census()
        for value, remoteness, _ in tier["outcomes"]
        if value != 0 and remoteness is not None
    ]
    if not won:
        return None
    remoteness, tier, value = max(won)
    wanted = code_of(value, remoteness, table.game.utility_range)
    for keys, words in table.blocks(-tier):
        places = np.flatnonzero(words == wanted)
        if len(places):
            state = table.state(int(keys[places[0]]))
            return Longest(state, value, remoteness, table.line(state, remoteness))
    raise AssertionError(f"the manifest of {table.place} counts what no file holds")


def saving(table: Table, looked_at: int | None = SAMPLE, seed: int = 0) -> Saving:
    """How many positions have exactly one move, of several, that keeps the result.

    Where it only counts who wins, the result is win, draw or loss; for margins it is the number.
    """
    count, total, single, spread = 0, 0, 0, 0.0
    pairs = []
    for _, keys, words in sample(table, looked_at, seed):
        done = 0
        for found in with_neighbours(table, keys):
            only = only_moves(found, words[done : done + len(found.keys)], table.game)
            done += len(found.keys)
            count += len(only)
            total += int(found.weights.sum())
            single += int(found.weights[only].sum())
            pairs.append(np.stack([found.weights, found.weights * only]).astype(np.int16))
    share = single / total
    exact = count == int(table.manifest["stored"])
    if not exact:
        weights, hits = np.concatenate(pairs, axis=1).astype(np.float64)
        # The variance of a ratio of two sums (Cochran, Sampling Techniques, 2.11).
        spread = float(np.sqrt(((hits - share * weights) ** 2).sum())) / total
    return Saving(count, exact, share, spread, single if exact else round(share * len(table)))
