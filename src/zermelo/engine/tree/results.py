"""What a tree search returns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo.display import first_of
from zermelo.engine.tree.pool import Nodes, Tree
from zermelo.engine.tree.rewards import grade, reward
from zermelo.game import MAX, Action, Game, State
from zermelo.result import Bound, SearchResult, StoppedBy

_grade = getattr(grade, "py_func", grade)
_reward = getattr(reward, "py_func", reward)


@dataclass(frozen=True, kw_only=True, repr=False)
class TreeResult(SearchResult):
    """A tree search's answer; values are from MAX's point of view.

    If `proven`, `value` is the game-theoretic one, or, where `bound` says so, a bound of it that decides who wins. If
    not, `value` is an estimate, as `bound` says: the mean reward, with the greatest utility as 1. `nodes` is the number
    of simulations, `table_states` that of nodes in the tree.
    """

    visits: Mapping[Any, int] = field(default_factory=dict)
    """How many simulations began with each action."""
    means: Mapping[Any, float] = field(default_factory=dict)
    """The mean reward of each action that has visits, for MAX, from -1 to 1; where it is proven, that of its value."""
    bounds: Mapping[Any, tuple[int, int]] = field(default_factory=dict)
    """What is proven of each action: the least and the greatest value."""

    def _rows(self) -> Iterable[tuple[str, str]]:
        rows = dict(super()._rows())
        yield "value", rows["value"] if self.proven else f"{self.value} (an estimate from random games)"
        yield "action", rows["action"]
        order = sorted(self.visits, key=lambda action: -self.visits[action])
        texts = [
            f"{self.text_of(action)}: {self.visits[action]:,} ({self.means[action]:+.3f})"
            for action in order
            if action in self.means
        ]
        yield "visits", first_of(texts, separator="  ")
        yield "line", self.line
        yield "playouts", f"{self.nodes:,}, deepest leaf at ply {self.max_depth}"
        yield "tree", f"{self.table_states:,} nodes"
        yield "time", rows["time"]


def merged(
    trees: Sequence[tuple[Nodes, Tree]], game: Game, state: State, seconds: float, ended: StoppedBy
) -> TreeResult:
    """Return the result of one or several trees of a state; their visits add up, and what one proves holds for all."""
    side, tree = game.to_move(state), trees[0][1]
    children = [np.sort(children_of(nodes, 0), order="action") for nodes, _ in trees]
    actions = children[0]["action"].tolist()
    visits = dict(zip(actions, np.sum([some["visits"] for some in children], axis=0).tolist(), strict=True))
    totals = dict(zip(actions, np.sum([some["total"] for some in children], axis=0).tolist(), strict=True))
    lows = np.max([some["low"] for some in children], axis=0).tolist()
    highs = np.min([some["high"] for some in children], axis=0).tolist()
    bounds = dict(zip(actions, zip(lows, highs, strict=True), strict=True))
    means = {
        action: float(_reward(bounds[action][0], tree)) if _decided(bounds[action], tree) else totals[action] / count
        for action, count in visits.items()
        if count
    }
    best = _best(actions, side, visits, means, bounds, tree)
    edge = max if side == MAX else min
    low, high = edge(low for low, _ in bounds.values()), edge(high for _, high in bounds.values())
    proven = _decided((low, high), tree)
    bound: Bound = "estimate"
    value = round(sum(totals.values()) / max(1, sum(visits.values())) * float(tree["largest"]))
    if proven:
        value, bound = (low, "exact") if low == high else (low, "lower") if low > 0 else (high, "upper")
    return TreeResult(
        value=value,
        bound=bound,
        action=best,
        proven=proven,
        principal_variation=_line(trees, best),
        nodes=sum(int(tree["playouts"]) for _, tree in trees),
        leaves=sum(int(tree["playouts"]) for _, tree in trees),
        max_depth=max(int(tree["deepest"]) for _, tree in trees),
        table_states=sum(int(tree["used"]) for _, tree in trees),
        seconds=seconds,
        stopped_by="finished" if proven else ended,
        visits=visits,
        means=means,
        bounds=bounds,
        game=game,
        state=state,
    )


def is_decided(node: np.void, tree: Tree) -> bool:
    """Return whether the reward of perfect play at a node is proven."""
    return _decided((int(node["low"]), int(node["high"])), tree)


def _decided(bounds: tuple[int, int], tree: Tree) -> bool:
    return bool(_grade(bounds[0], tree) == _grade(bounds[1], tree))


def _best(
    actions: Sequence[Action],
    side: int,
    visits: Mapping[Action, int],
    means: Mapping[Action, float],
    bounds: Mapping[Action, tuple[int, int]],
    tree: Tree,
) -> Action:
    """Return the action to play: the one with the most visits among those that are not proven to be worse than another.

    Of equally many visits, the greater mean counts, then the earlier action.
    """

    def least(action: Action) -> int:
        low, high = bounds[action]
        return int(_grade(low, tree) if side == MAX else -_grade(high, tree))

    def most(action: Action) -> int:
        low, high = bounds[action]
        return int(_grade(high, tree) if side == MAX else -_grade(low, tree))

    sure = max(map(least, actions))
    open_ = [action for action in actions if most(action) >= sure]
    if all(most(action) == sure for action in open_):  # nothing can be better than what is proven of some
        open_ = [action for action in open_ if least(action) == sure]
    return max(open_, key=lambda action: (visits[action], side * means.get(action, -2.0 * side)))


def _line(trees: Sequence[tuple[Nodes, Tree]], first: Action) -> tuple[Action, ...]:
    """Return the most visited line of the first tree that has visited the first action most."""

    def child_of(nodes: Nodes, action: Action) -> int:
        return int(nodes[0]["first"] + np.flatnonzero(children_of(nodes, 0)["action"] == action)[0])

    nodes = max((nodes for nodes, _ in trees), key=lambda nodes: int(nodes[child_of(nodes, first)]["visits"]))
    line, node = [first], child_of(nodes, first)
    while nodes[node]["children"]:
        visits = children_of(nodes, node)["visits"]
        if not visits.max():
            break
        node = int(nodes[node]["first"] + np.argmax(visits))
        line.append(int(nodes[node]["action"]))
    return tuple(line)


def children_of(nodes: Nodes, node: int) -> Nodes:
    """Return the children of a node, of shape (children,)."""
    first = int(nodes[node]["first"])
    return nodes[first : first + int(nodes[node]["children"])]
