"""One game of a tournament, as it was played."""

from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, get_args

from zermelo.errors import RecordError
from zermelo.protocol.competitor import FaultKind

Ending = Literal["rules", "repetition", "resignation", "agreement", "plies", "table", "time", FaultKind]
"""What ended a game: its rules; a position that came back; an adjudication; a forfeit on time; or a mistake."""
ENDINGS: Final[tuple[str, ...]] = get_args(Ending)
FORFEITS: Final = ("time", *get_args(FaultKind))
"""Endings by which a player loses whatever the position is."""


@dataclass(frozen=True)
class PlayedGame:
    """A finished game. The player who moves first in the game's initial position is the *first* one."""

    number: int
    """In the schedule, from 0. Two games of one pair have the numbers 2n and 2n + 1."""
    first: str
    second: str
    opening: int
    """The number of the opening in the list of openings, from 0."""
    plies: int
    """How many moves the opening has."""
    moves: tuple[str, ...]
    """All of them, those of the opening too, as `zermelo.protocol.position.write_move` writes them."""
    seconds: tuple[float, ...]
    """Of each move after the opening; so for the next two."""
    scores: tuple[int | None, ...]
    """What the player to move said of the position; see `zermelo.protocol.competitor.Answer`."""
    nodes: tuple[int | None, ...]
    points: float
    """Of the first player: 1, 0.5 or 0."""
    value: int | None
    """The value of the final position for MAX where the rules or a solved table tell it."""
    ending: Ending
    reason: str = ""
    """A sentence, where the ending is a forfeit or an adjudication."""
    began: str = field(default="", compare=False)
    """When, as ISO 8601 writes it in UTC; empty in older files."""

    def points_of(self, player: str) -> float:
        """The points of one of the two."""
        return self.points if player == self.first else 1 - self.points

    @property
    def loser(self) -> str | None:
        """Who has lost; None after a draw."""
        if self.points == 0.5:
            return None
        return self.second if self.points else self.first

    def fault(self) -> dict[str, Any]:
        """Who lost by a forfeit, and why, for JSON."""
        return {"game": self.number, "player": self.loser, "kind": self.ending, "reason": self.reason}

    def to_dict(self) -> dict[str, Any]:
        """The game for JSON; `from_dict` reads it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, said: dict[str, Any]) -> "PlayedGame":
        """The game that `to_dict` wrote.

        Raises
        ------
        RecordError
            A field is missing or of a wrong kind.
        """
        try:
            lists = {name: tuple(said[name]) for name in ("moves", "seconds", "scores", "nodes")}
            game = cls(**{**said, **lists})
        except (KeyError, TypeError) as error:
            raise RecordError(f"This is no record of a game: {error}.") from None
        if game.ending not in ENDINGS or game.points not in (0, 0.5, 1):
            raise RecordError(
                f"This is no record of a game: {game.ending!r} is no ending, or {game.points!r} no score."
            )
        return game
