"""A position proven by the workers of a cluster: each worker proves positions near the root, with tables of its own.

The driver holds the tree of the first plies, with bounds of each value. It asks one question after the other: is the
root worth at least so much? It asks workers the same of leaves, in the order of the game's moves. A worker answers
within a slice of time, so that no worker stays at a leaf that no longer matters. Every answer narrows the bounds.
"""

import time
from dataclasses import dataclass, field
from typing import Any, Final

from zermelo.cluster.connect import connected, imported, processors
from zermelo.cluster.source import GameSource, source_of
from zermelo.compiled.game import compiled
from zermelo.compiled.states import flatten, load_state
from zermelo.engine.windows import next_alpha
from zermelo.errors import BadParameter, ClusterError, TerminalState
from zermelo.game import MAX, Action, Game, State
from zermelo.result import SearchResult

_LEAVES: Final = 4
"""Leaves for each worker."""
_PLIES: Final = 6
"""Plies of the driver's tree, at most."""
_SLICE: Final = 2.0
"""Seconds that a worker may take for an answer; its table keeps what it has found out."""


@dataclass(eq=False)
class Node:
    """A position of the driver's tree, and bounds of its value."""

    state: State
    side: int
    low: int
    high: int
    actions: list[Action] = field(default_factory=list)
    children: list["Node"] = field(default_factory=list)
    """Empty for leaves."""

    def narrow(self) -> None:
        """Narrow the bounds by those of the children."""
        if self.children:
            for child in self.children:
                child.narrow()
            best = max if self.side == MAX else min
            self.low = max(self.low, best(child.low for child in self.children))
            self.high = min(self.high, best(child.high for child in self.children))

    def open_leaf(self, at_least: int, taken: set[int]) -> "Node | None":
        """The first leaf, in the order of moves, that could answer the question and is not ``taken``; None if none."""
        if self.low >= at_least or self.high < at_least:
            return None
        if not self.children:
            return None if id(self) in taken else self
        leaves = (child.open_leaf(at_least, taken) for child in self.children)
        return next((leaf for leaf in leaves if leaf is not None), None)


class Worker:
    """An engine on some node."""

    def __init__(self, source: GameSource, table_mb: float) -> None:
        from zermelo.engine import Engine

        self.game = source.make()
        self.engine = Engine(self.game, table_mb=table_mb)

    def narrow(self, row: Any, within: tuple[int, int], seconds: float) -> tuple[tuple[int, int], int]:
        """Call `zermelo.engine.Engine.narrow`, for a state that comes as its ints."""
        return self.engine.narrow(load_state(compiled(self.game), row), within, seconds=seconds)

    def stop(self) -> None:
        """End the search under way at once."""
        self.engine.stop()


def prove_on_cluster(
    game: Game,
    state: State | None = None,
    *,
    cluster: str = "auto",
    workers: int | None = None,
    seconds: float | None = None,
    table_mb: float = 256.0,
    slice_seconds: float = _SLICE,
) -> SearchResult:
    """The exact value of a position, as `zermelo.engine.Engine.prove`.

    Parameters
    ----------
    game, state
        Where to search from; the game's initial state if None.
    cluster
        ``auto``, ``local`` or an address; see `zermelo.cluster.connect.connected`.
    workers
        Engines; one for each processor of the cluster if None.
    seconds
        A limit of time.
    table_mb
        Of each worker's table, in MiB.
    slice_seconds
        How long a worker is left alone with a question.

    Raises
    ------
    TerminalState
        The game is over in ``state``.
    BadParameter
        States of the game can come back.
    ClusterError
        The cluster cannot be joined, or it failed.
    """
    state = game.initial if state is None else state
    if compiled(game).can_repeat:
        raise BadParameter(f"States of {game!r} can come back; only one machine can prove their values.")
    if game.is_terminal(state):
        raise TerminalState("The game is over in this state, so there is nothing to search.")
    with connected(cluster, workers, int(2 * table_mb * (1 << 20))):
        return _Proof(game, state, workers or processors(), table_mb, slice_seconds).run(seconds)


