"""A foreign program under the Go Text Protocol, which programs for other games speak, too.

Source: G. Farnebäck, *Specification of the Go Text Protocol, version 2*, https://www.lysator.liu.se/~gunnar/gtp/
"""

import math
import time
from collections.abc import Mapping, Sequence

from zermelo.errors import BadParameter
from zermelo.game import Action, Game, State
from zermelo.protocol.clients.client import Client
from zermelo.protocol.commands import Go
from zermelo.protocol.competitor import Answer, Fault
from zermelo.protocol.position import write_move
from zermelo.protocol.process import Process


class GtpClient(Client):
    """A running program that speaks GTP. Moves are written as people write them; the player who begins is black.

    Parameters
    ----------
    process, game
        As `Client`.
    options
        Further commands, sent before each game, and their arguments: ``level=3`` is sent as ``level 3``.

    Raises
    ------
    Fault
        It does not tell its version in time.
    """

    def __init__(self, process: Process, game: Game, options: Mapping[str, str] | None = None) -> None:
        super().__init__(process, game)
        self._options = options or {}
        self._known: list[Action] = []
        self._timed = False
        try:
            self._ask("protocol_version", process.limits.start_seconds)
        except Fault as fault:
            raise Fault("start", str(fault)) from None

    def new_game(self, seed: int) -> None:  # noqa: D102
        size = self.game.parameters.get("size")
        for line in ("clear_board", *(f"{name} {value}".strip() for name, value in self._options.items())):
            if line == "clear_board" and size is not None:
                self._ask(f"boardsize {size}", self.process.limits.start_seconds)
            self._ask(line, self.process.limits.start_seconds)
        self._known, self._timed = [], False

    def choose(self, states: Sequence[State], actions: Sequence[Action], go: Go) -> Answer:  # noqa: D102
        if states[0] != self.game.initial or list(actions[: len(self._known)]) != self._known:
            raise BadParameter("GTP's programs play from the initial position, one move after the other.")
        state = states[-1]
        for place in range(len(self._known), len(actions)):
            text = write_move(self.game, states[place], actions[place])
            forced = text == "pass"  # GRhino passes by itself where it must, and refuses to be told
            limit = None if forced else self.process.limits.start_seconds
            self._ask(f"play {self._colour(states[place])} {text}", limit)
        self._tell_time(state, go)
        began = time.monotonic()
        self.process.send(f"genmove {self._colour(state)}")
        for line in self.talk(go, state):
            if line[:1] in ("=", "?"):
                break
        seconds, text = time.monotonic() - began, line.lstrip("=?0123456789").strip()
        if line.startswith("?"):
            raise Fault("protocol", f"{self.process.name} failed to move: {text[:100]}.")
        action = self.legal(state, text.lower())
        self._known = [*actions, action]
        return Answer(action, seconds)

    def _tell_time(self, state: State, go: Go) -> None:
        """Tell how much time there is for a game or a move, once a game, and how much is left; a program may refuse."""
        seconds = go.clock_seconds(self.first_moves(state))
        if seconds is None:
            return
        whole, stones = max(1, math.floor(seconds)), 1 if go.move_time is not None else 0
        if not self._timed:
            self._ask(f"time_settings 0 {whole} 1" if stones else f"time_settings {whole} 0 0", None)
            self._timed = True
        self._ask(f"time_left {self._colour(state)} {whole} {stones}", None)

    def _colour(self, state: State) -> str:
        return "black" if self.first_moves(state) else "white"

    def _ask(self, command: str, seconds: float | None) -> str:
        """The answer to a command; one that the program refuses is a fault, unless ``seconds`` is None."""
        self.process.send(command)
        patience = self.process.limits.start_seconds if seconds is None else seconds
        line = self.process.wait_for(lambda line: line[:1] in ("=", "?"), patience)
        if line.startswith("?") and seconds is not None:
            raise Fault("protocol", f"{self.process.name} refused {command!r}: {line[1:].strip()[:100]}.")
        return line[1:].strip()
