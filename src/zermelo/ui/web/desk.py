"""Analyses for programs: within the limits of a request, and only while somebody waits for the answer."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final, TypeVar

from fastapi import Request
from starlette.exceptions import HTTPException

from zermelo.errors import NotCompilable
from zermelo.game import Game, State
from zermelo.ui.web.analysis import Analysis, Say
from zermelo.ui.web.engines import TooManyGames
from zermelo.ui.web.opponents import is_small_from
from zermelo.ui.web.small_games import outcomes
from zermelo.ui.web.workshop import Workshop

MOST_WAITING: Final = 8
"""Searches of one client that may wait for their turn; the server refuses more with status 503."""
PATIENCE: Final = 30.0
"""Seconds that a request waits for its game's rules to be compiled; later ones find them ready."""
GONE: Final = 499
"""The status for a client that went away; nobody reads it."""
T = TypeVar("T")


def client_of(request: Request) -> str:
    """Return the client that a program's searches are for, its address: programs and pages of a machine take turns."""
    return f"program {request.client.host if request.client else ''}"


class Desk:
    """Analyses of one game for one client, within the limits of a request."""

    def __init__(self, workshop: Workshop, game: Game, client: str) -> None:
        self.workshop, self.game, self.client = workshop, game, client

    async def analyse(
        self, state: State, seconds: float, depth: int | None = None, say: Say = lambda _: None
    ) -> Analysis | None:
        """Analyse a position for so many seconds, beside the time for which the request waits for its turn.

        A thread calls ``say`` with what the search has found so far.
        """
        await self.prepare()
        return await self.workshop.analyse(self.game, state, seconds, say, depth, self.client, most=MOST_WAITING)

    async def outcomes(self, state: State) -> dict[State, tuple[int, int]] | None:
        """Return value and remoteness of all later positions; None if a table has them or they are too many."""
        if self.game.fingerprint in self.workshop.tables or self.game.repetition is not None:
            return None
        async with self.workshop.lanes["textbook"].turn(self.client, MOST_WAITING):
            return await asyncio.to_thread(_outcomes_of_few, self.game, state)

    async def prepare(self) -> None:
        """Wait for a limited time until the rules are compiled; a solved game needs no compiled rules.

        Raises
        ------
        TooManyGames
            As many games as may be are compiled already, and this is another one.
        """
        if self.game.fingerprint in self.workshop.tables:
            return
        try:
            async with asyncio.timeout(PATIENCE):
                await self.workshop.engines.prepare(self.game, self.client, MOST_WAITING)
        except TooManyGames:
            raise
        except NotCompilable:  # a textbook search will answer
            return
        except TimeoutError:
            detail = f"The rules of {self.game!r} are still being compiled; try again in a few seconds."
            raise HTTPException(503, detail, {"Retry-After": "5"}) from None


def _outcomes_of_few(game: Game, state: State) -> dict[State, tuple[int, int]] | None:
    return outcomes(game, state) if is_small_from(game, state) else None


async def while_wanted(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Do ``work`` while the client waits for it; the search ends when nobody does."""
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait([task], timeout=0.2)
            if not task.done() and await request.is_disconnected():
                raise HTTPException(GONE, "The client went away.")
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
