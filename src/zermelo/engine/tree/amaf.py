"""All moves as first: each simulation also tells of actions that were played later than at the node.

An action that a player plays later in a simulation would often have had the same effect at once. So at every node of
the path each child is told the reward of each simulation in which its action was played from there on by the player to
move at the node (Gelly and Silver 2011: rapid action value estimation, RAVE).

The actions of a simulation are marked in a table with open addressing; a mark counts if it bears the number of the
simulation.
"""

from typing import Final

from zermelo.compiled.cache import subkernel
from zermelo.compiled.word64 import mix
from zermelo.engine.tree.playout import noted
from zermelo.engine.tree.pool import MARKS, Nodes, Tree

EQUIVALENCE: Final = 1000.0
"""At so many visits, the estimates by all moves and by visits weigh the same (Gelly and Silver 2011)."""


@subkernel
def place_of(note: int, tree: Tree) -> int:
    """Return where the mark of an action of a player is, or would be."""
    place = mix(note) & MARKS - 1
    while tree.mark_stamps[place] == tree.playouts and tree.mark_keys[place] != note:
        place = place + 1 & MARKS - 1
    return place


@subkernel
def mark(note: int, tree: Tree) -> None:
    """Mark that the running simulation has played an action."""
    place = place_of(note, tree)
    tree.mark_keys[place], tree.mark_stamps[place] = note, tree.playouts


@subkernel
def tell_siblings(nodes: Nodes, ply: int, plies: int, value: float, tree: Tree) -> None:
    """Tell the reward of the running simulation to the children of all nodes on its path.

    Parameters
    ----------
    ply
        The ply of the path's last node.
    plies
        How many actions of ``tree.played`` the playout consists of.
    """
    for number in range(plies):
        mark(tree.played[number], tree)
    for above in range(ply - 1, -1, -1):
        side, node = tree.sides[above], tree.path[above]
        mark(noted(nodes[tree.path[above + 1]].action, side), tree)
        for child in range(nodes[node].first, nodes[node].first + nodes[node].children):
            if tree.mark_stamps[place_of(noted(nodes[child].action, side), tree)] == tree.playouts:
                nodes[child].amaf_visits += 1
                nodes[child].amaf_total += value
