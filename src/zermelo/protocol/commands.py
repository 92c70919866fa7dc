"""What a line asks for that a controlling program sends to an engine, in UGI or UCI.

UCI is the Universal Chess Interface (R. Huber and S. Meyer-Kahlen, 2000). UGI, the Universal Game Interface,
generalizes it to any game of two players (https://github.com/kz04px/cutegames/blob/master/ugi.md). A program ignores
what it does not understand; here it says so in an ``info string``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.errors import BadParameter
from zermelo.play.limits import MoveLimits

MOST_MILLISECONDS: Final = 10**10
_NUMBERS: Final = {
    "p1time": "first_time", "wtime": "first_time", "p2time": "second_time", "btime": "second_time",
    "p1inc": "first_increment", "winc": "first_increment", "p2inc": "second_increment", "binc": "second_increment",
    "movestogo": "moves_to_go", "movetime": "move_time", "depth": "depth", "nodes": "nodes",
}  # fmt: skip
"""The words of ``go`` that a number follows, and the field of `Go` that it fills."""
MARGIN: Final = 20
"""Milliseconds of a move's time that are left unused, as an answer takes some to arrive; at most a fifth of them."""
RESERVE: Final = 100
"""Milliseconds that a clock keeps for answers that arrive late, such as on a busy machine; at most four fifths of what
is left. Without it, a clock of 1+0.01 s sank to 0.01 s and stayed there."""
_LATENESS: Final = 5
"""Milliseconds of each increment that are not spent, since an answer takes some to arrive."""
_MOVES: Final = 40
_LEAST_MOVES: Final = 12
"""For so many moves of a player the clock has to last, if it does not say for how many; and at any time for so many
more. Most games of chess are decided by then, and later moves take little more than their increments."""
_MOST_SHARES: Final = 4
"""On a clock, a move takes at most so many shares."""
_MOST_OF_CLOCK: Final = 0.2
"""On a clock, a move takes at most that part of the time that is left."""


@dataclass(frozen=True)
class Go:
    """The limits of a search; None where a limit is not given. Times are in milliseconds."""

    first_time: int | None = None
    """On the clock of the player who began the game."""
    second_time: int | None = None
    first_increment: int = 0
    """Added to the clock after each move."""
    second_increment: int = 0
    moves_to_go: int | None = None
    """Moves until the clocks are wound up again."""
    move_time: int | None = None
    """For this move."""
    depth: int | None = None
    nodes: int | None = None
    infinite: bool = False
    """Whether the answer has to wait until ``stop``."""
    margin: int = 0
    """By how much the answer may be late. A program is not told."""

    def seconds(self, first_moves: bool, plies: int = 0) -> float | None:
        """How long the player to move may search; None where no clock is running.

        Parameters
        ----------
        first_moves
            Whether the player to move is the one who began the game.
        plies
            How many moves both players have made, as far as is known.
        """
        if self.infinite:
            return None
        if self.move_time is not None:
            return max(1.0, self.move_time - min(MARGIN, self.move_time / 5)) / 1000
        left = self.first_time if first_moves else self.second_time
        if left is None:
            return None
        increment = self.first_increment if first_moves else self.second_increment
        spare = left - min(RESERVE, 0.8 * left)
        moves = self.moves_to_go or max(_LEAST_MOVES, _MOVES - plies // 2)
        share = spare / moves + 0.8 * max(0, increment - _LATENESS)
        return max(1.0, min(share, spare, left - MARGIN)) / 1000

    def limits(self, first_moves: bool, plies: int = 0) -> MoveLimits:
        """The limits of the next move; on a clock its share is an average, and a hard move may take several shares.

        ``first_moves`` and ``plies`` are as in `seconds`.
        """
        share, left = self.seconds(first_moves, plies), self.first_time if first_moves else self.second_time
        most = None
        if share is not None and self.move_time is None and left is not None:
            most = max(share, min(_MOST_SHARES * share, _MOST_OF_CLOCK * left / 1000))
        return MoveLimits(share, most, self.nodes, self.depth)

    def clock_seconds(self, first_moves: bool) -> float | None:
        """How long the player to move has until its clock runs out; None where no clock is running."""
        if self.infinite:
            return None
        if self.move_time is not None:
            return self.move_time / 1000
        left = self.first_time if first_moves else self.second_time
        return None if left is None else left / 1000


def read_go(words: Sequence[str]) -> tuple[Go, list[str]]:
    """The limits in the words after ``go``, and the words that mean nothing here.

    Raises
    ------
    BadParameter
        A limit lacks its number, or the number is out of range.
    """
    limits: dict[str, int] = {}
    unknown: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "infinite":
            continue
        if word in _NUMBERS:
            limits[_NUMBERS[word]] = _number(word, rest.pop(0) if rest else "")
        else:
            unknown.append(word)
    for name in ("depth", "nodes", "moves_to_go"):
        if name in limits:
            limits[name] = max(1, limits[name])
    return Go(infinite="infinite" in words, **limits), unknown


def _number(word: str, text: str) -> int:
    """The number after a word of ``go``; clocks may have run below 0."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= len(str(MOST_MILLISECONDS))):
        raise BadParameter(f"go {word} {text}".rstrip() + f" has no limit; write a whole number after {word}.")
    return max(0, int(text))


def read_option(words: Sequence[str]) -> tuple[str, str]:
    """The name and the value in the words after ``setoption``; both may have spaces, and the value may be empty.

    Raises
    ------
    BadParameter
        There is no name.
    """
    if not words or words[0].lower() != "name":
        raise BadParameter("setoption has no name; write setoption name Hash value 64.")
    lower = [word.lower() for word in words]
    end = lower.index("value") if "value" in lower else len(words)
    name = " ".join(words[1:end])
    if not name:
        raise BadParameter("setoption has no name; write setoption name Hash value 64.")
    return name, " ".join(words[end + 1 :])
