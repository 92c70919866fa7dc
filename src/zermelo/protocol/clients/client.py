"""What all protocols have in common: a running program that is asked for moves."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.errors import IllegalAction
from zermelo.game import Action, Game, State
from zermelo.protocol.commands import Go
from zermelo.protocol.competitor import Answer, Fault, FaultKind
from zermelo.protocol.position import read_move
from zermelo.protocol.process import Process

SLACK: Final = 1.0
"""Seconds after the end of its time at which a program is told to stop. Whether it has lost on time by then is for the
referee to say."""
LAST_CHANCE: Final = 1.0
"""Seconds that a program then has to answer, or longer if its answer may be later, before it counts as hanging."""
MUCH: Final = 1 << 20
"""Bytes of talk about one move; a program that writes more and names no move floods its reader."""


class Client(ABC):
    """One running program.

    Parameters
    ----------
    process
        The program.
    game
        What it is to play.
    """

    def __init__(self, process: Process, game: Game) -> None:
        self.process, self.game = process, game

    @abstractmethod
    def new_game(self, seed: int) -> None:
        """Tell the program that another game begins, and what to seed its randomness with if it can be told.

        Raises
        ------
        Fault
            It has ended, or does not answer.
        """

    @abstractmethod
    def choose(self, states: Sequence[State], actions: Sequence[Action], go: Go) -> Answer:
        """Ask for a move; as `Competitor.choose`."""

    def talk(self, go: Go, state: State, stop: str | None = None, early: bool = False) -> Iterator[str]:
        """Yield the lines that the program writes while it thinks; the caller ends with the one that has the move.

        Parameters
        ----------
        go
            The limits.
        state
            The present position.
        stop
            The line that tells the program to stop, where the protocol has one.
        early
            Whether to stop the program shortly before the end of its time, since it does not know that time.

        Raises
        ------
        Fault
            It has ended, floods its reader, or has not come to its move in time.
        """
        patience = Patience.of(go, self.first_moves(state), self.process.limits.move_seconds)
        seconds = go.seconds(self.first_moves(state))
        stop_at = time.monotonic() + seconds if early and seconds is not None else patience.stop_at
        stopped, before = False, self.process.written
        while True:
            try:
                yield self.process.read(patience.end if stopped else stop_at)
            except Fault as fault:
                if fault.kind != "hang" or stopped:
                    raise
            now = time.monotonic()
            if stopped and now > patience.end:
                kind: FaultKind = "flood" if self.process.written - before > MUCH else "hang"
                raise Fault(kind, f"{self.process.name} wrote much, but did not name a move in time.")
            if not stopped and now >= stop_at:
                stopped = True
                if stop is not None:
                    self.process.send(stop)

    def legal(self, state: State, text: str) -> Action:
        """Return the legal action that a program's move means.

        Raises
        ------
        Fault
            There is none.
        """
        try:
            return read_move(self.game, state, text)
        except IllegalAction as error:
            raise Fault("illegal", f"{self.process.name} played {text[:40]!r}: {error}") from None

    def first_moves(self, state: State) -> bool:
        """Whether the player to move is the one who began the game."""
        return self.game.to_move(state) == self.game.to_move(self.game.initial)


@dataclass(frozen=True)
class Patience:
    """Until when a program may think, by `time.monotonic`."""

    stop_at: float
    """When it is told to stop."""
    end: float
    """When it counts as hanging."""

    @classmethod
    def of(cls, go: Go, first_moves: bool, move_seconds: float) -> "Patience":
        """How long to wait for a move; ``move_seconds`` where the move has no clock."""
        seconds = go.clock_seconds(first_moves)
        stop_at = time.monotonic() + (move_seconds if seconds is None else seconds + SLACK)
        late = 0.0 if seconds is None else max(0.0, go.margin / 1000 - SLACK)
        return cls(stop_at, stop_at + late + LAST_CHANCE)
