"""Tasks of the way back: from parts to the outcomes of their positions."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import numpy as np

from zermelo.cluster.finding import exchanged
from zermelo.cluster.merging import merge_two, united
from zermelo.cluster.work import Block, Held, Site, checked
from zermelo.solver.kernels.induction import improve, settle
from zermelo.solver.kernels.lookup import Sorted, look_up, places_of, with_heads
from zermelo.solver.kernels.shards import split
from zermelo.solver.model.outcome_codes import ABSENT
from zermelo.solver.model.problem import Expansion
from zermelo.solver.passes.backward import Web, count_into
from zermelo.solver.table.parquet import file_content
from zermelo.solver.table.stores import Part


@dataclass(frozen=True)
class Sources:
    """Where a tier's positions find the outcomes of their successors."""

    spread: dict[int, int]
    """The later tiers, and in how many shards each lies."""
    plies: bool
    """Whether the tiers are plies, and none of the game's."""
    answered: bool
    """Whether blocks are a part's questions and the answers, shard by shard; else whole shards, tier by tier."""

    def take(self, site: Site, blocks: Sequence[Any]) -> dict[int, list[Held | None]]:
        """What there is to look up, by tier and shard."""
        if not self.answered:
            held = iter(blocks)
            later: dict[int, list[Held | None]] = {}
            for tier, shards in self.spread.items():
                later[tier] = [None if block is None else Held(*block) for block in islice(held, shards)]
                for shard, item in enumerate(later[tier]):
                    if item is not None:
                        site.spent.fetched[tier, shard] = _size(item), item.node != site.node
            return later
        half = len(blocks) // 2
        asked, replied = checked(blocks[:half]), site.take(blocks[half:])
        pairs = list(zip(asked, replied, strict=True))
        return {
            tier: [
                Held(reply.node, with_heads(question.arrays[tier]), reply.arrays[tier])
                if tier in question.arrays and tier in reply.arrays
                else None
                for question, reply in pairs[:shards]
            ]
            for tier, shards in self.spread.items()
        }


def _size(held: Held) -> int:
    return int(held.known.keys.nbytes + held.known.heads.nbytes + held.words.nbytes)


def load(site: Site, keys: list[Part], words: list[Part]) -> list[Any]:
    """A solved shard of a tier, to be looked up by other tasks."""
    known = with_heads(site.store.read_arrays(keys, np.int64))
    return [None, Held(site.node, known, site.store.read_arrays(words, np.int32))]


def ask(site: Site, parts: list[Part], sources: Sources) -> list[Any]:
    """What the positions in some parts lead to, each once: a block for each shard."""
    spread = sources.spread
    # Tiers that are plies are none of the game's: then all successors lie in the next.
    known, new = ({}, max(spread.values(), default=1)) if sources.plies else (spread, 1)
    _, _, arrays = exchanged(site, site.keys_of(parts), known, new)
    if sources.plies:
        arrays = [dict(zip(spread, by_tier.values(), strict=False)) for by_tier in arrays]
    return [None, *(Block(site.node, by_tier) for by_tier in arrays)]


def answer(site: Site, solved: dict[int, tuple[list[Part], list[Part]]], *blocks: Block | None) -> list[Any]:
    """What a shard holds of the positions that others ask for: a block for each of them.

    ``solved`` has its parts of keys and of words by tier.
    """
    came = site.take(blocks)
    arrays: list[dict[int, Any]] = [{} for _ in came]
    for tier, (keys, words) in solved.items():
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


def solve_parts(site: Site, name: str, parts: list[Part], hold: bool, sources: Sources, *blocks: Any) -> list[Any]:
    """The outcomes of the positions in some parts: theirs, how many have each, how many successors are missing.

    If the parts are all of a shard, and the shard is to be looked up next, ``hold`` returns what `load` would.
    """
    problem = site.problem
    later = sources.take(site, blocks)
    words = np.full(sum(part.size for part in parts), ABSENT, dtype=np.int32)
    keys = [site.store.read_arrays(parts, np.int64)] if hold else site.keys_of(parts)

    def solve(task: tuple[int, Any]) -> tuple[int, Counter[int]]:
        start, chunk = task
        missing, counted = 0, Counter[int]()
        for begin, found in problem.expand(chunk):
            some = words[start + begin : start + begin + len(found.own)]
            missing += len(found.children) - improved(site, found, None if sources.plies else found.tiers, later, some)
            settle(found.own, some, problem.shift, some)
            count_into(counted, some, found.weights)
        return missing, counted

    census: Counter[int] = Counter()
    missing = 0
    for some_missing, counted in site.workers.in_order(solve, site.chunks(keys)):
        missing += some_missing
        census.update(counted)
    held = [Held(site.node, with_heads(array), words) for array in keys] if hold else []
    return [
        {"words": write_words(site, name, parts, words), "census": sorted(census.items()), "missing": missing},
        *held,
    ]


