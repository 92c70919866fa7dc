"""The tree of a real search: its nodes in the order they were entered, and what happened at each.

A `Recipe` says which search to run. The tree shows what the algorithm itself did and counted; nothing is computed a
second time.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Final, Literal, get_args

from zermelo.display import call
from zermelo.errors import BadParameter, TerminalState
from zermelo.game import Action, Game, State
from zermelo.result import MinimaxInfo, SearchCounts, plain
from zermelo.textbook.alpha_beta import alpha_beta_search
from zermelo.textbook.decision import alpha_beta_decision
from zermelo.textbook.heuristic import alpha_beta_heuristic_search
from zermelo.textbook.minimax import minimax_search
from zermelo.textbook.observer import (
    NODES,
    Event,
    ForMax,
    Limit,
    Node,
    Observer,
    Recorder,
    Stop,
    TooManyNodes,
    go_on,
)
from zermelo.textbook.path import best_successors, minimax_max
from zermelo.textbook.rules import cutoff_of
from zermelo.textbook.sound import sound_search
from zermelo.textbook.variants import Cut, Forgetful, cut_at, reordered

Method = Literal["minimax", "alpha-beta", "decision", "path"]
METHODS: Final[tuple[Method, ...]] = get_args(Method)
Order = Literal["left-to-right", "best-first"]
ORDERS: Final[tuple[Order, ...]] = get_args(Order)
FORMAT: Final = "zermelo tree 1"
_PREVIEW_NODES: Final = 200_000
"""The search that finds out which moves are best first may have so many nodes."""


def method_named(name: str) -> Method:
    """The method of that name.

    Raises
    ------
    BadParameter
        There is none.
    """
    for method in METHODS:
        if method == name:
            return method
    raise BadParameter(f"There is no method {name!r} to explain; there are {', '.join(METHODS)}.")


def order_named(name: str) -> Order:
    """The order of that name; errors as `method_named`."""
    for order in ORDERS:
        if order == name:
            return order
    raise BadParameter(f"There is no order {name!r}; there are {', '.join(ORDERS)}.")


@dataclass(frozen=True)
class Recipe:
    """Which search to run.

    Parameters
    ----------
    method
        ``minimax``, ``alpha-beta``, ``decision`` (MAX-VALUE and MIN-VALUE, without a table), or ``path`` (the two
        methods that rate positions for the player at the root; the tree shows their values for MAX).
    handout
        Use the handout's own table, which can be wrong (``docs/explanation/errata.md``), in place of the sound one.
    depth
        Plies to search before EVAL; None searches to the end of the game. The game's own IS-CUTOFF stops
        ``alpha-beta`` earlier.
    table
        Whether a table answers for states that are met again.
    order
        ``left-to-right``, as ACTIONS yields them, or ``best-first``, by minimax value; ``path`` has its own order.
    width
        How many moves to search in each position, for ``path``.

    Raises
    ------
    BadParameter
        There is no such method or order, the method does not go with the order or needs a depth, or depth or width is
        below 1.
    """

    method: Method = "alpha-beta"
    handout: bool = False
    depth: int | None = None
    table: bool = True
    order: Order = "left-to-right"
    width: int = 5

    def __post_init__(self) -> None:
        method_named(self.method)
        order_named(self.order)
        if self.depth is not None and (type(self.depth) is not int or self.depth < 1):
            raise BadParameter(f"The depth is {self.depth}; it must be a whole number of plies, 1 or more.")
        if type(self.width) is not int or self.width < 1:
            raise BadParameter(f"The width is {self.width}; it must be a whole number of moves, 1 or more.")
        if self.method in ("decision", "path") and self.depth is None:
            raise BadParameter(f"The method {self.method} needs a depth, at which it stops.")
        if self.method == "path" and self.order != "left-to-right":
            raise BadParameter("The method path tries the best moves first by its own rule; leave the order out.")


@dataclass(frozen=True, repr=False)
class SearchTree:
    """A search that was run: its nodes in the order they were entered, its events and its counts."""

    game: Game
    recipe: Recipe
    nodes: Sequence[Node]
    events: Sequence[Event]
    counts: SearchCounts
    complete: bool
    """False if the search was broken off at the limit of nodes."""
    value: int | None
    action: Action

    def __repr__(self) -> str:
        """The call of `zermelo.explain` that gives this tree."""
        usual = Recipe()
        said = {name: value for name, value in vars(self.recipe).items() if value != getattr(usual, name)}
        root = [self.nodes[0].state] if self.nodes[0].state != self.game.initial else []
        return call("explain", self.game, *root, **said)

    def moves(self, number: int) -> tuple[Action, ...]:
        """The actions from the root to a node."""
        node, found = self.nodes[number], []
        while node.parent is not None:
            found.append(node.action)
            node = self.nodes[node.parent]
        return tuple(reversed(found))

    def by_ply(self) -> list[int]:
        """How many nodes were entered at each distance from the root."""
        counted = [0] * (1 + max((node.ply for node in self.nodes), default=-1))
        for node in self.nodes:
            counted[node.ply] += 1
        return counted

    def to_dict(self) -> dict[str, Any]:
        """Everything in JSON's types, as ``docs/explanation/explain.md`` says. Under "plan" is the recipe."""
        return {
            "format": FORMAT,
            "game": self.game.name,
            "parameters": dict(self.game.parameters),
            "plan": {name: plain(value) for name, value in vars(self.recipe).items()},
            "complete": self.complete,
            "value": self.value,
            "action": plain(self.action),
            "counts": {name: getattr(self.counts, name) for name in SearchCounts.__slots__},
            "nodes": [self._node(node) for node in self.nodes],
            "events": [
                [event.kind, event.node, *map(finite, (event.value, event.alpha, event.beta))] for event in self.events
            ],
        }

    def _node(self, node: Node) -> dict[str, Any]:
        game, parent = self.game, None if node.parent is None else self.nodes[node.parent].state

        def shown(state: State, action: Action) -> str | None:
            return None if action is None else game.show_action(state, action)

        return {
            "number": node.number,
            "parent": node.parent,
            "move": None if parent is None else shown(parent, node.action),
            "state": game.show_state(node.state),
            "ply": node.ply,
            "player": {1: "MAX", -1: "MIN"}.get(node.player),
            "alpha": finite(node.alpha),
            "beta": finite(node.beta),
            "alpha_after": finite(node.low),
            "beta_after": finite(node.high),
            "value": node.value if node.source else None,
            "bound": node.bound,
            "best": shown(node.state, node.best_action),
            "source": node.source,
            "stored": node.stored,
            "pruned": node.pruned,
            "unsearched": [shown(node.state, action) for action in node.unsearched],
            "dropped": [shown(node.state, action) for action in node.dropped],
        }


