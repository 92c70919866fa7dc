"""Where programs ask for analyses: within what a request may take, and for as long as somebody waits for the answer."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final, TypeVar

from fastapi import Request
from starlette.exceptions import HTTPException

from zermelo.errors import NotCompilable
from zermelo.game import Game, State
from zermelo.ui.web.analysis import Analysis
from zermelo.ui.web.engines import TooManyGames
from zermelo.ui.web.opponents import is_small_from
from zermelo.ui.web.small_games import outcomes
from zermelo.ui.web.workshop import Workshop

MOST_WAITING: Final = 8
"""Searches of one client that may wait for their turn; more are told to come back later."""
PATIENCE: Final = 30.0
"""Seconds that a request waits for its game's rules to be compiled; later ones find them ready."""
GONE: Final = 499
"""The status, which nobody reads, for a client that went away."""
T = TypeVar("T")


def client_of(request: Request) -> str:
    """Whom searches for a program are for: its address. Programs and pages of one machine take turns."""
    return f"program {request.client.host if request.client else ''}"


class Desk:
    """Analyses of one game for one client, within what a request may take."""

    def __init__(self, workshop: Workshop, game: Game, client: str) -> None:
        self.workshop, self.game, self.client = workshop, game, client

    async def analyse(self, state: State, seconds: float, depth: int | None = None) -> Analysis | None:
        """What is known of a position after so many seconds, beside those for which the request waits its turn."""
        await self.prepare()
        return await self.workshop.analyse(
            self.game, state, seconds, lambda _: None, depth, self.client, most=MOST_WAITING
        )

    async def outcomes(self, state: State) -> dict[State, tuple[int, int]] | None:
        """Value and remoteness of all that can come after a position; None where a table knows, or it is too much."""
        if self.game.fingerprint in self.workshop.tables or self.game.repetition is not None:
            return None
        async with self.workshop.lanes["textbook"].turn(self.client, MOST_WAITING):
            return await asyncio.to_thread(_outcomes_of_few, self.game, state)

    async def prepare(self) -> None:
        """Wait, but not for ever, until the rules are compiled; a solved game needs none.

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
        except NotCompilable:  # then a textbook search answers
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
