"""A foreign program under the NBoard protocol, which programs for Othello speak.

Source: C. Welty, *NBoard protocol*, version 2. Games are in the Generic Game Format (GGF) of the Generic Game Server.
"""

import re
import time
from collections.abc import Mapping, Sequence
from typing import Final

from zermelo.errors import BadParameter
from zermelo.game import Action, Game, State
from zermelo.protocol.clients.client import Client
from zermelo.protocol.commands import Go
from zermelo.protocol.competitor import Answer
from zermelo.protocol.position import write_move
from zermelo.protocol.process import Process

_MOVE: Final = re.compile(r"=== *([A-H][1-8]|PA(?:SS)?)(?:[/ ]+(-?\d+\.?\d*))?.*", re.IGNORECASE)
"""The answer to ``go``: a move, then perhaps an evaluation and the time; some programs write spaces between them."""
_CELLS: Final = 64
_DEEPEST: Final = 60
_FREE_DEPTH: Final = 12
"""Depth where neither a depth nor a clock limits a move; a program must be told one."""


class NboardClient(Client):
    """A running program that speaks the NBoard protocol.

    Parameters
    ----------
    process, game
        As `Client`; the game is played on 64 squares, with ``X`` for the player who begins.
    options
        Further lines by their first words, sent at the start: ``contempt=0`` is sent as ``set contempt 0``.

    Raises
    ------
    BadParameter
        The game is not played on such a board.
    """

    def __init__(self, process: Process, game: Game, options: Mapping[str, str] | None = None) -> None:
        super().__init__(process, game)
        self._start = "" if game.to_text is None else game.to_text(game.initial)
        if not re.fullmatch(rf"[-XO]{{{_CELLS}}} X", self._start):
            raise BadParameter(f"The NBoard protocol has no way to write positions of {game.name}.")
        self._pings = 0
        process.send("nboard 2")
        for name, value in (options or {}).items():
            process.send(f"set {name} {value}")

    def new_game(self, seed: int) -> None:  # noqa: D102
        self._set_game([self.game.initial], [], Go())
        self._ping()

    def choose(self, states: Sequence[State], actions: Sequence[Action], go: Go) -> Answer:  # noqa: D102
        if states[0] != self.game.initial:
            raise BadParameter("Programs under the NBoard protocol play from the initial position.")
        self._set_game(states, actions, go)
        limited = go.clock_seconds(self.first_moves(states[-1])) is not None
        self.process.send(f"set depth {go.depth or (_DEEPEST if limited else _FREE_DEPTH)}")
        self._ping()
        began = time.monotonic()
        self.process.send("go")
        self._pings += 1  # a ping stops the program
        for line in self.talk(go, states[-1], f"ping {self._pings}", early=limited):
            if move := _MOVE.fullmatch(line):
                break
        assert move is not None
        seconds = time.monotonic() - began
        text, score = move[1].lower(), move[2]
        action = self.legal(states[-1], "pass" if text.startswith("pa") else text)
        return Answer(action, seconds, round(float(score) * 100) if score else None)

    def _set_game(self, states: Sequence[State], actions: Sequence[Action], go: Go) -> None:
        """Tell the game so far and the clock, which is one for the rest of the game."""
        seconds = go.clock_seconds(self.first_moves(states[-1]))
        if seconds is not None and go.move_time is not None:
            seconds *= max(1, (_CELLS - len(actions)) // 2)
        clock = "" if seconds is None else f"TI[{int(seconds) // 60}:{max(1, int(seconds) % 60):02}]"
        moves = []
        for state, action in zip(states, actions, strict=False):
            text = write_move(self.game, state, action).upper()
            moves.append(f"{'B' if self.first_moves(state) else 'W'}[{'PA' if text == 'PASS' else text}]")
        board = self._start.replace("X", "*")
        self.process.send(
            f"set game (;GM[Othello]PC[zermelo]PB[black]PW[white]RE[?]{clock}TY[8]BO[8 {board}]{''.join(moves)};)"
        )

    def _ping(self) -> None:
        """Wait until the program has done all that it was told."""
        self._pings += 1
        wanted = f"pong {self._pings}"
        self.process.send(f"ping {self._pings}")
        self.process.wait_for(lambda line: line == wanted, self.process.limits.start_seconds)
