"""Which child a simulation visits next: the one of the greatest upper confidence bound."""

from math import log, sqrt

from zermelo.compiled.cache import inlined, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import utility_range
from zermelo.engine.tree.amaf import EQUIVALENCE
from zermelo.engine.tree.pool import Nodes, Tree
from zermelo.engine.tree.rewards import grade, reward
from zermelo.game import MAX, Player


@inlined
def is_decided(nodes: Nodes, node: int, tree: Tree) -> bool:
    """Return whether the reward of perfect play at a node is proven."""
    return grade(nodes[node].low, tree) == grade(nodes[node].high, tree)


@subkernel
def select(game: CompiledGame, nodes: Nodes, node: int, side: Player, tree: Tree) -> int:
    """Return the child that the player to move visits next: UCB1 (Auer et al. 2002), as in UCT.

    A child without visits counts as visited once, with the mean of its parent. Nothing is to be learnt of a decided
    child, so it gets no bonus for few visits. Children that are proven to be worse than another are left out.
    """
    visits = max(1, nodes[node].visits)
    usual = side * nodes[node].total / visits
    curiosity = tree.exploration * sqrt(log(visits))
    chosen, best = nodes[node].first, -1e9
    for child in range(nodes[node].first, nodes[node].first + nodes[node].children):
        if not is_hopeless(game, nodes, node, child, side, tree):
            bound = worth(nodes, child, side, usual, tree)
            if not is_decided(nodes, child, tree):
                bound += curiosity / sqrt(max(1, nodes[child].visits))
            if bound > best:
                chosen, best = child, bound
    return chosen


@inlined
def is_hopeless(game: CompiledGame, nodes: Nodes, node: int, child: int, side: Player, tree: Tree) -> bool:
    """Return whether a child is proven to be worse for the player to move than another one, or as bad as can be.

    Of children that are proven to be the best so far none is left out: they may be worth more than the estimates of the
    others, and then the mean of the node must tell so.
    """
    least, most = utility_range(game)
    if side == MAX:
        at_most, at_least = grade(nodes[child].high, tree), grade(nodes[child].low, tree)
        known, worst = grade(nodes[node].low, tree), grade(least, tree)
    else:
        at_most, at_least = -grade(nodes[child].low, tree), -grade(nodes[child].high, tree)
        known, worst = -grade(nodes[node].high, tree), -grade(most, tree)
    return at_most <= known and (at_least < known or known == worst)


@inlined
def worth(nodes: Nodes, child: int, side: Player, usual: float, tree: Tree) -> float:
    """Return the estimate of a child's value for the player to move at its parent.

    It is the mean of the simulations; where the options say so, mixed with the static evaluation as so many further
    visits, with the estimate by all moves, and with the backed up static evaluation (Lanctot et al. 2014).
    """
    if is_decided(nodes, child, tree):
        return side * reward(nodes[child].low, tree)
    visits = nodes[child].visits + tree.prior
    mean = usual
    if visits > 0.0:
        mean = side * (nodes[child].total + tree.prior * nodes[child].heuristic) / visits
    if tree.rave and nodes[child].amaf_visits > 0:
        part = sqrt(EQUIVALENCE / (3.0 * nodes[child].visits + EQUIVALENCE))
        mean += part * (side * nodes[child].amaf_total / nodes[child].amaf_visits - mean)
    if tree.minimax > 0.0:
        mean += tree.minimax * (side * nodes[child].heuristic - mean)
    return mean
