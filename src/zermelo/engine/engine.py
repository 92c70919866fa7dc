"""`Engine`: one game, its tables and its threads; searches and proofs under a clock."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import actions, sufficient_actions
from zermelo.compiled.table_probe import Probed
from zermelo.engine.earlier import earlier_states
from zermelo.engine.fork_lock import ForkLock
from zermelo.engine.job import Job
from zermelo.engine.network import Network, compiled_with
from zermelo.engine.proof_driver import decide_state, prove_state, prove_states, prove_whole
from zermelo.engine.requests import check_size, checked_state, state_and_goal
from zermelo.engine.results import Clock, decided, looked_up
from zermelo.engine.search_driver import Progress, search_state
from zermelo.engine.switches import make_switches
from zermelo.engine.team import Team
from zermelo.engine.tree.results import TreeResult
from zermelo.engine.tree.tree_search import TreeSearch
from zermelo.engine.warm_up import warm_up_decision, warm_up_proof, warm_up_search
from zermelo.errors import BadParameter
from zermelo.game import Action, Game, State
from zermelo.result import SearchResult

WarmUp = Callable[[CompiledGame, Job], None]
_POLISH_NODES: Final = 1_000_000
"""A proof may cost so many nodes more, or a quarter more, to find the quickest way there."""


class Engine:
    """A compiled search for one game.

    Parameters
    ----------
    game
        Its states are NamedTuples of ints, or of short tuples of ints; its actions are ints.
    threads
        How many threads search together, sharing the tables.
    table_mb
        Memory of the tables in MiB: half for searches, half for proofs. It is allocated when first needed.
    tables
        Solved tables of the game, such as `zermelo.solve` gives: a search stops at states that they hold.
    evaluation
        A learned evaluation (`zermelo.learn`) to use in the place of the game's ``evaluate``.
    tables_mb
        How much of each table may be held in memory. The rest of it is asked only about the state to be searched.
    switches
        Fields of `zermelo.engine.switches.Switches`, such as ``killers=False``.

    Raises
    ------
    NotCompilable
        The rules cannot become machine code; the message says where and what to write instead.
    BadParameter
        A number is out of range, there is no such switch, or the evaluation belongs to other rules.

    Notes
    -----
    The table is searched by a state's whole key. If the game's ``key`` is injective, no two states are ever confused. A
    game without ``key`` is given a hash of 64 bits (see `zermelo.compiled.rules.key`).
    """

    def __init__(
        self,
        game: Game,
        threads: int = 1,
        table_mb: float = 64,
        tables: Sequence[Probed] = (),
        evaluation: Network | None = None,
        tables_mb: float = 2048,
        **switches: int,
    ) -> None:
        check_size(threads, table_mb)
        self.game = game
        self.table_mb = table_mb
        learned = evaluation.switches if evaluation is not None else {}
        self.switches = make_switches(switches, {**(game.switches or {}), **learned})
        self._rules = compiled_with(game, evaluation, bool(tables))
        self.tables = list(tables)
        solved = [table.arrays(int(tables_mb * (1 << 20))) for table in self.tables]
        self.evaluation = evaluation
        self._team = Team(self._rules, self.switches, threads, table_mb, solved, evaluation)
        self._warm: set[WarmUp] = set()
        self._busy = ForkLock()
        self._tree: TreeSearch | None = None

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "An Engine cannot be pickled, since its tables are memory; send the game, and make an engine there."
        )

    def __repr__(self) -> str:
        return f"Engine({self.game!r}, threads={len(self._team.jobs)}, table_mb={self.table_mb:g})"

    def stop(self) -> None:
        """End the running search, from another thread; it returns what it has found."""
        self._team.stop()
        if self._tree is not None:
            self._tree.stop()

    def clear(self) -> None:
        """Forget everything learnt."""
        with self._busy:
            self._team.clear()
            self._tree = None

    def search(
        self,
        state: State | None = None,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        root_values: bool = False,
        progress: Progress | None = None,
        before: Sequence[State] = (),
        optimum: float | None = None,
    ) -> SearchResult:
        """Search ever deeper until the value is proven or a limit is reached.

        With a limit, it may use prunings that can be wrong, if the game's ``switches`` or the engine's name them.

        Parameters
        ----------
        state
            Where to search from; the game's initial state if None.
        seconds, depth, nodes
            Limits of time, of plies, and of nodes in all threads together. Without any the search goes on to the proof.
        root_values
            Give every action its value, and all best ones.
        progress
            Called, in the calling thread, with the result of each whole iteration.
        before
            The positions of the game so far, without the present one. If positions can come back, the value is that of
            the game as it goes on: it ends where one of these comes back. Other games need none. Solved tables are
            then asked only about positions from which no earlier one can be reached. The present position may be among
            them if matches go on then (`Game.occurrences`).
        optimum
            The seconds that it should spend on average, under a clock; it stops earlier where the choice is settled,
            and later where it is not, but never after ``seconds``. With ``root_values`` it has no effect.

        Returns
        -------
        SearchResult
            Of the last whole iteration; ``depth`` is that iteration's. If the interrupted iteration found a better
            action, the result is that action's, with ``bound`` "lower" if MAX is to move and "upper" if MIN is.

        Raises
        ------
        TerminalState
            The game is over in ``state``: by its rules, or because it has come back.
        """
        state = checked_state(self.game, state, seconds=seconds, nodes=nodes, depth=depth)
        limited = any(limit is not None for limit in (seconds, depth, nodes, optimum))
        return self._search(state, seconds, depth, nodes, root_values, progress, before, limited, optimum)

    def prove(
        self,
        state: State | None = None,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        root_values: bool = False,
        quickest: bool = True,
    ) -> SearchResult:
        """Search until the exact value is proven, or time or nodes are up.

        Parameters
        ----------
        state
            Where to search from; the game's initial state if None.
        seconds, nodes
            Limits of time, and of nodes in all threads together. Once the value is proven, as many nodes again may be
            spent to find an action that keeps it; if none is found, the first legal action is returned.
        root_values
            Give every action its value, and all best ones.
        quickest
            Once the value is proven, spend up to a quarter more to choose among equal actions by remoteness.

        Returns
        -------
        SearchResult
            A stopped proof returns the better bound proven so far, or an estimate if states can come back.

        Raises
        ------
        TerminalState
            The game is over in ``state``.
        """
        state = checked_state(self.game, state, seconds=seconds, nodes=nodes)
        if self._rules.can_repeat:  # only the search watches the path, on which values may depend
            result = self._search(state, seconds, None, nodes, root_values)
            return result if result.proven else replace(result, bound="estimate")
        with self._request():
            known = self._known(state)
            if known is not None:
                return known
            self._warm_up(warm_up_proof)
            clock = Clock(seconds)
            polish = partial(self._quickest, state, clock) if quickest else None
            return prove_whole(self._team, state, self._candidates(state), clock, nodes, root_values, polish)

    def narrow(
        self, state: State, within: tuple[int, int], *, seconds: float | None = None
    ) -> tuple[tuple[int, int], int]:
        """Narrow a state's value down within a given interval.

        Parameters
        ----------
        state
            Any of the game's, terminal ones too.
        within
            The least and the greatest value, for MAX. A value outside of it is reported as the nearer end.
        seconds
            A limit of time.

        Returns
        -------
        tuple
            The narrower interval, both ends equal unless the time was up; and the number of nodes visited.

        Raises
        ------
        BadParameter
            States of the game can come back.
        """
        if self._rules.can_repeat:
            raise BadParameter(f"States of {self.game!r} can come back; their values cannot be narrowed down by parts.")
        with self._request():
            self._warm_up(warm_up_proof)
            self._team.start("proof", None)
            interval, _ = prove_state(self._team, state, within, seconds)
            return interval, int(self._team.counts()["nodes"])

    def decide(
        self,
        state: State | None = None,
        at_least: int | None = None,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> SearchResult:
        """Whether the value is at least so much, by proof-number search, which is best where one side is forced.

        Parameters
        ----------
        state
            Where to search from; the game's initial state if None or left out.
        at_least
            For MAX: ``decide(state, 1)`` asks whether MAX wins, in a game of wins, draws and losses.
        seconds, nodes
            Limits of time and of nodes. It runs in one thread.

        Returns
        -------
        SearchResult
            Proven, with ``at_least`` as a lower bound or one less as an upper bound; not proven if stopped first.

        Raises
        ------
        TerminalState
            The game is over in ``state``.
        BadParameter
            The value to ask for is not a number, a limit is out of range, or states of the game can come back.
        """
        state, at_least = state_and_goal(state, at_least)
        state = checked_state(self.game, state, seconds=seconds, nodes=nodes)
        if self._rules.can_repeat:
            raise BadParameter(f"States of {self.game!r} can come back; proof-number search needs that none does.")
        with self._request():
            self._warm_up(warm_up_decision)
            clock = Clock(seconds)
            answer, ended = decide_state(self._team, state, at_least, clock, nodes)
            return decided(self._team, state, self._candidates(state), at_least, answer, clock, ended)

    def prove_many(
        self, states: Sequence[State], *, seconds: float | None = None, fresh: bool = False
    ) -> NDArray[np.int64]:
        """The exact values of many states, for MAX, proven without a return to Python between them.

        Parameters
        ----------
        states
            Any of the game's, terminal ones too.
        seconds
            A limit of time for all together.
        fresh
            Prove each state as if it were the first, with nothing learnt from the others.

        Returns
        -------
        numpy.ndarray
            int64, one for each state.

        Raises
        ------
        BadParameter
            The time was up first, or states of the game can come back; use `prove` for these.
        """
        if self._rules.can_repeat:
            raise BadParameter(f"States of {self.game!r} can come back; prove them one by one.")
        with self._request():
            self._warm_up(warm_up_proof)
            self._team.start("proof", None)
            lows, highs = prove_states(self._team, states, fresh, seconds)
        if (lows != highs).any():
            raise BadParameter(f"{int((lows != highs).sum())} of {len(states)} states were not proven when it stopped.")
        return lows

    def mcts(
        self,
        state: State | None = None,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        before: Sequence[State] = (),
        **options: float,
    ) -> TreeResult:
        """Search with random games in a tree: see `TreeSearch.search`, and `TreeOptions` for what else it takes.

        The engine's learned evaluation, if it has one, takes the place of EVAL there, too. The tree is kept for the
        next call, and begun anew where the options have changed.
        """
        if self._tree is None or self._tree.given != options:
            self._tree = TreeSearch(self.game, len(self._team.jobs), self.table_mb, self.evaluation, **options)
        return self._tree.search(state, seconds=seconds, playouts=playouts, before=before)

    @contextmanager
    def _request(self) -> Iterator[None]:
        """Let one request run at a time; from here on `stop` ends it, even while it compiles."""
        with self._busy:
            self._team.begin()
            yield

    def _warm_up(self, warm_up: WarmUp) -> None:
        """Get a kernel's machine code ready, once."""
        if warm_up not in self._warm:
            warm_up(self._rules, self._team.first)
            self._warm.add(warm_up)

    def _known(self, state: State) -> SearchResult | None:
        """The result that a solved table gives for a state; None if no table holds the state."""
        return next((looked_up(table, self.game, state) for table in self.tables if table.get(state) is not None), None)

    def _candidates(self, state: State) -> list[Action]:
        """The actions that a search looks at; an index in the search counts from the first of them."""
        listed = sufficient_actions if self.switches.sufficient_actions else actions
        return list(listed(self._rules, state))

    def _search(
        self,
        state: State,
        seconds: float | None,
        depth: int | None,
        nodes: int | None,
        root_values: bool,
        progress: Progress | None = None,
        before: Sequence[State] = (),
        unsound: bool = False,
        optimum: float | None = None,
    ) -> SearchResult:
        """As `search`, with the prunings that can be wrong if ``unsound``."""
        earlier = earlier_states(self._rules, state, before)
        with self._request():
            known = None if earlier else self._known(state)
            if known is not None:
                return known
            self._warm_up(warm_up_search)
            legal = self.game.legal_actions(state) if root_values else self._candidates(state)
            self._team.leave_out(unsound)
            self._team.start("search", nodes)
            clock = Clock(seconds)
            return search_state(self._team, state, legal, earlier, clock, depth, root_values, progress, optimum)

    def _quickest(self, state: State, clock: Clock, nodes: int) -> SearchResult | None:
        """The result of a search that tells quick wins from slow ones, if it is proven within a limit of nodes."""
        if not self.switches.remoteness:
            return None
        self._warm_up(warm_up_search)
        self._team.leave_out(False)
        self._team.start("search", max(_POLISH_NODES, nodes // 4))
        found = search_state(self._team, state, self._candidates(state), (), clock)
        return found if found.proven else None
