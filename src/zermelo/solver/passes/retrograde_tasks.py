"""The tasks for a tier whose positions lead to each other.

`solve_web` solves the tier in one process. If the tier is too large for that, each shard has a graph of its positions
and their predecessors, and answers the two questions of `zermelo.solver.kernels.retrograde` in rounds: in a round a
shard decides what has become decided, and tells the shards of the predecessors. Within one value, and within one
remoteness, the order in which positions are decided makes no difference, so the outcomes are the same.

A position is referred to by its shard and its place there, in one integer: ``shard << 40 | place``.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import Unsolvable
from zermelo.solver.kernels.lookup import places_of, with_heads
from zermelo.solver.kernels.retrograde import (
    NONE,
    force_round,
    leaves_at_value,
    plies_round,
    seed_plies,
    solve_loops,
    who_delays,
    worth_of,
)
from zermelo.solver.kernels.shards import split
from zermelo.solver.model.outcome_codes import ABSENT, are_endless, coded, endless_plies
from zermelo.solver.model.problem import Problem
from zermelo.solver.passes.backward_tasks import Later, Sources, improved
from zermelo.solver.passes.merging import merged_arrays
from zermelo.solver.passes.outcomes import Files, count_into, worth_of_endless, write_outcomes
from zermelo.solver.passes.site import Block, Codes, Keys, Site
from zermelo.solver.table.stores import Part

_PLACE: Final = 40
Ints = NDArray[np.int32]


class Expanded(NamedTuple):
    """Some positions of a tier, and where their moves within the tier lead."""

    own: Codes
    """The outcome code of a terminal position, else who is to move."""
    exits: Codes
    """The outcome code of each position's best successor elsewhere."""
    inner: Ints
    """How many successors are of the same tier."""
    weights: NDArray[np.uint8]
    """How many positions each stands for."""


def expanded(site: Site, keys: Keys, tier: int, later: Later) -> tuple[Expanded, int, list[tuple[int, Any, Keys]]]:
    """Expand some positions of a tier.

    Returns
    -------
    Expanded
        The positions.
    missing : int
        How many successors elsewhere cannot be looked up.
    edges : list
        For some positions at a time: the place of the first, the number of the position that each edge begins at,
        counted from the first, and the key that it leads to.
    """
    count, missing = len(keys), 0
    mine = Expanded(
        np.empty(count, np.int32), np.full(count, ABSENT, np.int32), np.empty(count, np.int32),
        np.empty(count, np.uint8),
    )  # fmt: skip
    edges = []
    for begin, found in site.problem.expand(keys):
        place = slice(begin, begin + len(found.own))
        within = found.tiers == tier
        mine.own[place], mine.weights[place] = found.own, found.weights
        mine.inner[place] = np.diff(np.concatenate(([0], np.cumsum(within)))[found.ends], prepend=0)
        outside = improved(site, found, found.tiers, later, mine.exits[place])
        missing += len(found.children) - int(within.sum()) - outside
        origins = np.repeat(np.arange(len(found.own)), mine.inner[place])
        edges.append((begin, origins, found.children[within]))
    return mine, missing, edges


def codes_in(problem: Problem, values: Ints, plies: Ints, exits: Codes) -> Codes:
    """The outcome codes of positions of a tier with loops.

    Raises
    ------
    Unsolvable
        Play can go on for ever, and the game does not say what that is worth; or codes have no room for the plies.
    """
    none = endless_plies(problem.shift)
    endless_here = (plies < 0) & ((exits < 0) | ~are_endless(exits, problem.shift))
    if problem.game.repetition is None and endless_here.any():
        raise Unsolvable(
            f"Positions of {problem.game!r} can come back, and it does not say so; "
            "give it repetition='draw', or a function of the state come back to."
        )
    if plies.max(initial=0) >= none:
        raise Unsolvable(f"Play of {problem.game!r} takes more than {none - 1} plies, which a table cannot hold.")
    found: Codes = coded(values, plies, problem.shift)
    return found


def worth_of_repetition(problem: Problem, keys: Keys) -> list[tuple[int, int]]:
    """The least and the most that repetition is worth among positions, if that depends on the position."""
    return [problem.endless(keys)] if callable(problem.game.repetition) and len(keys) else []


# All of a tier in one task.


