"""The tasks for a tier whose positions lead to each other.

`solve_web` solves the tier in one process. The other tasks solve a tier that is too large for that. Each shard then has
a graph of its positions and their predecessors, and the shards answer the two questions of
`zermelo.solver.kernels.retrograde` in rounds. In a round, a shard decides what has become decidable, and tells the
shards of the predecessors. Positions of the same value, and of the same remoteness, may be decided in any order, so
both ways give the same outcomes.

A reference to a position is one integer, ``shard << 40 | place``: its shard, and its place among the shard's keys.
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
"""The number of bits for the place in a reference to a position."""
Ints = NDArray[np.int32]


class Expanded(NamedTuple):
    """Some positions of a tier, and where moves lead from them. All arrays have the shape (positions,)."""

    own: Codes
    """The outcome code of a terminal position; of others, who is to move, as in `zermelo.solver.model.expand.Batch`."""
    exits: Codes
    """The outcome code of each position's best successor outside of the tier, negative if there is none."""
    inner: Ints
    """The number of each position's successors within the tier."""
    weights: NDArray[np.uint8]
    """The number of positions that each one stands for, symmetric ones included."""


def expanded(site: Site, keys: Keys, tier: int, later: Later) -> tuple[Expanded, int, list[tuple[int, Any, Keys]]]:
    """Expand some positions of a tier.

    Parameters
    ----------
    keys
        Shape (n,): the keys of the positions.
    tier
        The number of the tier.
    later
        Positions of later tiers that can be looked up.

    Returns
    -------
    Expanded
        The positions.
    missing : int
        The number of successors outside of the tier that cannot be looked up.
    edges : list
        For a few thousand positions at a time: the place of the first in ``keys``; for each edge, the number of the
        position where it begins, counted from the first; and for each edge, the key to which it leads.
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
    """Return the outcome codes of positions of a tier with loops.

    Parameters
    ----------
    values
        Shape (positions,): the values, less the least utility.
    plies
        Shape (positions,): the remoteness, negative if there is none.
    exits
        Shape (positions,): as in `Expanded`.

    Raises
    ------
    Unsolvable
        Play can go on for ever, and the game does not say what that is worth; or a remoteness is too large for a code.
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
    """Return the least and the greatest value of repetition among positions, as a list of one pair.

    The list is empty if the value does not depend on the position, or if there are no keys.
    """
    return [problem.endless(keys)] if callable(problem.game.repetition) and len(keys) else []


# A whole tier in one task.


