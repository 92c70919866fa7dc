"""From cells to the plan of a network: which tuples it looks at, and the array of ints that kernels read."""

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import hypot, prod, tanh
from typing import Final

import numpy as np

from zermelo.engine.network import HEADER, SQUASHED, STEP_BITS, UNIT, WHOLE, Plan
from zermelo.learn.cells import Cells

Tuple = tuple[int, ...]
"""The numbers of cells."""
NEAR: Final = 1.7
"""Cells whose places are at most so far from each other are neighbours."""
DECIDING: Final = 0.75
"""The greatest share of a network's tuples that may be there for the cells that decide."""


@dataclass(frozen=True)
class Shape:
    """How large a network is."""

    length: int = 6
    """The most cells of a tuple."""
    entries: int = 1 << 10
    """The most weights of a tuple."""
    lookups: int = 128
    """About how many tuples there are, images by symmetry counted apart."""

    def holds(self, cells: Cells, walk: Collection[int]) -> bool:
        """Return whether a tuple of such cells is small enough."""
        return len(walk) <= self.length and prod(cells.symbols[cell] for cell in walk) <= self.entries


def choose_tuples(cells: Cells, shape: Shape, seed: int, deciding: Sequence[Tuple] = ()) -> list[list[Tuple]]:
    """Choose tuples with the sets of cells that decide the game, and tuples of neighbours at random.

    All cells are looked at about equally often.

    Parameters
    ----------
    cells
        The game's cells.
    shape
        How large the network is.
    seed
        Of what is chosen at random.
    deciding
        As `zermelo.learn.deciding.find_deciding` returns them.

    Returns
    -------
    list
        For each table of weights, the tuples that share it: one and its images.
    """
    chooser, near = random.Random(seed), _neighbours(cells)
    seen, chosen, known = [0] * len(near), list[list[Tuple]](), set[Tuple]()
    joined = iter(_joined(cells, shape, deciding))
    lookups = tried = 0
    while lookups < shape.lookups and tried < 20 * shape.lookups:
        tried += 1
        walk = _walk(cells, near, seen, shape, chooser, next(joined, None))
        if walk in known:
            continue
        same = list(images(cells, walk))
        known |= {tuple(sorted(image)) for image in same}
        chosen.append(same)
        lookups += len(same)
        for image in same:
            for cell in image:
                seen[cell] += 1
    return chosen


def _joined(cells: Cells, shape: Shape, deciding: Sequence[Tuple]) -> list[Tuple]:
    """Return tuples that hold all sets of cells that decide, several where they overlap: two fives in a row of six.

    Return none if they are too many for the network: its tuples would not look at all cells equally often.
    """
    left = {one: None for some in deciding for one in map(frozenset, images(cells, some))}  # in this order
    found, lookups = list[Tuple](), 0
    while left:
        walk = next(iter(left))
        held = 1
        while True:
            wider = [walk | {cell} for cell in range(len(cells.symbols)) if cell not in walk]
            counted = [(sum(one <= other for one in left), other) for other in wider if shape.holds(cells, other)]
            most, widest = max(counted, key=lambda pair: pair[0], default=(0, walk))
            if most <= held:
                break
            walk, held = widest, most
        everywhere = [frozenset(image) for image in images(cells, tuple(walk))]
        left = {one: None for one in left if not any(one <= image for image in everywhere)}
        found.append(tuple(sorted(walk)))
        lookups += len(everywhere)
        if lookups > DECIDING * shape.lookups:
            return []
    return found


def _neighbours(cells: Cells) -> list[list[int]]:
    """Return the neighbours of each cell: those near it in the picture; of others, the ones before and after."""
    count = len(cells.symbols)
    found = []
    for one in range(count):
        place = cells.places[one]
        if place is None:
            found.append([other for other in (one - 1, one + 1) if 0 <= other < count])
            continue
        others = [(other, cells.places[other]) for other in range(count) if other != one]
        distances = [(other, _distance(place, its)) for other, its in others if its is not None]
        least = min((distance for _, distance in distances), default=1.0)
        found.append([other for other, distance in distances if distance <= NEAR * max(1.0, least)])
    return found


