"""The tasks of the backward pass: from parts of keys to the outcomes of their positions.

Each task receives its `Site` first, and returns a list of its answer and its blocks.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, starmap
from typing import Any, Final

import numpy as np

from zermelo.solver.kernels.compact import Compact, count_blocks, empty_blocks, fill, numbers_of
from zermelo.solver.kernels.induction import improve, settle
from zermelo.solver.kernels.lookup import look_up, with_heads
from zermelo.solver.kernels.shards import split
from zermelo.solver.model.outcome_codes import ABSENT
from zermelo.solver.model.problem import Expansion
from zermelo.solver.passes.exchange_tasks import as_blocks
from zermelo.solver.passes.forward_tasks import exchanged
from zermelo.solver.passes.outcomes import Files, count_into, write_outcomes
from zermelo.solver.passes.plan import keys_in
from zermelo.solver.passes.site import Block, Codes, Filed, Held, HeldCompact, Keys, Site, checked
from zermelo.solver.table.stores import Part

Later = dict[int, list[Held | HeldCompact | None]]
"""Positions of later tiers that can be looked up, by tier and shard; None for a shard without such positions."""


@dataclass(frozen=True)
class Sources:
    """Where the positions of a tier find the outcomes of their successors."""

    spread: dict[int, int]
    """The number of shards of each later tier."""
    plies: bool
    """Whether the tiers are plies, and not tiers that the game names."""
    answered: bool
    """What the task receives as blocks. If true: the blocks of what it asked for, and then the answers to each. If
    false: whole shards, tier by tier."""

    def take(self, site: Site, blocks: Sequence[Any]) -> Later:
        """Return the positions that can be looked up in the blocks.

        Raises
        ------
        Moot
            A task that should have made one of the blocks failed.
        """
        return self._answers(site, blocks) if self.answered else self._shards(site, blocks)

    def _shards(self, site: Site, blocks: Sequence[Any]) -> Later:
        held = iter(blocks)
        later: Later = {}
        for tier, shards in self.spread.items():
            later[tier] = [_held(block) for block in islice(held, shards)]
            for shard, item in enumerate(later[tier]):
                if item is not None:
                    site.spent.fetched[tier, shard] = item.size, item.node != site.node
        return later

    def _answers(self, site: Site, blocks: Sequence[Any]) -> Later:
        half = len(blocks) // 2
        later: Later = {tier: [None] * shards for tier, shards in self.spread.items()}
        for asked, answers in zip(checked(blocks[:half]), site.take(blocks[half:]), strict=True):
            for name, codes in answers.arrays.items():
                shard, tier, _ = name
                later[tier][shard] = Held(answers.node, with_heads(asked.arrays[name]), codes)
        return later

    def tiers_of(self, found: Expansion) -> Any:
        """Return the tiers of successors, shape (successors,); None if all of them lie in the next tier."""
        return None if self.plies else found.tiers


def _held(block: Any) -> Held | HeldCompact | None:
    """Return a block as what it was made as: a node of a cluster receives a `Held` as a plain tuple."""
    return block if block is None or isinstance(block, HeldCompact) else Held(*block)


def load(site: Site, keys: list[Part], filed: list[Filed]) -> list[Any]:
    """Return a block with a solved shard of a tier, in which other tasks look up positions."""
    codes = list(site.workers.in_order(site.codes_of, filed))
    known = with_heads(site.read_keys(keys, last=True))
    return [None, Held(site.node, known, codes[0] if len(codes) == 1 else np.concatenate(codes))]


def compact(site: Site, keys: list[Part], filed: list[Filed], palette: list[int]) -> list[Any]:
    """Do what `load` does, in a fifth of the memory; ``palette`` has all outcome codes of the tier."""
    codes = np.array(palette, dtype=np.int32)
    numbers = numbers_of(codes)

    def count(part: Part) -> int:
        return int(count_blocks(site.parts.read(part, np.int64)))

    ends = np.cumsum([0, *site.workers.in_order(count, keys)]).tolist()
    firsts, words = empty_blocks(ends[-1])

    def write(task: tuple[Part, Filed, slice]) -> None:
        part, where, blocks = task
        some = site.parts.read(part, np.int64, last=True)
        fill(some, site.codes_of(where), numbers, firsts[blocks], words.reshape(ends[-1], -1)[blocks].reshape(-1))

    tasks = zip(keys, filed, starmap(slice, pairwise(ends)), strict=True)
    for _ in site.workers.in_order(write, tasks):
        pass
    return [None, HeldCompact(site.node, Compact(with_heads(firsts), words, codes))]


def ask(site: Site, parts: list[Part], sources: Sources, width: int) -> list[Any]:
    """Return the later positions that some parts lead to, each position once: a block for each ``width`` shards."""
    spread = sources.spread
    # The game does not name tiers that are plies. All successors lie in the next one, which gets its number below.
    known, new = ({}, max(spread.values(), default=0)) if sources.plies else (spread, 0)
    found = exchanged(site, site.keys_of(parts), known, new)
    arrays = {(shard, min(spread) if sources.plies else tier, 0): keys for (shard, tier), keys in found.items()}
    return [None, *as_blocks(site, arrays, range(max(spread.values(), default=0)), width)]


def answer(
    site: Site, shard: int, solved: Mapping[int, tuple[list[Part], list[Filed]]], *blocks: Block | None
) -> list[Any]:
    """Return the outcomes of the positions that others ask for in one shard: a block for each block of questions.

    Parameters
    ----------
    shard
        The number of the shard.
    solved
        By tier: the shard's parts of keys, and where the outcome codes of each part are.
    blocks
        Blocks of questions for this shard alone.
    """
    came = site.take(blocks)
    answers = [{name: np.full(len(asked), ABSENT, np.int32) for name, asked in block.arrays.items()} for block in came]

    def reply(task: tuple[int, Part, Filed]) -> None:
        tier, part, filed = task
        name = shard, tier, 0
        if not any(name in found for found in answers):
            return
        keys = site.parts.read(part, np.int64)
        known, codes = with_heads(keys), site.codes_of(filed)
        for block, found in zip(came, answers, strict=True):
            if name in found:
                asked = block.arrays[name]  # ascending, so each part answers one slice
                place = slice(asked.searchsorted(keys[0]), asked.searchsorted(keys[-1], side="right"))
                look_up(known, codes, asked[place], found[name][place])

    tasks = ((tier, *pair) for tier, lists in solved.items() for pair in zip(*lists, strict=True))
    for _ in site.workers.in_order(reply, tasks):
        pass
    return [None, *(Block(site.node, found) for found in answers)]


def solve_parts(site: Site, files: Files, parts: list[Part], hold: bool, sources: Sources, *blocks: Any) -> list[Any]:
    """Solve the positions in some parts, and write their outcomes.

    Parameters
    ----------
    hold
        Whether to return the positions as a block, as `load` does. The parts must then be a whole shard.

    Returns
    -------
    list
        First a dict: where the ``codes`` are, a ``census`` of pairs of a code and its number of positions, and how many
        successors are ``missing``. Then the block, if ``hold``.
    """
    later = sources.take(site, blocks)
    codes: Codes = np.full(keys_in(parts), ABSENT, dtype=np.int32)
    keys = site.read_keys(parts, last=True)

    def solve(task: tuple[int, Keys]) -> tuple[int, int, Counter[int]]:
        start, chunk = task
        missing, counted = 0, Counter[int]()
        for begin, found in site.problem.expand(chunk):
            some = codes[start + begin : start + begin + len(found.own)]
            missing += len(found.children) - improved(site, found, sources.tiers_of(found), later, some)
            settle(found.own, some, site.problem.shift, some)
            count_into(counted, some, found.weights)
        return len(chunk), missing, counted

    census: Counter[int] = Counter()
    missing = 0
    for count, some_missing, counted in site.workers.in_order(solve, site.chunks([keys])):
        missing += some_missing
        census.update(counted)
        site.step(count)
    filed = write_outcomes(site, files, parts, keys, codes)
    held = [Held(site.node, with_heads(keys), codes)] if hold else []
    return [{"codes": filed, "census": sorted(census.items()), "missing": missing}, *held]


def improved(site: Site, found: Expansion, tiers: Any, later: Later, codes: Codes) -> int:
    """Update the best successor of each position from those that can be looked up; return how many can be.

    Parameters
    ----------
    found
        The positions and their successors.
    tiers
        The tier of each successor; None if all lie in the only tier of ``later``.
    codes
        Shape (positions,), changed: the outcome code of each position's best successor so far, negative if none is
        known.
    """
    outcomes, count = outcomes_of(found.children, tiers, later)
    improve(found.own, found.ends, outcomes, site.problem.zero, site.problem.shift, codes)
    return count


def outcomes_of(children: Keys, tiers: Any, later: Later) -> tuple[Codes, int]:
    """Return the outcome codes of successors, and how many of them can be looked up.

    Parameters
    ----------
    children
        Shape (n,): the keys of the successors.
    tiers
        Shape (n,): their tiers; None if all lie in the only tier of ``later``.

    Returns
    -------
    codes : array
        Shape (n,): `ABSENT`, which is negative, for a successor that cannot be looked up.
    found : int
        How many can be looked up.
    """
    found = 0
    codes = np.full(len(children), ABSENT, dtype=np.int32)
    for number, held in later.items():
        chosen = None if tiers is None or (tiers == number).all() else np.flatnonzero(tiers == number)
        if len(held) == 1 and chosen is None:
            if held[0] is not None:
                found += held[0].look_up(children, codes)
            continue
        for shard, keys, places in split(children if chosen is None else children[chosen], len(held)):
            source = held[shard]
            if source is not None:
                some = np.full(len(keys), ABSENT, dtype=np.int32)
                found += source.look_up(keys, some)
                codes[places if chosen is None else chosen[places]] = some
    return codes, found


TASKS: Final[dict[str, Callable[..., list[Any]]]] = {
    "load": load,
    "compact": compact,
    "ask": ask,
    "answer": answer,
    "solve_parts": solve_parts,
}
