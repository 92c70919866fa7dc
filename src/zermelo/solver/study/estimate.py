"""How large a solve will be, before it is started: positions, time, memory, disk.

If a game has tiers and never repeats a position, its tiers are counted or sampled in turn
(`zermelo.solver.study.tiers`). In other games, level ``n`` is the set of positions that the solve first meets after
``n`` plies. From one level to the next

    positions(n + 1) = positions(n) * children(n) / meetings(n + 1)

where ``children`` is the average number of successors of a position, and ``meetings`` the average number of moves that
lead to a new position. That is more than one, since most positions can be reached in several ways or were met before.

1. *Count.* The estimate expands the first levels completely, up to a given number of positions.
2. *Sample.* From each later level it keeps some positions, chosen by a hash of their keys, and takes the average number
   of their successors; terminal positions have none.
3. *Extrapolate.* A sample does not show the meetings, since it hardly ever meets a position twice. Over the counted
   levels their logarithm grows steadily, so the estimate extrapolates it: with less and less growth if each position
   can be reached after one number of plies only, and with the same growth otherwise. Positions that end the game have
   meetings of their own, because fewer moves lead to them.

Where positions can be reached after several numbers of plies, this fails: more and more moves lead to positions of
earlier levels. Then nothing is certain but the positions that were met.

``docs/how-to/solving.md`` has the measured errors.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from math import exp, log
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.solver.kernels.lookup import look_up, places_of, sorted_once, with_heads
from zermelo.solver.model.outcome_codes import codes_of
from zermelo.solver.model.problem import Misfits, Problem
from zermelo.solver.model.states import Given
from zermelo.solver.study.interval import ENDS, drawn, extrapolated
from zermelo.solver.study.tiers import Level, Sweep
from zermelo.solver.table.packed import packed
from zermelo.solver.table.parquet import write_file

COUNTED: Final = 1_000_000
"""How many positions are counted one by one, unless told otherwise."""
KEPT: Final = 150_000
"""How many positions of each later level are sampled, unless told otherwise."""
DAMPING: Final = 0.85
"""The factor by which the growth of the meetings' logarithm shrinks from level to level, if levels are tiers."""
ENOUGH: Final = 100
"""Positions that end the game tell their meetings if a level has at least so many of them."""
FITTED: Final = 6
"""How many of the last counted levels the extrapolation is fitted to."""
MOST_LEVELS: Final = 2000
"""The estimate stops after this many levels."""
EFFICIENCY: Final = 0.85
"""The speed that a second worker adds, as a share of that of the first."""
_BASE_MB: Final = 250.0
"""Memory of an idle process that has loaded Numba, in MiB."""
_BYTES_LOOKED_UP: Final = 20
"""Bytes for a position while others look it up."""
_BYTES_LOOPS: Final = 60
"""Bytes for a position of a tier with moves within it."""


@dataclass(frozen=True)
class Estimate:
    """The prediction of what a solve will take."""

    positions: int
    """All positions, symmetric ones included."""
    positions_low: int
    """The lower end of a 95 % interval for `positions`; equal to them if every position was counted."""
    positions_high: int
    """The upper end."""
    stored: int
    """Positions that the table will store, where symmetric ones count as one."""
    exact: bool
    """Whether every position was counted."""
    seconds: float
    memory_mb: float
    """The memory for full speed, in MiB; a solve with less is slower."""
    table_bytes: int
    """Bytes of the table on disk."""
    work_bytes: int
    """Bytes on disk, beside the table, that the solve needs while it runs."""
    successors: float
    """Distinct successors per position, after duplicates within a batch of a few thousand positions are removed."""
    levels: list[Level]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


@dataclass
class _Rates:
    """Averages for a stored position, measured with one worker."""

    seconds: float = 0.0
    """The time to find and to solve it."""
    table_bytes: float = 3.0
    """Its bytes in the table."""
    key_bytes: float = 8.0
    """The bytes of its key in the files of an unfinished solve."""
    weight: float = 1.0
    """The number of positions that it stands for."""
    successors: float = 1.0
    """Its distinct successors, as in `Estimate`."""