def _distance(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return how far one place is from another."""
    return hypot(one[0] - other[0], one[1] - other[1])


def _walk(
    cells: Cells,
    near: Sequence[Sequence[int]],
    seen: Sequence[int],
    shape: Shape,
    chooser: random.Random,
    start: Tuple | None,
) -> Tuple:
    """Return ``start`` and neighbours of these cells, as many as there is room for.

    Without ``start``, begin with a cell that was looked at least often.
    """
    fewest = min(seen)
    walk = list(start or [chooser.choice([cell for cell, times in enumerate(seen) if times == fewest])])
    while len(walk) < shape.length:
        around = sorted({other for cell in walk for other in near[cell]} - set(walk))
        around = [cell for cell in around if shape.holds(cells, [*walk, cell])]
        if not around:
            break
        walk.append(chooser.choice(around))
    return tuple(sorted(walk))


def images(cells: Cells, walk: Tuple) -> Iterator[Tuple]:
    """Yield a tuple and its images by the symmetries, each set of cells once."""
    known = set()
    for sources in (tuple(range(len(cells.symbols))), *cells.symmetries):
        image = tuple(sources[cell] for cell in walk)
        if tuple(sorted(image)) not in known:
            known.add(tuple(sorted(image)))
            yield image


def make_plan(cells: Cells, tuples: Sequence[Sequence[Tuple]], reach: int) -> Plan:
    """Return the plan of a network.

    Parameters
    ----------
    cells
        The game's cells.
    tuples
        As `choose_tuples` returns them.
    reach
        What an evaluation tends to if the network is sure of a win.
    """
    writer = _Writer()
    at_groups = writer.groups(cells)
    at_counts = writer.counts(cells)
    flat = [image for same in tuples for image in same]
    widest = max(map(len, flat), default=1)
    members, strides, offsets, size = list[int](), list[int](), list[int](), 0
    for same in tuples:
        sizes = [cells.symbols[cell] for cell in same[0]]
        for image in same:
            padding = [0] * (widest - len(image))
            members += [*image, *padding]
            strides += [*(prod(sizes[:place]) for place in range(len(sizes))), *padding]
            offsets.append(size)
        size += prod(sizes)
    sources = cells.swapped.cells if cells.swapped else range(len(cells.symbols))
    at_members = writer.put(members + [sources[cell] for cell in members])
    at_strides, at_offsets = writer.put(strides), writer.put(offsets)
    at_uses = writer.uses(sources, members, strides, widest)
    at_squash = writer.put([round(WHOLE * tanh((entry << STEP_BITS) / UNIT)) for entry in range(SQUASHED)])
    sets = 1 if cells.swapped else 2
    writer.numbers[:HEADER] = [
        len(writer.numbers), sets, size, reach, len(cells.groups), len(cells.counts), len(flat), widest,
        at_groups, at_counts, at_members, at_strides, at_offsets, at_squash, len(sources), at_uses,
    ]  # fmt: skip
    return np.array(writer.numbers, dtype=np.int64)


class _Writer:
    """Writes the tables of a plan, one after the other; each method returns where its table begins."""

    def __init__(self) -> None:
        self.numbers: list[int] = [0] * HEADER

    def put(self, numbers: Sequence[int]) -> int:
        """Write numbers."""
        self.numbers.extend(numbers)
        return len(self.numbers) - len(numbers)

    def groups(self, cells: Cells) -> int:
        """Write how the words of each group are read."""
        rows, first = list[int](), 0
        for number, group in enumerate(cells.groups):
            decoding, cell_of = [0] * (1 << len(group.words)), [-1] * 64
            for symbol, code in enumerate(group.codes):
                decoding[code] = symbol
            for cell, bit in enumerate(group.bits):
                cell_of[bit] = first + cell
            shown = [cells.swapped.symbols[number][symbol] for symbol in decoding] if cells.swapped else decoding
            rows += [first, len(group.bits), self.put(group.bits), len(group.words), self.put(group.words)]
            rows += [self.put(decoding + shown), self.put(cell_of)]
            first += len(group.bits)
        return self.put(rows)

    def counts(self, cells: Cells) -> int:
        """Write how each count is read."""
        rows, first = list[int](), len(cells.bits)
        for number, count in enumerate(cells.counts):
            same = list(range(count.symbols))
            shown = list(cells.swapped.symbols[len(cells.groups) + number]) if cells.swapped else same
            rows += [first + number, count.word, count.low, count.symbols, self.put(same + shown)]
            rows += [count.shift, count.mask]
        return self.put(rows)

    def uses(self, sources: Sequence[int], members: Sequence[int], strides: Sequence[int], widest: int) -> int:
        """Write which tuples hold each cell, for both players to move."""
        uses: list[list[int]] = [[] for _ in range(2 * len(sources))]
        for place, (cell, stride) in enumerate(zip(members, strides, strict=True)):
            if stride:
                for row in (cell, len(sources) + sources[cell]):
                    uses[row] += [place // widest, stride]
        starts = [0]
        for pairs in uses:
            starts.append(starts[-1] + len(pairs) // 2)
        begin = self.put(starts)
        self.put([number for pairs in uses for number in pairs])
        return begin
