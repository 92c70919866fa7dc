"""Searches in threads, for pages that must not wait: which search may run now, with which engine, and how it ends.

Engines are shared and few, so that memory stays bounded however many people visit. Work of each kind has places of its
own, which clients take in turn: a long analysis, or rules that have yet to be compiled, keep no player from moving.
While somebody waits for a place, a search with an engine gives way when it has had what is usual.
"""

import asyncio
import os
import random
import sys
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from zermelo.errors import BadParameter, NotCompilable, ZermeloError
from zermelo.game import Game, State
from zermelo.play.erring import search_with_errors
from zermelo.play.levels import settings_for
from zermelo.play.limits import least
from zermelo.play.players import make_player
from zermelo.play.settings import EngineSettings, PlayerOptions, TreeSettings, read_description, tree_settings
from zermelo.result import SearchResult
from zermelo.ui.web.analysis import (
    Analysis,
    EngineProvider,
    Provider,
    Say,
    TableProvider,
    TextbookProvider,
)
from zermelo.ui.web.engines import TABLE_MB, Engines
from zermelo.ui.web.lanes import Lane
from zermelo.ui.web.links import USUAL_SECONDS
from zermelo.ui.web.shelf import MOST_GAMES
from zermelo.ui.web.stopping import Control, ProgramMove, Progress, Stoppable, Unstoppable
from zermelo.ui.web.watch import Stopped, Watch

if TYPE_CHECKING:
    from zermelo.learn import Evaluation
    from zermelo.solver import Table

T = TypeVar("T")
MEANWHILE_SECONDS: Final = 10.0
"""Time of a textbook search that answers while the rules are compiled; it slows the compiler."""
NICENESS: Final = 10
"""By how much the priority of searches is lower than that of the thread that answers clicks."""
PLAYER_NODES: Final = 250_000
"""Nodes of a textbook player's search, whose table is in memory."""


