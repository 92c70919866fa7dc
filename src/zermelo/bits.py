"""64-bit helpers that mean the same interpreted and compiled.

A board lives in one plain int of at most 63 bits, guard bits included: then ``&``, ``|``, ``^``,
``<<`` and ``>>`` agree between Python's ints and the machine's signed words.

A board of 64 squares uses all bits of the word. ``&``, ``|`` and ``^`` still agree; for the rest there are
`shift_left`, `shift_right` and `complement`, and two boards are compared with ``a ^ b == 0`` or ``a != 0``,
never with ``<``: compiled, the top bit is a sign.

Boards of up to 126 bits, in two words, are in `zermelo.words`.
"""

from collections.abc import Callable
from typing import Final, Protocol, Self, TypeVar

ALL: Final = (1 << 64) - 1
"""A word with every bit set."""


class _Bitwise(Protocol):
    """The operators that functions on boards of either kind use."""

    def __and__(self, other: Self, /) -> Self: ...
    def __or__(self, other: Self, /) -> Self: ...
    def __xor__(self, other: Self, /) -> Self: ...
    def __invert__(self) -> Self: ...
    def __lshift__(self, distance: int, /) -> Self: ...
    def __rshift__(self, distance: int, /) -> Self: ...


Bitboard = TypeVar("Bitboard", bound=_Bitwise)
"""An int of at most 63 bits, or a `zermelo.words.Wide`."""


def shift_left(word: int, distance: int) -> int:
    """``word`` moved up by 0 to 63 bits; what leaves the 64 bits is lost.

    >>> shift_left(1 << 63 | 1, 1)
    2
    """
    return (word << distance) & ALL


def shift_right(word: int, distance: int) -> int:
    """``word`` moved down by 0 to 63 bits; zeros come in at the top.

    >>> shift_right(1 << 63, 63)
    1
    """
    return (word & ALL) >> distance


def complement(word: int) -> int:
    """Every bit of ``word`` turned over.

    >>> complement(ALL - 4)
    4
    """
    return ~word & ALL


def mask(word: int) -> int:
    """A constant of 64 bits with which rules use ``&``: the signed int with the same bits, as compiled code has it.

    >>> mask(1 << 63 | 1) & (1 << 63 | 2) == 1 << 63
    True
    """
    return word - (1 << 64) if word >> 63 else word


def bit(index: int) -> int:
    """The word in which only the bit of an index from 0 to 63 is set.

    >>> bit(3)
    8
    """
    return 1 << index


def has_bit(word: int, index: int) -> bool:
    """Whether the bit of an index from 0 to 63 is set in ``word``.

    >>> has_bit(8, 3), has_bit(8, 2)
    (True, False)
    """
    return word >> index & 1 != 0


def popcount(word: int) -> int:
    """How many bits of ``word`` are set.

    >>> popcount(0b1011)
    3
    """
    return (word & ALL).bit_count()


def lowest(word: int) -> int:
    """The lowest set bit of ``word``, itself a word; 0 where there is none.

    >>> lowest(0b1100)
    4
    """
    return word & -word


def highest(word: int) -> int:
    """The highest set bit of ``word``, itself a word; ``word`` must not be 0.

    >>> highest(0b1101)
    8
    """
    return 1 << (word & ALL).bit_length() - 1


def lowest_index(word: int) -> int:
    """The index, from 0, of the lowest set bit of ``word``, which must not be 0.

    >>> lowest_index(0b1100)
    2
    """
    return (word & -word).bit_length() - 1


def put(items: tuple[int, ...], index: int, item: int) -> tuple[int, ...]:
    """``items`` with the one at ``index`` replaced: how a rule changes a tuple of ints.

    >>> put((4, 4, 4), 1, 0)
    (4, 0, 4)
    """
    return (*items[:index], item, *items[index + 1 :])


def run_shifts(run: int, step: int, size: int = 63) -> tuple[int, ...]:
    """The shifts with which `runs` finds ``run`` bits in a row, ``step`` apart, on a board of ``size`` bits.

    The length that one bit stands for doubles with each shift, as far as it may. No shift is larger than ``size``,
    which leaves nothing of a board: a machine's word cannot be shifted by more than 63, nor two words by more than 126.

    >>> run_shifts(4, 7), run_shifts(5, 1)
    ((7, 14), (1, 2, 1))
    """
    shifts = []
    length = 1
    while length < run:
        grow = min(length, run - length)
        shifts.append(min(grow * step, size))
        length += grow
    return tuple(shifts)


def runs(board: Bitboard, shifts: tuple[int, ...]) -> Bitboard:
    """The bits of ``board`` at which a run of set bits starts; ``shifts`` come from `run_shifts`.

    >>> bin(runs(0b11110111, run_shifts(4, 1)))
    '0b10000'
    """
    for shift in shifts:
        board &= board >> shift
    return board


def has_run(board: int, directions: tuple[tuple[int, ...], ...]) -> bool:
    """Whether ``board`` holds a run in any direction; the shifts of each come from `run_shifts`.

    >>> has_run(0b111, (run_shifts(3, 1), run_shifts(3, 4)))
    True
    """
    found = 0
    for shifts in directions:
        found |= runs(board, shifts)
    return found != 0


def count_runs(board: int, directions: tuple[tuple[int, ...], ...]) -> int:
    """In how many places a run fits on ``board``, all directions together.

    >>> count_runs(0b1111, (run_shifts(3, 1), run_shifts(3, 4)))
    2
    """
    count = 0
    for shifts in directions:
        count += popcount(runs(board, shifts))
    return count


def completions(board: Bitboard, run: int, step: int) -> Bitboard:
    """The bits that would complete ``run`` bits in a row, ``step`` apart; some may lie outside of the board.

    >>> bin(completions(0b11011, 4, 1))
    '0b100'
    """
    nothing = board ^ board
    every = ~nothing
    found = nothing
    below = every  # the bits below which so many are set
    for before in range(run):
        above = every
        for _ in range(run - 1 - before):
            above = (above & board) >> step
        found |= below & above
        below = (below & board) << step
    return found


def where(test: Bitboard, board: Bitboard) -> Bitboard:
    """``board`` if ``test`` has any bit, else nothing.

    >>> where(4, 3), where(0, 3)
    (3, 0)
    """
    nothing = test ^ test
    return board if test != nothing else nothing


def along(function: Callable[..., Bitboard], directions: tuple[tuple[int, ...], ...], *boards: Bitboard) -> Bitboard:
    """The union of ``function(*boards, *direction)`` over all directions.

    A direction is a tuple of ints, such as a step and the squares that a line may cross. On boards of one word,
    compiled code calls the function once for all directions, with vectors in place of ints, so it must not branch on
    its arguments; see `where`.

    >>> along(lambda board, step: board & board << step, ((1,), (3,)), 0b1011)
    10
    """
    found = boards[0] ^ boards[0]
    for direction in directions:
        found |= function(*(boards + direction))
    return found
