"""Which pages of other servers may use the interface for programs: those that the command line allows.

A browser sends a page's origin (scheme, name and port), and lets the page read an answer only if the answer allows that
origin: the fetch standard calls this the CORS protocol.
"""

import re
from collections.abc import Iterable
from typing import Final

from starlette.types import Scope

PREFLIGHT: Final = (
    (b"access-control-allow-methods", b"GET, HEAD"),
    (b"access-control-allow-headers", b"*"),
    (b"access-control-max-age", b"86400"),
)
"""What a browser wants to know before it sends a request with headers of its own."""
_ORIGIN: Final = re.compile(r"https?://(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?", re.IGNORECASE)
_OPEN: Final = ("/api/", "/openapi.json")
"""Addresses that pages of other servers may use."""


def is_origin(text: str) -> bool:
    """Whether a text is an origin, or ``*`` for all."""
    return text == "*" or _ORIGIN.fullmatch(text) is not None


def values(scope: Scope, wanted: bytes) -> list[str]:
    """Return the values of a request's headers of one name."""
    return [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == wanted]


class Origins:
    """The origins that are allowed."""

    def __init__(self, allowed: Iterable[str]) -> None:
        self.allowed = frozenset(origin.lower() for origin in allowed)

    def headers(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """Return the headers with which the answer allows the request's origin; none if it is not allowed."""
        origins = values(scope, b"origin")
        if scope["type"] != "http" or len(origins) != 1 or not scope["path"].startswith(_OPEN):
            return []
        if "*" not in self.allowed and origins[0].lower() not in self.allowed:
            return []
        return [(b"access-control-allow-origin", origins[0].encode("latin-1")), (b"vary", b"Origin")]
