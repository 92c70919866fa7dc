"""The tasks of the forward pass: from parts of keys to the parts that they lead to.

Each task receives its `Site` first, and returns a list of its answer and its blocks. A part is a file of ascending
keys; a run is a list of parts whose keys ascend from one to the next.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final

import numpy as np

from zermelo.solver.kernels.lookup import sorted_once
from zermelo.solver.kernels.shards import split
from zermelo.solver.model.problem import Problem
from zermelo.solver.passes.merging import merged_arrays, merged_runs
from zermelo.solver.passes.plan import keys_in
from zermelo.solver.passes.site import Block, Keys, Site
from zermelo.solver.table.stores import Part

Spread = Mapping[int, int]
"""The number of shards of each tier."""


def successors(problem: Problem, keys: Keys) -> tuple[int, dict[int, Keys]]:
    """Return how many positions the keys stand for, and the keys of their successors by tier.

    The successors are in any order, and a successor of several positions may come several times.
    """
    found: dict[int, list[Keys]] = {}
    reach = 0
    for _, expansion in problem.expand(keys):
        reach += int(expansion.weights.sum())
        children, tiers = expansion.children, expansion.tiers
        if len(children) and tiers[0] == tiers[-1] and (tiers == tiers[0]).all():
            found.setdefault(int(tiers[0]), []).append(children.copy())
        else:
            for number in np.unique(tiers):
                found.setdefault(int(number), []).append(children[tiers == number])
    return reach, {number: np.concatenate(arrays) for number, arrays in found.items()}


def exchanged(site: Site, arrays: Iterable[Keys], spread: Spread, new: int) -> tuple[int, int, list[dict[int, Keys]]]:
    """Return the successors of positions, by shard and tier.

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
    by_shard : list of dict
        For each shard, by tier: the keys of the successors, ascending and distinct.
    """

    def find(task: tuple[int, Keys]) -> tuple[int, int, int, dict[tuple[int, int], Keys]]:
        reach, found = successors(site.problem, task[1])
        runs = {
            (shard, tier): sorted_once(some)
            for tier, children in found.items()
            if spread.get(tier, new)
            for shard, some, _ in split(children, spread.get(tier, new))
        }
        return len(task[1]), reach, sum(map(len, found.values())), runs

    reach = met = 0
    groups: dict[tuple[int, int], list[Keys]] = {}
    for count, some_reach, some_met, found in site.workers.in_order(find, site.chunks(arrays)):
        reach, met = reach + some_reach, met + some_met
        for name, run in found.items():
            groups.setdefault(name, []).append(run)
        site.step(count)
    by_shard: list[dict[int, Keys]] = [{} for _ in range(max([new, *spread.values()]))]
    for (shard, tier), run in merged_arrays(site.workers, site.plan.memory, groups).items():
        by_shard[shard][tier] = run
    return reach, met, by_shard


def expand(site: Site, parts: list[Part], spread: Spread, new: int) -> list[Any]:
    """Return the successors of the positions in some parts: how many there are, and a block for each shard."""
    reach, met, arrays = exchanged(site, site.keys_of(parts, last=True), spread, new)
    return [{"reach": reach, "children": met}, *(Block(site.node, by_tier) for by_tier in arrays)]


def scatter(site: Site, parts: list[Part], tier: int, shards: int) -> list[Any]:
    """Distribute neighbouring parts of a tier over shards: return a block for each shard."""
    arrays: list[dict[int, Keys]] = [{} for _ in range(shards)]
    for shard, keys, _ in split(site.parts.read_all(parts, np.int64, last=True), shards):
        arrays[shard][tier] = keys
    return [{}, *(Block(site.node, by_tier) for by_tier in arrays)]


def collect(site: Site, name: str, *blocks: Block | None) -> list[Any]:
    """Write a shard's share of the successors, as one run for each tier; return rows of a tier and its parts."""
    groups: dict[int, list[Keys]] = {}
    for block in site.take(blocks):
        for tier, keys in block.arrays.items():
            groups.setdefault(tier, []).append(keys)
    runs = merged_arrays(site.workers, site.plan.memory, groups)
    return [[[tier, site.write(f"{name}-{tier:06d}", [runs[tier]])] for tier in sorted(runs)]]


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
