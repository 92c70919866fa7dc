"""Messages over sockets: one that no page sends ends its connection, and writes nothing to the log."""

import inspect
import logging
from collections.abc import Callable
from typing import Any, Final

from nicegui import core
from socketio.exceptions import ConnectionRefusedError as Refused

_MESSAGES: Final = ("handshake", "event", "javascript_response", "ack")
"""What the script of a page sends to NiceGUI."""
_LIBRARIES: Final = ("engineio.server", "socketio.server")
"""Loggers that report every packet that cannot be read."""


def harden_sockets() -> None:
    """Check messages before NiceGUI handles them; once is enough, because all its apps share one server."""
    handlers: dict[str, Callable[..., Any]] = core.sio.handlers["/"]
    for name in _MESSAGES:
        handlers[name] = _hanging_up(handlers[name])
    handlers["connect"] = _refusing(handlers["connect"])
    handlers["log"] = _ignore  # visitors must not write to the server's log
    for library in _LIBRARIES:
        logging.getLogger(library).setLevel(logging.CRITICAL)


def _hanging_up(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``handler`` with a check: a message that it cannot read ends the connection."""

    async def handle(sid: str, *said: Any) -> Any:
        try:
            return await _answer(handler, sid, *said)
        except Exception:
            await core.sio.disconnect(sid)
            return None

    return handle


def _refusing(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``handler`` of new connections with a check: one that it cannot read is refused."""

    async def handle(sid: str, *said: Any) -> Any:
        try:
            return await _answer(handler, sid, *said)
        except Refused:
            raise
        except Exception:
            raise Refused("This connection makes no sense.") from None

    return handle


async def _answer(handler: Callable[..., Any], *said: Any) -> Any:
    result = handler(*said)
    return await result if inspect.isawaitable(result) else result


async def _ignore(*said: Any) -> None:
    """Do nothing."""