class _Proof:
    """One proof under way."""

    def __init__(self, game: Game, state: State, workers: int, table_mb: float, slice_seconds: float) -> None:
        self.game, self.slice = game, slice_seconds
        self.met: dict[State, Node] = {}
        self.root = self._node(state)
        self.leaves = self._grow(_LEAVES * workers)
        self._ray = imported()
        options = {"num_cpus": 1, "max_concurrency": 2, "max_restarts": -1, "max_task_retries": -1}
        make = self._ray.remote(Worker).options(**options)
        source = source_of(game)
        self.workers = [make.remote(source, table_mb) for _ in range(workers)]
        self.nodes = 0
        self._goals: dict[int, int] = {}

    def _node(self, state: State) -> Node:
        """The node of a state; there is one for each state."""
        if state not in self.met:
            low, high = self.game.utility_range
            if self.game.is_terminal(state):
                low = high = self.game.utility(state)
            self.met[state] = Node(state, self.game.to_move(state), low, high)
        return self.met[state]

    def _grow(self, wanted: int) -> list[Node]:
        """Add plies to the tree until it has that many leaves, and return the leaves."""
        leaves = [self.root]
        for _ in range(_PLIES):
            if len(leaves) >= wanted or not leaves:
                break
            for node in leaves:
                node.actions = self.game.legal_actions(node.state)
                if self.game.order is not None:
                    hints = {action: self.game.order(node.state, action) for action in node.actions}
                    node.actions.sort(key=hints.__getitem__, reverse=True)
                node.children = [self._node(self.game.result(node.state, action)) for action in node.actions]
            below = {id(child): child for node in leaves for child in node.children}
            leaves = [child for child in below.values() if child.low < child.high and not child.children]
        return leaves

    def run(self, seconds: float | None) -> SearchResult:
        """Ask questions until the root's value is known or time is up."""
        began = time.perf_counter()
        at_work: dict[Any, tuple[int, Node]] = {}
        ended = "finished"
        self.root.narrow()
        while self.root.low < self.root.high:
            if seconds is not None and time.perf_counter() - began > seconds:
                ended = "time"
                break
            self._hand_out(at_work)
            ready, _ = self._ray.wait(list(at_work), num_returns=1, timeout=1.0)
            for answer in ready:
                self._take(answer, at_work.pop(answer)[1])
            self.root.narrow()
        # Ray logs an error for an actor killed while it is running a task, so stop them first.
        stopped = [worker.stop.remote() for worker in self.workers]
        self._ray.wait([*at_work, *stopped], num_returns=len(at_work) + len(stopped), timeout=2 * self.slice)
        for worker in self.workers:
            self._ray.kill(worker)
        return self._result(time.perf_counter() - began, ended)

    def _hand_out(self, at_work: dict[Any, tuple[int, Node]]) -> None:
        """Give every idle worker a leaf."""
        busy = {number for number, _ in at_work.values()}
        taken = {id(leaf) for _, leaf in at_work.values()}
        at_least = next_alpha(self.root.low, self.root.high) + 1
        for number, worker in enumerate(self.workers):
            if number in busy:
                continue
            leaf = self.root.open_leaf(at_least, taken)
            if leaf is None:
                # Workers are at all leaves that this question needs: take one that the next question may need.
                leaf = next((leaf for leaf in self.leaves if leaf.low < leaf.high and id(leaf) not in taken), None)
            if leaf is None:
                return
            taken.add(id(leaf))
            goal = at_least if leaf.low < at_least <= leaf.high else next_alpha(leaf.low, leaf.high) + 1
            answer = worker.narrow.remote(flatten(leaf.state), (goal - 1, goal), self.slice)
            self._goals[id(leaf)] = goal
            at_work[answer] = number, leaf

    def _take(self, answer: Any, leaf: Node) -> None:
        try:
            (low, high), nodes = self._ray.get(answer)
        except self._ray.exceptions.RayError as error:
            raise ClusterError(f"A worker failed: {str(error).strip().splitlines()[0]}.") from error
        self.nodes += nodes
        goal = self._goals.pop(id(leaf))
        if low >= goal:
            leaf.low = max(leaf.low, goal)
        elif high < goal:
            leaf.high = min(leaf.high, goal - 1)

    def _result(self, seconds: float, ended: Any) -> SearchResult:
        root = self.root
        exact = root.low == root.high
        keeps = (child.low >= root.low if root.side == MAX else child.high <= root.high for child in root.children)
        action = next((action for action, kept in zip(root.actions, keeps, strict=True) if kept), root.actions[0])
        lower = exact or root.low > self.game.utility_range[0] or root.high == self.game.utility_range[1]
        return SearchResult(
            value=root.low if lower else root.high,
            bound="exact" if exact else "lower" if lower else "upper",
            proven=exact,
            action=action,
            principal_variation=(action,),
            nodes=self.nodes,
            seconds=seconds,
            game=self.game,
            state=root.state,
            stopped_by=ended,
        )
