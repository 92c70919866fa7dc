"""The tasks of the forward pass: from parts of keys to the parts that they lead to.

Each task receives its `Site` first, and returns a list of its answer and its blocks. A part is a file of ascending
keys; a run is a list of parts whose keys ascend from one to the next.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final

import numpy as np

from zermelo.solver.kernels.lookup import sorted_once
from zermelo.solver.kernels.shards import shares, split
from zermelo.solver.model.problem import Problem
from zermelo.solver.passes.exchange_tasks import as_blocks
from zermelo.solver.passes.merging import merged_arrays, merged_pieces, merged_runs
from zermelo.solver.passes.plan import keys_in
from zermelo.solver.passes.site import Block, Keys, Site
from zermelo.solver.passes.threads import Scratch
from zermelo.solver.table.stores import Part

Spread = Mapping[int, int]
"""The number of shards of each tier."""


def successors(problem: Problem, keys: Keys, scratch: Scratch) -> tuple[int, dict[int, Keys]]:
    """Return how many positions the keys stand for, and the keys of their successors by tier.

    The successors are in any order, and a successor of several positions may come several times. They lie in memory of
    the thread that its next call uses again.
    """
    reach = 0
    counts: dict[int, int] = {}

    def room(tier: int, kept: int = 0) -> Keys:
        return scratch.keys(("found", list(counts).index(tier)), counts[tier], kept)

    def add(tier: int, some: Keys) -> None:
        kept = counts.get(tier, 0)
        counts[tier] = kept + len(some)
        room(tier, kept)[kept:] = some

    for _, expansion in problem.expand(keys):
        reach += int(expansion.weights.sum())
        children, tiers = expansion.children, expansion.tiers
        if len(children) and tiers[0] == tiers[-1] and (tiers == tiers[0]).all():
            add(int(tiers[0]), children)
        else:
            for number in np.unique(tiers):
                add(int(number), children[tiers == number])
    return reach, {tier: room(tier) for tier in counts}


def sorted_runs(
    site: Site, arrays: Iterable[Keys], spread: Spread, new: int
) -> tuple[int, int, dict[tuple[int, int], list[Keys]]]:
    """Return the successors of positions as the threads find them: sorted for each chunk of positions.

    Parameters
    ----------
    arrays
        The keys of the positions.
    spread
        The number of shards of each tier.
    new
        The number of shards of tiers that are not in ``spread``; 0 leaves out successors in those tiers.

    Returns
    -------
    reach : int
        How many positions the keys stand for.
    met : int
        How many successors they have; a successor of two positions counts twice.
    runs : dict
        By shard and tier: arrays of the successors' keys, each ascending and distinct.
    """
    scratch = site.workers.scratch

    def find(task: tuple[int, Keys]) -> tuple[int, int, int, dict[tuple[int, int], Keys]]:
        reach, found = successors(site.problem, task[1], scratch)
        runs = {
            (shard, tier): sorted_once(some, scratch.keys("room", len(some))).copy()
            for tier, children in found.items()
            for shard, some in shares(children, spread.get(tier, new))
        }
        return len(task[1]), reach, sum(map(len, found.values())), runs

    reach = met = 0
    groups: dict[tuple[int, int], list[Keys]] = {}
    for count, some_reach, some_met, found in site.workers.in_order(find, site.chunks(arrays)):
        reach, met = reach + some_reach, met + some_met
        for name, run in found.items():
            groups.setdefault(name, []).append(run)
        site.step(count)
    return reach, met, groups


def exchanged(site: Site, arrays: Iterable[Keys], spread: Spread, new: int) -> dict[tuple[int, int], Keys]:
    """Return the successors of positions, by shard and tier: their keys, ascending and distinct.

    The parameters are those of `sorted_runs`.
    """
    _, _, groups = sorted_runs(site, arrays, spread, new)
    return merged_arrays(site.workers, site.plan.memory, groups)


def expand(site: Site, parts: list[Part], wave: int, spread: Spread, new: int, width: int) -> list[Any]:
    """Return the successors of the positions in some parts: how many there are, and a block for each ``width`` shards.

    On one machine `collect` merges the runs of a tier soon, so it would be a waste to merge them here, too, unless
    those of the whole wave, which has ``wave`` keys, need too much memory. For other machines, they are merged.
    """
    reach, met, groups = sorted_runs(site, site.keys_of(parts, last=True), spread, new)
    size = sum(run.nbytes for runs in groups.values() for run in runs)
    if site.plan.nodes > 1 or size * (wave / keys_in(parts)) > site.plan.memory // 2:
        groups = {name: [run] for name, run in merged_arrays(site.workers, site.plan.memory, groups).items()}
    arrays = {(*name, number): run for name, runs in groups.items() for number, run in enumerate(runs)}
    return [{"reach": reach, "children": met}, *as_blocks(site, arrays, range(max([new, *spread.values()])), width)]


def scatter(site: Site, parts: list[Part], tier: int, shards: int, width: int) -> list[Any]:
    """Distribute neighbouring parts of a tier over shards: return a block for each ``width`` shards."""
    arrays = {(shard, tier, 0): keys for shard, keys, _ in split(site.read_keys(parts, last=True), shards)}
    return [{}, *as_blocks(site, arrays, range(shards), width)]


def collect(site: Site, name: str, *blocks: Block | None) -> list[Any]:
    """Write a shard's share of the successors, as one run for each tier; return rows of a tier and its parts."""
    groups: dict[int, list[Keys]] = {}
    for block in site.take(blocks):
        for (_, tier, _), keys in block.arrays.items():
            groups.setdefault(tier, []).append(keys)
    merged = partial(merged_pieces, site.workers, site.plan.memory)
    return [[[tier, site.write(f"{name}-{tier:06d}", merged(groups[tier]))] for tier in sorted(groups)]]