def estimate(game: Game, *, workers: int = 1, starts: Given = (), counted: int = COUNTED, kept: int = KEPT) -> Estimate:
    """Predict what solving a game will take.

    Parameters
    ----------
    workers
        The number of threads of the solve.
    starts
        The states to begin from; the game's initial state if empty.
    counted
        How many positions are counted one by one; more of them make the estimate better and slower.
    kept
        How many positions of each later level are sampled.

    Raises
    ------
    NotCompilable, Unsolvable
        The game cannot be solved; see `zermelo.solve`.
    BadParameter
        A number is less than 1.
    """
    if workers < 1 or counted < 1 or kept < 1:
        raise BadParameter(f"workers, counted and kept must be at least 1, not {workers}, {counted} and {kept}.")
    problem = Problem(game, starts)
    while True:
        try:
            return _Estimator(problem, counted, kept).run(workers)
        except Misfits as misfits:
            problem.widen(misfits)


@dataclass
class _Met:
    """Positions that moves lead to."""

    keys: NDArray[np.int64]
    """Shape (n,): ascending and distinct."""
    moves: NDArray[np.int64]
    """Shape (n,): how many moves lead to each."""
    arrived: int
    """How many moves lead to these positions, and to others that were met earlier."""

    def only(self, chosen: NDArray[Any]) -> "_Met":
        """Return some of the positions, given their places or a mask."""
        return _Met(self.keys[chosen], self.moves[chosen], self.arrived)


class _Meetings(NamedTuple):
    """How many moves lead to positions of one kind in a level that was counted."""

    number: int
    """The number of the level."""
    positions: int
    moves: float
    """The average number of moves that lead to a position."""


