"""Analyses as server-sent events: what a search has found so far, and at the end what it has found."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import suppress
from typing import Any, Final

from zermelo.errors import ZermeloError
from zermelo.ui.web.analysis import Analysis, Say

EVENTS: Final = "text/event-stream"
NOTHING: Final = "The search found nothing within its limits."


async def analysis_events(
    work: Callable[[Say], Coroutine[Any, Any, Analysis | None]], shown: Callable[[Analysis], str]
) -> AsyncIterator[str]:
    """Yield the events of an analysis; the search ends when nobody reads them any more.

    Parameters
    ----------
    work
        Analyses, and calls what it is given with each result on the way.
    shown
        Returns a result as JSON.
    """
    loop, results = asyncio.get_running_loop(), asyncio.Queue[Analysis | None]()

    def say(found: Analysis) -> None:
        loop.call_soon_threadsafe(results.put_nowait, found)

    task = asyncio.ensure_future(work(say))
    task.add_done_callback(lambda _: results.put_nowait(None))
    try:
        while (found := await results.get()) is not None:
            yield event("analysis", shown(found))
        try:
            answer = task.result()
        except ZermeloError as error:
            yield event("problem", json.dumps({"detail": str(error)}))
            return
        yield event("done", shown(answer)) if answer else event("problem", json.dumps({"detail": NOTHING}))
    finally:
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


def event(name: str, data: str) -> str:
    """Return an event as it is sent; ``data`` is one line."""
    return f"event: {name}\ndata: {data}\n\n"
