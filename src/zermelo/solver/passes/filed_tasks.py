"""The tasks for a tier whose positions lead to each other, with the edges in files.

They follow the same rules as `zermelo.solver.kernels.retrograde.solve_loops`, in rounds over the whole tier: positions
of the same value, and of the same remoteness, may be decided in any order. In a round, the positions that the round
before decided are the *frontier*. Only what has a few bytes for each position is in memory.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.kernels.edges import add_one
from zermelo.solver.kernels.lookup import Sorted, places_of, with_heads
from zermelo.solver.kernels.retrograde import (
    NONE,
    force_round,
    leaves_at_value,
    plies_round,
    seed_plies,
    who_delays,
    worth_of,
)
from zermelo.solver.passes.backward_tasks import Sources
from zermelo.solver.passes.edge_files import EdgeFiles, Sorter, turned
from zermelo.solver.passes.outcomes import Files, count_into, write_outcomes
from zermelo.solver.passes.plan import keys_in, stretches
from zermelo.solver.passes.retrograde_tasks import Expanded, codes_in, expanded, worth_of_repetition
from zermelo.solver.passes.site import Codes, Filed, Keys, Site
from zermelo.solver.table.stores import Part

Ints = NDArray[np.int32]
Places = NDArray[np.int64]
PAIR: Final = 64
"""Bytes of memory for an edge, from which the edges that are sorted at a time are counted."""
_SLICE: Final = 1 << 20
"""Positions for which an array is computed at a time: what NumPy needs in between stays small."""


class PositionFiles(NamedTuple):
    """The positions of some parts, as files of int32. The fields are those of `Expanded`."""

    own: Part
    exits: Part
    inner: Part
    weights: Part


def load_keys(site: Site, parts: list[Part]) -> list[Any]:
    """Return a block with the keys of a whole tier, in which other tasks look up positions."""
    keys = np.empty(keys_in(parts), dtype=np.int64)
    place = 0
    for part in parts:
        keys[place : place + part.size] = site.parts.read(part, np.int64, last=True)
        place += part.size
    return [None, with_heads(keys)]


def file_edges(
    site: Site, unit: str, start: int, parts: list[Part], tier: int, width: int, known: Sorted, sources: Sources,
    *blocks: Any,
) -> list[Any]:  # fmt: skip
    """Expand some parts, and write what is known of their positions and the edges that begin there.

    Parameters
    ----------
    start
        The number of the first position in the tier.
    width
        The number of positions in a bucket; see `zermelo.solver.passes.edge_files`.
    known
        The keys of the whole tier.

    Returns
    -------
    list
        A dict: the files of the ``positions`` in the order of `PositionFiles`, the files with the ``edges`` to each
        bucket, how many successors are ``missing``, and the least and the greatest value of repetition (``endless``).
    """
    later = sources.take(site, blocks)
    keys = site.read_keys(parts, last=True)
    sorter = Sorter(site, unit, width, -(-len(known.keys) // width), site.plan.memory // PAIR)

    def expand(task: tuple[int, Keys]) -> tuple[Expanded, int, Ints, Ints]:
        mine, missing, edges = expanded(site, task[1], tier, later)
        targets = [places_of(known, children).astype(np.int32) for _, _, children in edges]
        origins = [(start + task[0] + begin + numbers).astype(np.int32) for begin, numbers, _ in edges]
        nothing = np.empty(0, np.int32)
        return mine, missing, np.concatenate([nothing, *targets]), np.concatenate([nothing, *origins])

    found, missing = [], 0
    for mine, some_missing, targets, origins in site.workers.in_order(expand, site.chunks([keys])):
        found.append(mine)
        missing += some_missing
        sorter.add(targets, origins)
        site.step(len(mine.own) // 2)  # half of the work is done, and half is still to come
    sorter.flush()
    all_of_it = Expanded(*(np.concatenate(columns) for columns in zip(*found, strict=True)))
    positions = [
        site.store.write_array(f"work/{unit}-{name}.codes", array.astype(np.int32))
        for name, array in all_of_it._asdict().items()
    ]
    endless = worth_of_repetition(site.problem, keys)
    return [{"positions": positions, "edges": sorter.parts, "missing": missing, "endless": endless}]


def turn_edges(site: Site, unit: str, parts: list[Part], first: int, count: int) -> list[Any]:
    """Turn the edges to a bucket round; return its file and that of the numbers of predecessors.

    Parameters
    ----------
    parts
        The files with the edges to the bucket.
    first, count
        The first position of the bucket, and the number of its positions.
    """
    file, counts = turned(site, f"work/{unit}.edges", parts, first, count)
    site.step(count // 4)
    return [{"edges": file, "counts": site.store.write_array(f"work/{unit}.codes", counts)}]


def solve_filed(
    site: Site, files: Files, parts: list[Part], found: list[PositionFiles], edges: list[Part], counts: list[Part],
    width: int, endless: int,
) -> list[Any]:  # fmt: skip
    """Solve a tier, and write its outcomes; answer as `solve_web` in `zermelo.solver.passes.retrograde_tasks`.

    Parameters
    ----------
    parts
        The keys of the tier.
    found
        What is known of its positions, in the order of the keys.
    edges, counts
        For each bucket, its file, and the file of the numbers of predecessors.
    width
        The number of positions in a bucket.
    endless
        What endless play is worth, less the least utility.
    """
    size = keys_in(parts)
    starts = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(_read(site, counts, size, np.int32), out=starts[1:])
    total, told = max(1, 3 * int(starts[-1])), 0

    def step(count: int) -> None:
        # The last quarter of the work is to read each edge three times.
        nonlocal told
        before, told = told, told + count
        site.step(size // 4 * told // total - size // 4 * before // total)

    columns = [PositionFiles(*row) for row in found]
    analysis = Analysis(
        site.problem.shift,
        own=_read(site, [row.own for row in columns], size, np.int32),
        exits=_read(site, [row.exits for row in columns], size, np.int32),
        edges=EdgeFiles(site.store, edges, starts, width, step),
    )
    values = analysis.values(_read(site, [row.inner for row in columns], size, np.int32), endless)
    remoteness = analysis.remoteness(values, site.problem.zero)
    analysis.edges = None
    del starts
    weights = _read(site, [row.weights for row in columns], size, np.uint8)
    census: Counter[int] = Counter()
    rows: list[Filed] = []
    place = 0
    for number, some in enumerate(stretches(parts, _SLICE)):
        here = slice(place, place + keys_in(some))
        codes = codes_in(site.problem, values[here], remoteness[here], analysis.exits[here])
        count_into(census, codes, weights[here])
        filed = Files(f"{files.unit}-{number:05d}", files.published, len(rows))
        rows += write_outcomes(site, filed, some, site.read_keys(some, last=True), codes)
        place = here.stop
    return [{"codes": [rows], "census": sorted(census.items())}]


def _read(site: Site, parts: Sequence[Part], size: int, dtype: Any) -> Any:
    """Return files of int32 as one array with ``size`` items of a type."""
    array = np.empty(size, dtype=dtype)
    place = 0
    for part in (Part(*row) for row in parts):
        array[place : place + part.size] = site.store.read_array(part, np.int32)
        place += part.size
    return array


class Analysis:
    """Retrograde analysis of a tier whose edges are in files. All arrays have the shape (positions,).

    Parameters
    ----------
    shift
        The number of bits for the remoteness in an outcome code.
    own, exits
        As in `zermelo.solver.passes.retrograde_tasks.Expanded`.
    edges
        The predecessors of each position.
    """

    def __init__(self, shift: int, own: Codes, exits: Codes, edges: EdgeFiles) -> None:
        self.shift, self.own, self.exits = shift, own, exits
        self.edges: EdgeFiles | None = edges

    def values(self, left: Ints, endless: int) -> Ints:
        """Return the values, less the least utility.

        Parameters
        ----------
        left
            Changed: the number of successors within the tier.
        endless
            What endless play is worth, less the least utility.
        """
        for here in _slices(len(left)):
            left[here] += self.exits[here] >= 0
        worth = _computed(lambda own, exits: worth_of(own, exits, self.shift), np.int32, self.own, self.exits)
        values = np.full(len(worth), NONE, dtype=np.int32)
        worths = set[int]().union(*(np.unique(worth[here]).tolist() for here in _slices(len(worth)))) - {NONE}
        for sign in (1, -1):
            wanted = [value for value in worths if (value - endless) * sign > 0]
            for value in sorted(wanted, reverse=sign > 0):
                self._force(sign, value, _where(worth, value), left, values)
        values[values == NONE] = endless
        return values

    def _force(self, sign: int, value: int, places: Places, left: Ints, values: Ints) -> None:
        """Decide where the player with this sign can force this value; the first round gets the seeds as ``places``."""

        def decide(places: Places) -> Ints:
            decided = np.empty(len(places), dtype=np.int64)
            return decided[: force_round(sign, value, self.own, places, left, values, decided)].astype(np.int32)

        frontier = decide(places)
        while len(frontier):
            frontier = _joined(decide(places) for places in self._predecessors(frontier))

    def remoteness(self, values: Ints, zero: int) -> Ints:
        """Return the remoteness of each position in plies, -1 where there is none.

        Parameters
        ----------
        values
            The values, less the least utility.
        zero
            The value 0, less the least utility.
        """
        shift = self.shift
        solved = self.own, self.exits, values
        due = _computed(lambda own, exits, some: seed_plies(own, exits, some, shift), np.int32, *solved)
        left = _computed(lambda own, exits, some: leaves_at_value(own, exits, some, shift), np.int32, *solved)
        for here in _slices(len(values)):
            for places in self._predecessors(np.arange(here.start, here.stop), values):
                add_one(places, left)
        delays = _computed(lambda own, some: who_delays(own, some, zero), np.bool_, self.own, values)
        remoteness = np.full(len(values), NONE, dtype=np.int32)

        def decide(places: Places) -> Ints:
            decided = np.empty(len(places), dtype=np.int64)
            return decided[: plies_round(ply, places, delays, left, remoteness, decided)].astype(np.int32)

        waiting = set[int]().union(*(np.unique(due[here]).tolist() for here in _slices(len(due)))) - {NONE}
        frontier: Ints = np.empty(0, dtype=np.int32)
        ply = NONE
        while len(frontier) or waiting:
            ply = ply + 1 if len(frontier) else min(waiting)
            seeds = [decide(_where(due, ply))] if ply in waiting else []
            waiting.discard(ply)
            frontier = _joined([*seeds, *(decide(places) for places in self._predecessors(frontier, values))])
        return remoteness

    def _predecessors(self, positions: Any, *values: Ints) -> Iterable[Places]:
        assert self.edges is not None
        return self.edges.predecessors(positions, *values)


def _slices(size: int) -> list[slice]:
    """Return the slices of an array of this size for which something is computed at a time."""
    return [slice(begin, min(begin + _SLICE, size)) for begin in range(0, size, _SLICE)]


def _computed(function: Callable[..., Any], dtype: Any, *arrays: NDArray[Any]) -> Any:
    """Return what a function gives for the items of some arrays, as an array of a type."""
    found = np.empty(len(arrays[0]), dtype=dtype)
    for here in _slices(len(found)):
        found[here] = function(*(array[here] for array in arrays))
    return found


def _where(array: Ints, value: int) -> Places:
    """Return the places of a value, ascending."""
    return np.concatenate(
        [np.empty(0, np.int64), *(here.start + np.flatnonzero(array[here] == value) for here in _slices(len(array)))]
    )


def _joined(arrays: Iterable[Ints]) -> Ints:
    """Return the positions of some arrays in ascending order."""
    frontier = np.concatenate([np.empty(0, np.int32), *arrays])
    frontier.sort()
    return frontier


TASKS: Final[dict[str, Callable[..., list[Any]]]] = {
    "load_keys": load_keys,
    "file_edges": file_edges,
    "turn_edges": turn_edges,
    "solve_filed": solve_filed,
}