def finite(number: float | None) -> int | str | None:
    """A number as JSON can hold it; infinities become text."""
    return None if number is None else str(number) if abs(number) == inf else int(number)


def explain(
    game: Game,
    state: State | None = None,
    recipe: Recipe | None = None,
    nodes: int = NODES,
    is_stopped: Stop = go_on,
) -> SearchTree:
    """Search ``state`` as ``recipe`` says, and record everything.

    Parameters
    ----------
    game, state
        The rules, and where to start; the initial state if None.
    recipe
        Which search; if None, alpha-beta with the sound table to the end of the game.
    nodes
        The most nodes to record; a longer search is broken off there.
    is_stopped
        Asked at each node whether to break the search off.

    Raises
    ------
    TerminalState
        The game is over in ``state``.
    BadParameter
        The recipe has a depth and the game no EVAL, or ``nodes`` is below 1.
    """
    state, recipe = game.initial if state is None else state, recipe or Recipe()
    if game.is_terminal(state):
        raise TerminalState("The game is over in this state; there is no search to explain.")
    if nodes < 1:
        raise BadParameter(f"The limit of nodes is {nodes}; it must be 1 or more.")
    search = _Search(game, state, recipe, is_stopped)
    recorder, counts, info, complete = Recorder(search.game, nodes, is_stopped), SearchCounts(), None, True
    try:
        info = search.run(counts, recorder)
    except TooManyNodes:
        complete = False
    for node in recorder.nodes:
        search.translate(node)
    return SearchTree(
        game=game,
        recipe=recipe,
        nodes=recorder.nodes,
        events=recorder.events,
        counts=counts,
        complete=complete,
        value=None if info is None else int(info.value),
        action=None if info is None else info.action,
    )


def deepened(
    game: Game, state: State | None, recipe: Recipe, nodes: int = NODES, is_stopped: Stop = go_on
) -> list[SearchTree]:
    """Search ``state`` at depth 1, 2, 3 and so on up to the recipe's depth: iterative deepening, a tree for each depth.

    As in `zermelo.textbook.decision.timed_decision`, a proven value ends it. So does the limit of nodes, which is that
    of all trees together; the last tree is then broken off. Errors are those of `explain`.
    """
    if recipe.depth is None:
        raise BadParameter("Iterative deepening needs a depth, at which it stops.")
    found: list[SearchTree] = []
    for depth in range(1, recipe.depth + 1):
        left = nodes - sum(len(tree.nodes) for tree in found)
        if left < 1:
            break
        tree = explain(game, state, replace(recipe, depth=depth), left, is_stopped)
        found.append(tree)
        if not tree.complete or tree.counts.cutoffs == 0 or tree.value in game.utility_range:
            break
    return found


