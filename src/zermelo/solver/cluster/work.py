"""What is done on the nodes: each function here is a task, which reads parts and blocks and makes others.

A *part* is a durable array of a shard's keys or words, ascending by key. A *block* is what one task hands to another:
arrays by tier, and the node that they come from. A task may be done twice, when a node died: it writes the same again.
"""

import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from zermelo.errors import Unsolvable, ZermeloError
from zermelo.solver.backward import Web, count_into
from zermelo.solver.cluster.merging import publish_merged, publish_shard
from zermelo.solver.cluster.plan import Plan
from zermelo.solver.cluster.shards import split
from zermelo.solver.cluster.stores import Part, Store, said, store_at
from zermelo.solver.forward import successors
from zermelo.solver.induction import improve, settle
from zermelo.solver.lookup import Sorted, keep_once, look_up, places_of, sorted_once, with_heads, without
from zermelo.solver.outcomes import ABSENT
from zermelo.solver.problem import Expansion, Misfits, Problem, knowledge_of
from zermelo.solver.runs import in_parts

_NO_KEYS: Final = np.empty(0, dtype=np.int64)


class Moot(ZermeloError):
    """A task could not be done since one before it failed, of which the driver hears, too."""


class Block(NamedTuple):
    """Arrays on their way to a shard."""

    node: str
    """Where they were made."""
    arrays: dict[Any, Any]
    """By tier, or by whoever asked."""


class Held(NamedTuple):
    """Positions of one tier and shard that can be looked up, and their outcome words."""

    node: str
    known: Sorted
    words: Any


@dataclass
class Ticket:
    """What a task tells of itself."""

    node: str
    process: int
    began: float
    ended: float = 0.0
    peak: int = 0
    """Bytes of memory that its process has taken at most."""
    received: int = 0
    """Bytes of blocks that were handed to it."""
    crossed: int = 0
    """Those that came from other nodes."""
    fetched: dict[tuple[int, int], tuple[int, bool]] = field(default_factory=dict)
    """By tier and shard: bytes of a whole shard, and whether it came from another node."""
    answer: Any = None
    """Plain values."""
    error: ZermeloError | None = None
    misfits: Any = None