def write_words(site: Site, name: str, parts: list[Part], words: Any) -> list[Part]:
    """The outcomes of the positions in some parts, a file for each part."""
    pieces = np.split(words, np.cumsum([part.size for part in parts])[:-1])[: len(parts)]

    def write(numbered: tuple[int, Any]) -> Part:
        return site.store.write_array(f"work/{name}-{numbered[0]:05d}.words", numbered[1])

    return list(site.workers.in_order(write, enumerate(pieces)))


def improved(site: Site, found: Expansion, tiers: Any, later: dict[int, list[Held | None]], words: Any) -> int:
    """Improve positions by the successors that can be looked up; returns how many there are."""
    outcomes, count = outcomes_of(found.children, tiers, later)
    improve(found.own, found.ends, outcomes, site.problem.zero, site.problem.shift, words)
    return count


def outcomes_of(children: Any, tiers: Any, later: dict[int, list[Held | None]]) -> tuple[Any, int]:
    """The outcomes of successors that are held, negative for the others; and how many are."""
    found = 0
    words = np.full(len(children), ABSENT, dtype=np.int32)
    for number, held in later.items():
        chosen = None if tiers is None or (tiers == number).all() else np.flatnonzero(tiers == number)
        if len(held) == 1 and chosen is None:
            if held[0] is not None:
                found += look_up(held[0].known, held[0].words, children, words)
            continue
        for shard, keys, places in split(children if chosen is None else children[chosen], len(held)):
            source = held[shard]
            if source is not None:
                some = np.full(len(keys), ABSENT, dtype=np.int32)
                found += look_up(source.known, source.words, keys, some)
                words[places if chosen is None else chosen[places]] = some
    return words, found


def solve_web(site: Site, name: str, tier: int, shards: list[list[Part]], sources: Sources, *blocks: Any) -> list[Any]:
    """All of a tier whose positions lead to each other, on one node: as `solve_parts`, with parts by shard."""
    later = sources.take(site, blocks)
    arrays = [site.store.read_arrays(parts, np.int64) for parts in shards]
    keys = united(list(arrays))
    words = np.full(len(keys), ABSENT, dtype=np.int32)
    web = Web(site.problem, tier, keys, words)

    def edges(task: tuple[int, Any]) -> tuple[int, Any]:
        return web.edges(*task, lambda found, best: improved(site, found, found.tiers, later, best))

    missing, targets = 0, []
    for some_missing, some_targets in site.workers.in_order(edges, site.chunks([keys])):
        missing += some_missing
        targets.append(some_targets)
    census = web.solve(targets)
    rows = []
    for shard, (parts, own) in enumerate(zip(shards, arrays, strict=True)):
        rows.append(write_words(site, f"{name}-{shard:05d}", parts, words[places_of(web.known, own)]))
    return [{"words": rows, "census": sorted(census.items()), "missing": missing}]


def rehearse(site: Site, keys: Any) -> None:
    """Do with some keys what will be done with all of them."""
    _, _, by_shard = exchanged(site, [keys], {}, 2)
    words = np.full(len(keys), site.problem.zero << site.problem.shift, dtype=np.int32)
    merge_two(keys, words, keys, words)
    file_content(keys, words, site.problem.game.utility_range)
    arrays = [keys, words, with_heads(keys).heads]
    for array in arrays:
        array.flags.writeable = False  # as whatever comes out of the object store
    held = Held(site.node, Sorted(keys, arrays[2], with_heads(keys).shift), words)
    best = np.full(len(keys), ABSENT, dtype=np.int32)
    for _, found in site.problem.expand(keys):
        improved(site, found, None, {0: [held, held]}, best)
        settle(found.own, best, site.problem.shift, best)
        count_into(Counter(), best, found.weights)
    united([run for by_tier in by_shard for run in by_tier.values()])


TASKS: Final[dict[str, Callable[..., list[Any]]]] = {
    "load": load,
    "ask": ask,
    "answer": answer,
    "solve_parts": solve_parts,
    "solve_web": solve_web,
}
