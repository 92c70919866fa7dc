"""Engines for whoever searches: made from rules that are compiled once, in turn, and kept while memory allows."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary, WeakSet

from zermelo.errors import NotCompilable
from zermelo.game import Game
from zermelo.ui.web.lanes import Lane

if TYPE_CHECKING:
    from zermelo.engine import Engine


TABLE_MB: Final = 16.0
ENGINES: Final = 8
"""Engines kept: their tables are what memory goes to."""


class Engines:
    """Engines for games whose rules are compiled.

    Parameters
    ----------
    threads
        Where they are made.
    table_mb
        Memory of each engine's tables.
    """

    def __init__(self, threads: Executor, table_mb: float = TABLE_MB) -> None:
        self._threads, self._table_mb = threads, table_mb
        self._compilers = Lane(1)  # more would wait for the compiler's own lock
        self._idle = IdleEngines(ENGINES)
        self._refused: WeakKeyDictionary[Game, str] = WeakKeyDictionary()
        self._ready: WeakSet[Game] = WeakSet()

    def __len__(self) -> int:
        """How many are kept idle."""
        return len(self._idle)

    def is_ready(self, game: Game) -> bool:
        """Whether nothing of ``game`` has to be compiled any more."""
        return game in self._ready or game in self._refused

    def refusal(self, game: Game) -> str:
        """Why the rules of ``game`` cannot be compiled, as far as that was tried; else nothing."""
        return self._refused.get(game, "")

    async def prepare(self, game: Game, client: str = "", most: int | None = None) -> None:
        """Compile ``game``, or load its machine code, in a turn of its own; at once where that is done.

        Who stops waiting leaves the compiler, which cannot be stopped, at work and in its place.

        Raises
        ------
        NotCompilable
            The rules cannot become machine code.
        Busy
            ``most`` games of this client wait to be compiled already.
        """
        if not self.is_ready(game):
            await self._compilers.enter(client, most)
            compiling: asyncio.Future[None] | None = None
            try:
                if not self.is_ready(game):
                    compiling = asyncio.get_running_loop().run_in_executor(self._threads, self._compile, game)
                    await asyncio.shield(compiling)
            finally:
                self._leave_when_done(compiling, client)
        if game in self._refused:
            raise NotCompilable(self._refused[game])

    @asynccontextmanager
    async def use(self, game: Game) -> "AsyncIterator[Engine]":
        """An engine for ``game``, which is ready; nobody else uses it meanwhile. One whose search fails is dropped."""
        engine = self._idle.take(game)
        if engine is None:
            engine = await asyncio.get_running_loop().run_in_executor(self._threads, self._make, game)
        yield engine
        self._idle.keep(engine)

    def _leave_when_done(self, compiling: "asyncio.Future[None] | None", client: str) -> None:
        def leave(done: "asyncio.Future[None]") -> None:
            if not done.cancelled():
                done.exception()  # whoever asked may have left, and nobody else wants to know
            self._compilers.leave(client)

        if compiling is None:
            self._compilers.leave(client)
        else:
            compiling.add_done_callback(leave)

    def _compile(self, game: Game) -> None:
        """Let an engine search once, which compiles all that it needs."""
        try:
            engine = self._make(game)
            if not game.is_terminal(game.initial):
                engine.search(depth=1, root_values=True)
        except NotCompilable as error:
            self._refused[game] = str(error)
        else:
            self._ready.add(game)

    def _make(self, game: Game) -> "Engine":
        from zermelo.engine import Engine

        return Engine(game, table_mb=self._table_mb)


class IdleEngines:
    """Engines that nobody uses at the moment, by their game; those of the games that were used last are kept.

    Parameters
    ----------
    most
        How many are kept: their tables are what memory goes to.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._by_game: OrderedDict[Game, list[Engine]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._by_game.values()))

    def take(self, game: Game) -> "Engine | None":
        """An idle engine for ``game``, which is then the caller's; None if there is none."""
        engines = self._by_game.get(game)
        if engines is None:
            return None
        engine = engines.pop()
        if not engines:
            del self._by_game[game]
        return engine

    def keep(self, engine: "Engine") -> None:
        """Keep ``engine`` for whoever asks for its game next; drop one of the game that was used longest ago."""
        self._by_game.setdefault(engine.game, []).append(engine)
        self._by_game.move_to_end(engine.game)
        while len(self) > self._most:
            oldest = next(iter(self._by_game))
            self.take(oldest)
