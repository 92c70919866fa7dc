"""A tier whose positions lead to each other, too large for one node: retrograde analysis in rounds over its shards.

The two questions of `zermelo.solver.kernels.retrograde`, with the same rules, asked of all shards at once. In a round
each shard decides what has become decided, and tells the shards of the predecessors. Within one value, and within one
remoteness, the order in which positions are decided makes no difference, so the rounds come to the very same words.

A position is named by its shard and its place there, in one word: ``shard << 40 | place``.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from zermelo.cluster.solving import Sources, improved, write_words
from zermelo.cluster.work import Block, Held, Site
from zermelo.compiled.cache import shared_kernel
from zermelo.solver.kernels.lookup import places_of, with_heads
from zermelo.solver.kernels.retrograde import NONE
from zermelo.solver.kernels.shards import split
from zermelo.solver.model.outcome_codes import ABSENT, UNKNOWN
from zermelo.solver.passes.backward import check_loops, count_into
from zermelo.solver.table.stores import Part

_PLACE: Final = 40


class Graph(NamedTuple):
    """A shard of a tier, and who leads to it; none of it changes."""

    own: Any
    """int32: the outcome of a terminal position, else who is to move."""
    exits: Any
    """int32: the outcome of each position's best successor elsewhere."""
    inner: Any
    """int32: how many successors are of the same tier."""
    weights: Any
    starts: Any
    """int64: where in ``sources`` the predecessors of each position begin."""
    sources: Any
    """int64: their names."""
    shards: int
    """In how many the tier lies."""


class Standing(NamedTuple):
    """How far a shard is."""

    left: Any
    """int32: successors that are not decided yet; or, later, of the same value and without remoteness."""
    values: Any
    remoteness: Any


def edges(
    site: Site, start: int, parts: list[Part], tier: int, shard: int, shards: int, sources: Sources, *blocks: Any
) -> list[Any]:
    """Expand some parts: a block of their positions, and for each shard one of the edges that lead there."""
    later: dict[int, list[Held | None]] = sources.take(site, blocks)
    keys = site.store.read_arrays(parts, np.int64)
    mine: dict[str, Any] = {"own": np.empty(len(keys), np.int32), "exits": np.full(len(keys), ABSENT, np.int32),
            "inner": np.empty(len(keys), np.int32), "weights": np.empty(len(keys), np.uint8)}  # fmt: skip
    targets: list[list[Any]] = [[np.empty(0, np.int64)] for _ in range(shards)]
    names: list[list[Any]] = [[np.empty(0, np.int64)] for _ in range(shards)]
    missing = 0
    for begin, found in site.problem.expand(keys):
        place = slice(begin, begin + len(found.own))
        within = found.tiers == tier
        mine["own"][place], mine["weights"][place] = found.own, found.weights
        mine["inner"][place] = np.diff(np.concatenate(([0], np.cumsum(within)))[found.ends], prepend=0)
        outside = improved(site, found, found.tiers, later, mine["exits"][place])
        missing += len(found.children) - int(within.sum()) - outside
        origin = shard << _PLACE | (start + begin + np.arange(len(found.own), dtype=np.int64))
        origins = np.repeat(origin, np.diff(found.ends, prepend=0))[within]
        for number, some, chosen in split(found.children[within], shards):
            targets[number].append(some)
            names[number].append(origins[chosen])
    leading = (
        Block(site.node, {"targets": np.concatenate(some), "sources": np.concatenate(named)})
        for some, named in zip(targets, names, strict=True)
    )
    return [{"missing": missing}, Block(site.node, mine), *leading]


