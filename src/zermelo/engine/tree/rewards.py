"""Rewards: what the end of a simulation is worth to MAX, from -1 to 1.

In a game of wins, draws and losses the reward is 1, 0 or -1. Where the margin counts, too, a part of the reward is
proportional to the margin: matches are won by the result, and a tree that looked at margins alone would give up sure
wins for larger ones. A node is *decided* when the bounds of its value agree on all that a reward depends on.
"""

from typing import Final

from zermelo.compiled.cache import inlined, subkernel
from zermelo.engine.tree.pool import Tree

MARGIN: Final = 0.25
"""The weight of the margin in games of margins."""


@inlined
def reward(value: int, tree: Tree) -> float:
    """Return what a utility is worth to MAX."""
    result = 1.0 if value > 0 else -1.0 if value < 0 else 0.0
    return (1.0 - tree.margin) * result + tree.margin * (value / tree.largest)


@inlined
def grade(value: int, tree: Tree) -> int:
    """Return an int that orders utilities as their rewards do."""
    if tree.margin > 0.0:
        return value
    return 1 if value > 0 else -1 if value < 0 else 0


@subkernel
def squashed(evaluation: int, tree: Tree) -> float:
    """Return a static evaluation as a reward; the typical evaluation is half a win."""
    return evaluation / (abs(evaluation) + tree.typical)