def solve_web(site: Site, files: list[Files], tier: int, shards: list[list[Part]], sources: Sources,
              *blocks: Any) -> list[Any]:  # fmt: skip
    """Solve a tier in this process; as `zermelo.solver.passes.backward_tasks.solve_parts`, with codes by shard."""
    later, problem = sources.take(site, blocks), site.problem
    arrays = [site.parts.read_all(parts, np.int64, last=True) for parts in shards]
    keys = merged_arrays(site.workers, site.plan.memory, {0: [some for some in arrays if len(some)]})[0]
    known = with_heads(keys)

    def expand(task: tuple[int, Keys]) -> tuple[Expanded, int, Any]:
        mine, missing, edges = expanded(site, task[1], tier, later)
        places = [places_of(known, children).astype(np.int32) for _, _, children in edges]
        return mine, missing, np.concatenate([np.empty(0, np.int32), *places])

    found, missing, targets = [], 0, []
    for mine, some_missing, some_targets in site.workers.in_order(expand, site.chunks([keys])):
        found.append(mine)
        missing += some_missing
        targets.append(some_targets)
        site.step(len(mine.own) // 2)  # the other half of the work follows
    all_of_it = Expanded(*(np.concatenate(columns) for columns in zip(*found, strict=True)))
    found.clear()
    edges = np.concatenate(targets)
    targets.clear()
    endless = worth_of_endless(problem, worth_of_repetition(problem, keys))
    ends = np.cumsum(all_of_it.inner, dtype=np.int64)
    values, plies = solve_loops(all_of_it.own, all_of_it.exits, ends, edges, endless, problem.zero, problem.shift)
    codes = codes_in(problem, values, plies, all_of_it.exits)
    census: Counter[int] = Counter()
    count_into(census, codes, all_of_it.weights)
    rows = []
    for filed, parts, own in zip(files, shards, arrays, strict=True):
        theirs = codes if len(own) == len(keys) else codes[places_of(known, own)]
        rows.append(write_outcomes(site, filed, parts, own, theirs) if parts else [])
    return [{"codes": rows, "census": sorted(census.items()), "missing": missing}]


# A tier in rounds over its shards.


class Graph(NamedTuple):
    """A shard of a tier, and who leads to it; none of it changes."""

    own: Codes
    exits: Codes
    inner: Ints
    weights: NDArray[np.uint8]
    starts: NDArray[np.int64]
    """Where in ``sources`` the predecessors of each position begin."""
    sources: NDArray[np.int64]
    """The predecessors, as the module says."""
    shards: int
    """In how many the tier lies."""


class Standing(NamedTuple):
    """How far a shard is."""

    left: Ints
    """Successors that are not decided yet; for the second question, successors of the same value without remoteness."""
    values: Ints
    remoteness: Ints


def edges(
    site: Site, start: int, parts: list[Part], tier: int, shard: int, shards: int, sources: Sources, *blocks: Any
) -> list[Any]:
    """Expand some parts: a block of their positions, and for each shard one of the edges that lead there."""
    later = sources.take(site, blocks)
    mine, missing, found = expanded(site, site.parts.read_all(parts, np.int64), tier, later)
    targets: list[list[Any]] = [[np.empty(0, np.int64)] for _ in range(shards)]
    origins: list[list[Any]] = [[np.empty(0, np.int64)] for _ in range(shards)]
    for begin, numbers, children in found:
        for number, some, chosen in split(children, shards):
            targets[number].append(some)
            origins[number].append(shard << _PLACE | (start + begin + numbers[chosen]))
    leading = (
        Block(site.node, {"targets": np.concatenate(some), "sources": np.concatenate(named)})
        for some, named in zip(targets, origins, strict=True)
    )
    return [{"missing": missing}, Block(site.node, mine._asdict()), *leading]


def join(site: Site, parts: list[Part], shards: int, count: int, *blocks: Block | None) -> list[Any]:
    """A shard's graph, from ``count`` blocks of positions and any number of blocks of edges.

    Answers at what values the shard's positions end or leave, and what repetition is worth there.
    """
    came = site.take(blocks)
    mine = Expanded(*(np.concatenate([block.arrays[name] for block in came[:count]]) for name in Expanded._fields))
    known = with_heads(site.parts.read_all(parts, np.int64))
    targets = places_of(known, np.concatenate([block.arrays["targets"] for block in came[count:]]))
    sources = np.concatenate([block.arrays["sources"] for block in came[count:]])
    starts = np.zeros(len(known.keys) + 1, dtype=np.int64)
    np.cumsum(np.bincount(targets, minlength=len(known.keys)), out=starts[1:])
    graph = Graph(*mine, starts=starts, sources=sources[np.argsort(targets, kind="stable")], shards=shards)
    nothing = np.full(len(graph.own), NONE, dtype=np.int32)
    worth = worth_of(graph.own, graph.exits, site.problem.shift)
    answer = {
        "worths": np.unique(worth[worth != NONE]).tolist(),
        "endless": worth_of_repetition(site.problem, known.keys),
    }
    return [answer, graph, Standing(graph.inner + (graph.exits >= 0), nothing, nothing.copy())]


def force_values(
    site: Site, sign: int, value: int, first: bool, graph: Graph, standing: Standing, *blocks: Block | None
) -> list[Any]:
    """A round of the first question: where the player with that sign can force that value."""
    graph, standing, told = Graph(*graph), Standing(*standing), _told(site, blocks)
    left, values = standing.left.copy(), standing.values.copy()
    places = told["places"]
    if first:
        seeds = np.flatnonzero(worth_of(graph.own, graph.exits, site.problem.shift) == value)
        places = np.concatenate([seeds, places])
    decided = np.empty(len(places), dtype=np.int64)
    count = force_round(sign, value, graph.own, places, left, values, decided)
    sent, messages = _messages(site, graph, decided[:count], None)
    return [{"sent": sent}, Standing(left, values, standing.remoteness), *messages]


def tell_values(site: Site, endless: int, graph: Graph, standing: Standing) -> list[Any]:
    """Give what nobody forces the value of endless play, and tell all predecessors every position's value."""
    graph, standing = Graph(*graph), Standing(*standing)
    values = np.where(standing.values == NONE, np.int32(endless), standing.values).astype(np.int32)
    sent, messages = _messages(site, graph, np.arange(len(values)), values)
    return [{"sent": sent}, Standing(standing.left, values, standing.remoteness), *messages]


def count_equal(site: Site, graph: Graph, standing: Standing, *blocks: Block | None) -> list[Any]:
    """Count each position's successors of its own value; answers the first remoteness of a seed."""
    graph, standing, told = Graph(*graph), Standing(*standing), _told(site, blocks)
    values, shift = standing.values, site.problem.shift
    equal = told["places"][values[told["places"]] == told["values"]]
    left = np.bincount(equal, minlength=len(graph.own)).astype(np.int32)
    left += leaves_at_value(graph.own, graph.exits, values, shift)
    due = seed_plies(graph.own, graph.exits, values, shift)
    return [{"next": _next(due, NONE)}, Standing(left, values, standing.remoteness)]


def _next(due: Ints, after: int) -> int | None:
    later = due[due > after]
    return int(later.min()) if len(later) else None


def count_plies(site: Site, ply: int, graph: Graph, standing: Standing, *blocks: Block | None) -> list[Any]:
    """A round of the second question: which positions have that remoteness; answers the next remoteness of a seed."""
    graph, standing, told = Graph(*graph), Standing(*standing), _told(site, blocks)
    values = standing.values
    left, remoteness = standing.left.copy(), standing.remoteness.copy()
    due = seed_plies(graph.own, graph.exits, values, site.problem.shift)
    equal = told["places"][values[told["places"]] == told["values"]]
    places = np.concatenate([np.flatnonzero(due == ply), equal])
    decided = np.empty(len(places), dtype=np.int64)
    delays = who_delays(graph.own, values, site.problem.zero)
    count = plies_round(ply, places, delays, left, remoteness, decided)
    sent, messages = _messages(site, graph, decided[:count], values)
    return [{"sent": sent, "next": _next(due, ply)}, Standing(left, values, remoteness), *messages]


def keep(site: Site, files: Files, parts: list[Part], graph: Graph, standing: Standing) -> list[Any]:
    """Write a shard's outcomes; as `zermelo.solver.passes.backward_tasks.solve_parts`."""
    graph, standing = Graph(*graph), Standing(*standing)
    codes = codes_in(site.problem, standing.values, standing.remoteness, graph.exits)
    census: Counter[int] = Counter()
    count_into(census, codes, graph.weights)
    filed = write_outcomes(site, files, parts, site.parts.read_all(parts, np.int64), codes)
    return [{"codes": filed, "census": sorted(census.items())}]


def _told(site: Site, blocks: Sequence[Block | None]) -> dict[str, Any]:
    """What other shards tell of successors here: places, and the successors' values if they count."""
    came = site.take(blocks)
    return {
        "places": np.concatenate([np.empty(0, np.int64), *(block.arrays["places"] for block in came)]),
        "values": np.concatenate([np.empty(0, np.int32), *(block.arrays.get("values", ()) for block in came)]),
    }


def _messages(site: Site, graph: Graph, positions: Any, values: Any) -> tuple[list[int], list[Block]]:
    """What to tell the shards of the positions' predecessors: how many places in each, and the blocks."""
    counts = graph.starts[positions + 1] - graph.starts[positions]
    begins = np.repeat(graph.starts[positions] - np.concatenate(([0], np.cumsum(counts)[:-1])), counts)
    origins = graph.sources[begins + np.arange(len(begins))]
    shards = (origins >> _PLACE).astype(np.int64)
    order = np.argsort(shards, kind="stable")
    cuts = np.searchsorted(shards[order], np.arange(1, graph.shards))
    places = np.split((origins & ((1 << _PLACE) - 1))[order], cuts)
    told = [{"places": some} for some in places]
    if values is not None:
        for arrays, some in zip(told, np.split(np.repeat(values[positions], counts)[order], cuts), strict=True):
            arrays["values"] = some
    return [len(some) for some in places], [Block(site.node, arrays) for arrays in told]


TASKS: Final[dict[str, Callable[..., list[Any]]]] = {
    "solve_web": solve_web,
    "edges": edges,
    "join": join,
    "force_values": force_values,
    "tell_values": tell_values,
    "count_equal": count_equal,
    "count_plies": count_plies,
    "keep": keep,
}
