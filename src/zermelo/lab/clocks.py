"""Time controls: what a player may use for its moves, and the two clocks of a game."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from zermelo.errors import BadParameter
from zermelo.protocol.commands import MOST_MILLISECONDS, Go

MARGIN: Final = 0.5
"""Seconds by which an answer may be late. With ten busy processes for each processor, the latest of 10,314 answers
of the engine came 0.37 s late; see ``docs/how-to/matches.md``."""
_NAMES: Final = {"seconds": "move_seconds", "nodes": "nodes", "depth": "depth", "margin": "margin"}
"""The names in the text of a time control, and the fields that they fill."""


@dataclass(frozen=True)
class TimeControl:
    """What both players may use; without any limit each decides by itself how long to think.

    Parameters
    ----------
    base
        Seconds on each player's clock when the game begins.
    increment
        Seconds that are added to a clock after each move.
    move_seconds
        Seconds for each move.
    nodes, depth
        Limits of each search.
    margin
        Seconds by which an answer may be late before the game is forfeited.

    Raises
    ------
    BadParameter
        A limit is out of range, or an increment is given without a base.

    Examples
    --------
    >>> TimeControl.read("10+0.1")
    TimeControl(base=10.0, increment=0.1, move_seconds=None, nodes=None, depth=None, margin=0.5)
    >>> print(TimeControl(nodes=1000))
    nodes=1000
    """

    base: float | None = None
    increment: float = 0.0
    move_seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    margin: float = MARGIN

    def __post_init__(self) -> None:
        for name in ("base", "move_seconds", "nodes", "depth"):
            limit = getattr(self, name)
            if limit is not None and not 0 < limit <= MOST_MILLISECONDS / 1000:
                raise BadParameter(f"The limit {name} is {limit}; it must be more than 0 and at most 10,000,000.")
        for name in ("increment", "margin"):
            if not 0 <= getattr(self, name) < math.inf:
                raise BadParameter(f"The time {name} is {getattr(self, name)}; it must be 0 or more.")
        if self.increment and self.base is None:
            raise BadParameter("An increment needs a clock to be added to; write base and increment, such as 10+0.1.")

    @classmethod
    def read(cls, text: str) -> "TimeControl":
        """The time control that a text means.

        Parameters
        ----------
        text
            Parts separated by commas: ``10+0.1`` is base and increment in seconds; ``seconds=0.1``, ``nodes=1000`` and
            ``depth=6`` are limits of a move; ``margin=0.5`` is the margin. An empty text sets no limit.

        Raises
        ------
        BadParameter
            The text means nothing.
        """
        said: dict[str, float | int] = {}
        for part in filter(None, text.split(",")):
            name, equals, number = part.strip().partition("=")
            if not equals:
                base, plus, increment = name.partition("+")
                fields = {"base": _number(text, base)} | ({"increment": _number(text, increment)} if plus else {})
            elif name in _NAMES:
                fields = {_NAMES[name]: _number(text, number, whole=name in ("nodes", "depth"))}
            else:
                raise _meaningless(text)
            if fields.keys() & said.keys():
                raise BadParameter(f"The time control {text!r} says the same thing twice; say it once.")
            said |= fields
        return cls(**said)  # type: ignore[arg-type]

    def __str__(self) -> str:
        parts = [] if self.base is None else [f"{self.base:g}+{self.increment:g}"]
        for name, field in _NAMES.items():
            limit = getattr(self, field)
            if limit is not None and not (name == "margin" and (limit == MARGIN or not self.is_timed)):
                parts.append(f"{name}={limit:g}" if isinstance(limit, float) else f"{name}={limit}")
        return ",".join(parts)

    @property
    def is_timed(self) -> bool:
        """Whether a player can forfeit a game on time."""
        return self.base is not None or self.move_seconds is not None


NO_LIMITS: Final = TimeControl()
"""Each player decides by itself how long to think."""


def _number(text: str, number: str, whole: bool = False) -> float | int:
    try:
        return int(number) if whole else float(number)
    except ValueError:
        raise _meaningless(text) from None


def _meaningless(text: str) -> BadParameter:
    return BadParameter(
        f"{text!r} is no time control; write base and increment in seconds, such as 10+0.1, "
        "or limits of a move, such as seconds=0.1, nodes=1000 or depth=6."
    )


class Clocks:
    """The clocks of one game: that of the player who began it, and that of the other."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self._left = [control.base or 0.0, control.base or 0.0]

    def go(self) -> Go:
        """The limits of the next move, as programs are told them."""
        control = self.control
        times, increment = (None, None), 0
        if control.base is not None:
            times = (_milliseconds(self._left[0]), _milliseconds(self._left[1]))  # type: ignore[assignment]
            increment = round(control.increment * 1000)
        return Go(
            first_time=times[0],
            second_time=times[1],
            first_increment=increment,
            second_increment=increment,
            move_time=None if control.move_seconds is None else _milliseconds(control.move_seconds),
            depth=control.depth,
            nodes=control.nodes,
            margin=round(control.margin * 1000),
        )

    def allowed(self, mover: int) -> float:
        """The seconds that a player has for its move, without the margin; `math.inf` where no clock is running.

        ``mover`` is 0 for the player who began the game, and 1 for the other.
        """
        own = math.inf if self.control.base is None else self._left[mover]
        return min(own, math.inf if self.control.move_seconds is None else self.control.move_seconds)

    def spend(self, mover: int, seconds: float, waited: float = 0.0) -> bool:
        """Take the time of a move off a player's clock.

        Parameters
        ----------
        mover
            As in `allowed`.
        seconds
            From the request to the answer.
        waited
            Seconds of these in which the player could not run, since all processors were busy.

        Returns
        -------
        bool
            Whether the player was in time.
        """
        in_time = seconds - waited <= self.allowed(mover) + self.control.margin
        self._left[mover] = max(0.0, self._left[mover] - seconds) + self.control.increment
        return in_time


def seconds_waited() -> float:
    """How long this thread has waited for a processor since it began; 0 where the system does not tell it.

    On a machine with more busy processes than processors, a search cannot stop in time if it does not run at that time.
    """
    try:
        return int(Path("/proc/thread-self/schedstat").read_bytes().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):  # Linux has it
        return 0.0


def _milliseconds(seconds: float) -> int:
    """Whole milliseconds, at least one: programs take 0 for no limit."""
    return max(1, int(seconds * 1000 + 1e-6))
