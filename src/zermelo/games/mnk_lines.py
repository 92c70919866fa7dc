"""What lines of the m,n,k-game are worth to EVAL; a line is a place for a run in which only one player has stones."""

from typing import Final, NamedTuple

from zermelo.bits import popcount

WIN: Final = 1000


class Weights(NamedTuple):
    """What lines with one, two, three and at least four stones are worth, found by `zermelo tune` on 15 x 15."""

    own: tuple[int, int, int, int] = (1, 10, 42, 64)
    """Lines of the player to move."""
    other: tuple[int, int, int, int] = (1, 7, 30, 90)
    """Lines of the opponent."""


OPEN_LINES: Final = Weights((1, 1, 1, 1), (1, 1, 1, 1))
"""Every line counts 1. (A line without stones counts for both players, and so for neither.)"""


def with_stone(ones: int, twos: int, fours: int, stone: int) -> tuple[int, int, int]:
    """Return the boards that count the stones of each line, with one more stone on the lines of ``stone``.

    The bits of a line count for 1, 2 and 4. From four stones on, the bit of ``fours`` stays set.
    """
    return ones ^ stone, twos ^ ones & stone, fours | twos & ones & stone


def worth(lines: int, ones: int, twos: int, fours: int, weights: tuple[int, int, int, int]) -> int:
    """Return what the ``lines`` of a player are worth, a bit for each; the other boards are those of `with_stone`."""
    few = lines & ~fours
    total = weights[0] * popcount(few & ones & ~twos) + weights[1] * popcount(few & twos & ~ones)
    return total + weights[2] * popcount(few & twos & ones) + weights[3] * popcount(lines & fours)


def below_a_win(lead: int) -> int:
    """Return ``lead``, or the nearest value that is less than a win."""
    return max(1 - WIN, min(WIN - 1, lead))
