"""How a leaf gets children, and what a node learns from its children.

Each child at once gets what the rules and the game's ``bounds`` prove of it. Bounds of values go up the tree: where MAX
moves, a node is worth at least what one child is, and at most what the best child may be (Winands et al. 2008:
MCTS-Solver; Cazenave and Saffidine 2010: with bounds instead of wins and losses). Only one path leads to a node, so a
position that has come back on this path is like a terminal one, and what is proven holds in the game as it goes on.
"""

from zermelo.compiled.cache import subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import (
    bounds,
    can_repeat,
    fill_sufficient_actions,
    is_terminal,
    position_key,
    repetition,
    result,
    utility,
)
from zermelo.engine.tree.chance import advance, below
from zermelo.engine.tree.evaluations import evaluation_of
from zermelo.engine.tree.playout import TOO_WIDE
from zermelo.engine.tree.pool import Nodes, Tree
from zermelo.engine.tree.rewards import reward, squashed
from zermelo.engine.tree.selection import is_decided
from zermelo.game import MAX, Action, Player, State


@subkernel
def expand(game: CompiledGame, state: State, nodes: Nodes, node: int, ply: int, tree: Tree) -> bool:
    """Give a leaf its children in random order; return whether there was room for them.

    Of children that look alike, the first is visited first. In the order of the rules, these would be moves in the same
    corner of the board at every node.
    """
    count = fill_sufficient_actions(game, state, tree.actions, 0, len(tree.actions))
    if count > len(tree.actions):
        tree.status = TOO_WIDE
        return False
    first = tree.used
    if first + count > len(nodes):
        tree.full = 1
        return False
    for number in range(count):
        tree.word = advance(tree.word)
        other = number + below(count - number, tree.word)
        action, tree.actions[other] = tree.actions[other], tree.actions[number]
        fill_node(game, result(game, state, action), action, nodes, first + number, ply, tree)
    nodes[node].first, nodes[node].children = first, count
    tree.used = first + count
    return True


@subkernel
def fill_node(game: CompiledGame, state: State, action: Action, nodes: Nodes, node: int, ply: int, tree: Tree) -> None:
    """Write a new node, with all that is known of its state; ``ply`` is its parent's."""
    if is_terminal(game, state):
        low = high = utility(game, state)
    elif can_repeat(game) and has_come_back(game, state, ply, tree):
        low = high = repetition(game, state)
    else:
        low, high = bounds(game, state)
    nodes[node].action, nodes[node].low, nodes[node].high = action, low, high
    nodes[node].visits = nodes[node].amaf_visits = nodes[node].first = nodes[node].children = 0
    nodes[node].total = nodes[node].amaf_total = nodes[node].heuristic = 0.0
    if tree.evaluates:
        decided = is_decided(nodes, node, tree)
        nodes[node].heuristic = reward(low, tree) if decided else squashed(evaluation_of(game, state, tree), tree)


@subkernel
def has_come_back(game: CompiledGame, state: State, ply: int, tree: Tree) -> bool:
    """Return whether a position stood on the board before the root, or on the path down to ``ply``."""
    key = position_key(game, state)
    for number in range(tree.earlier):
        if tree.earlier_keys[number] == key:
            return True
    for number in range(ply + 1):
        if tree.keys[number] == key:
            return True
    return False


@subkernel
def learn_from_children(nodes: Nodes, node: int, side: Player, tree: Tree) -> bool:
    """Narrow a node's bounds down to what its children allow, and back their heuristics up; return if any changed."""
    first = nodes[node].first
    low, high, heuristic = nodes[first].low, nodes[first].high, nodes[first].heuristic
    for child in range(first + 1, first + nodes[node].children):
        if side == MAX:
            low, high = max(low, nodes[child].low), max(high, nodes[child].high)
            heuristic = max(heuristic, nodes[child].heuristic)
        else:
            low, high = min(low, nodes[child].low), min(high, nodes[child].high)
            heuristic = min(heuristic, nodes[child].heuristic)
    low, high = max(low, nodes[node].low), min(high, nodes[node].high)
    same = low == nodes[node].low and high == nodes[node].high and heuristic == nodes[node].heuristic
    nodes[node].low, nodes[node].high, nodes[node].heuristic = low, high, heuristic
    return not same