def merge(site: Site, name: str, runs: list[list[Part]]) -> list[Any]:
    """Merge several runs into one; return its parts."""
    read = partial(site.parts.read, dtype=np.int64, last=True)
    found = merged_runs(read, site.workers, site.plan.memory, runs)
    return [site.write(name, (keys for _, keys in found))]


def level(site: Site, name: str, runs: list[list[Part]], known: list[list[Part]]) -> list[Any]:
    """Find which keys of some runs are not known yet, and write them as a run.

    Returns
    -------
    list
        A dict: how many distinct keys were ``met``, the parts of the ``new`` ones, and the runs of ``known`` keys,
        which now include the new ones.
    """
    met = 0

    def new_keys() -> Any:
        nonlocal met
        found = merged_runs(
            partial(site.parts.read, dtype=np.int64, last=True), site.workers, site.plan.memory, runs, known,
            partial(site.parts.read, dtype=np.int64),
        )  # fmt: skip
        for count, keys in found:
            met += count
            yield keys

    new = site.write(name, new_keys())
    if not new:
        return [{"met": met, "new": new, "known": known}]
    # Known keys are kept as a few runs, each at least twice as long as the next: merging all of them with each level's
    # new keys would move every key once a level.
    known, merging = list(known), [new]
    while known and keys_in(known[-1]) < 2 * sum(map(keys_in, merging)):
        merging.append(known.pop())
    if len(merging) == 1:
        return [{"met": met, "new": new, "known": [*known, new]}]

    def read(part: Part) -> Keys:
        keys: Keys = site.parts.read(part, np.int64, last=part not in new)
        return keys

    found = merged_runs(read, site.workers, site.plan.memory, merging)
    return [{"met": met, "new": new, "known": [*known, site.write(f"{name}-known", (keys for _, keys in found))]}]


TASKS: Final[dict[str, Callable[..., list[Any]]]] = {
    "expand": expand,
    "scatter": scatter,
    "collect": collect,
    "merge": merge,
    "level": level,
}
