"""Who may ask, and how much: hosts, origins and the size of a request, checked before anything else sees it."""

import json
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST: Final = 1_000_000
"""Bytes that a request may carry."""
_LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")
_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"SAMEORIGIN"),
    (
        b"content-security-policy",
        b"default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self' ws: wss:; object-src 'none'",
    ),
)


def guard(app: FastAPI, host: str) -> None:
    """Put a `Guard` in front of everything that ``app`` serves."""
    app.add_middleware(Guard, hosts=hosts_of(host))


def hosts_of(host: str) -> frozenset[str]:
    """The names by which a server at ``host`` may be called."""
    own = f"[{host}]" if ":" in host else host
    return frozenset({*_LOOPBACK, own.lower()} - {"0.0.0.0", "[::]"})


class Guard:
    """Refuse foreign hosts and origins, and bodies that are too large."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self.app = app
        self.hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(headers)
        if refusal is not None:
            await _refuse(scope, send, *refusal)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        taken = 0

        async def limited() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > LARGEST:  # it lied about its length, or did not say: it is cut off here
                return {"type": "http.disconnect"}
            return message

        async def answered(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *_HEADERS]}
            await send(message)

        await self.app(scope, limited, answered)

    def _refusal(self, headers: dict[bytes, str]) -> tuple[int, str] | None:
        host = _name(headers.get(b"host", ""))
        if host not in self.hosts:
            return 400, "This server is not known by that name."
        origin = headers.get(b"origin")
        if origin not in (None, "null") and _name(urlsplit(origin or "").netloc) not in self.hosts:
            return 403, "Pages from elsewhere may not use this server."
        length = headers.get(b"content-length", "0")
        if not length.isdigit() or int(length) > LARGEST:
            return 413, f"A request may have at most {LARGEST:,} bytes."
        return None


def _name(host: str) -> str:
    """A host without its port."""
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].lower()


async def _refuse(scope: Scope, send: Send, status: int, detail: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": detail})
        return
    body = json.dumps({"type": "about:blank", "title": "Refused", "status": status, "detail": detail}).encode()
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
