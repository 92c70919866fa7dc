"""Tasks of the way forward: from parts to the parts that they lead to."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import numpy as np

from zermelo.cluster.merging import merged_keys, united
from zermelo.cluster.work import Block, Site
from zermelo.solver.kernels.lookup import sorted_once, with_heads, without
from zermelo.solver.kernels.shards import split
from zermelo.solver.local.external_sort import HeldRun, merged
from zermelo.solver.passes.forward import successors
from zermelo.solver.table.stores import Part

Spread = Mapping[int, int]
"""In how many shards each tier lies."""


def exchanged(site: Site, arrays: Iterable[Any], spread: Spread, new: int) -> tuple[int, int, list[dict[int, Any]]]:
    """The successors of positions.

    Parameters
    ----------
    arrays
        Of keys.
    spread, new
        In how many shards tiers lie, and in how many those that are not among them.

    Returns
    -------
    int, int, list
        How many positions the keys stand for, how many successors they have one by one; and for each shard, by tier,
        the successors, sorted and each once.
    """

    def find(task: tuple[int, Any]) -> tuple[int, int, dict[tuple[int, int], Any]]:
        reach, found = successors(site.problem, task[1])
        sorted_runs = {
            (shard, tier): sorted_once(some)
            for tier, children in found.items()
            for shard, some, _ in split(children, spread.get(tier, new))
        }
        return reach, sum(map(len, found.values())), sorted_runs

    reach = met = 0
    runs: dict[tuple[int, int], list[Any]] = {}
    for some_reach, some_met, found in site.workers.in_order(find, site.chunks(arrays)):
        reach, met = reach + some_reach, met + some_met
        for name, run in found.items():
            runs.setdefault(name, []).append(run)
    by_shard: list[dict[int, Any]] = [{} for _ in range(max([new, *spread.values()]))]
    for (shard, tier), run in zip(runs, site.workers.in_order(united, runs.values()), strict=True):
        by_shard[shard][tier] = run
    return reach, met, by_shard


def expand(site: Site, parts: list[Part], spread: Spread, new: int) -> list[Any]:
    """The successors of the positions in some parts: a block for each shard."""
    reach, met, arrays = exchanged(site, site.keys_of(parts), spread, new)
    return [{"reach": reach, "children": met}, *(Block(site.node, by_tier) for by_tier in arrays)]


def scatter(site: Site, parts: list[Part], tier: int, shards: int) -> list[Any]:
    """Neighbouring parts of a tier that is to lie in more shards: a block for each."""
    arrays: list[dict[int, Any]] = [{} for _ in range(shards)]
    for shard, keys, _ in split(site.store.read_arrays(parts, np.int64), shards):
        arrays[shard][tier] = keys
    return [{}, *(Block(site.node, by_tier) for by_tier in arrays)]


def collect(site: Site, name: str, *blocks: Block | None) -> list[Any]:
    """A shard's share of successors, made durable as one run for each tier: rows of tier and parts."""
    came = site.take(blocks)
    rows = []
    for tier in sorted({tier for block in came for tier in block.arrays}):
        runs = [HeldRun(block.arrays[tier]) for block in came if tier in block.arrays]
        rows.append([tier, site.write(f"{name}-{tier:06d}", merged(runs, site.workers, site.plan.memory))])
    return [rows]


def merge(site: Site, name: str, runs: list[list[Part]]) -> list[Any]:
    """One run of several: its parts."""
    site.room_for(2 * sum(max(part.size for part in run) for run in runs), "One part of each run")
    return [site.write(name, merged_keys(site.store, runs))]


def level(site: Site, name: str, runs: list[list[Part]], known: list[list[Part]]) -> list[Any]:
    """What of the runs' keys is new: how many there are, the new ones' parts, and the known ones with them."""
    site.room_for(sum(part.size for run in runs for part in run), "One shard")
    met = united([site.store.read_arrays(run, np.int64) for run in runs])
    new = met
    for segment in known:
        new = without(new, with_heads(site.store.read_arrays(segment, np.int64)))
    parts = site.write(name, [new])
    if not len(new):
        return [{"met": len(met), "new": parts, "known": known}]
    # Known keys are kept as a few segments, each more than twice as long as the next.
    segment, count, known = parts, len(new), list(known)
    merging = [parts]
    while known and sum(part.size for part in known[-1]) < 2 * count:
        merging.append(known.pop())
        count += sum(part.size for part in merging[-1])
    if len(merging) > 1:
        segment = site.write(f"{name}-known", merged_keys(site.store, merging))
    return [{"met": len(met), "new": parts, "known": [*known, segment]}]


TASKS: Final[dict[str, Callable[..., list[Any]]]] = {
    "expand": expand,
    "scatter": scatter,
    "collect": collect,
    "merge": merge,
    "level": level,
}
