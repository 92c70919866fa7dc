"""What bounds a request in size and in time."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the extra web is not installed")

from zermelo.ui.web import limits
from zermelo.ui.web.slow import SlowConnections


class Connection:
    """A connection of the server, and whether it was closed."""

    def __init__(self) -> None:
        self.cycle: Any = None
        self.is_closed = False
        self.transport = SimpleNamespace(close=self.close)

    def close(self) -> None:
        self.is_closed = True


def test_a_connection_that_asks_for_nothing_is_closed_and_a_busy_one_is_not() -> None:
    slow, silent, busy, again = SlowConnections(10), Connection(), Connection(), Connection()
    socket = SimpleNamespace()
    busy.cycle = SimpleNamespace(response_complete=False)
    again.cycle = SimpleNamespace(response_complete=True)
    for now in range(12):
        if now == 6:
            again.cycle = SimpleNamespace(response_complete=True)  # it has asked for something else
        slow.close([silent, busy, again, socket], float(now))
    assert (silent.is_closed, busy.is_closed, again.is_closed) == (True, False, False)
    for now in range(12, 18):
        slow.close([again], float(now))
    assert again.is_closed


@pytest.mark.parametrize("parts", [["x" * 600_000] * 2, ["a", "b"]])
def test_a_body_that_is_too_large_or_never_ends_counts_as_gone(
    parts: list[str], in_loop: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BODY_SECONDS", 0.2)
    heard: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        while not heard or heard[-1] == "http.request":
            heard.append((await receive())["type"])

    async def main() -> None:
        waiting = [{"type": "http.request", "body": part.encode(), "more_body": True} for part in parts]

        async def receive() -> Any:
            return waiting.pop(0) if waiting else await asyncio.Event().wait()

        scope = {
            "type": "http",
            "method": "POST",
            "path": "/api/",
            "scheme": "http",
            "headers": [(b"host", b"localhost")],
            "server": ("127.0.0.1", 80),
        }
        await limits.Guard(app, {"localhost"})(scope, receive, lambda message: asyncio.sleep(0))

    in_loop(main)
    assert heard[-1] == "http.disconnect"
    assert len(heard) <= 3