def join(site: Site, parts: list[Part], shards: int, count: int, *blocks: Block | None) -> list[Any]:
    """A shard's graph from ``count`` blocks of positions and any of edges; says at what values it ends or leaves."""
    came = site.take(blocks)
    mine = {name: np.concatenate([block.arrays[name] for block in came[:count]]) for name in Graph._fields[:4]}
    known = with_heads(site.store.read_arrays(parts, np.int64))
    targets = places_of(known, np.concatenate([block.arrays["targets"] for block in came[count:]]))
    sources = np.concatenate([block.arrays["sources"] for block in came[count:]])
    starts = np.zeros(len(known.keys) + 1, dtype=np.int64)
    np.cumsum(np.bincount(targets, minlength=len(known.keys)), out=starts[1:])
    graph = Graph(**mine, starts=starts, sources=sources[np.argsort(targets, kind="stable")], shards=shards)
    exits = graph.exits >= 0
    standing = Standing(
        graph.inner + exits,
        np.full(len(graph.own), NONE, dtype=np.int32),
        np.full(len(graph.own), NONE, dtype=np.int32),
    )
    worth = _worth(graph, site.problem.shift)
    repetition = site.problem.game.repetition
    endless = site.problem.endless(known.keys) if callable(repetition) and len(known.keys) else None
    return [{"worths": np.unique(worth[worth != NONE]).tolist(), "endless": endless}, graph, standing]


def _worth(graph: Graph, shift: int) -> Any:
    """What a position ends with or can leave for, as words count values; -1 where neither."""
    return np.where(graph.own >= 0, graph.own >> shift, np.where(graph.exits >= 0, graph.exits >> shift, NONE))


def force_values(
    site: Site, sign: int, value: int, first: bool, graph: Graph, standing: Standing, *blocks: Block | None
) -> list[Any]:
    """A round of the first question: where the player with that sign can force that value, from what was told."""
    graph, standing, told = Graph(*graph), Standing(*standing), _told(site, blocks)
    left, values = standing.left.copy(), standing.values.copy()
    seeds = np.flatnonzero(_worth(graph, site.problem.shift) == value) if first else np.empty(0, np.int64)
    decided = np.empty(len(seeds) + len(told["places"]), dtype=np.int64)
    count = force_round(sign, value, graph.own, seeds, told["places"], left, values, decided)
    sent, messages = _messages(site, graph, decided[:count], None)
    return [{"sent": sent}, Standing(left, values, standing.remoteness), *messages]


@shared_kernel
def force_round(sign: int, value: int, own: Any, seeds: Any, places: Any, left: Any, values: Any, decided: Any) -> int:
    """One step of `retrograde.force`: seeds first, then predecessors of what was decided before."""
    count = 0
    for seed in seeds:
        if values[seed] == NONE:
            left[seed] -= 1
            if own[seed] >= 0 or (1 if own[seed] == UNKNOWN else -1) == sign or left[seed] == 0:
                values[seed] = value
                decided[count] = seed
                count += 1
    for place in places:
        if values[place] != NONE:
            continue
        if (1 if own[place] == UNKNOWN else -1) != sign:
            left[place] -= 1
            if left[place] > 0:
                continue
        values[place] = value
        decided[count] = place
        count += 1
    return count


def tell_values(site: Site, endless: int, graph: Graph, standing: Standing) -> list[Any]:
    """Give what nobody forces the value of endless play, and tell all predecessors every position's value."""
    graph, standing = Graph(*graph), Standing(*standing)
    values = np.where(standing.values == NONE, np.int32(endless), standing.values).astype(np.int32)
    sent, messages = _messages(site, graph, np.arange(len(values)), values)
    return [{"sent": sent}, Standing(standing.left, values, standing.remoteness), *messages]


def count_equal(site: Site, graph: Graph, standing: Standing, *blocks: Block | None) -> list[Any]:
    """Count each position's successors of its own value; says when the first seed is due."""
    graph, standing, told = Graph(*graph), Standing(*standing), _told(site, blocks)
    equal = told["places"][standing.values[told["places"]] == told["values"]]
    left = np.bincount(equal, minlength=len(graph.own)).astype(np.int32) + _leaves(site, graph, standing.values)
    due = _due(site, graph, standing.values)
    return [{"next": _next(due, -1)}, Standing(left, standing.values, standing.remoteness)]


def _leaves(site: Site, graph: Graph, values: Any) -> Any:
    return (graph.own < 0) & (graph.exits >= 0) & (graph.exits >> site.problem.shift == values)


def _due(site: Site, graph: Graph, values: Any) -> Any:
    """At which remoteness a position is a seed, -1 where it is none."""
    none = (1 << site.problem.shift) - 1
    plies = np.where(graph.own >= 0, graph.own & none, (graph.exits & none) + 1)
    seeds = (graph.own >= 0) | (_leaves(site, graph, values) & (graph.exits & none != none))
    return np.where(seeds, plies, NONE)


