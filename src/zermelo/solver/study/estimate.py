"""How large a solve will be, before it is started: positions, time, memory, disk.

Level ``n`` is the set of positions that the solve first meets after ``n`` plies. From one level to the next

    positions(n + 1) = positions(n) * children(n) / meetings(n + 1)

where ``children`` is the average number of successors of a position, and ``meetings`` the average number of moves that
lead to a new position. That is more than one, since most positions can be reached in several ways or were met before.

1. *Count.* The estimate expands the first levels completely, up to a given number of positions.
2. *Sample.* From each later level it keeps some positions, chosen by a hash of their keys, and takes the average number
   of their successors; terminal positions have none. (Knuth's estimate of the efficiency of backtrack programs, 1975,
   counts the nodes of trees in this way; Chen's heterogeneous sampling, 1992, is similar. Neither takes into account
   that a position is met twice.)
3. *Extrapolate.* A sample does not show the meetings, since it hardly ever meets a position twice. Over the counted
   levels their logarithm grows steadily, so the estimate extrapolates it: with less and less growth if each position
   can be reached after one number of plies only, and with the same growth otherwise.

Where positions can be reached after several numbers of plies, this fails: more and more moves lead to positions of
earlier levels. If such a game has tiers, and never repeats a position, its tiers are estimated in place of levels by
plies (`zermelo.solver.study.tiers`).

``docs/how-to/solving.md`` has the measured errors.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.solver.kernels.lookup import look_up, sorted_once, with_heads, without
from zermelo.solver.model.outcome_codes import codes_of
from zermelo.solver.model.problem import Misfits, Problem
from zermelo.solver.model.states import Given
from zermelo.solver.study.tiers import Level, Sweep
from zermelo.solver.table.parquet import write_file

COUNTED: Final = 1_000_000
"""How many positions are counted one by one, unless told otherwise."""
KEPT: Final = 50_000
"""How many positions of each later level are sampled, unless told otherwise."""
DAMPING: Final = 0.85
"""The factor by which the growth of the meetings' logarithm shrinks from level to level, if levels are tiers."""
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


class _Estimator:
    """Goes through the levels of a problem, one after the other."""

    def __init__(self, problem: Problem, counted: int, kept: int) -> None:
        self.problem, self.counted, self.kept = problem, counted, kept
        self.levels: list[Level] = []
        self.rates = _Rates()
        self.positions: float = 0
        self.counted_stored: float = 0
        self.distinct = 0.0
        """Distinct successors for each position of the last level, as in `Estimate`."""
        self.layered = problem.game.repetition is None
        """Whether each position met so far can be reached after one number of plies only."""

    def run(self, workers: int) -> Estimate:
        """Count, sample, extrapolate, and add up."""
        last = self._count()
        exact = len(last) == 0
        if not exact and not self.layered and self.problem.game.tier and self.problem.game.repetition is None:
            self._sweep()
        elif not exact:
            self._sample(last)
        stored = sum(level.stored for level in self.levels)
        seconds = stored * self.rates.seconds / (1 + EFFICIENCY * (workers - 1))
        return Estimate(
            positions=round(self.positions + (stored - self.counted_stored) * self.rates.weight),
            stored=round(stored),
            exact=exact,
            seconds=seconds,
            memory_mb=_BASE_MB + self._working_bytes(stored) / (1 << 20),
            table_bytes=round(stored * self.rates.table_bytes),
            work_bytes=round(8 * (stored + max(level.stored * level.children for level in self.levels))),
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

    def _count(self) -> NDArray[np.int64]:
        """Expand whole levels; return the keys of the first level that is too large, empty if there is none."""
        level = np.concatenate(list(self.problem.start_keys().values()))
        level.sort()
        seen, total, meetings = level[:0], 0, 1.0
        latest = largest = None
        while len(level) and total + len(level) <= max(self.counted, 1):
            total += len(level)
            began = time.perf_counter()
            found, edges, weight = self._children(level)
            forward = time.perf_counter() - began
            self.positions, self.counted_stored = self.positions + weight, self.counted_stored + len(level)
            latest = level, found, weight, forward, self.distinct
            largest = latest if largest is None or len(level) >= len(largest[0]) else largest
            seen = sorted_once(np.concatenate([seen, level]))
            fresh = without(found, with_heads(seen))
            self.layered = self.layered and len(fresh) == len(found)
            self.levels.append(Level(len(self.levels), len(level), True, edges / len(level), meetings))
            meetings = edges / max(1, len(fresh))
            level = fresh
        if len(level):
            self.levels.append(Level(len(self.levels), len(level), True, 0.0, meetings))
        measured = latest if len(level) else largest
        if measured is not None:
            self._measure(*measured)
        return level

    def _children(self, keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], int, int]:
        """Return the distinct successors of positions, their number with repeats, and the sum of the weights."""
        parts, edges, weight = [], 0, 0
        for _, found in self.problem.expand(keys):
            parts.append(sorted_once(found.children.copy()))
            edges += len(found.children)
            weight += int(found.weights.sum())
        self.distinct = sum(map(len, parts)) / len(keys)
        return sorted_once(np.concatenate(parts)), edges, weight

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
        known = with_heads(children)
        child_codes = np.zeros(len(children), dtype=np.int32)
        began = time.perf_counter()
        for _, found in self.problem.expand(level):
            look_up(known, child_codes, found.children, np.empty(len(found.children), dtype=np.int32))
        backward = time.perf_counter() - began
        self.rates.seconds = (forward + backward + writing) / len(level)
        # The level was written with equal outcomes; different ones take half a byte (docs/benchmarks/index.md).
        self.rates.table_bytes = entry["bytes"] / len(level) + 0.5

    def _sample(self, first: NDArray[np.int64]) -> None:
        """Estimate the levels that are too large to count, from the keys of the first one."""
        meetings_at = self._meetings()
        last = self.levels.pop()
        stored, meetings, keys = last.stored, last.meetings, first
        while stored >= 1 and len(keys) and len(self.levels) < MOST_LEVELS:
            keys = _chosen(keys, self.kept)
            found, edges, _ = self._children(keys)
            children = edges / len(keys)
            self.levels.append(Level(len(self.levels), stored, keys is first, children, meetings))
            meetings = meetings_at(len(self.levels))
            stored, keys = stored * children / meetings, found

    def _sweep(self) -> None:
        """Estimate tiers instead of levels by plies, since many plies lead to the same position."""
        sweep = Sweep(self.problem, self.counted, self.kept)
        self.levels = sweep.run()
        self.counted_stored = sum(level.stored for level in self.levels)
        self.positions = sweep.positions

    def _meetings(self) -> Callable[[int], float]:
        """Return a function that gives the meetings of a later level, fitted to the last levels counted.

        The fit has a factor for odd and even levels, since the moves of the two players may differ.
        """
        fitted = [level for level in self.levels if level.number > 1][-FITTED:] or self.levels[-1:]
        plies = np.array([level.number for level in fitted], dtype=np.float64)
        terms = [np.ones_like(plies), plies, np.cos(np.pi * plies)][: max(1, len(plies) - 1)]
        logarithms = np.log([level.meetings for level in fitted])
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
    """Return at most ``count`` of the keys, in ascending order, chosen by their hashes."""
    if len(keys) <= count:
        return keys
    # This is the finalizer of MurmurHash3. It is one to one, so different keys have different hashes.
    hashes = keys.astype(np.uint64)
    for multiplier in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        hashes = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(multiplier)
    return np.sort(keys[np.argpartition(hashes ^ (hashes >> np.uint64(33)), count)[:count]])
