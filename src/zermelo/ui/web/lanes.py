"""Places for work of one kind. Clients take turns to get a place, however much each of them asks for."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from zermelo.errors import ZermeloError


class Busy(ZermeloError):
    """A client has asked for more than may wait."""


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
        """The number of pieces of work that wait."""
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def turn(self, client: str, most: int | None = None) -> AsyncIterator[None]:
        """Wait for a place, and keep it until the block ends; see `enter`."""
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
            if place.cancelled():
                self._forget(client, place)
            else:  # it was given in the same moment
                self.leave(client)
            raise

    def leave(self, client: str) -> None:
        """Give a place back; the client's other work moves behind the work of other clients."""
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
            if place.cancelled():  # nobody waits for it any more, but `enter` has not gone on yet
                continue
            self._free -= 1
            self._held[client] += 1
            place.set_result(None)

    def _forget(self, client: str, place: "asyncio.Future[None]") -> None:
        if place in self._waiting.get(client, ()):
            self._waiting[client].remove(place)
            if not self._waiting[client]:
                del self._waiting[client]
