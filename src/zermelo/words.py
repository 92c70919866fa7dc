"""Boards of one word and of two, for rules that are written once.

A board of up to 64 cells is a plain int, one of up to 126 cells is a `Wide`. Rules combine boards of either kind with
``&``, ``|``, ``^`` and ``-`` and compare them with ``==`` and ``!=``. All else they do with the functions of `Words`.
So the rules on a board of one word lose no time, and those on a board of two words read the same::

    def rules(words: Words[Bits], cells: int) -> Game:
        nothing, one = words.of(0), words.of(1)
        lowest_index = words.lowest_index
        ...
        while stones != nothing:
            cell = lowest_index(stones)
            stones &= stones - one  # without its lowest bit

    rules(ONE_WORD, cells) if cells <= 64 else rules(TWO_WORDS, cells)

Compiled code has no objects, so a factory takes the functions that its rules need out of `Words`, as above. A `Wide` is
a tuple, which Python takes for true whatever it holds: compare it with ``nothing``.

Where boards of one word have at most 63 bits, as in `connect`, rules may also use ``+``, ``~``, ``<<`` and ``>>``, and
the functions `runs`, `completions`, `where` and `along` of `zermelo.bits`.
"""

from collections.abc import Callable
from typing import Final, Generic, NamedTuple, TypeVar

from zermelo import bits

HALF: Final = 63
"""Bits in each word of a `Wide`."""
HALF_ALL: Final = (1 << HALF) - 1
"""A word of a `Wide` with every bit set."""
MOST_CELLS: Final = 126
"""The most cells of a board."""


class Wide(NamedTuple):
    """A number below 2**126 in two words of 63 bits, with the operators of an int; what leaves the 126 bits is lost.

    >>> Wide(3, 5) & Wide(6, 4)
    Wide(low=2, high=4)
    >>> Wide(HALF_ALL, 0) + Wide(1, 0) << 3
    Wide(low=0, high=8)
    """

    low: int
    high: int

    def __and__(self, other: "Wide") -> "Wide":
        return Wide(self.low & other.low, self.high & other.high)

    def __or__(self, other: "Wide") -> "Wide":
        return Wide(self.low | other.low, self.high | other.high)

    def __xor__(self, other: "Wide") -> "Wide":
        return Wide(self.low ^ other.low, self.high ^ other.high)

    def __invert__(self) -> "Wide":
        return Wide(self.low ^ HALF_ALL, self.high ^ HALF_ALL)

    def __add__(self, other: "Wide") -> "Wide":  # type: ignore[override]
        # Half by half, the sum less 2**63: the sum itself may have 64 bits, and compiled ints must not overflow.
        low = self.low - (other.low ^ HALF_ALL) - 1
        high = self.high - (other.high ^ HALF_ALL) + (low >> HALF)
        return Wide(low & HALF_ALL, high & HALF_ALL)

    def __sub__(self, other: "Wide") -> "Wide":
        low = self.low - other.low
        return Wide(low & HALF_ALL, self.high - other.high - (low >> HALF & 1) & HALF_ALL)

    def __lshift__(self, distance: int) -> "Wide":
        if distance >= HALF:
            return Wide(0, self.low << distance - HALF & HALF_ALL)
        return Wide(self.low << distance & HALF_ALL, (self.high << distance | self.low >> HALF - distance) & HALF_ALL)

    def __rshift__(self, distance: int) -> "Wide":
        if distance >= HALF:
            return Wide(self.high >> distance - HALF, 0)
        return Wide(self.low >> distance | self.high << HALF - distance & HALF_ALL, self.high >> distance)


Bits = TypeVar("Bits", int, Wide)
"""A board of one word, or one of two."""


class Words(NamedTuple, Generic[Bits]):
    """The functions with which rules compute on boards of one kind; `zermelo.bits` describes them."""

    of: Callable[[int], Bits]
    """The board of a plain int; in compiled code, only a board of one word has one."""
    mask: Callable[[int], Bits]
    """The constant of a plain int, with which rules use ``&``: see `zermelo.bits.mask`."""
    whole: Callable[[Bits], int]
    """The plain int of a board; in compiled code, only a board of one word has one."""
    bit: Callable[[int], Bits]
    """The board with the bit of an index alone."""
    has_bit: Callable[[Bits, int], bool]
    shift_left: Callable[[Bits, int], Bits]
    shift_right: Callable[[Bits, int], Bits]
    complement: Callable[[Bits], Bits]
    popcount: Callable[[Bits], int]
    lowest: Callable[[Bits], Bits]
    lowest_index: Callable[[Bits], int]


def _same(word: int) -> int:
    return word


def _of(board: int) -> Wide:
    return Wide(board & HALF_ALL, board >> HALF)


def _whole(board: Wide) -> int:
    return board.low | board.high << HALF


def _bit(index: int) -> Wide:
    return Wide(1 << index, 0) if index < HALF else Wide(0, 1 << index - HALF)


def _has_bit(board: Wide, index: int) -> bool:
    return (board.low >> index if index < HALF else board.high >> index - HALF) & 1 != 0


def _popcount(board: Wide) -> int:
    return bits.popcount(board.low) + bits.popcount(board.high)


def _lowest(board: Wide) -> Wide:
    return Wide(board.low & -board.low, 0 if board.low != 0 else board.high & -board.high)


def _lowest_index(board: Wide) -> int:
    return bits.lowest_index(board.low) if board.low != 0 else HALF + bits.lowest_index(board.high)


ONE_WORD: Final[Words[int]] = Words(
    of=_same,
    mask=bits.mask,
    whole=_same,
    bit=bits.bit,
    has_bit=bits.has_bit,
    shift_left=bits.shift_left,
    shift_right=bits.shift_right,
    complement=bits.complement,
    popcount=bits.popcount,
    lowest=bits.lowest,
    lowest_index=bits.lowest_index,
)
"""For boards of up to 64 cells.

>>> ONE_WORD.shift_left(5, 1)
10
"""
TWO_WORDS: Final[Words[Wide]] = Words(
    of=_of,
    mask=_of,
    whole=_whole,
    bit=_bit,
    has_bit=_has_bit,
    shift_left=Wide.__lshift__,
    shift_right=Wide.__rshift__,
    complement=Wide.__invert__,
    popcount=_popcount,
    lowest=_lowest,
    lowest_index=_lowest_index,
)
"""For boards of up to 126 cells.

>>> TWO_WORDS.shift_left(TWO_WORDS.of(1 << 62), 1)
Wide(low=0, high=1)
"""
