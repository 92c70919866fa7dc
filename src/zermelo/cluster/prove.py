"""Proving the value of a position with the workers of a cluster; each worker has an engine and a table of its own.

The driver keeps the tree of the first plies, with lower and upper bounds of each value. It asks one question after the
other: is the value of the root at least v? For each question it asks workers about leaves of the tree, in the order of
the game's moves. A worker answers within a *slice*, a short time, so that no worker stays at a leaf that no longer
matters. Every answer narrows the bounds, and the proof ends when the bounds of the root are equal.
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
"""How many leaves the driver's tree has for each worker."""
_PLIES: Final = 6
"""The greatest depth of the driver's tree, in plies."""
_SLICE: Final = 2.0
"""Seconds that a worker may take for an answer. Its table keeps what it has found, for the next question."""


@dataclass(eq=False)
class Node:
    """A position of the driver's tree. Its value lies between ``low`` and ``high``; ``side`` is the player to move."""

    state: State
    side: int
    low: int
    high: int
    actions: list[Action] = field(default_factory=list)
    children: list["Node"] = field(default_factory=list)
    """Empty for leaves."""

    def narrow(self) -> None:
        """Narrow the bounds of this node and all nodes below it by those of their children."""
        if self.children:
            for child in self.children:
                child.narrow()
            best = max if self.side == MAX else min
            self.low = max(self.low, best(child.low for child in self.children))
            self.high = min(self.high, best(child.high for child in self.children))

    def open_leaf(self, at_least: int, taken: set[int]) -> "Node | None":
        """Return the first leaf that can help to decide whether the value is at least ``at_least``; None if none can.

        Parameters
        ----------
        at_least
            The question: is the value, for MAX, at least this?
        taken
            The ids of leaves that workers are searching; these are passed over.
        """
        if self.low >= at_least or self.high < at_least:
            return None
        if not self.children:
            return None if id(self) in taken else self
        leaves = (child.open_leaf(at_least, taken) for child in self.children)
        return next((leaf for leaf in leaves if leaf is not None), None)


class Worker:
    """An engine on one of the machines, as an actor of Ray's."""

    def __init__(self, source: GameSource, table_mb: float) -> None:
        from zermelo.engine import Engine

        self.game = source.make()
        self.engine = Engine(self.game, table_mb=table_mb)

    def narrow(self, row: Any, within: tuple[int, int], seconds: float) -> tuple[tuple[int, int], int]:
        """Call `zermelo.engine.Engine.narrow` for the state whose ints are ``row``."""
        return self.engine.narrow(load_state(compiled(self.game), row), within, seconds=seconds)

    def stop(self) -> None:
        """Stop the running search at once."""
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
    """Prove the exact value of a position with many machines; see also `zermelo.engine.Engine.prove`.

    Parameters
    ----------
    game, state
        The game, and the position to search from; the game's initial state if None.
    cluster
        ``auto``, ``local`` or an address; see `zermelo.cluster.connect.connected`.
    workers
        The number of engines; one for each processor of the cluster if None.
    seconds
        The time limit of the proof, in seconds; no limit if None.
    table_mb
        The size of each worker's table, in MiB.
    slice_seconds
        Seconds that a worker may take for an answer.

    Returns
    -------
    SearchResult
        The exact value; or the better bound proven so far, if the time was up.

    Raises
    ------
    TerminalState
        The game is over in ``state``.
    BadParameter
        States of the game can come back.
    NotCompilable
        The game's rules cannot become machine code.
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
    """One running proof: the driver's tree and the workers."""

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
        """Return the node of a state; each state has only one."""
        if state not in self.met:
            low, high = self.game.utility_range
            if self.game.is_terminal(state):
                low = high = self.game.utility(state)
            self.met[state] = Node(state, self.game.to_move(state), low, high)
        return self.met[state]

    def _grow(self, wanted: int) -> list[Node]:
        """Add plies to the tree until it has ``wanted`` leaves or `_PLIES` plies, and return its open leaves."""
        leaves = [self.root]
        for _ in range(_PLIES):
            if len(leaves) >= wanted or not leaves:
                break
            for node in leaves:
                node.actions = self.game.legal_actions(node.state)
                order = self.game.proof_order or self.game.order
                if order is not None:
                    hints = {action: order(node.state, action) for action in node.actions}
                    node.actions.sort(key=hints.__getitem__, reverse=True)
                node.children = [self._node(self.game.result(node.state, action)) for action in node.actions]
            below = {id(child): child for node in leaves for child in node.children}
            leaves = [child for child in below.values() if child.low < child.high and not child.children]
        return leaves

    def run(self, seconds: float | None) -> SearchResult:
        """Ask questions until the root's value is known or the time is up; return what is proven."""
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
        # Ray logs an error for an actor that is killed while it runs a task, so stop the actors first.
        stopped = [worker.stop.remote() for worker in self.workers]
        self._ray.wait([*at_work, *stopped], num_returns=len(at_work) + len(stopped), timeout=2 * self.slice)
        for worker in self.workers:
            self._ray.kill(worker)
        return self._result(time.perf_counter() - began, ended)

    def _hand_out(self, at_work: dict[Any, tuple[int, Node]]) -> None:
        """Give every idle worker a leaf, as long as there are open leaves."""
        busy = {number for number, _ in at_work.values()}
        taken = {id(leaf) for _, leaf in at_work.values()}
        at_least = next_alpha(self.root.low, self.root.high) + 1
        for number, worker in enumerate(self.workers):
            if number in busy:
                continue
            leaf = self.root.open_leaf(at_least, taken)
            if leaf is None:
                # Workers have all leaves that this question needs, so take one that the next question may need.
                leaf = next((leaf for leaf in self.leaves if leaf.low < leaf.high and id(leaf) not in taken), None)
            if leaf is None:
                return
            taken.add(id(leaf))
            goal = at_least if leaf.low < at_least <= leaf.high else next_alpha(leaf.low, leaf.high) + 1
            answer = worker.narrow.remote(flatten(leaf.state), (goal - 1, goal), self.slice)
            self._goals[id(leaf)] = goal
            at_work[answer] = number, leaf

    def _take(self, answer: Any, leaf: Node) -> None:
        """Narrow the bounds of a leaf by a worker's answer."""
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
        """Return the value of the root, or the better of its bounds, and an action that keeps it."""
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
