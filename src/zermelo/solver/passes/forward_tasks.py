"""The tasks of the forward pass: from parts of keys to the parts that they lead to."""

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
"""In how many shards each tier lies."""


def successors(problem: Problem, keys: Keys) -> tuple[int, dict[int, Keys]]:
    """How many positions the keys stand for, and the keys that they lead to, by tier, in any order."""
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
    """The successors of positions, by shard and tier.

    Parameters
    ----------
    arrays
        The positions' keys.
    spread
        In how many shards tiers lie.
    new
        In how many shards those tiers lie that are not in ``spread``; 0 if their successors are to be left out.

    Returns
    -------
    reach : int
        How many positions the keys stand for.
    met : int
        How many successors they have, each counted as often as it is one.
    by_shard : list of dict
        For each shard, by tier, the successors, ascending, each once.
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
    """The successors of the positions in some parts: a block for each shard."""
    reach, met, arrays = exchanged(site, site.keys_of(parts, last=True), spread, new)
    return [{"reach": reach, "children": met}, *(Block(site.node, by_tier) for by_tier in arrays)]


def scatter(site: Site, parts: list[Part], tier: int, shards: int) -> list[Any]:
    """Neighbouring parts of a tier that is to lie in more shards: a block for each shard."""
    arrays: list[dict[int, Keys]] = [{} for _ in range(shards)]
    for shard, keys, _ in split(site.parts.read_all(parts, np.int64, last=True), shards):
        arrays[shard][tier] = keys
    return [{}, *(Block(site.node, by_tier) for by_tier in arrays)]


def collect(site: Site, name: str, *blocks: Block | None) -> list[Any]:
    """A shard's share of successors, written as one run for each tier: rows of tier and parts."""
    groups: dict[int, list[Keys]] = {}
    for block in site.take(blocks):
        for tier, keys in block.arrays.items():
            groups.setdefault(tier, []).append(keys)
    runs = merged_arrays(site.workers, site.plan.memory, groups)
    return [[[tier, site.write(f"{name}-{tier:06d}", [runs[tier]])] for tier in sorted(runs)]]


def merge(site: Site, name: str, runs: list[list[Part]]) -> list[Any]:
    """Several runs as one: its parts."""
    read = partial(site.parts.read, dtype=np.int64, last=True)
    found = merged_runs(read, site.workers, site.plan.memory, runs)
    return [site.write(name, (keys for _, keys in found))]


def level(site: Site, name: str, runs: list[list[Part]], known: list[list[Part]]) -> list[Any]:
    """What is new among the keys of some runs.

    Returns a dict: how many keys were ``met``, the parts of the ``new`` ones, and the runs of ``known`` keys, to which
    the new ones are added.
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
    # Known keys are kept as a few runs, each more than twice as long as the next.
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
