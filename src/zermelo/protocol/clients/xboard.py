"""A foreign program under the Chess Engine Communication Protocol, which xboard speaks.

Source: T. Mann and H. G. Muller, *Chess Engine Communication Protocol*, https://www.gnu.org/software/xboard/engine-intf.html
"""

import math
import re
import time
from collections.abc import Mapping, Sequence
from typing import Final

from zermelo.errors import BadParameter
from zermelo.game import Action, Game, State
from zermelo.protocol.clients.client import Client
from zermelo.protocol.commands import Go
from zermelo.protocol.competitor import Answer, Fault
from zermelo.protocol.position import write_coordinates
from zermelo.protocol.process import Process

_SILENCE: Final = 2.0
"""Seconds after which a program that names no features is one of the protocol's first version."""
_FEATURE: Final = re.compile(r'(\w+)=("[^"]*"|\S+)')
_MOVE: Final = re.compile(r"(?:move|My move is ?:) *(\S+)")
_THOUGHT: Final = re.compile(r"(\d+)[^\s\d]? +(-?\d+) +\d+ +(\d+)( .*)?")
"""A line of thinking: ply, score in hundredths, time in hundredths of a second, nodes, moves."""


class XboardClient(Client):
    """A running program that speaks xboard's protocol.

    The program is kept in force mode, in which it only follows the game, until it is asked for a move.

    Parameters
    ----------
    process, game
        As `Client`.
    options
        Values of the program's own options, by name.

    Raises
    ------
    Fault
        It ends, or takes too long to name its features.
    """

    def __init__(self, process: Process, game: Game, options: Mapping[str, str] | None = None) -> None:
        super().__init__(process, game)
        self.features: dict[str, str] = {}
        self._known: list[Action] = []
        self._pings = 0
        self._greet()
        for name, value in (options or {}).items():
            process.send(f"option {name}={value}")

    def new_game(self, seed: int) -> None:  # noqa: D102
        self.process.send("new")
        if self.game.name in self.features.get("variants", "").split(","):
            self.process.send(f"variant {self.game.name}")
        for line in ("force", "easy", "post"):
            self.process.send(line)
        self._known = []
        if self.features.get("ping") == "1":
            self._pings += 1
            wanted = f"pong {self._pings}"
            self.process.send(f"ping {self._pings}")
            self.process.wait_for(lambda line: line == wanted, self.process.limits.start_seconds)

    def choose(self, states: Sequence[State], actions: Sequence[Action], go: Go) -> Answer:  # noqa: D102
        if states[0] != self.game.initial or list(actions[: len(self._known)]) != self._known:
            raise BadParameter("xboard's programs play from the initial position, one move after the other.")
        state, usermove = states[-1], "usermove " if self.features.get("usermove") == "1" else ""
        for place in range(len(self._known), len(actions)):
            self.process.send(usermove + write_coordinates(self.game, states[place], actions[place]))
        for line in self._limits(go, self.first_moves(state)):
            self.process.send(line)
        began = time.monotonic()
        self.process.send("go")
        found: dict[str, int] = {}
        hurried = False
        for line in self.talk(go, state, "?", early=go.move_time is not None):
            if thought := _THOUGHT.fullmatch(line):
                found = dict(zip(("depth", "score", "nodes"), map(int, thought.group(1, 2, 3)), strict=True))
                if not hurried and _exceeds(found, go):
                    self.process.send("?")
                    hurried = True
            if move := _MOVE.match(line):
                break
            if line.startswith(("Illegal move", "resign", "1-0", "0-1", "1/2")):
                raise Fault("protocol", f"{self.process.name} said {line[:60]!r} instead of a move.")
        seconds = time.monotonic() - began
        self.process.send("force")
        assert move is not None
        action = self.legal(state, move[1])
        self._known = [*actions, action]
        return Answer(action, seconds, **found)

    def _limits(self, go: Go, first_moves: bool) -> list[str]:
        """The lines that set the limits of a move; the protocol has whole seconds, and no limit of nodes."""
        lines = [f"sd {go.depth}"] if go.depth is not None else []
        if go.move_time is not None:
            lines.append(f"st {math.ceil(go.move_time / 1000)}")
        if go.first_time is not None and go.second_time is not None:
            times = (go.first_time, go.second_time)
            own, other = times if first_moves else times[::-1]
            increment = go.first_increment if first_moves else go.second_increment
            minutes, seconds = divmod(math.ceil(own / 1000), 60)
            lines.append(f"level 0 {minutes}:{seconds:02} {increment // 1000}")
            lines += [f"time {own // 10}", f"otim {other // 10}"]
        return lines

    def _greet(self) -> None:
        process, end = self.process, time.monotonic() + self.process.limits.start_seconds
        process.send("xboard")
        process.send("protover 2")
        silence = time.monotonic() + _SILENCE
        while self.features.get("done") != "1":
            waits = self.features.get("done") == "0"
            try:
                line = process.read(end if waits else min(end, silence))
            except Fault as fault:
                if fault.kind == "hang" and not waits:
                    return
                raise Fault("start", f"{process.name} did not name its features. {fault}") from None
            if line.startswith("feature "):
                for name, value in _FEATURE.findall(line):
                    self.features[name] = value.strip('"')
                    process.send(f"accepted {name}")


def _exceeds(thought: Mapping[str, int], go: Go) -> bool:
    """Whether a program has gone beyond a limit: GNU Chess does not know ``sd``, and nobody is told of nodes."""
    too_deep = go.depth is not None and thought["depth"] > go.depth
    return too_deep or (go.nodes is not None and thought["nodes"] >= go.nodes)
