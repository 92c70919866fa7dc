"""The kernel of Monte Carlo tree search: simulations, each of which goes down the tree and plays a random game.

UCT (Kocsis and Szepesvari 2006), with bounds of values that are proven on the way (`zermelo.engine.tree.growth`).
"""

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.clock import is_past
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import can_repeat, position_key, repetition, result, to_move, utility, utility_range
from zermelo.compiled.states import load_state
from zermelo.engine.tree.amaf import tell_siblings
from zermelo.engine.tree.growth import expand, learn_from_children
from zermelo.engine.tree.playout import ENDED, TOO_WIDE, play_out
from zermelo.engine.tree.pool import MAX_PLY, RUNNING, Nodes, Tree
from zermelo.engine.tree.rewards import reward
from zermelo.engine.tree.selection import is_decided, select
from zermelo.game import State


@kernel
def grow(game: CompiledGame, words: NDArray[np.int64], before: NDArray[np.int64], nodes: Nodes, tree: Tree) -> None:
    """Simulate until the root is decided, a limit is reached or the workspace is told to stop.

    Parameters
    ----------
    words
        The flat state of the root, of shape (words,).
    before
        Flat states, of shape (states, words), at most `MOST_EARLIER`: the game ends if play comes back to one of them.
    nodes
        The tree, of shape (nodes,) and dtype `NODE`. If ``tree.used`` is 0, a new tree is begun.
    """
    root = load_state(game, words)
    tree.earlier = len(before)
    tree.sides[0] = to_move(game, root)
    if can_repeat(game):
        tree.keys[0] = position_key(game, root)
        for number in range(len(before)):
            tree.earlier_keys[number] = position_key(game, load_state(game, before[number]))
    if tree.used == 0:
        tree.used = 1
        nodes[0].visits = nodes[0].first = nodes[0].children = 0
        nodes[0].total = nodes[0].heuristic = 0.0
    nodes[0].low, nodes[0].high = utility_range(game)
    if nodes[0].children > 0:
        learn_from_children(nodes, 0, tree.sides[0], tree)
    while tree.playouts < tree.limit and not is_decided(nodes, 0, tree):
        tree.playouts += 1
        simulate(game, root, nodes, tree)
        if is_past(tree.deadline):
            tree.stop = 1
        if tree.stop or tree.status != RUNNING:
            return


@subkernel
def simulate(game: CompiledGame, root: State, nodes: Nodes, tree: Tree) -> None:
    """Go down the tree to a leaf or to a decided node, find a reward there, and tell it to all nodes on the path."""
    state, node, ply, plies, grown, changed = root, 0, 0, 0, -1, False
    tree.path[0] = 0
    while True:
        # 1. A decided node needs no simulation. The root is decided only by its children, since one must be chosen.
        if ply > 0 and is_decided(nodes, node, tree):
            value = reward(nodes[node].low, tree)
            break
        # 2. One leaf gets children, if it has had enough visits, the more the fuller the memory is. If not, play out.
        if nodes[node].children == 0:
            enough = tree.growth + len(nodes) // max(1, len(nodes) - tree.used) - 1
            is_new = grown >= 0 or (nodes[node].visits < enough and ply > 0)
            if is_new or ply == MAX_PLY or not expand(game, state, nodes, node, ply, tree):
                value, plies = rollout(game, state, tree)
                break
            grown, changed = ply, learn_from_children(nodes, node, tree.sides[ply], tree)
            continue
        # 3. Any other node is left for one of its children.
        node = select(game, nodes, node, tree.sides[ply], tree)
        state = result(game, state, nodes[node].action)
        ply += 1
        tree.path[ply], tree.sides[ply] = node, to_move(game, state)
        if can_repeat(game):
            tree.keys[ply] = position_key(game, state)
    # 4. Tell the reward, and what is proven, to the nodes above.
    tree.deepest, tree.plies = max(tree.deepest, ply), tree.plies + ply + plies
    for above in range(ply, -1, -1):
        node = tree.path[above]
        nodes[node].visits += 1
        nodes[node].total += value
        if changed and above < grown:
            changed = learn_from_children(nodes, node, tree.sides[above], tree)
    if tree.rave:
        tell_siblings(nodes, ply, plies, value, tree)


@subkernel
def rollout(game: CompiledGame, state: State, tree: Tree) -> tuple[float, int]:
    """Play a random game from a leaf; return its reward and its plies. Play that does not end counts as endless."""
    room = tree.playout_plies if tree.rave else 0
    last, end, plies, tree.word = play_out(
        game, state, tree.word, tree.playout_plies, tree.actions, tree.played, room, tree.sufficient
    )
    if end == TOO_WIDE:
        tree.status = TOO_WIDE
    if end == ENDED:
        return reward(utility(game, last), tree), plies
    return reward(repetition(game, last) if can_repeat(game) else 0, tree), plies
