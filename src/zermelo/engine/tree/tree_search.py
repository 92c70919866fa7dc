"""`TreeSearch`: Monte Carlo tree search for one game, in threads that grow a tree each."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from zermelo.compiled.apart import compile_for
from zermelo.compiled.beside import agreeing
from zermelo.compiled.explain import explained
from zermelo.compiled.rules import position_key
from zermelo.compiled.states import flatten
from zermelo.engine.earlier import earlier_states, rows_of
from zermelo.engine.fork_lock import ForkLock
from zermelo.engine.job import SCALE
from zermelo.engine.network import Network, compiled_with, point_to
from zermelo.engine.requests import checked_state
from zermelo.engine.results import Clock
from zermelo.engine.runner import run, stop
from zermelo.engine.tree.chance import seeded
from zermelo.engine.tree.evaluations import typical_evaluation
from zermelo.engine.tree.options import TreeOptions
from zermelo.engine.tree.playout import MOST_ACTIONS
from zermelo.engine.tree.playouts import MOST_THREADS
from zermelo.engine.tree.pool import RUNNING, Nodes, make_nodes, make_tree
from zermelo.engine.tree.results import TreeResult, children_of, is_decided, merged
from zermelo.engine.tree.reuse import keep_below
from zermelo.engine.tree.rewards import MARGIN
from zermelo.engine.tree.simulation import grow
from zermelo.errors import BadParameter
from zermelo.game import Action, Game, State
from zermelo.result import StoppedBy

_MANY: Final = 1 << 62
_seeded = getattr(seeded, "py_func", seeded)
"""`seeded` in Python: only kernels call the compiled one."""


class TreeSearch:
    """Monte Carlo tree search for one game.

    Each thread grows a tree of its own, and the visits of their roots add up (Cazenave and Jouandeau 2007: root
    parallelization). With limits of playouts, the result so depends on the seed and the number of threads alone.

    Parameters
    ----------
    game
        Its states are NamedTuples of ints, or of short tuples of ints; its actions are ints.
    threads
        How many threads search together.
    table_mb
        Memory of all trees together in MiB. It is allocated when first needed. Full trees grow no deeper.
    evaluation
        A learned evaluation, which takes the place of the game's EVAL (`zermelo.learn.read_evaluation`).
    options
        Fields of `zermelo.engine.tree.options.TreeOptions`, such as ``rave=True``.

    Raises
    ------
    NotCompilable
        The rules cannot become machine code.
    BadParameter
        A number is out of range, there is no such option, the game does not allow it, or the evaluation belongs to
        other rules.
    """

    def __init__(
        self,
        game: Game,
        threads: int = 1,
        table_mb: float = 64,
        evaluation: Network | None = None,
        **options: float,
    ) -> None:
        if not 1 <= threads <= MOST_THREADS:
            raise BadParameter(f"A tree search has 1 to {MOST_THREADS} threads, not {threads}.")
        if not 0 < table_mb <= 1 << 24:
            raise BadParameter(f"table_mb is {table_mb}; it must be more than 0 and at most {1 << 24:,}.")
        unknown = [name for name in options if name not in TreeOptions.__dataclass_fields__]
        if unknown:
            there_are = ", ".join(TreeOptions.__dataclass_fields__)
            raise BadParameter(f"There is no option {unknown[0]!r} of tree searches; there are {there_are}.")
        self.game, self.table_mb, self.given = game, table_mb, options
        self.evaluation = evaluation
        self.options = TreeOptions(**options).for_game(game, learned=evaluation is not None)  # type: ignore[arg-type]
        self._rules = compiled_with(game, evaluation)
        self._trees = [make_tree() for _ in range(threads)]
        self._nodes: list[Nodes] = []
        self._last: tuple[State, Sequence[State], Action] | None = None
        self._busy, self._stopped = ForkLock(), False
        self.clear()

    def stop(self) -> None:
        """End the running search, from another thread; it returns what it has found."""
        self._stopped = True
        stop(self._trees)

    def clear(self, game: int = 0) -> None:
        """Forget everything learnt, and begin the random numbers anew: those of the game of that number."""
        with self._busy:
            self._last = None
            for number, tree in enumerate(self._trees):
                tree["word"] = _seeded(self.options.seed, game * len(self._trees) + number)

    def prepare(self) -> None:
        """Compile or load the kernels and allocate the trees, which no limit of time should count."""
        with self._busy:
            self._prepare()

    def search(
        self,
        state: State | None = None,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        before: Sequence[State] = (),
    ) -> TreeResult:
        """Simulate until a limit is reached or it is proven who wins.

        What an earlier search found below ``state`` is kept, if ``state`` is at most two plies further on.

        Parameters
        ----------
        state
            Where to search from; the game's initial state if None.
        seconds, playouts
            Limits of time, and of simulations in all threads together. Without any, it goes on to the proof.
        before
            The positions of the game so far, without the present one, as for `Engine.search`.

        Raises
        ------
        TerminalState
            The game is over in ``state``: by its rules, or because it has come back.
        BadParameter
            A limit is out of range, or a state has more than 4,096 actions.
        """
        state = checked_state(self.game, state, seconds=seconds, playouts=playouts)
        earlier = earlier_states(self._rules, state, before)
        with self._busy:
            self._stopped = False
            self._prepare()
            clock = Clock(seconds)
            self._begin(state, earlier, _MANY if playouts is None else playouts)
            ended = self._run(state, earlier, clock)
            if any(tree["status"] != RUNNING for tree in self._trees):
                self._last = None
                raise BadParameter(
                    f"A state of {self.game!r} has more than {MOST_ACTIONS:,} actions, too many for mcts."
                )
            trees = list(zip(self._nodes, self._trees, strict=True))
            found = merged(trees, self.game, state, clock.seconds(), ended)
            self._last = state, earlier, found.action
            return found

    def _prepare(self) -> None:
        """Compile or load the kernels, allocate the trees and set the options, unless that is done."""
        if self._nodes:
            return
        rules, tree = self._rules, self._trees[0]
        words, options = flatten(self.game.initial), self.options
        typical, evaluates = 1.0, bool(options.minimax or options.prior)
        each = [make_nodes(self.table_mb / len(self._trees)) for _ in self._trees]
        for one in self._trees:
            one["scale"] = 1 if self.evaluation is None else SCALE
            point_to(self.evaluation, one)
        with agreeing(rules), explained(rules):
            compile_for(grow, rules, words, words[np.newaxis], each[0], tree)
        if evaluates:
            typical = typical_evaluation(rules, words, np.zeros(MOST_ACTIONS, dtype=np.int64), tree)
        for one in self._trees:
            one["rave"], one["evaluates"], one["sufficient"] = options.rave, evaluates, options.sufficient
            one["exploration"], one["minimax"], one["prior"] = (
                options.exploration,
                options.minimax or 0.0,
                options.prior,
            )
            one["growth"], one["playout_plies"], one["typical"] = options.growth, options.plies, typical
            one["margin"] = MARGIN if self.game.outcomes == "margin" else 0.0
            one["largest"] = max(1, *map(abs, self.game.utility_range))
        self._nodes = each

    def _begin(self, state: State, earlier: Sequence[State], playouts: int) -> None:
        """Prepare the trees for a search of a state, with what they hold of it already."""
        kept = self._places(state, earlier)
        for number, (nodes, tree) in enumerate(zip(self._nodes, self._trees, strict=True)):
            place = kept[number]
            if place != 0:  # the root itself needs no change
                tree["used"] = 0 if place is None else keep_below(nodes, int(tree["used"]), place)
            for name in ("stop", "status", "playouts", "plies", "deepest", "full"):
                tree[name] = 0
            share, more = divmod(playouts, len(self._trees))
            tree["limit"] = max(1, share + (number < more))
            tree["mark_stamps"] = 0

    def _run(self, state: State, earlier: Sequence[State], clock: Clock) -> StoppedBy:
        """Grow all trees; return what ended that."""
        words, before = flatten(state), rows_of(state, earlier)

        def work(number: int, _say: Callable[[Any], None]) -> None:
            nodes, tree = self._nodes[number], self._trees[number]
            grow(self._rules, words, before, nodes, tree)
            if is_decided(nodes[0], tree):  # then the others have nothing left to find out
                stop(self._trees)

        if self._stopped:  # by another thread, since the request began
            stop(self._trees)
        ended = run(self._trees, work, clock.left(), lambda _: None, wait_for_all=True)
        return "interrupted" if self._stopped else ended or "nodes"

    def _places(self, state: State, earlier: Sequence[State]) -> list[int | None]:
        """Return where each tree holds the state, at most two plies below its root; None if it does not.

        Where positions can come back, a tree holds what is true after those before its root and those on the way, so
        they must be the same now.
        """
        nothing: list[int | None] = [None] * len(self._trees)
        if self._last is None:
            return nothing
        root, before, action = self._last
        found = [_find(self.game, nodes, root, action, state) for nodes in self._nodes]
        if not self._rules.can_repeat:
            return [place for place, _ in found]
        now = {position_key(self._rules, one) for one in earlier}
        return [place if now == self._still_met(state, [*before, *way]) else None for place, way in found]

    def _still_met(self, state: State, before: Sequence[State]) -> set[int]:
        """Return the keys of those positions that play from ``state`` may come back to, without that of ``state``."""
        height = self._rules.tier(state)
        same = {position_key(self._rules, one) for one in before if self._rules.tier(one) == height}
        return same - {position_key(self._rules, state)}


def _find(game: Game, nodes: Nodes, root: State, action: Action, wanted: State) -> tuple[int | None, list[State]]:
    """Return the index of a state in a tree, and the states above it; None and no states if it is not found.

    It is found if it is that of the root, of a child of the root, or of a child below ``action``.
    """
    if wanted == root:
        return 0, []
    grown = -1
    for place, child in enumerate(children_of(nodes, 0)["action"].tolist(), start=int(nodes[0]["first"])):
        if game.result(root, child) == wanted:
            return place, [root]
        grown = place if child == action else grown
    if grown >= 0 and nodes[grown]["children"]:
        played = game.result(root, action)
        for place, child in enumerate(children_of(nodes, grown)["action"].tolist(), start=int(nodes[grown]["first"])):
            if game.result(played, child) == wanted:
                return place, [root, played]
    return None, []
