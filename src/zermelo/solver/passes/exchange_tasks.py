"""The tasks that hand blocks on, and the form of these blocks.

Each task receives its `Site` first, and returns a list of its answer and its blocks.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.kernels.lookup import look_up, with_heads
from zermelo.solver.model.outcome_codes import ABSENT
from zermelo.solver.passes.exchange import bundles_of
from zermelo.solver.passes.merging import merged_arrays
from zermelo.solver.passes.site import Block, Codes, Keys, Site, checked

Name = tuple[int, int, int]
"""The shard, the tier and the number of an array: a tier may have several arrays in a block."""


def as_blocks(site: Site, arrays: Mapping[Name, NDArray[Any]], shards: range, width: int) -> list[Block]:
    """Return the arrays of some shards as blocks, each for ``width`` neighbouring shards."""
    blocks = [Block(site.node, {}) for _ in bundles_of(shards, width)]
    for name, array in arrays.items():
        blocks[(name[0] - shards.start) // width].arrays[name] = array
    return blocks


def unbundle(site: Site, shards: range, *bundles: Block | None) -> list[Any]:
    """Return a block for each of some shards, with what all bundles hold for it: each key of a tier once."""
    groups: dict[Name, list[Keys]] = {}
    for bundle in site.take(bundles):
        for (shard, tier, _), keys in bundle.arrays.items():
            groups.setdefault((shard, tier, 0), []).append(keys)
    merged = merged_arrays(site.workers, site.plan.memory, groups)
    return [None, *as_blocks(site, merged, shards, 1)]


def bundle(site: Site, count: int, *blocks: Block | None) -> list[Any]:
    """Return the answers to the questions of each of ``count`` bundles.

    Parameters
    ----------
    count
        The number of bundles.
    blocks
        The bundles, what `unbundle` has made of them for each shard, and each shard's answers to that.
    """
    asked = checked(blocks[:count])
    came = site.take(blocks[count:])
    half = len(came) // 2
    known = {
        name: (with_heads(questions.arrays[name]), codes)
        for questions, answers in zip(came[:half], came[half:], strict=True)
        for name, codes in answers.arrays.items()
    }

    def reply(questions: Block) -> Block:
        found: dict[Name, Codes] = {}
        for name, keys in questions.arrays.items():
            if name in known:
                found[name] = np.full(len(keys), ABSENT, np.int32)
                look_up(*known[name], keys, found[name])
        return Block(site.node, found)

    return [None, *site.workers.in_order(reply, asked)]


TASKS: Final[dict[str, Callable[..., list[Any]]]] = {"unbundle": unbundle, "bundle": bundle}