def solve_web(site: Site, files: list[Files], tier: int, shards: list[list[Part]], sources: Sources,
              *blocks: Any) -> list[Any]:  # fmt: skip
    """Solve a tier in this process, and write the outcomes of each shard where ``files`` says.

    Parameters and answer are those of `zermelo.solver.passes.backward_tasks.solve_parts`, with parts and codes by
    shard.
    """
    later, problem = sources.take(site, blocks), site.problem
    arrays = [site.read_keys(parts, last=True) for parts in shards]
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
        site.step(len(mine.own) // 2)  # half of the work is done, and half is still to come
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
    """The positions of a shard of a tier, and the edges that lead to them. A graph does not change.

    The first four arrays are those of `Expanded`.
    """

    own: Codes
    exits: Codes
    inner: Ints
    weights: NDArray[np.uint8]
    starts: NDArray[np.int64]
    """Shape (positions + 1,): where in ``sources`` the predecessors of each position begin."""
    sources: NDArray[np.int64]
    """Shape (edges,): the predecessors, as references to positions; see the module."""
    shards: int
    """The number of shards of the tier."""


class Standing(NamedTuple):
    """What has been decided in a shard so far. All arrays have the shape (positions,)."""

    left: Ints
    """First question: successors that are not decided. Second question: successors of the same value without
    remoteness. All moves out of the tier together count as one successor."""
    values: Ints
    """The value of each position, less the least utility; -1 while it is not decided."""
    remoteness: Ints
    """The remoteness of each position in plies; -1 if it has none, or none yet."""


def edges(
    site: Site, start: int, parts: list[Part], tier: int, shard: int, shards: int, sources: Sources, *blocks: Any
) -> list[Any]:
    """Expand some parts; return a block of their positions, and for each shard a block of the edges that lead there.

    ``start`` is the place of the first position in its shard.
    """
    later = sources.take(site, blocks)
    mine, missing, found = expanded(site, site.read_keys(parts), tier, later)
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
    """Return the graph and the standing of a shard.

    The answer has the values with which the shard's positions end or leave the tier (``worths``), and the least and the
    greatest value of repetition there (``endless``). The first ``count`` blocks hold positions, in the order of
    ``parts``; the others hold the edges that lead to this shard.
    """
    came = site.take(blocks)
    mine = Expanded(*(np.concatenate([block.arrays[name] for block in came[:count]]) for name in Expanded._fields))
    known = with_heads(site.read_keys(parts))
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
    """Answer the first question for a round: decide where the player with this sign can force this value.

    The sign is 1 for MAX and -1 for MIN. The value is less the least utility. In the ``first`` round for a value, the
    seeds are decided.
    """
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
    """Give the value of endless play to positions without a value, and tell all predecessors each position's value."""
    graph, standing = Graph(*graph), Standing(*standing)
    values = np.where(standing.values == NONE, np.int32(endless), standing.values).astype(np.int32)
    sent, messages = _messages(site, graph, np.arange(len(values)), values)
    return [{"sent": sent}, Standing(standing.left, values, standing.remoteness), *messages]


def count_equal(site: Site, graph: Graph, standing: Standing, *blocks: Block | None) -> list[Any]:
    """Count each position's successors of its own value; answer with the least remoteness of a seed as ``next``."""
    graph, standing, told = Graph(*graph), Standing(*standing), _told(site, blocks)
    values, shift = standing.values, site.problem.shift
    equal = told["places"][values[told["places"]] == told["values"]]
    left = np.bincount(equal, minlength=len(graph.own)).astype(np.int32)
    left += leaves_at_value(graph.own, graph.exits, values, shift)
    due = seed_plies(graph.own, graph.exits, values, shift)
    return [{"next": _next(due, NONE)}, Standing(left, values, standing.remoteness)]


def _next(due: Ints, after: int) -> int | None:
    """Return the least remoteness of a seed that is greater than ``after``; None if there is none."""
    later = due[due > after]
    return int(later.min()) if len(later) else None


def count_plies(site: Site, ply: int, graph: Graph, standing: Standing, *blocks: Block | None) -> list[Any]:
    """Answer the second question for a round: decide which positions have this remoteness, in plies.

    The answer has the next remoteness of a seed as ``next``, None if there is none.
    """
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
    """Write the outcomes of a shard; answer as `solve_web` for one shard, without ``missing``."""
    graph, standing = Graph(*graph), Standing(*standing)
    codes = codes_in(site.problem, standing.values, standing.remoteness, graph.exits)
    census: Counter[int] = Counter()
    count_into(census, codes, graph.weights)
    filed = write_outcomes(site, files, parts, site.read_keys(parts), codes)
    return [{"codes": filed, "census": sorted(census.items())}]


def _told(site: Site, blocks: Sequence[Block | None]) -> dict[str, Any]:
    """Return the messages of other shards, joined.

    For each edge to a successor there, ``places`` has the place of the predecessor here, and ``values`` has the value
    of the successor, if the messages hold values.
    """
    came = site.take(blocks)
    return {
        "places": np.concatenate([np.empty(0, np.int64), *(block.arrays["places"] for block in came)]),
        "values": np.concatenate([np.empty(0, np.int32), *(block.arrays.get("values", ()) for block in came)]),
    }


def _messages(site: Site, graph: Graph, positions: Any, values: Any) -> tuple[list[int], list[Block]]:
    """Return, for each shard, how many predecessors of some positions it has, and a block that names them.

    ``values`` are those of all positions of this shard; the block has the value of each successor, unless they are
    None.
    """
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