def _next(due: Any, after: int) -> int | None:
    later = due[due > after]
    return int(later.min()) if len(later) else None


def count_plies(site: Site, plies: int, graph: Graph, standing: Standing, *blocks: Block | None) -> list[Any]:
    """A round of the second question: which positions have that remoteness; says when the next seed is due."""
    graph, standing, told = Graph(*graph), Standing(*standing), _told(site, blocks)
    values, zero = standing.values, site.problem.zero
    left, remoteness = standing.left.copy(), standing.remoteness.copy()
    signs = np.where(graph.own == UNKNOWN, 1, -1)
    delays = (graph.own < 0) & ((values.astype(np.int64) - zero) * signs < 0)
    due = _due(site, graph, values)
    seeds = np.flatnonzero(due == plies)
    places = told["places"]
    equal = places[values[places] == told["values"]] if len(places) else places
    decided = np.empty(len(seeds) + len(equal), dtype=np.int64)
    count = plies_round(plies, seeds, equal, delays, left, remoteness, decided)
    sent, messages = _messages(site, graph, decided[:count], values)
    return [{"sent": sent, "next": _next(due, plies)}, Standing(left, values, remoteness), *messages]


@shared_kernel
def plies_round(plies: int, seeds: Any, places: Any, delays: Any, left: Any, remoteness: Any, decided: Any) -> int:
    """One ply of `retrograde.count_plies`; ``places`` are told of successors of their own value."""
    count = 0
    for position in seeds:
        if remoteness[position] == NONE:
            left[position] -= 1
            if not delays[position] or left[position] == 0:
                remoteness[position] = plies
                decided[count] = position
                count += 1
    for position in places:
        if remoteness[position] != NONE:
            continue
        if delays[position]:
            left[position] -= 1
            if left[position] > 0:
                continue
        remoteness[position] = plies
        decided[count] = position
        count += 1
    return count


def keep(site: Site, name: str, parts: list[Part], graph: Graph, standing: Standing) -> list[Any]:
    """Make a shard's outcomes durable; as `zermelo.cluster.solving.solve_parts`."""
    graph, standing = Graph(*graph), Standing(*standing)
    problem, plies = site.problem, standing.remoteness
    check_loops(problem, standing.values, plies, graph.exits)
    words = (standing.values << problem.shift | np.where(plies < 0, (1 << problem.shift) - 1, plies)).astype(np.int32)
    census: Counter[int] = Counter()
    count_into(census, words, graph.weights)
    return [{"words": write_words(site, name, parts, words), "census": sorted(census.items())}]


def _told(site: Site, blocks: Sequence[Block | None]) -> dict[str, Any]:
    """What other shards tell of successors here: places, and values where they count."""
    came = site.take(blocks)
    return {
        "places": np.concatenate([np.empty(0, np.int64), *(block.arrays["places"] for block in came)]),
        "values": np.concatenate([np.empty(0, np.int32), *(block.arrays.get("values", ()) for block in came)]),
    }


def _messages(site: Site, graph: Graph, positions: Any, values: Any) -> tuple[list[int], list[Block]]:
    """What to tell the shards of the positions' predecessors: how many places in each, and the blocks."""
    counts = graph.starts[positions + 1] - graph.starts[positions]
    begins = np.repeat(graph.starts[positions] - np.concatenate(([0], np.cumsum(counts)[:-1])), counts)
    names = graph.sources[begins + np.arange(len(begins))]
    shards = (names >> _PLACE).astype(np.int64)
    order = np.argsort(shards, kind="stable")
    cuts = np.searchsorted(shards[order], np.arange(1, graph.shards))
    places = np.split((names & ((1 << _PLACE) - 1))[order], cuts)
    told = [{"places": some} for some in places]
    if values is not None:
        for arrays, some in zip(told, np.split(np.repeat(values[positions], counts)[order], cuts), strict=True):
            arrays["values"] = some
    return [len(some) for some in places], [Block(site.node, arrays) for arrays in told]


TASKS: Final[dict[str, Callable[..., list[Any]]]] = {
    "edges": edges,
    "join": join,
    "force_values": force_values,
    "tell_values": tell_values,
    "count_equal": count_equal,
    "count_plies": count_plies,
    "keep": keep,
}
