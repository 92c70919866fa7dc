"""A census of a table: how many positions each player wins, how long play lasts, and how often only one move is right.

The counts by tier and by remoteness are exact and quick, since the manifest has them. For positions with one *saving
move*, the only one of several that keeps the result, the census calls the rules; in a large table for a sample only.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from zermelo.game import Action, State
from zermelo.result import plain
from zermelo.solver.model.outcome_codes import code_of
from zermelo.solver.study.only_moves import only_moves
from zermelo.solver.table.scan import sample, with_neighbours
from zermelo.solver.table.table import Table

SAMPLE: Final = 200_000
"""How many stored positions are looked at for saving moves, unless told otherwise."""
Outcomes: TypeAlias = Iterable[tuple[int, int | None, int]]
"""Rows of value, remoteness (None if play need never end), and number of positions."""


@dataclass(frozen=True)
class Row:
    """The positions of one tier or of one remoteness, symmetric ones included."""

    number: int | None
    """The tier, or the plies to the end; None if play need never end."""
    positions: int
    max_wins: int
    """Positions with a value above 0."""
    draws: int
    min_wins: int
    """Positions with a value below 0."""


@dataclass(frozen=True)
class Longest:
    """A position with the longest best play among those that a player wins, and that play."""

    state: State
    value: int
    remoteness: int
    line: list[Action]


@dataclass(frozen=True)
class Saving:
    """How many positions have exactly one move, of several, that keeps the result."""

    looked_at: int
    """How many stored positions were looked at."""
    exact: bool
    """Whether these are all."""
    share: float
    """The share of all positions, symmetric ones included."""
    error: float
    """The standard error of the share; 0 if it is exact."""
    positions: int
    """How many such positions the whole table has; estimated if it is not exact."""


@dataclass(frozen=True)
class Census:
    """The counts of a table."""

    game: str
    positions: int
    stored: int
    max_wins: int
    draws: int
    min_wins: int
    by_tier: list[Row]
    by_remoteness: list[Row]
    longest: Longest | None
    """None if all positions are drawn."""
    saving: Saving

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {name: plain(value) for name, value in asdict(self).items()}


def census(table: Table, looked_at: int | None = SAMPLE, seed: int = 0) -> Census:
    """Return the census of a table.

    Parameters
    ----------
    looked_at
        How many stored positions to look at for saving moves; all of them if None.
    seed
        Seed of the sample.

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


def _row(number: int | None, outcomes: Outcomes) -> Row:
    """Return the row of a tier or of a remoteness, given its outcomes."""
    wins = {1: 0, 0: 0, -1: 0}
    for value, _, count in outcomes:
        wins[(value > 0) - (value < 0)] += count
    return Row(number, sum(wins.values()), wins[1], wins[0], wins[-1])


def longest(table: Table) -> Longest | None:
    """Return the first position with the longest best play among those that a player wins; None if there are none."""
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
    for keys, codes in table.row_groups(-tier):
        places = np.flatnonzero(codes == wanted)
        if len(places):
            state = table.state(int(keys[places[0]]))
            return Longest(state, value, remoteness, table.line(state, remoteness))
    raise AssertionError(f"the manifest of {table.place} counts what no file holds")


def saving(table: Table, looked_at: int | None = SAMPLE, seed: int = 0) -> Saving:
    """Return how many positions have exactly one move, of several, that keeps the result.

    The result is win, draw or loss if the game only counts who wins, and the value if the margin counts.
    """
    count, total, single, spread = 0, 0, 0, 0.0
    pairs = []
    for _, keys, codes in sample(table, looked_at, seed):
        done = 0
        for found in with_neighbours(table, keys):
            only = only_moves(found, codes[done : done + len(found.keys)], table.game)
            done += len(found.keys)
            count += len(only)
            total += int(found.weights.sum())
            single += int(found.weights[only].sum())
            pairs.append(np.stack([found.weights, found.weights * only]).astype(np.int16))
    share = single / total
    exact = count == int(table.manifest["stored"])
    if not exact:
        weights, hits = np.concatenate(pairs, axis=1).astype(np.float64)
        # This is the variance of a ratio of two sums (Cochran, Sampling Techniques, 2.11).
        spread = float(np.sqrt(((hits - share * weights) ** 2).sum())) / total
    return Saving(count, exact, share, spread, single if exact else round(share * len(table)))
