"""A competitor that is a foreign program: it starts its program, and starts it again after a mistake."""

from collections.abc import Callable, Sequence

from zermelo.game import Action, State
from zermelo.protocol.clients.client import Client
from zermelo.protocol.commands import Go
from zermelo.protocol.competitor import Answer, Competitor, Fault
from zermelo.protocol.process import Process


class ProgramCompetitor(Competitor):
    """A foreign program, under whichever protocol.

    The program is started before its first game. After a `Fault` it is ended with all that it has started, and started
    again before its next game.

    Parameters
    ----------
    name
        What records and tables call it.
    start
        Starts the process.
    greet
        Begins the conversation with it.
    seed
        What its randomness begins with, together with the numbers of its games.
    """

    def __init__(
        self, name: str, start: Callable[[], Process], greet: Callable[[Process], Client], seed: int = 0
    ) -> None:
        self.name = name
        self._start, self._greet, self._seed = start, greet, seed
        self._process: Process | None = None
        self._client: Client | None = None

    def new_game(self, number: int) -> None:  # noqa: D102
        try:
            if self._client is None:
                self._process = self._start()
                self._client = self._greet(self._process)
            self._client.new_game(self._seed + number)
        except Fault as fault:
            self.close()
            raise Fault(fault.kind, str(fault)) from None
        except BaseException:
            self.close()
            raise

    def choose(self, states: Sequence[State], actions: Sequence[Action], go: Go) -> Answer:  # noqa: D102
        if self._client is None:
            raise Fault("crash", f"{self.name} is not running.")
        try:
            return self._client.choose(states, actions, go)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:  # noqa: D102
        process, self._process, self._client = self._process, None, None
        if process is not None:
            process.stop()
