"""Limits of requests: hosts, origins and sizes, which are checked before anything else sees the request."""

import asyncio
import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zermelo.ui.web.hosts import is_called_rightly, names_of
from zermelo.ui.web.origins import PREFLIGHT, Origins, values

LARGEST: Final = 1_000_000
"""Bytes that a request may carry."""
BODY_SECONDS: Final = 10.0
"""Time in which they must be sent."""
_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"SAMEORIGIN"),
    (
        b"content-security-policy",
        b"default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self' ws: wss:; object-src 'none'",
    ),
)

METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS")
"""Methods that an address may know; any other is refused everywhere."""
_READING: Final = ("GET", "HEAD")
_OTHERS: Final = ("/api/", "/_nicegui")
"""Addresses that answer other methods by themselves."""


def guard(app: FastAPI, host: str, names: Iterable[str] = (), origins: Iterable[str] = ()) -> None:
    """Put a `Guard` in front of everything that ``app`` serves; ``names`` are more names of the server."""
    app.add_middleware(Guard, names=names_of(host, names), origins=origins)


class Guard:
    """Refuse foreign hosts and origins, other methods than GET and HEAD, and bodies that are too large.

    Pages of the allowed ``origins`` (``*`` for all) may use the interface for programs, and nothing else.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str], origins: Iterable[str] = ()) -> None:
        self.app = app
        self.names = frozenset(names)
        self.origins = Origins(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(scope, send, *refusal)
            return
        if scope["type"] == "websocket":
            await _socket(self.app, scope, receive, send)
            return
        more = self.origins.headers(scope)
        if scope["method"] == "OPTIONS" and more:  # a browser asks whether a page of that origin may send its request
            await send({"type": "http.response.start", "status": 204, "headers": [*more, *PREFLIGHT]})
            await send({"type": "http.response.body", "body": b""})
            return
        body = _Body(receive)

        is_head = scope["method"] == "HEAD"

        async def answered(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *_HEADERS, *more]}
            elif is_head:
                message = {**message, "body": b""}
            await send(message)

        if is_head:  # what GET would answer, without the body
            scope = {**scope, "method": "GET"}

        await self.app(scope, body.receive, answered)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        hosts = values(scope, b"host")
        address = (scope.get("server") or (None,))[0]
        if len(hosts) != 1 or not is_called_rightly(hosts[0], self.names, address):
            return 400, "This server has no such name; zermelo serve --allow-host NAME gives it one."
        scheme = {"ws": "http", "wss": "https"}.get(scope["scheme"], scope["scheme"])
        own = f"{scheme}://{hosts[0]}".lower()
        if any(origin.lower() != own for origin in values(scope, b"origin")) and not self.origins.headers(scope):
            return 403, "Only pages of this server may use it; this request comes from a page of another site."
        for length in values(scope, b"content-length"):
            if not (length.isascii() and length.isdigit()) or len(length) > 9 or int(length) > LARGEST:
                return 413, f"A request may have at most {LARGEST:,} bytes."
        if scope.get("method", "GET") not in _READING and not self._takes_others(scope):
            return 405, "This address answers GET and HEAD only."
        return None

    def _takes_others(self, scope: Scope) -> bool:
        """Whether other methods than GET and HEAD go on to the address itself."""
        is_preflight = scope["method"] == "OPTIONS" and bool(self.origins.headers(scope))
        return is_preflight or (scope["method"] in METHODS and scope["path"].startswith(_OTHERS))


class _Body:
    """The body of a request; a client that sends too much, or too slowly, counts as gone."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._taken, self._is_whole = 0, False
        self._deadline = asyncio.get_running_loop().time() + BODY_SECONDS

    async def receive(self) -> Message:
        """The next part, or what happens to the connection."""
        try:
            async with asyncio.timeout_at(None if self._is_whole else self._deadline):
                message = await self._receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        self._taken += len(message.get("body", b""))
        if self._taken > LARGEST:  # its stated length was wrong or missing
            return {"type": "http.disconnect"}
        self._is_whole = self._is_whole or not message.get("more_body", False)
        return message


async def _socket(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a socket; close it if it sends bytes that are no packet of its protocol."""
    try:
        await app(scope, receive, send)
    except ValueError:
        with suppress(Exception):  # it may be closed already
            await send({"type": "websocket.close", "code": 1007, "reason": "That is no message of a page."})


async def _refuse(scope: Scope, send: Send, status: int, detail: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": detail})
        return
    body = json.dumps({"type": "about:blank", "title": "Refused", "status": status, "detail": detail}).encode()
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", str(len(body)).encode())]
    if status == 405:
        headers.append((b"allow", b"GET, HEAD"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
