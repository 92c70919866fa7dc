"""Searches in threads, for pages that must not wait: who may search now, with which engine, and how it is stopped.

Engines are shared and few, so that memory stays bounded however many people visit. Moves and analyses wait in queues of
their own: a long analysis never keeps a player from moving.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from zermelo.errors import BadParameter, NotCompilable, ZermeloError
from zermelo.game import Action, Game, State
from zermelo.play.players import Options, make_player, settings_for
from zermelo.result import SearchResult
from zermelo.textbook.systems import Settings
from zermelo.ui.web.analysis import (
    Analysis,
    EngineProvider,
    Provider,
    Say,
    Solved,
    Stopped,
    TableProvider,
    TextbookProvider,
    Watch,
)
from zermelo.ui.web.engines import IdleEngines

if TYPE_CHECKING:
    from zermelo.engine import Engine

Answer = TypeVar("Answer")
TABLE_MB: Final = 16.0
ENGINES: Final = 8
"""Engines kept: their tables are what memory goes to."""
PLAYER_NODES: Final = 250_000
"""Nodes of a textbook player's search: its table is in memory."""


class Job(Protocol):
    """Something that runs in a thread until it is done or stopped."""

    def stop(self) -> None:
        """End it soon, from another thread."""


class Control:
    """A handle on the search of one move: whoever holds it can end it."""

    def __init__(self) -> None:
        self.job: Job | None = None
        self.is_stopped = False

    def take(self, job: Job) -> None:
        """The search that is to be ended: at once, if that was said while it waited for its turn."""
        self.job = job
        if self.is_stopped:
            job.stop()

    def stop(self) -> None:
        """Move now."""
        self.is_stopped = True
        if self.job is not None:
            self.job.stop()


Progress = Callable[[int, SearchResult | None], None]
"""Told of nodes, and of each depth that is done."""


@dataclass(frozen=True)
class Thought:
    """A player's move, and the search behind it."""

    action: Action
    result: SearchResult | None = None