@dataclass
class Site:
    """What a worker's tasks share."""

    plan: Plan
    problem: Problem
    store: Store
    node: str
    spent: Ticket = field(default_factory=lambda: Ticket("", 0, 0.0))

    def take(self, blocks: Sequence[Block]) -> None:
        """Count blocks that came."""
        for block in blocks:
            size = sum(array.nbytes for array in block.arrays.values())
            self.spent.received += size
            self.spent.crossed += size * (block.node != self.node)

    def write(self, name: str, keys: Any) -> list[Part]:
        """Sorted keys in parts."""
        pieces = in_parts(iter([keys]), self.plan.part)
        return [self.store.write_array(f"work/{name}-{number:05d}.keys", piece) for number, piece in enumerate(pieces)]

    def room_for(self, count: int, what: str) -> None:
        """Refuse arrays of so many keys where a task has no room for them.

        Raises
        ------
        Unsolvable
            It has none.
        """
        if 16 * count > self.plan.memory:
            enough = self.plan.shards * -(-16 * count // self.plan.memory)
            raise Unsolvable(
                f"{what} comes to {count:,} keys, more than a worker's memory has room for; "
                f"solve again with at least {enough} shards, or with more memory."
            )


def node_now() -> str:
    """The node that this is."""
    import ray

    return str(ray.get_runtime_context().get_node_id())


@lru_cache(maxsize=1)
def _site(plan_text: str, node: str) -> Site:
    plan = _PLANS[plan_text]
    game = plan.source.make()
    return Site(plan, Problem.resumed(game, plan.samples, plan.fold), store_at(plan.place), node)


_PLANS: dict[str, Plan] = {}


def site_of(plan: Plan) -> Site:
    """What this worker's tasks share; made at the first one of a plan."""
    text = repr((plan.source.name, sorted(plan.source.parameters.items()), plan.fingerprints, plan.place, plan.shards,
                 plan.part, plan.memory, plan.samples, plan.fold))  # fmt: skip
    _PLANS.clear()
    _PLANS[text] = plan
    return _site(text, node_now())


def perform(kind: str, plan: Plan, returns: int, *arguments: Any) -> Any:
    """Do a task: its ticket, and ``returns`` blocks beside it."""
    import os

    ticket = Ticket(node_now(), os.getpid(), time.time())
    blocks: Sequence[Any] = [None] * returns
    try:
        site = site_of(plan)
        site.spent = ticket
        with said(plan.place):
            from zermelo.solver.cluster import rounds  # noqa: F401 - it adds its tasks

            ticket.answer, *blocks = TASKS[kind](site, *arguments)
    except Misfits as misfits:
        ticket.misfits = misfits.rows
    except ZermeloError as error:
        ticket.error = error
    ticket.ended, ticket.peak = time.time(), peak_memory()
    return [ticket, *blocks] if returns else ticket


def peak_memory() -> int:
    """Bytes that this process has taken at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def greet(site: Site) -> list[Any]:
    """What this node is made of."""
    from zermelo.solver.cluster.crew import versions

    game = site.problem.game
    return [{**versions(), "rules": game.fingerprint, "knowledge": knowledge_of(game)}]


# Forward.


def expand(site: Site, part: Part) -> list[Any]:
    """The successors of a part's positions: a block for each shard, sorted and each once by tier."""
    reach, found = successors(site.problem, site.store.read_array(part, np.int64))
    arrays: list[dict[int, Any]] = [{} for _ in range(site.plan.shards)]
    met = 0
    for tier in list(found):
        children = found.pop(tier)
        met += len(children)
        for shard, keys, _ in split(children, site.plan.shards):
            arrays[shard][tier] = sorted_once(keys).copy()
    return [{"reach": reach, "children": met}, *(Block(site.node, by_tier) for by_tier in arrays)]


def collect(site: Site, name: str, *blocks: Block | None) -> list[Any]:
    """A shard's share of successors, made durable as one run for each tier: rows of tier and parts."""
    came = checked(blocks)
    site.take(came)
    rows = []
    for tier in sorted({tier for block in came for tier in block.arrays}):
        arrays = [block.arrays[tier] for block in came if tier in block.arrays]
        site.room_for(sum(map(len, arrays)), f"One shard of tier {tier}")
        keys = united(arrays)
        rows.append([tier, site.write(f"{name}-{tier:06d}", keys)])
    return [rows]


def merge(site: Site, name: str, runs: list[list[Part]]) -> list[Any]:
    """One run of several: its parts."""
    return [site.write(name, _merged(site, runs))]


def level(site: Site, name: str, runs: list[list[Part]], known: list[list[Part]]) -> list[Any]:
    """What of the runs' keys is new: how many there are, the new ones' parts, and the known ones with them."""
    met = _merged(site, runs)
    new = met
    for segment in known:
        new = without(new, with_heads(site.store.read_arrays(segment, np.int64)))
    parts = site.write(name, new)
    if not len(new):
        return [{"met": len(met), "new": parts, "known": known}]
    # Known keys are kept as a few segments, each more than twice as long as the next.
    segment, count, known = parts, len(new), list(known)
    joined = [new]
    while known and sum(part.size for part in known[-1]) < 2 * count:
        joined.append(site.store.read_arrays(known.pop(), np.int64))
        count += len(joined[-1])
    if len(joined) > 1:
        site.room_for(count, "One shard")
        segment = site.write(f"{name}-known", united(joined))
    return [{"met": len(met), "new": parts, "known": [*known, segment]}]


def _merged(site: Site, runs: list[list[Part]]) -> Any:
    site.room_for(sum(part.size for run in runs for part in run), "One shard")
    return united([site.store.read_arrays(run, np.int64) for run in runs])


def united(runs: list[Any]) -> Any:
    """The keys of sorted runs, each once; the stable sort takes runs as they are (11 ns a key, not 96)."""
    if len(runs) == 1:
        return runs[0]
    keys = np.concatenate([_NO_KEYS, *runs])
    keys.sort(kind="stable")
    return keys[: keep_once(keys)]


# Backward.


def load(site: Site, keys: list[Part], words: list[Part]) -> list[Any]:
    """A solved shard of a tier, to be looked up by other tasks."""
    known = with_heads(site.store.read_arrays(keys, np.int64))
    return [None, Held(site.node, known, site.store.read_arrays(words, np.int32))]


def ask(site: Site, part: Part, tiers: list[int] | None) -> list[Any]:
    """What a part's positions lead to, each once: a block for each shard; ``tiers`` if it is no tier of the game's."""
    found = successors(site.problem, site.store.read_array(part, np.int64))[1]
    if tiers is not None:
        found = dict(zip(tiers, found.values(), strict=False))
    arrays: list[dict[int, Any]] = [{} for _ in range(site.plan.shards)]
    for tier, children in found.items():
        for shard, keys, _ in split(children, site.plan.shards):
            arrays[shard][tier] = sorted_once(keys).copy()
    return [None, *(Block(site.node, by_tier) for by_tier in arrays)]


def answer(site: Site, tiers: list[int], solved: list[list[list[Part]]], *blocks: Block | None) -> list[Any]:
    """What a shard holds of the positions that others ask for: a block for each of them.

    ``solved`` has the parts of keys and of words for each of the ``tiers``.
    """
    came = checked(blocks)
    site.take(came)
    arrays: list[dict[int, Any]] = [{} for _ in came]
    for tier, (keys, words) in zip(tiers, solved, strict=True):
        if not any(tier in block.arrays for block in came):
            continue
        for key_part, word_part in zip(keys, words, strict=True):
            known = with_heads(site.store.read_array(key_part, np.int64))
            outcomes = site.store.read_array(word_part, np.int32)
            for block, replies in zip(came, arrays, strict=True):
                if tier in block.arrays:
                    asked = block.arrays[tier]
                    look_up(known, outcomes, asked, replies.setdefault(tier, np.full(len(asked), ABSENT, np.int32)))
    return [None, *(Block(site.node, replies) for replies in arrays)]


@dataclass(frozen=True)
class Sources:
    """Where a tier's positions find the outcomes of their successors."""

    tiers: list[int]
    plies: bool
    """Whether the tiers are plies, and none of the game's."""
    answered: bool
    """Whether blocks are a part's questions and the answers, shard by shard; else whole shards, tier by tier."""

    def take(self, site: Site, blocks: Sequence[Any]) -> dict[int, list[Held | None]]:
        """What there is to look up, by tier and shard."""
        shards = site.plan.shards
        if not self.answered:
            held = [block if block is None else Held(*block) for block in blocks]
            for number, item in enumerate(held):
                if item is not None:
                    name = self.tiers[number // shards], number % shards
                    site.spent.fetched[name] = _size(item), item.node != site.node
            return {tier: held[i * shards : (i + 1) * shards] for i, tier in enumerate(self.tiers)}
        asked, replied = checked(blocks[:shards]), checked(blocks[shards:])
        site.take(replied)
        return {
            tier: [
                Held(reply.node, with_heads(question.arrays[tier]), reply.arrays[tier])
                if tier in question.arrays and tier in reply.arrays
                else None
                for question, reply in zip(asked, replied, strict=True)
            ]
            for tier in self.tiers
        }


def _size(held: Held) -> int:
    return int(held.known.keys.nbytes + held.known.heads.nbytes + held.words.nbytes)


def solve_part(site: Site, name: str, part: Part, sources: Sources, *blocks: Any) -> list[Any]:
    """The outcomes of a part's positions: their part, how many have each, how many successors are missing."""
    problem = site.problem
    later = sources.take(site, blocks)
    keys = site.store.read_array(part, np.int64)
    words = np.full(len(keys), ABSENT, dtype=np.int32)
    census: Counter[int] = Counter()
    missing = 0
    for begin, found in problem.expand(keys):
        some = words[begin : begin + len(found.own)]
        missing += len(found.children) - improved(site, found, None if sources.plies else found.tiers, later, some)
        settle(found.own, some, problem.shift, some)
        count_into(census, some, found.weights)
    written = site.store.write_array(f"work/{name}.words", words)
    return [{"words": written, "census": sorted(census.items()), "missing": missing}]


def improved(site: Site, found: Expansion, tiers: Any, later: dict[int, list[Held | None]], words: Any) -> int:
    """Improve positions by the successors that can be looked up; returns how many there are."""
    outcomes, count = outcomes_of(found.children, tiers, later, site.plan.shards)
    improve(found.own, found.ends, outcomes, site.problem.zero, site.problem.shift, words)
    return count


def outcomes_of(children: Any, tiers: Any, later: dict[int, list[Held | None]], shards: int) -> tuple[Any, int]:
    """The outcomes of successors that are held, negative for the others; and how many are."""
    found = 0
    words = np.full(len(children), ABSENT, dtype=np.int32)
    for number, held in later.items():
        chosen = None if tiers is None or (tiers == number).all() else np.flatnonzero(tiers == number)
        for shard, keys, places in split(children if chosen is None else children[chosen], shards):
            source = held[shard]
            if source is not None:
                some = np.full(len(keys), ABSENT, dtype=np.int32)
                found += look_up(source.known, source.words, keys, some)
                words[places if chosen is None else chosen[places]] = some
    return words, found


def solve_web(site: Site, name: str, tier: int, shards: list[list[Part]], sources: Sources, *blocks: Any) -> list[Any]:
    """All of a tier whose positions lead to each other, on one node: as `solve_part`, with parts by shard."""
    later = sources.take(site, blocks)
    arrays = [site.store.read_arrays(parts, np.int64) for parts in shards]
    keys = united(arrays)
    words = np.full(len(keys), ABSENT, dtype=np.int32)
    web = Web(site.problem, tier, keys, words)
    missing, targets = web.edges(0, keys, lambda found, best: improved(site, found, found.tiers, later, best))
    census = web.solve([targets])
    rows = []
    for shard, (parts, own) in enumerate(zip(shards, arrays, strict=True)):
        pieces = np.split(words[places_of(web.known, own)], np.cumsum([part.size for part in parts])[:-1])
        rows.append([
            site.store.write_array(f"work/{name}-{shard:05d}-{number:05d}.words", piece)
            for number, piece in enumerate(pieces[: len(parts)])
        ])  # fmt: skip
    return [{"words": rows, "census": sorted(census.items()), "missing": missing}]


def checked(blocks: Sequence[Block | None]) -> list[Block]:
    """Blocks of tasks that all came to their end; the driver hears of the others from themselves.

    Raises
    ------
    Moot
        One did not.
    """
    if any(block is None for block in blocks):
        raise Moot("A task before this one failed.")
    return [Block(*block) for block in blocks if block is not None]


Task = Callable[..., list[Any]]
TASKS: Final[dict[str, Task]] = {
    "greet": greet,
    "expand": expand,
    "collect": collect,
    "merge": merge,
    "level": level,
    "load": load,
    "ask": ask,
    "answer": answer,
    "solve_part": solve_part,
    "solve_web": solve_web,
    "publish_merged": publish_merged,
    "publish_shard": publish_shard,
}
