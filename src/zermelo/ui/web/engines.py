"""Engines for all visitors. Rules are compiled once, one game after the other; a bounded number of engines is kept."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, NamedTuple
from weakref import WeakKeyDictionary, WeakSet

from zermelo.errors import NotCompilable
from zermelo.game import Game
from zermelo.ui.web.compiling import CompilerProgress
from zermelo.ui.web.lanes import Lane
from zermelo.ui.web.opponents import UNCOMPILABLE
from zermelo.ui.web.shelf import MOST_GAMES

if TYPE_CHECKING:
    from zermelo.engine import Engine
    from zermelo.learn import Evaluation


TABLE_MB: Final = 16.0
ENGINES: Final = 8
"""Engines that are kept; their tables take most of the memory."""


class TooManyGames(NotCompilable):
    """The server has compiled as many games as it may, and this is another one."""


class Refusal(NamedTuple):
    """Why there is no engine for a game. The error itself is not kept, because its traceback would keep the game."""

    kind: type[NotCompilable]
    sentence: str

    @property
    def words(self) -> str:
        """The reason in a few words."""
        full = issubclass(self.kind, TooManyGames)
        return "this server has compiled as many games as it may" if full else UNCOMPILABLE


class Engines:
    """Engines for games whose rules are compiled.

    Parameters
    ----------
    threads
        Where they are made.
    table_mb
        Memory of each engine's tables.
    most_games
        How many games are compiled; those that share their machine code are one.
    evaluations
        Learned evaluations that take the place of the games' own, by the games' `Game.seen_fingerprint`.
    """

    def __init__(
        self,
        threads: Executor,
        table_mb: float = TABLE_MB,
        most_games: int = MOST_GAMES,
        evaluations: "Mapping[str, Evaluation] | None" = None,
    ) -> None:
        self._evaluations = evaluations or {}
        self._threads, self._table_mb, self._most_games = threads, table_mb, most_games
        self.on_compiled: Callable[[], None] = lambda: None
        """Called, in a thread, when a game has been compiled."""
        self._codes: set[str] = set()
        self._compilers = Lane(1)  # more threads would only wait for the compiler's lock
        self._progress = CompilerProgress()
        self._idle = IdleEngines(ENGINES)
        self._refused: WeakKeyDictionary[Game, Refusal] = WeakKeyDictionary()
        self._ready: WeakSet[Game] = WeakSet()

    def __len__(self) -> int:
        """The number of idle engines."""
        return len(self._idle)

    def is_ready(self, game: Game) -> bool:
        """Whether ``game`` is compiled."""
        return game in self._ready or game in self._refused

    def evaluation_of(self, game: Game) -> "Evaluation | None":
        """Return the learned evaluation of ``game``, if there is one."""
        return self._evaluations.get(game.seen_fingerprint)

    def share(self, game: Game) -> float | None:
        """Return how much of ``game`` is compiled, from 0 to 1; None if it is not being compiled now."""
        return self._progress.share(game)

    def refusal(self, game: Game) -> str:
        """Return in a few words why there is no engine for ``game``; empty if there is one or nobody has asked."""
        return self._refused[game].words if game in self._refused else ""

    async def prepare(self, game: Game, client: str = "", most: int | None = None) -> None:
        """Compile ``game`` or load its machine code when its turn has come; return at once if that was done before.

        Who stops waiting leaves the compiler, which cannot be stopped, at work and in its place.

        Raises
        ------
        NotCompilable
            The rules cannot become machine code.
        TooManyGames
            As many games as may be are compiled already, and this is another one.
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
            kind, sentence = self._refused[game]
            raise kind(sentence)

    @asynccontextmanager
    async def use(self, game: Game) -> "AsyncIterator[Engine]":
        """Lend a ready engine for ``game`` to one caller at a time; drop it if its search fails."""
        engine = self._idle.take(game)
        if engine is None:
            engine = await asyncio.get_running_loop().run_in_executor(self._threads, self._make, game)
        yield engine
        self._idle.keep(engine)

    def _leave_when_done(self, compiling: "asyncio.Future[None] | None", client: str) -> None:
        def leave(done: "asyncio.Future[None]") -> None:
            if not done.cancelled():
                done.exception()  # the visitor who asked may have left
            self._compilers.leave(client)

        if compiling is None:
            self._compilers.leave(client)
        else:
            compiling.add_done_callback(leave)

    def _compile(self, game: Game) -> None:
        """Let an engine search once; this compiles everything that it needs."""
        try:
            self._count(game)
            with self._progress.watch(game):
                engine = self._make(game)
                if not game.is_terminal(game.initial):
                    engine.search(depth=1, root_values=True)
        except NotCompilable as error:
            self._refused[game] = Refusal(type(error), str(error))
        else:
            self._ready.add(game)
            self.on_compiled()

    def _count(self, game: Game) -> None:
        """Count ``game`` as compiled, since Numba frees no memory; refuse it if there are too many."""
        from zermelo.compiled import code_of  # Numba takes half a second to import

        code = code_of(game)
        if code not in self._codes and len(self._codes) >= self._most_games:
            raise TooManyGames(
                f"This server has compiled as many different games as it may ({self._most_games}), so it has no engine "
                "for another one; choose a game that was played here before, or start the server again, with a larger "
                "--most-games if it has the memory."
            )
        self._codes.add(code)

    def _make(self, game: Game) -> "Engine":
        from zermelo.engine import Engine

        return Engine(game, table_mb=self._table_mb, evaluation=self.evaluation_of(game))


class IdleEngines:
    """Idle engines by their game; those of the games that were used last are kept.

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
        """Take an idle engine for ``game``; None if there is none."""
        engines = self._by_game.get(game)
        if engines is None:
            return None
        engine = engines.pop()
        if not engines:
            del self._by_game[game]
        return engine

    def keep(self, engine: "Engine") -> None:
        """Keep ``engine`` for its game; drop one of the game that was used longest ago if there are too many."""
        self._by_game.setdefault(engine.game, []).append(engine)
        self._by_game.move_to_end(engine.game)
        while len(self) > self._most:
            oldest = next(iter(self._by_game))
            self.take(oldest)