def count_nodes(game: Game, state: State, recipe: Recipe, limit: int, is_stopped: Stop = go_on) -> int | None:
    """How many nodes the search visits; None if they are more than ``limit``, or if it was stopped."""
    counts = SearchCounts()
    try:
        _Search(game, state, recipe, is_stopped).run(counts, Limit(limit, is_stopped))
    except TooManyNodes:
        return None
    return counts.nodes


class _Search:
    """A recipe made ready: the game as the algorithm is to see it, and the call of the algorithm."""

    def __init__(self, game: Game, state: State, recipe: Recipe, is_stopped: Stop) -> None:
        self.plain_game, self.recipe, self.is_stopped = game, recipe, is_stopped
        self.is_cut = recipe.method == "minimax" and recipe.depth is not None
        self.game, self.state = game, state
        if self.is_cut and recipe.depth is not None:
            self.game = cut_at(game, state, recipe.depth)
            self.state = self.game.initial
        if recipe.order == "best-first":
            self.game = reordered(self.game, self._rating(state))
        if recipe.method == "path":
            successors = best_successors(game, recipe.width, SearchCounts())
            self.game = replace(game, actions=lambda state: [action for action, _ in successors(state)])

    def run(self, counts: SearchCounts, observer: Observer) -> Any:
        """Run the search."""
        recipe, game, state = self.recipe, self.game, self.state
        table: Any = {} if recipe.table else Forgetful()
        if recipe.method == "minimax":
            return minimax_search(game, state, table, counts, observer)
        if recipe.method == "decision":
            return alpha_beta_decision(game, state, recipe.depth or 1, counts, observer)
        if recipe.method == "path":
            return self._path(recipe.depth or 1, counts, observer)
        cutoff = None if recipe.depth is None else cutoff_of(game, recipe.depth)
        if not recipe.handout:
            return sound_search(game, state, -inf, inf, table, cutoff, counts, observer)
        if cutoff is None:
            return alpha_beta_search(game, state, -inf, inf, table, counts, observer)
        return alpha_beta_heuristic_search(game, state, -inf, inf, 0, table, cutoff, counts, observer)

    def _path(self, depth: int, counts: SearchCounts, observer: Observer) -> MinimaxInfo:
        """Run the method that rates for the player at the root; the result is for MAX."""
        game, state = self.plain_game, self.state
        player = game.to_move(state)
        found = minimax_max(
            game, state, 0, -inf, inf, depth, self.recipe.width, counts=counts, observer=ForMax(observer, player)
        )
        return MinimaxInfo(player * int(found.value), found.path[0])

    def translate(self, node: Node) -> None:
        """Turn a node of a changed game into one of the game itself."""
        if self.recipe.method == "path" and node.source == "children":
            kept = list(self.game.actions(node.state))
            node.dropped = tuple(action for action in self.plain_game.actions(node.state) if action not in kept)
        if not self.is_cut:
            return
        state = node.state.state
        if node.source == "terminal" and not self.plain_game.is_terminal(state):
            node.source, node.player = "cutoff", self.plain_game.to_move(state)
        node.state = state

    def _rating(self, root: State) -> Callable[[State], float]:
        """A rating of states: their minimax values, or EVAL where that is too much to search."""
        game, depth, values = self.plain_game, self.recipe.depth, dict[State, Any]()
        whole = game if depth is None else cut_at(game, root, depth)
        with suppress(TooManyNodes):
            minimax_search(
                whole, whole.initial if depth else root, values, observer=Limit(_PREVIEW_NODES, self.is_stopped)
            )
        best: dict[State, int] = {}
        for state, info in values.items():
            best.setdefault(state.state if isinstance(state, Cut) else state, info.value)

        def rate(state: State) -> float:
            bare = state.state if isinstance(state, Cut) else state
            if state in values:
                return values[state].value  # type: ignore[no-any-return]
            if bare in best:
                return best[bare]
            if game.is_terminal(bare):
                return game.utility(bare)
            return 0 if game.evaluate is None else game.evaluate(bare)

        return rate
