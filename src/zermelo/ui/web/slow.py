"""Close connections that ask for nothing, or too slowly: each would keep its place for ever."""

from collections.abc import Iterable
from typing import Any, Final
from weakref import WeakKeyDictionary

REQUEST_SECONDS: Final = 10.0
"""Time in which a connection has to send the whole head of its next request."""


class SlowConnections:
    """Measures how long each connection of an HTTP server has asked for nothing."""

    def __init__(self, seconds: float = REQUEST_SECONDS) -> None:
        self._seconds = seconds
        self._idle: WeakKeyDictionary[Any, tuple[Any, float]] = WeakKeyDictionary()

    def close(self, connections: Iterable[Any], now: float) -> None:
        """Close the connections that have asked for nothing for too long.

        Parameters
        ----------
        connections
            Protocols of uvicorn. Each knows its last request as its ``cycle``; those of sockets have none.
        now
            The time in seconds.
        """
        for one in list(connections):
            if not hasattr(one, "cycle"):
                continue
            last, since = self._idle.get(one, (one, now))
            if last is not one.cycle or _is_busy(one.cycle):
                self._idle[one] = (one.cycle, now)
            elif now - since > self._seconds:
                one.transport.close()


def _is_busy(cycle: Any) -> bool:
    """Whether a request is being answered."""
    return cycle is not None and not cycle.response_complete