class Workshop:
    """Threads and engines, shared by all visitors.

    Parameters
    ----------
    players, analyses
        How many of each may search at the same time; more wait their turn.
    tables
        Solved tables, by the fingerprint of the rules they solve.
    """

    def __init__(
        self,
        players: int = 4,
        analyses: int = 2,
        tables: Mapping[str, Solved] | None = None,
        table_mb: float = TABLE_MB,
    ) -> None:
        self.tables = tables or {}
        self.table_mb = table_mb
        # A table remembers what it has read, and is not made for two threads at once.
        lanes = {"move": players, "analysis": analyses, "table": 1}
        self._lanes = {lane: asyncio.Semaphore(many) for lane, many in lanes.items()}
        self._waiting = dict.fromkeys(self._lanes, 0)
        self._threads = ThreadPoolExecutor(players + analyses + 2, thread_name_prefix="search")
        self._idle = IdleEngines(ENGINES)
        self._refused: dict[str, str] = {}
        self._ready: set[str] = set()
        self._jobs: dict[int, Job] = {}

    @property
    def engines(self) -> int:
        """How many engines are kept idle."""
        return len(self._idle)

    @property
    def jobs(self) -> int:
        """How many searches are under way."""
        return len(self._jobs)

    def waiting(self, lane: str) -> int:
        """How many wait for their turn in a lane."""
        return self._waiting[lane]

    @asynccontextmanager
    async def turn(self, lane: str) -> AsyncIterator[None]:
        """Wait for a turn: to search for a player (``move``), to analyse (``analysis``), to read tables (``table``)."""
        self._waiting[lane] += 1
        try:
            await self._lanes[lane].acquire()
        finally:
            self._waiting[lane] -= 1
        try:
            yield
        finally:
            self._lanes[lane].release()

    def refusal(self, game: Game) -> str:
        """Why the rules of ``game`` cannot be compiled, as far as that was tried; else nothing."""
        return self._refused.get(game.fingerprint, "")

    def is_ready(self, game: Game) -> bool:
        """Whether searches of ``game`` begin at once, with nothing to be compiled."""
        return game.fingerprint in self._ready or game.fingerprint in self._refused

    async def warm(self, game: Game) -> None:
        """Compile ``game``, or load its machine code, before anybody asks."""
        with suppress(ZermeloError):
            if not game.is_terminal(game.initial):
                await self.analyse(game, game.initial, 1.0, lambda _: None, depth=1)

    def close(self) -> None:
        """Stop everything."""
        for job in list(self._jobs.values()):
            job.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def in_thread(self, job: Job, work: Callable[[], Answer]) -> Answer:
        """Do ``work`` in a thread; whoever stops waiting for it stops ``job``, and the thread is waited for."""
        self._jobs[id(job)] = job
        future = asyncio.get_running_loop().run_in_executor(self._threads, work)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            job.stop()
            with suppress(Exception, asyncio.CancelledError):
                await asyncio.wait_for(asyncio.shield(future), 5.0)
            raise
        finally:
            self._jobs.pop(id(job), None)

    @asynccontextmanager
    async def engine(self, game: Game) -> "AsyncIterator[Engine]":
        """An engine for ``game`` that nobody else uses meanwhile.

        Raises
        ------
        NotCompilable
            The rules cannot become machine code.
        """
        if game.fingerprint in self._refused:
            raise NotCompilable(self._refused[game.fingerprint])
        engine = self._idle.take(game)
        if engine is None:
            engine = await self.in_thread(_Nothing(), lambda: self._make(game))
        try:
            yield engine
        except NotCompilable as error:
            self._refused[game.fingerprint] = str(error)
            raise
        self._ready.add(game.fingerprint)
        self._idle.keep(engine)

    def _make(self, game: Game) -> "Engine":
        from zermelo.engine import Engine

        try:
            return Engine(game, table_mb=self.table_mb)
        except NotCompilable as error:
            self._refused[game.fingerprint] = str(error)
            raise

    async def move(
        self,
        game: Game,
        state: State,
        player: str,
        options: Options,
        progress: Progress,
        control: Control,
    ) -> Thought:
        """The move of a program; ``progress`` is told, in its thread, of nodes and of each depth.

        Raises
        ------
        ZermeloError
            The player cannot play this game, or met its limits.
        """
        if player == "table":
            async with self.turn("table"):
                return await self.in_thread(_Nothing(), lambda: self._table_move(game, state))
        async with self.turn("move"):
            name, _, level = player.partition(":")
            if name == "engine":
                return await self._engine_move(game, state, settings_for(name, level, options), progress, control)
            watch = Watch(PLAYER_NODES, 4 * (options.seconds or 15.0))
            control.take(watch)

            def work() -> Thought:
                thought = make_player(player, game, options).think(state, watch)
                return Thought(thought.action, thought.result)

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

    def _table_move(self, game: Game, state: State) -> Thought:
        """What the solved table of a game says."""
        table = self.tables.get(game.fingerprint)
        if table is None:
            raise BadParameter(f"There is no solved table of {game!r} here; start with --table DIR.")
        try:
            return Thought(next(iter(table.moves(state))).action)
        except KeyError:
            raise BadParameter("The solved table does not hold this position.") from None

    async def _engine_move(
        self, game: Game, state: State, settings: Settings, progress: Progress, control: Control
    ) -> Thought:
        async with self.engine(game) as engine:
            control.take(engine)

            def report(result: SearchResult) -> None:
                if control.is_stopped:  # it may have been said before the search was ready to hear it
                    engine.stop()
                progress(result.nodes, result)

            def work() -> Thought:
                result = engine.search(state, seconds=settings.seconds, depth=settings.depth, progress=report)
                return Thought(result.action, result)

            return await self.in_thread(engine, work)

    async def analyse(
        self, game: Game, state: State, seconds: float, say: Say, depth: int | None = None
    ) -> Analysis | None:
        """What can be known of a position: from its solved table, else the engine, else a textbook search.

        Raises
        ------
        ZermeloError
            The game needs what is not there.
        """
        table = self.tables.get(game.fingerprint)
        if table is not None:
            async with self.turn("table"):
                found = await self._provided(TableProvider(table), game, state, seconds, say)
            if found is not None:
                say(found)
                return found
        async with self.turn("analysis"):
            try:
                async with self.engine(game) as engine:
                    return await self._provided(EngineProvider(engine, depth), game, state, seconds, say)
            except NotCompilable:
                return await self._provided(TextbookProvider(), game, state, seconds, say)

    async def _provided(
        self, provider: Provider, game: Game, state: State, seconds: float, say: Say
    ) -> Analysis | None:
        return await self.in_thread(provider, lambda: provider.analyse(game, state, seconds, say))


class _Nothing:
    """A job that cannot be stopped: making an engine, or reading the moves of one position, takes a moment."""

    def stop(self) -> None:
        """Do nothing."""


async def _tick(watch: Watch, progress: Progress) -> None:
    while True:
        await asyncio.sleep(0.25)
        progress(watch.nodes, None)


def processors() -> int:
    """How many processors there are to search with."""
    return os.cpu_count() or 1
