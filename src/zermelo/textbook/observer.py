"""Watching a search from within: who wants to see a textbook algorithm at work is handed each visit to a state.

An algorithm asks its observer once, before it begins, for the function that visits states, and calls that one
throughout. Without an observer this is the algorithm's own, so that nothing is paid for what is not watched.

`Recorder` writes down every visit as a node of a tree, and everything that happened as a list of events, in order.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, TypeVar

from zermelo.errors import ZermeloError
from zermelo.game import MAX, Action, Game, Player, State
from zermelo.result import Bound, MinimaxInfo, SearchCounts

Visit = TypeVar("Visit", bound=Callable[..., Any])
"""What an algorithm calls for each state: ``visit(state, ply)`` or ``visit(state, alpha, beta, ply)``."""
Source = Literal["terminal", "cutoff", "table", "children"]
"""Where a value came from: the rules' end, IS-CUTOFF and EVAL, the transposition table, or the node's children."""
NODES: Final = 10_000
"""How many nodes a recorder records by default."""


class Observer(Protocol):
    """What watches a search."""

    def watch(self, visit: Visit, counts: SearchCounts) -> Visit:
        """The function that the algorithm is to call in place of ``visit``; ``counts`` are the algorithm's own."""


Stop = Callable[[], bool]
"""Whether a search is to end here, for instance because its time is up."""


class TooManyNodes(ZermeloError):
    """A search has more nodes than its observer allows."""


def go_on() -> bool:
    """A `Stop` that never ends a search."""
    return False


@dataclass(slots=True)
class Node:
    """One visit to a state. Values are from MAX's point of view."""

    number: int
    """In the order of the visits; the root's is 0."""
    parent: int | None
    action: Action
    """The action that led here; None at the root."""
    state: State
    ply: int
    player: Player
    """The player to move; 0 if the game is over."""
    alpha: float | None
    """Alpha when the node was entered; None in an algorithm without a window."""
    beta: float | None
    low: float | None
    """Alpha now; finally, alpha when the node was left."""
    high: float | None
    value: int | None = None
    """None if the search was broken off before it was known."""
    best_action: Action = None
    bound: Bound | None = None
    """Whether the value is exact or a bound for this search; None in an algorithm without a window."""
    source: Source | None = None
    stored: int | None = None
    """The node that had stored this value in the table, where the value came from there."""
    children: list[int] = field(default_factory=list)
    pruned: bool = False
    """Whether the prune test fired here."""
    unsearched: tuple[Action, ...] = ()
    """The actions that were therefore not searched; none if it fired after the last one."""
    dropped: tuple[Action, ...] = ()
    """The actions that a limit on width left out."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, and how the node stands after it."""

    kind: Literal["enter", "return", "prune", "leave"]
    """A node is entered; a child has returned to it; the rest of it is pruned; it is left."""
    node: int
    value: float | None
    """The best value so far at the node; None before the first."""
    alpha: float | None
    beta: float | None