class Workshop:
    """Threads and engines, shared by all visitors.

    Parameters
    ----------
    players, analyses
        How many of each may search at the same time; more wait their turn.
    tables
        Solved tables, by the fingerprint of the rules they solve.
    table_mb, most_games, evaluations
        See `zermelo.ui.web.engines.Engines`.
    """

    def __init__(
        self,
        players: int = 4,
        analyses: int = 2,
        tables: "Mapping[str, Table] | None" = None,
        table_mb: float = TABLE_MB,
        most_games: int = MOST_GAMES,
        evaluations: "Mapping[str, Evaluation] | None" = None,
    ) -> None:
        self.tables = tables or {}
        # A table caches what it has read, and two threads must not use it at once.
        places = {"move": players, "textbook": players, "analysis": analyses, "table": 1}
        self.lanes = {name: Lane(many) for name, many in places.items()}
        self._working: set[threading.Thread] = set()
        self._searchers = ThreadPoolExecutor(sum(places.values()), "search", initializer=self._begin_search)
        # These hold Python's lock, which the thread that answers clicks needs, so they keep the usual priority. One
        # compiles while every search may wait for an engine to be made.
        self._makers = ThreadPoolExecutor(players + analyses + 1, "make", initializer=self._begin)
        self.engines = Engines(self._makers, table_mb, most_games, evaluations)
        self._running: dict[int, Stoppable] = {}
        self._compiling: set[asyncio.Task[None]] = set()
        """Compilations that nobody waits for any more."""

    def _begin(self) -> None:
        """Note a new thread."""
        self._working.add(threading.current_thread())

    def _begin_search(self) -> None:
        """Note a new thread, and let clicks go before it where the processors are busy."""
        self._begin()
        if sys.platform == "linux":  # elsewhere a priority belongs to the whole process
            thread = threading.get_native_id()
            with suppress(OSError):  # a sandbox may forbid it, and no search must fail for that
                os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICENESS)

    @property
    def searches(self) -> int:
        """The number of running searches."""
        return len(self._running)

    @property
    def has_threads(self) -> bool:
        """Whether a thread of this workshop is still there, searching, compiling or waiting for work."""
        return any(thread.is_alive() for thread in tuple(self._working))

    async def warm(self, game: Game, client: str = "") -> None:
        """Compile ``game``, or load its machine code, before anybody asks."""
        with suppress(ZermeloError):
            await self.engines.prepare(game, client)

    async def is_compiled_within(self, game: Game, seconds: float) -> bool:
        """Return whether ``game`` is compiled, or known not to compile, within a time; the compiler goes on."""
        if not self.engines.is_ready(game):
            compiling = self._compile(game)
            await asyncio.wait({compiling}, timeout=seconds)
        return self.engines.is_ready(game)

    def _compile(self, game: Game, client: str = "") -> "asyncio.Task[None]":
        """Begin to compile ``game``; this goes on if nobody waits for it any more."""
        task = asyncio.create_task(self.warm(game, client))
        self._compiling.add(task)
        task.add_done_callback(self._compiling.discard)
        return task

    def close(self) -> None:
        """Stop everything."""
        for job in list(self._running.values()):
            job.stop()
        for threads in (self._searchers, self._makers):
            threads.shutdown(wait=False, cancel_futures=True)

    async def in_thread(self, job: Stoppable, work: Callable[[], T]) -> T:
        """Do ``work`` in a thread. If the caller is cancelled, stop ``job`` and wait for the thread."""
        self._running[id(job)] = job
        future = asyncio.get_running_loop().run_in_executor(self._searchers, work)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            job.stop()
            with suppress(Exception, asyncio.CancelledError):
                await asyncio.wait_for(asyncio.shield(future), 5.0)
            raise
        finally:
            self._running.pop(id(job), None)

    async def move(
        self,
        game: Game,
        state: State,
        player: str,
        options: PlayerOptions,
        progress: Progress,
        control: Control,
        client: str = "",
        before: Sequence[State] = (),
    ) -> ProgramMove:
        """Return the move of a program; its thread calls ``progress`` with nodes and with each depth.

        ``client`` is the client that it is for; clients take turns. ``before`` are the states before ``state``.

        Raises
        ------
        ZermeloError
            The player cannot play this game, or met its limits.
        """
        if player == "table":
            async with self.lanes["table"].turn(client):
                return await self.in_thread(Unstoppable(), lambda: self._table_move(game, state))
        read = read_description(player)
        if "eval" in read.settings:
            raise BadParameter("A page loads no files; leave eval out, and start with zermelo serve GAME --eval FILE.")
        seconds = read.settings.get("seconds", options.seconds)
        options = replace(options, seconds=None if seconds is None else float(seconds))
        if read.name == "engine":
            settings = settings_for(game, read, options)
            settings = replace(settings, seconds=least(settings.seconds, options.seconds or USUAL_SECONDS))
            await self.engines.prepare(game, client)
            async with self.lanes["move"].turn(client):
                return await self._engine_move(game, state, before, settings, progress, control)
        if read.name == "mcts":
            await self.engines.prepare(game, client)
            async with self.lanes["move"].turn(client):
                return await self._tree_move(game, state, before, tree_settings(read, options), control)
        async with self.lanes["textbook"].turn(client):
            return await self._textbook_move(game, state, player, options, progress, control)

    def _table_move(self, game: Game, state: State) -> ProgramMove:
        """Return the move that the solved table of a game has."""
        table = self.tables.get(game.fingerprint)
        if table is None:
            raise BadParameter(f"There is no solved table of {game!r} here; start with --table DIR.")
        try:
            return ProgramMove(next(iter(table.moves(state))).action)
        except KeyError:
            raise BadParameter("The solved table does not hold this position.") from None

    async def _textbook_move(
        self, game: Game, state: State, player: str, options: PlayerOptions, progress: Progress, control: Control
    ) -> ProgramMove:
        watch = Watch(PLAYER_NODES, 4 * (options.seconds or 15.0))
        control.take(watch)

        def work() -> ProgramMove:
            thought = make_player(player, watch.rules(game), options).think(state, watch.counts)
            return ProgramMove(thought.action, thought.result)

        ticking = asyncio.create_task(_tick(watch, progress))
        try:
            return await self.in_thread(watch, work)
        except Stopped:
            if control.is_stopped:
                raise BadParameter(f"{player} was stopped before it had an answer.") from None
            raise BadParameter(
                f"{player} met its limit on this server ({PLAYER_NODES:,} nodes a move) without an answer; "
                "choose a smaller board, less depth, or another player."
            ) from None
        except (RecursionError, MemoryError):
            raise BadParameter(f"{player} ran out of memory in this game; choose another player.") from None
        finally:
            ticking.cancel()

    async def _tree_move(
        self, game: Game, state: State, before: Sequence[State], settings: TreeSettings, control: Control
    ) -> ProgramMove:
        """Return the move of a tree search, which has one thread and no more memory than an engine of this server."""
        from zermelo.engine.tree.tree_search import TreeSearch  # Numba takes half a second to import

        tree = TreeSearch(game, 1, TABLE_MB, self.engines.evaluation_of(game), **settings.options)
        control.take(tree)

        def work() -> ProgramMove:
            tree.prepare()
            seconds = settings.seconds or USUAL_SECONDS
            found = tree.search(state, seconds=seconds, playouts=settings.playouts, before=before)
            return ProgramMove(found.action, found)

        async with self._giving_way("move", tree):
            return await self.in_thread(tree, work)

    async def _engine_move(
        self,
        game: Game,
        state: State,
        before: Sequence[State],
        settings: EngineSettings,
        progress: Progress,
        control: Control,
    ) -> ProgramMove:
        async with self.engines.use(game) as engine:
            control.take(engine)

            def report(result: SearchResult) -> None:
                if control.is_stopped:  # the request to stop may be older than the search
                    engine.stop()
                progress(result.nodes, result)

            def work() -> ProgramMove:
                chooser = random.Random(settings.seed)
                depth = settings.depth_of_move(chooser)
                result = search_with_errors(
                    engine,
                    state,
                    settings.error,
                    chooser,
                    seconds=settings.seconds,
                    depth=depth,
                    nodes=settings.nodes,
                    progress=report,
                    before=before,
                )
                return ProgramMove(result.action, result)

            async with self._giving_way("move", engine):
                return await self.in_thread(engine, work)

    @asynccontextmanager
    async def _giving_way(self, lane: str, job: Stoppable) -> AsyncIterator[None]:
        """Stop ``job`` if somebody waits for its place, but not before it has had the usual time."""

        async def watch() -> None:
            await asyncio.sleep(USUAL_SECONDS)
            while not self.lanes[lane].waiting:
                await asyncio.sleep(0.1)
            job.stop()

        watching = asyncio.create_task(watch())
        try:
            yield
        finally:
            watching.cancel()

    async def analyse(
        self,
        game: Game,
        state: State,
        seconds: float,
        say: Say,
        depth: int | None = None,
        client: str = "",
        most: int | None = None,
    ) -> Analysis | None:
        """Return an analysis of a position: from its solved table, else from the engine, else from a textbook search.

        ``client`` is the client that it is for; clients take turns.

        Raises
        ------
        Busy
            ``most`` analyses of this client wait already.
        ZermeloError
            The game needs what is not there.
        """
        table = self.tables.get(game.fingerprint)
        if table is not None:
            async with self.lanes["table"].turn(client, most):
                provider = TableProvider(table)
                found = await self.in_thread(provider, lambda: provider.analyse(game, state, seconds, say))
            if found is not None:
                say(found)
                return found
        with suppress(NotCompilable):
            await self.engines.prepare(game, client, most)
        async with self.lanes["analysis"].turn(client, most):
            if self.engines.refusal(game):
                return await self._provided(TextbookProvider(), game, state, seconds, say)
            async with self.engines.use(game) as engine:
                return await self._provided(EngineProvider(engine, depth), game, state, seconds, say)

    async def meanwhile(self, game: Game, state: State, say: Say, client: str = "") -> None:
        """Compile the rules, and let a textbook search answer until that is done; return at once if it is."""
        if self.engines.is_ready(game) or game.fingerprint in self.tables:
            return
        compiling = self._compile(game, client)
        provider = TextbookProvider()
        try:
            if game.evaluate is not None:
                async with self.lanes["textbook"].turn(client):
                    work = self.in_thread(provider, lambda: provider.analyse(game, state, MEANWHILE_SECONDS, say))
                    searching = asyncio.create_task(work)
                    await asyncio.wait({compiling, searching}, return_when=asyncio.FIRST_COMPLETED)
                    provider.stop()
                    await asyncio.gather(searching, return_exceptions=True)  # rules that fail, fail in `analyse`, too
            await asyncio.wait({compiling})
        finally:
            provider.stop()

    async def _provided(
        self, provider: Provider, game: Game, state: State, seconds: float, say: Say
    ) -> Analysis | None:
        async with self._giving_way("analysis", provider):
            return await self.in_thread(provider, lambda: provider.analyse(game, state, seconds, say))


async def _tick(watch: Watch, progress: Progress) -> None:
    while True:
        await asyncio.sleep(0.25)
        progress(watch.counts.nodes, None)


def processors() -> int:
    """Return the number of processors."""
    return os.cpu_count() or 1
