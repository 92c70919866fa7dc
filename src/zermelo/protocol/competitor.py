"""Whoever takes part in a match: a player in this process, or a program in a process of its own.

A competitor is asked for one move after another. Whatever it does wrong becomes a `Fault`, which names the kind of
mistake, so that a tournament can go on.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from zermelo.errors import ZermeloError
from zermelo.game import Action, State
from zermelo.protocol.commands import Go

FaultKind = Literal["start", "hang", "crash", "flood", "illegal", "protocol"]


class Fault(ZermeloError):
    """A competitor did something wrong: it loses the game, and the sentence says why."""

    def __init__(self, kind: FaultKind, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


@dataclass(frozen=True)
class Answer:
    """A competitor's move, and what it said of the position."""

    action: Action
    seconds: float
    """From the request to the answer, by our clock."""
    score: int | None = None
    """For the player to move, in the competitor's own units; a forced win in n moves is 100,000 - n."""
    depth: int | None = None
    nodes: int | None = None
    waited: float = 0.0
    """Seconds for which no processor was free for a player in this process, where the system tells it."""


class Competitor(ABC):
    """One side of the games of a match.

    Attributes
    ----------
    name
        What records and tables call it.
    """

    name: str

    @abstractmethod
    def new_game(self, number: int) -> None:
        """Prepare for the game of that number: forget the one before, and seed what is random with the number.

        Raises
        ------
        Fault
            It has ended, or does not answer.
        """

    @abstractmethod
    def choose(self, states: Sequence[State], actions: Sequence[Action], go: Go) -> Answer:
        """Ask for a move.

        Parameters
        ----------
        states
            The game so far: where it began first, the present position last.
        actions
            What was played, one fewer.
        go
            The limits. Without any the competitor decides by itself how long to think.

        Raises
        ------
        Fault
            It has ended, hangs, or names no legal move.
        """

    @abstractmethod
    def close(self) -> None:
        """Stop it and all that it has started."""