class _Estimator:
    """Goes through the levels of a problem, one after the other."""

    def __init__(self, problem: Problem, counted: int, kept: int) -> None:
        self.problem, self.counted, self.kept = problem, counted, kept
        self.levels: list[Level] = []
        self.rates = _Rates()
        self.positions: float = 0
        self.counted_stored: float = 0
        self.interval: tuple[float, float] | None = None
        """The ends of the interval for all positions, or none if all were counted."""
        self.distinct = self.forward = 0.0
        """Of the last level: distinct successors for each position, and seconds to find all of them and sort them."""
        self.lasting: list[_Meetings] = []
        """The meetings of positions that do not end the game, for each counted level."""
        self.ending: list[_Meetings] = []
        """The meetings of positions that end the game."""
        self.layered = problem.game.repetition is None
        """Whether each position met so far can be reached after one number of plies only."""

    def run(self, workers: int) -> Estimate:
        """Count, sample, extrapolate, and add up."""
        last = self._count()
        exact = len(last.keys) == 0
        if not exact and self.problem.game.tier and self.problem.game.repetition is None:
            self._sweep()
        elif not exact:
            self._sample(last)
        stored = sum(level.stored for level in self.levels)
        seconds = stored * self.rates.seconds / (1 + EFFICIENCY * (workers - 1))
        positions = self.positions + (stored - self.counted_stored) * self.rates.weight
        low, high = self.interval or (positions, positions)
        return Estimate(
            positions=round(positions),
            positions_low=round(min(low, positions)),
            positions_high=round(max(high, positions)),
            stored=round(stored),
            exact=exact,
            seconds=seconds,
            memory_mb=_BASE_MB + self._working_bytes(stored) / (1 << 20),
            table_bytes=round(stored * self.rates.table_bytes),
            work_bytes=round(
                self.rates.key_bytes * (stored + max(level.stored * level.children for level in self.levels))
            ),
            successors=self.rates.successors,
            levels=self.levels,
        )

    def _working_bytes(self, stored: float) -> float:
        """Return the bytes of memory that the arrays of a solve take."""
        largest = max(level.stored for level in self.levels)
        if self.problem.game.repetition is None:
            return 2 * _BYTES_LOOKED_UP * largest
        edges = sum(level.stored * level.children for level in self.levels)
        return _BYTES_LOOPS * stored + 8 * edges

    def _count(self) -> _Met:
        """Expand whole levels; return the first level that is too large, or one without positions if there is none."""
        starts = np.concatenate(list(self.problem.start_keys().values()))
        starts.sort()
        level = _Met(starts, np.ones(len(starts), dtype=np.int64), len(starts))
        seen, total = level.keys[:0], 0
        latest = largest = None
        while len(level.keys) and total + len(level.keys) <= max(self.counted, 1):
            total += len(level.keys)
            found, ended, weight = self._children(level.keys)
            self.positions, self.counted_stored = self.positions + weight, self.counted_stored + len(level.keys)
            latest = level.keys, found.keys, weight, self.forward, self.distinct
            largest = latest if largest is None or len(level.keys) >= len(largest[0]) else largest
            self._note(level, ended)
            self.levels.append(
                Level(len(self.levels), len(ended), True, found.arrived / len(ended), level.arrived / len(ended))
            )
            seen = sorted_once(np.concatenate([seen, level.keys]))
            level = found.only(places_of(with_heads(seen), found.keys) < 0)
            self.layered = self.layered and len(level.keys) == len(found.keys)
        measured = latest if len(level.keys) else largest
        if measured is not None:
            self._measure(*measured)
        return level

    def _children(self, keys: NDArray[np.int64]) -> tuple[_Met, NDArray[np.bool_], int]:
        """Return the successors of positions, which of the positions end the game, and the sum of the weights."""
        began = time.perf_counter()
        parts, distinct, ended, weight = [], [], [], 0
        for _, found in self.problem.expand(keys):
            parts.append(found.children.copy())
            distinct.append(sorted_once(found.children.copy()))
            ended.append(found.own >= 0)
            weight += int(found.weights.sum())
        self.distinct = sum(map(len, distinct)) / len(keys)
        children = np.concatenate(parts)
        goals = sorted_once(np.concatenate(distinct))
        self.forward = time.perf_counter() - began  # a solve does not count how often positions are met
        moves = np.bincount(places_of(with_heads(goals), children), minlength=len(goals))
        return _Met(goals, moves, len(children)), np.concatenate(ended), weight

    def _note(self, level: _Met, ended: NDArray[np.bool_]) -> None:
        """Note how many moves lead to a position of a counted level, if it ends the game, and if it does not."""
        back = level.arrived / int(level.moves.sum())
        for series, chosen in ((self.lasting, ~ended), (self.ending, ended)):
            if chosen.any():
                series.append(_Meetings(len(self.levels), int(chosen.sum()), back * float(level.moves[chosen].mean())))

    def _measure(
        self, level: NDArray[np.int64], children: NDArray[np.int64], weight: int, forward: float, distinct: float
    ) -> None:
        """Measure the rates on one level: the last one counted, or the largest if all were counted.

        Parameters
        ----------
        level, children
            The keys of its positions and of their distinct successors.
        weight
            How many positions the level stands for.
        forward
            How long it took to expand the level, in seconds.
        distinct
            Distinct successors for each position.
        """
        self.rates.weight, self.rates.successors = weight / len(level), distinct
        utility_range = self.problem.game.utility_range
        nothing = np.zeros(len(level), dtype=np.int64)
        codes = codes_of(nothing, nothing, utility_range)
        with TemporaryDirectory() as folder:
            began = time.perf_counter()
            entry = write_file(Path(folder) / "level.parquet", level, codes, utility_range)
            writing = time.perf_counter() - began
        self.rates.key_bytes = len(packed(level)) / len(level)
        known = with_heads(children)
        child_codes = np.zeros(len(children), dtype=np.int32)
        began = time.perf_counter()
        for _, found in self.problem.expand(level):
            look_up(known, child_codes, found.children, np.empty(len(found.children), dtype=np.int32))
        backward = time.perf_counter() - began
        self.rates.seconds = (forward + backward + writing) / len(level)
        # The level was written with equal outcomes; different ones take half a byte (docs/benchmarks/index.md).
        self.rates.table_bytes = entry["bytes"] / len(level) + 0.5

    def _sample(self, level: _Met) -> None:
        """Estimate the levels that are too large to count, given the first one.

        Fewer moves lead to a position that ends the game than to another one. So a sample of moves has too few of them,
        and the two kinds are counted apart, each with meetings of its own.
        """
        some = level.only(_chosen(level.keys, self.kept))
        found, ended, _ = self._children(some.keys)
        # This level is not expanded as a whole, but its positions and the moves to them are known.
        self._note(replace(some, arrived=round(level.arrived * some.moves.sum() / level.moves.sum())), ended)
        lasting_at = self._meetings(self.lasting)
        many = [meetings for meetings in self.ending if meetings.positions >= ENOUGH]
        ending_at = self._meetings(many) if many else lasting_at
        stored = float(len(level.keys))
        lasting, arrived, counted = stored * float((~ended).mean()), float(level.arrived), True
        first, growth = lasting_at(len(self.levels)), [0.0]
        while True:
            moves = lasting * found.arrived / max(1, int((~ended).sum()))
            self.levels.append(Level(len(self.levels), stored, counted, moves / stored, arrived / stored))
            if moves < 1 or not len(found.keys) or len(self.levels) >= MOST_LEVELS:
                return self._surround(growth)
            some, arrived, counted = found.only(_chosen(found.keys, self.kept)), moves, False
            found, ended, _ = self._children(some.keys)
            share, number = float(some.moves[ended].sum() / some.moves.sum()), len(self.levels)
            growth.append(max(0.0, log(lasting_at(number) / first)))
            lasting = arrived * (1 - share) / lasting_at(number)
            stored = lasting + arrived * share / ending_at(number)

    def _surround(self, growth: list[float]) -> None:
        """Set the interval of an extrapolation.

        Parameters
        ----------
        growth
            How much the logarithm of the meetings grows from the first level that was not counted to it and to each
            later one.
        """
        stored = [level.stored for level in self.levels]
        low, high = extrapolated(stored[-len(growth) :], growth)
        met = sum(stored[: 1 - len(growth) or None]) - self.counted_stored
        found = self.positions + np.array([low if self.layered else met, high]) * self.rates.weight
        self.interval = float(found[0]), float(found[1])

    def _sweep(self) -> None:
        """Estimate tiers instead of levels by plies, since many plies lead to the same position."""
        sweep = Sweep(self.problem, self.counted, self.kept)
        levels = sweep.run()
        draws = drawn(np.array([-log(level.meetings) for level in levels]), sweep.told)
        middles, shares = np.median(draws.sizes, axis=0), np.median(draws.shares, axis=0)
        self.levels = [
            replace(level, stored=level.stored * middle, meetings=exp(-share))
            for level, middle, share in zip(levels, middles.tolist(), shares.tolist(), strict=True)
        ]
        self.counted_stored = sum(level.stored for level in self.levels)
        self.positions = float(middles @ sweep.positions)
        low, high = np.quantile(draws.sizes @ sweep.positions, ENDS)
        self.interval = float(low), float(high)

    def _meetings(self, series: list[_Meetings]) -> Callable[[int], float]:
        """Return a function that gives the meetings of a later level, fitted to the last ones of counted levels.

        The fit has a factor for odd and even levels, since the moves of the two players may differ.
        """
        fitted = [level for level in series if level.number > 1][-FITTED:] or series[-1:]
        plies = np.array([level.number for level in fitted], dtype=np.float64)
        terms = [np.ones_like(plies), plies, np.cos(np.pi * plies)][: max(1, len(plies) - 1)]
        logarithms = np.log([level.moves for level in fitted])
        found = np.zeros(3)
        found[: len(terms)] = np.linalg.lstsq(np.stack(terms, axis=1), logarithms, rcond=None)[0]
        height, parity = float(found[0]), float(found[2])
        slope, last = max(0.0, float(found[1])), fitted[-1].number

        def meetings_at(ply: int) -> float:
            steps = ply - last
            ahead = DAMPING * (1 - DAMPING**steps) / (1 - DAMPING) if self.layered else steps
            return float(np.exp(height + slope * (last + ahead) + parity * (-1) ** ply))

        return meetings_at


def _chosen(keys: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return the places of at most ``count`` of the keys, in ascending order, chosen by the keys' hashes."""
    if len(keys) <= count:
        return np.arange(len(keys))
    # This is the finalizer of MurmurHash3. It is one to one, so different keys have different hashes.
    hashes = keys.astype(np.uint64)
    for multiplier in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        hashes = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(multiplier)
    return np.sort(np.argpartition(hashes ^ (hashes >> np.uint64(33)), count)[:count])
