"""The clocks of a game on a page: base and increment for both sides, counted by the server."""

import math
import time
from collections.abc import Callable
from typing import Any, Final

from zermelo.errors import BadParameter, RecordError
from zermelo.game import MAX, MIN
from zermelo.lab.clocks import TimeControl
from zermelo.play.record import Record

CLOCKS: Final = ("1+0", "3+2", "10+5")
"""The time controls that a page offers: minutes for the game, and seconds that are added after each move."""
MOST_MINUTES: Final = 180.0
MOST_INCREMENT: Final = 180.0
"""The limits of a clock: minutes for the game, seconds for a move."""
_SHARE: Final = 30
"""A program takes this part of its time for a move: as if the game lasted so many moves more."""
_RESERVE: Final = 0.3
"""Seconds that a program leaves on its clock, because its move may arrive late."""
LEAST_SECONDS: Final = 0.05
"""A program takes at least this time for a move, even if no more is left."""


def read_clock(text: str) -> TimeControl | None:
    """Return the time control of a text, ``3+2`` for three minutes and two seconds a move; None for an empty text.

    Raises
    ------
    BadParameter
        The text is no time control, or it is out of range.
    """
    if not text.strip():
        return None
    base, plus, increment = text.strip().replace(" ", "+").partition("+")  # an address may hold the plus as a blank
    try:
        minutes, seconds = float(base), float(increment) if plus else 0.0
    except ValueError:
        minutes = seconds = math.nan
    if not (0 < minutes <= MOST_MINUTES and 0 <= seconds <= MOST_INCREMENT):
        raise BadParameter(
            f"The clock is {text[:40]!r}; write minutes for the game and seconds added after each move, such as 3+2, "
            f"with at most {MOST_MINUTES:g} minutes and {MOST_INCREMENT:g} seconds."
        )
    return TimeControl(base=60 * minutes, increment=seconds)


def write_clock(control: TimeControl) -> str:
    """Return a time control as `read_clock` reads it."""
    return f"{(control.base or 0.0) / 60:g}+{control.increment:g}"


class GameClock:
    """The clocks of both sides; at most one of them runs. None runs before the first move is made.

    Parameters
    ----------
    control
        Base and increment.
    first
        The number of moves before the first move that is made by these clocks.
    now
        The time in seconds.

    Attributes
    ----------
    side
        The side whose clock runs: MAX, MIN, or 0 for none.
    ends
        When that clock will be at 0, in seconds since the epoch: what a browser needs to show it running.
    """

    def __init__(self, control: TimeControl, first: int = 0, now: Callable[[], float] = time.monotonic) -> None:
        self.control, self.first = control, first
        self.side, self.ends = 0, 0.0
        self._left = {MAX: control.base or 0.0, MIN: control.base or 0.0}
        self._moves, self._since, self._now = first, 0.0, now
        self._after: dict[int, float] = {}

    def left(self, side: int) -> float:
        """Return the seconds that a side has left."""
        return max(0.0, self._left[side] - (self._now() - self._since if side == self.side else 0.0))

    @property
    def is_out(self) -> bool:
        """Whether the clock that runs is at 0."""
        return self.side != 0 and self.left(self.side) <= 0

    def at_last_move(self, side: int) -> float:
        """Return the seconds that a side had left after the last move."""
        return self._left[side]

    def update(self, side: int, moves: int) -> None:
        """Let the clock of ``side`` run after so many moves, and stop the other one; 0 stops both.

        The side that made a move gets the increment. A move that is taken back gives no time back.
        """
        if moves <= self.first:
            side = 0
        if (side, moves) == (self.side, self._moves):
            return
        if self.side:
            gained = self.control.increment if moves > self._moves else 0.0
            self._left[self.side] = self.left(self.side) + gained
            if moves > self._moves:
                self._after[moves] = self._left[self.side]
        self.side, self._moves, self._since = side, moves, self._now()
        self.ends = time.time() + self._left[side] if side else 0.0

    def after_moves(self, count: int) -> list[float | None]:
        """Return the seconds that the player had left after each of so many moves; None for moves without a clock."""
        return [self._after.get(move) for move in range(1, count + 1)]

    def record(self, count: int) -> dict[str, Any]:
        """Return the clocks as a game record holds them, after so many moves."""
        times = [None if seconds is None else round(seconds, 1) for seconds in self.after_moves(count)]
        sides = {"max": round(self.left(MAX), 1), "min": round(self.left(MIN), 1)}
        return {"base": self.control.base or 0.0, "increment": self.control.increment, **sides, "left": times}

    @classmethod
    def of_record(cls, said: dict[str, Any], count: int) -> "GameClock":
        """Return the clocks of a record of so many moves; they stand until the next move is made."""
        found = cls(TimeControl(base=said["base"], increment=said["increment"]), count)
        found._left = {MAX: said["max"], MIN: said["min"]}
        found._after = {move: left for move, left in enumerate(said["left"], start=1) if left is not None}
        return found

    def share(self, side: int) -> float:
        """Return the seconds that a program may take for its next move."""
        left = self.left(side)
        share = left / _SHARE + 0.8 * self.control.increment
        return max(LEAST_SECONDS, min(share, left - _RESERVE))


def shown(seconds: float) -> str:
    """Return a time as a clock shows it: ``3:05``, and with tenths below 20 seconds."""
    if seconds < 20:
        return f"0:{int(seconds):02}.{int(seconds * 10) % 10}"
    whole = math.ceil(seconds)
    minutes = f"{whole // 3600}:{whole // 60 % 60:02}" if whole >= 3600 else f"{whole // 60}"
    return f"{minutes}:{whole % 60:02}"


def clock_of(record: Record) -> GameClock:
    """Return the clocks of a saved game.

    Raises
    ------
    RecordError
        They show more than a clock of a page may.
    """
    assert record.clock is not None
    try:
        read_clock(f"{record.clock['base'] / 60}+{record.clock['increment']}")
    except BadParameter as error:
        raise RecordError(f"The saved game cannot be taken up: {error}") from None
    return GameClock.of_record(record.clock, len(record.moves))