class Recorder:
    """An observer that remembers everything, up to a number of nodes.

    Parameters
    ----------
    game
        The rules that are searched.
    limit
        How many nodes to record; then `TooManyNodes` ends the search.
    is_stopped
        Asked at each node; `TooManyNodes` ends the search, too, when it says so.
    """

    def __init__(self, game: Game, limit: int = NODES, is_stopped: Stop = go_on) -> None:
        self.game = game
        self.limit = limit
        self.is_stopped = is_stopped
        self.nodes: list[Node] = []
        self.events: list[Event] = []
        self._actions: list[list[Action]] = []
        self._path: list[Node] = []
        self._prunings = 0
        self._stored: dict[State, Bound | None] = {}
        """The bound of the first value of each state that was not pruned, and so may be in a table."""
        self._storers: dict[State, int] = {}
        """The node whose value is in the table, by state: the last one that stored it."""

    def watch(self, visit: Visit, counts: SearchCounts) -> Visit:
        """See `Observer`."""

        def recorded(state: State, *rest: Any) -> Any:
            node = self._enter(state, rest)
            hits, cutoffs = counts.table_hits, counts.cutoffs
            prunings = counts.prunings
            info = visit(state, *rest)
            if node.children:
                prunings, node.source = self._prunings, "children"
            else:
                hit, cut = counts.table_hits > hits, counts.cutoffs > cutoffs
                node.source = "table" if hit else "cutoff" if cut else "terminal"
            self._leave(node, info, counts.prunings > prunings)
            self._prunings = counts.prunings
            return info

        return recorded  # type: ignore[return-value]

    def _enter(self, state: State, rest: tuple[Any, ...]) -> Node:
        if len(self.nodes) >= self.limit or self.is_stopped():
            raise TooManyNodes(f"The search has more than {self.limit:,} nodes, which are all that are recorded.")
        (alpha, beta), ply = (rest[:2] if len(rest) == 3 else (None, None)), len(self._path)
        parent = self._path[-1] if self._path else None
        over = self.game.is_terminal(state)
        node = Node(
            number=len(self.nodes),
            parent=None if parent is None else parent.number,
            action=None if parent is None else self._actions[parent.number][len(parent.children)],
            state=state,
            ply=ply,
            player=0 if over else self.game.to_move(state),
            alpha=alpha,
            beta=beta,
            low=alpha,
            high=beta,
        )
        if parent is not None:
            parent.children.append(node.number)
        self.nodes.append(node)
        self._actions.append([] if over else list(self.game.actions(state)))
        self._path.append(node)
        self._say("enter", node)
        return node

    def _leave(self, node: Node, info: Any, pruned: bool) -> None:
        node.value, node.best_action = int(info.value), info.action
        node.bound = getattr(info, "bound", None) or self._bound(node)
        if pruned:
            node.pruned = True
            node.unsearched = tuple(self._actions[node.number][len(node.children) :])
            self._say("prune", node)
        else:
            self._stored.setdefault(node.state, node.bound)
        if node.source == "table":
            node.stored = self._storers.get(node.state)
        elif not pruned or hasattr(info, "bound"):  # only the sound table stores what was pruned, as a bound
            self._storers[node.state] = node.number
        self._path.pop()
        self._say("leave", node)
        if self._path:
            self._return(self._path[-1], node.value)

    def _bound(self, node: Node) -> Bound | None:
        """Whether a value is exact or a bound, judged by the window of its node, if the algorithm does not say.

        A table without bounds returns a value as if it were exact; here it is what it was when it was stored.
        """
        if node.alpha is None or node.beta is None or node.value is None:
            return None
        if node.source == "table":
            return self._stored.get(node.state, "exact")
        least, most = self.game.utility_range
        if node.source == "children" and least < node.value <= node.alpha:
            return "upper"
        if node.source == "children" and node.beta <= node.value < most:
            return "lower"
        return "exact"

    def _return(self, parent: Node, value: int) -> None:
        """Return a child's value to its parent; if it is the best so far, it moves alpha or beta."""
        best = parent.value
        if best is None or value * parent.player > best * parent.player:
            parent.value = value
            if parent.low is not None and parent.high is not None:
                if parent.player == MAX:
                    parent.low = max(parent.low, value)
                else:
                    parent.high = min(parent.high, value)
        self._say("return", parent)

    def _say(self, kind: Literal["enter", "return", "prune", "leave"], node: Node) -> None:
        self.events.append(Event(kind, node.number, node.value, node.low, node.high))


class ForMax:
    """An observer of an algorithm whose values are for the root player; it passes them on to another observer, for MAX.

    Parameters
    ----------
    observer
        The other observer. It sees a value and an action, as in all other algorithms.
    player
        The player at the root.
    """

    def __init__(self, observer: Observer, player: Player) -> None:
        self.observer = observer
        self.player = player
        self._found: list[Any] = []
        """What the visits that are just ending have returned."""

    def watch(self, visit: Visit, counts: SearchCounts) -> Visit:
        """See `Observer`."""

        def for_max(state: State, alpha: float, beta: float, depth: int) -> MinimaxInfo:
            found = visit(state, *self._turned(alpha, beta), depth)
            self._found.append(found)
            return MinimaxInfo(self.player * found.value, found.path[0] if found.path else None)

        told = self.observer.watch(for_max, counts)

        def turned(state: State, alpha: float, beta: float, depth: int) -> Any:
            told(state, *self._turned(alpha, beta), depth)
            return self._found.pop()

        return turned  # type: ignore[return-value]

    def _turned(self, alpha: float, beta: float) -> tuple[float, float]:
        """Turn a window for the root player into one for MAX, or back."""
        return (alpha, beta) if self.player == MAX else (-beta, -alpha)


class Limit:
    """An observer that only counts, and breaks off a search with too many nodes."""

    def __init__(self, limit: int, is_stopped: Stop = go_on) -> None:
        self.limit = limit
        self.is_stopped = is_stopped

    def watch(self, visit: Visit, counts: SearchCounts) -> Visit:
        """See `Observer`."""

        def limited(*arguments: Any) -> Any:
            if counts.nodes >= self.limit or self.is_stopped():
                raise TooManyNodes(f"The search has more than {self.limit:,} nodes.")
            return visit(*arguments)

        return limited  # type: ignore[return-value]


def watched(visit: Visit, observer: Observer | None, counts: SearchCounts) -> Visit:
    """The function that an algorithm calls for each state: its own, or the observer's, which calls it."""
    return visit if observer is None else observer.watch(visit, counts)
