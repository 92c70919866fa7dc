"""How large a solve will be, before it is started: positions, time, memory, disk.

Let a level be the positions first met after so many plies. From one level to the next

    positions(level + 1) = positions(level) * children(level) / meetings(level + 1)

where ``children`` is how many successors a position has on average, and ``meetings`` how many moves lead to a new
position: more than one, since most positions can be reached in several ways, or were met before.

1. *Counted.* The first levels are expanded whole, until they hold as many positions as the estimate may look at.
2. *Sampled.* From each further level some positions are kept, chosen by a hash of their keys, and tell how many
   children there are; ends have none. (Knuth's estimate of the efficiency of backtrack programs, 1975, counts the
   nodes of trees so; Chen's heterogeneous sampling, 1992, is of that kind. Neither knows that a position is met twice.)
3. *Carried on.* The meetings cannot be seen in a sample, where hardly any position is met twice. Over the levels that
   were counted their logarithm grows steadily: it is carried on, ever more slowly where a position can be reached
   in one number of plies only, as steadily as before otherwise.

How far off that is, was measured and is in ``docs/solving.md``.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from zermelo.errors import BadParameter
from zermelo.game import Game, State
from zermelo.solver.kernels.lookup import look_up, sorted_once, with_heads, without
from zermelo.solver.model.outcome_codes import shift_of
from zermelo.solver.model.problem import Misfits, Problem
from zermelo.solver.table.parquet import write_file

COUNTED: Final = 1_000_000
"""Positions that are counted one by one."""
KEPT: Final = 20_000
"""Positions of each further level that are looked at."""
DAMPING: Final = 0.85
"""What is left of the growth of the meetings' logarithm from a level to the next, where levels are tiers."""
FITTED: Final = 6
"""Levels that it is fitted to."""
MOST_LEVELS: Final = 2000
EFFICIENCY: Final = 0.85
"""Of a second worker."""
_BASE_MB: Final = 250.0
"""What a process takes with Numba and nothing to do."""
_BYTES_LOOKED_UP: Final = 20
_BYTES_LOOPS: Final = 60


@dataclass(frozen=True)
class Level:
    """Positions first met after so many plies."""

    ply: int
    stored: float
    counted: bool
    """One by one; else estimated."""
    children: float
    """Of a position, on average."""
    meetings: float
    """Moves from the level before for each position."""


@dataclass(frozen=True)
class Estimate:
    """What a solve will take, as far as can be told."""

    positions: int
    """All of them, symmetric ones counted."""
    stored: int
    exact: bool
    """Whether every position was counted."""
    seconds: float
    memory_mb: float
    """What it would like; it does with less, more slowly."""
    table_bytes: int
    work_bytes: int
    """Beside the table while it is made, and then gone."""
    successors: float
    """Of a position, those of some thousands of neighbours counted once: what is handed on of it."""
    levels: list[Level]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


@dataclass
class _Rates:
    """What was measured on the way, of one worker."""

    seconds: float = 0.0
    """For a position, to find it and to solve it."""
    table_bytes: float = 3.0
    """For a position, in the table."""
    weight: float = 1.0
    """Positions that a stored one stands for."""
    successors: float = 1.0
    """Of a position, as `Estimate` has them."""


