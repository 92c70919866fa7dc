"""Places in which work goes on, and who gets the next one: clients take turns, however much each of them asks for."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from zermelo.errors import ZermeloError


class Busy(ZermeloError):
    """A client asks for more than is kept waiting for it."""


class Lane:
    """Places for work of one kind.

    No client takes the last place while it holds others, so that another one need not wait for it.

    Parameters
    ----------
    places
        How much may go on at the same time.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._most_of_one = max(1, places - 1)
        self._held: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def turn(self, client: str, most: int | None = None) -> AsyncIterator[None]:
        """A place, from when it is had until the block ends; see `enter`."""
        await self.enter(client, most)
        try:
            yield
        finally:
            self.leave(client)

    async def enter(self, client: str, most: int | None = None) -> None:
        """Wait for a place, which is kept until `leave`.

        Raises
        ------
        Busy
            ``most`` of this client wait already.
        """
        if most is not None and len(self._waiting.get(client, ())) >= most:
            raise Busy(f"{most} of your searches are waiting already; try again in a few seconds.")
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(place)
        self._call()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.leave(client)
            else:
                self._forget(client, place)
            raise

    def leave(self, client: str) -> None:
        """Give a place back; what else the client waits for comes after what others wait for."""
        if client in self._waiting:
            self._waiting.move_to_end(client)
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]
        self._free += 1
        self._call()

    def _call(self) -> None:
        """Give free places to clients in turn."""
        while self._free:
            client = next((one for one in self._waiting if self._held[one] < self._most_of_one), None)
            if client is None:
                return
            place = self._waiting[client][0]
            self._waiting.move_to_end(client)
            self._forget(client, place)
            self._free -= 1
            self._held[client] += 1
            place.set_result(None)

    def _forget(self, client: str, place: "asyncio.Future[None]") -> None:
        self._waiting[client].remove(place)
        if not self._waiting[client]:
            del self._waiting[client]
