"""How blocks come from the tasks that make them to the tasks of each shard, and answers back.

A *stretch* is the neighbouring parts of a shard that one task takes. With few shards, the task of a stretch makes a
block for each shard. The number of blocks is then that of the stretches times that of the shards, so it grows with the
square of the number of machines, and the driver owns a reference to each block.

With many shards, the exchange may have two levels. The task of a stretch makes a *bundle* for some neighbouring shards,
and a second task turns the bundles of some stretches into a block for each of the shards. If both numbers are the
square root of the number of shards, the number of blocks grows with the number of machines times its square root, and
each second task handles as much as the task of a stretch. Answers to questions go back in the same two steps. In
return, all that is exchanged crosses the network twice. So large blocks go straight to the shards.
"""

from collections.abc import Sequence
from math import isqrt
from typing import Any, Final

from zermelo.solver.passes.executor import Executor, grouped

TWO_LEVELS: Final = 64
"""With fewer shards than this, there are no bundles: the driver would spend more on their tasks than it saves on
blocks."""
_SPARSE: Final = 1 << 10
"""There are no bundles if a stretch has at least so many keys for each pair of shards. A block that is spared saves the
driver 40 microseconds. Meanwhile, each node can hand on 50 kilobytes at 10 Gbit, which are the successors of 4,000
keys, and there are usually four shards for each node."""
Blocks = list[Any]
"""References to blocks."""


def width_of(shards: int, keys: int, stretches: int) -> int:
    """Return for how many shards a stretch makes one bundle; 1 means that it makes a block for each shard.

    The stretches have so many ``keys`` together.
    """
    return isqrt(shards) if shards >= TWO_LEVELS and keys < _SPARSE * shards**2 * stretches else 1


def bundles_of(shards: range, width: int) -> list[range]:
    """Return the shards of each bundle, if a bundle is for ``width`` shards."""
    return [shards[first : first + width] for first in range(0, len(shards), width)]


def to_shards(executor: Executor, bundles: Sequence[Blocks], shards: int, width: int, tier: int) -> list[Blocks]:
    """Return the blocks of each shard, given the bundles of each stretch; start tasks that unbundle them.

    Bundles of a width of 1 are such blocks. Otherwise a shard gets one block for each ``width`` stretches.
    """
    if width == 1:
        return [list(blocks) for blocks in zip(*bundles, strict=True)]
    found: list[Blocks] = [[] for _ in range(shards)]
    for some in grouped(bundles, width):
        for group, came in zip(bundles_of(range(shards), width), zip(*some, strict=True), strict=True):
            blocks = executor.start("unbundle", group, *came, returns=len(group), tier=tier)
            for shard, block in zip(group, blocks, strict=True):
                found[shard].append(block)
    return found


def to_stretches(
    executor: Executor,
    bundles: Sequence[Blocks],
    asked: Sequence[Blocks],
    answers: Sequence[Blocks],
    width: int,
    tier: int,
) -> list[Blocks]:
    """Return the answers for each stretch, in the order of its bundles; start tasks that bundle them.

    Parameters
    ----------
    bundles
        The bundles of questions of each stretch.
    asked
        What `to_shards` has made of them.
    answers
        For each shard, a block of answers to each of its blocks in ``asked``.
    """
    if width == 1:
        return [[blocks[place] for blocks in answers] for place in range(len(bundles))]
    found: list[Blocks] = []
    for batch, some in enumerate(grouped(bundles, width)):
        replies = [
            executor.start(
                "bundle", len(some), *came, *(asked[shard][batch] for shard in group),
                *(answers[shard][batch] for shard in group), returns=len(some), tier=tier,
            )
            for group, came in zip(bundles_of(range(len(asked)), width), zip(*some, strict=True), strict=True)
        ]  # fmt: skip
        found.extend(list(blocks) for blocks in zip(*replies, strict=True))
    return found