def estimate(
    game: Game, *, workers: int = 1, starts: Sequence[State] = (), counted: int = COUNTED, kept: int = KEPT
) -> Estimate:
    """Predict what solving a game will take.

    Parameters
    ----------
    workers
        Threads of the solve.
    starts
        States to begin from; the game's initial state if empty.
    counted
        How many positions are counted one by one; more of them make the estimate better and slower.
    kept
        How many positions of each further level are looked at.

    Raises
    ------
    NotCompilable, Unsolvable
        As for the solve.
    BadParameter
        A number is out of range.
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
    """The levels of a problem, one after the other."""

    def __init__(self, problem: Problem, counted: int, kept: int) -> None:
        self.problem, self.counted, self.kept = problem, counted, kept
        self.levels: list[Level] = []
        self.rates = _Rates()
        self.positions = self.counted_stored = 0
        self.distinct = 0.0
        """Successors of a position of the last level, those of some thousands of neighbours counted once."""
        self.layered = problem.game.repetition is None

    def run(self, workers: int) -> Estimate:
        """Count, sample, carry on, add up."""
        last = self._count()
        exact = len(last) == 0
        if not exact:
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
        largest = max(level.stored for level in self.levels)
        if self.problem.game.repetition is None:
            return 2 * _BYTES_LOOKED_UP * largest
        edges = sum(level.stored * level.children for level in self.levels)
        return _BYTES_LOOPS * stored + 8 * edges

    def _count(self) -> Any:
        """Whole levels; returns the first that is too many to count, empty if there is none."""
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

    def _children(self, keys: Any) -> tuple[Any, int, int]:
        """The different children of positions, how many there are one by one, and what the positions stand for."""
        parts, edges, weight = [], 0, 0
        for _, found in self.problem.expand(keys):
            parts.append(sorted_once(found.children.copy()))
            edges += len(found.children)
            weight += int(found.weights.sum())
        self.distinct = sum(map(len, parts)) / len(keys)
        return sorted_once(np.concatenate(parts)), edges, weight

    def _measure(self, level: Any, children: Any, weight: int, forward: float, distinct: float) -> None:
        """Rates of a level: of the last one that was counted, or of the largest where all were."""
        self.rates.weight, self.rates.successors = weight / len(level), distinct
        utility_range = self.problem.game.utility_range
        words = np.full(len(level), -utility_range[0] << shift_of(utility_range), dtype=np.int32)
        with TemporaryDirectory() as folder:
            began = time.perf_counter()
            entry = write_file(Path(folder) / "level.parquet", level, words, utility_range)
            writing = time.perf_counter() - began
        known = with_heads(children)
        outcomes = np.zeros(len(children), dtype=np.int32)
        began = time.perf_counter()
        for _, found in self.problem.expand(level):
            look_up(known, outcomes, found.children, np.empty(len(found.children), dtype=np.int32))
        backward = time.perf_counter() - began
        self.rates.seconds = (forward + backward + writing) / len(level)
        # Outcomes take about half a byte where they differ, see docs/performance.md.
        self.rates.table_bytes = entry["bytes"] / len(level) + 0.5

    def _sample(self, first: Any) -> None:
        """The levels that are too many to count."""
        carried = self._meetings()
        last = self.levels.pop()
        stored, meetings, keys = last.stored, last.meetings, first
        while stored >= 1 and len(keys) and len(self.levels) < MOST_LEVELS:
            keys = _chosen(keys, self.kept)
            found, edges, _ = self._children(keys)
            children = edges / len(keys)
            self.levels.append(Level(len(self.levels), stored, keys is first, children, meetings))
            meetings = carried(len(self.levels))
            stored, keys = stored * children / meetings, found

    def _meetings(self) -> Callable[[int], float]:
        """The meetings of levels to come, fitted to the last ones counted.

        Odd and even levels differ by a factor of their own: the two players' moves do.
        """
        fitted = [level for level in self.levels if level.ply > 1][-FITTED:] or self.levels[-1:]
        plies = np.array([level.ply for level in fitted], dtype=np.float64)
        terms = [np.ones_like(plies), plies, np.cos(np.pi * plies)][: max(1, len(plies) - 1)]
        logarithms = np.log([level.meetings for level in fitted])
        found = np.zeros(3)
        found[: len(terms)] = np.linalg.lstsq(np.stack(terms, axis=1), logarithms, rcond=None)[0]
        height, parity = float(found[0]), float(found[2])
        slope, last = max(0.0, float(found[1])), fitted[-1].ply

        def carried(ply: int) -> float:
            steps = ply - last
            ahead = DAMPING * (1 - DAMPING**steps) / (1 - DAMPING) if self.layered else steps
            return float(np.exp(height + slope * (last + ahead) + parity * (-1) ** ply))

        return carried


def _chosen(keys: Any, count: int) -> Any:
    """So many of the keys at most, chosen by a hash of each."""
    if len(keys) <= count:
        return keys
    # The finalizer of MurmurHash3; it is one to one, so no two keys compare as equal.
    words = keys.astype(np.uint64)
    for multiplier in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        words = (words ^ (words >> np.uint64(33))) * np.uint64(multiplier)
    return np.sort(keys[np.argpartition(words ^ (words >> np.uint64(33)), count)[:count]])
