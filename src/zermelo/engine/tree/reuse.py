"""Keeping the part of a tree that lies below a position which has been played."""

from zermelo.compiled.cache import shared_kernel
from zermelo.engine.tree.pool import Nodes

_DROPPED = -1
_KEPT = 0


@shared_kernel
def keep_below(nodes: Nodes, used: int, root: int) -> int:
    """Let the tree consist of a node and all nodes below it; return how many these are.

    Children lie behind their parents, so three passes in ascending order do: one finds the nodes to keep, one numbers
    them, and one moves them to the front. No node moves backwards, so none is overwritten before it is moved.

    Parameters
    ----------
    nodes
        The tree, of shape (nodes,) and dtype `NODE`.
    used
        How many nodes it has.
    root
        The index of the new root.
    """
    for node in range(used):
        nodes[node].moved = _DROPPED
    nodes[root].moved = _KEPT
    for node in range(root, used):
        if nodes[node].moved == _KEPT:
            for child in range(nodes[node].first, nodes[node].first + nodes[node].children):
                nodes[child].moved = _KEPT
    kept = 0
    for node in range(root, used):
        if nodes[node].moved == _KEPT:
            nodes[node].moved = kept
            kept += 1
    for node in range(root, used):
        place = nodes[node].moved
        if place != _DROPPED:
            if nodes[node].children > 0:
                nodes[node].first = nodes[nodes[node].first].moved
            nodes[place] = nodes[node]
    return kept
