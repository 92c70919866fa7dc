"""64-bit helpers that mean the same interpreted and compiled.

A board lives in one plain int of at most 63 bits, guard bits included: then ``&``, ``|``, ``^``,
``<<`` and ``>>`` agree between Python's ints and the machine's signed words.

A board of 64 squares uses all bits of the word. ``&``, ``|`` and ``^`` still agree; for the rest there are
`shift_left`, `shift_right` and `complement`, and two boards are compared with ``a ^ b == 0`` or ``a != 0``,
never with ``<``: compiled, the top bit is a sign.

A board of 64 to 126 bits is a *pair*: a number below 2**126 in two words of 63 bits, the lower half first. The
functions that begin with ``pair_`` compute with pairs as Python does with ints, except that what leaves the 126 bits is
lost. Rules for one word and for two can be written once: see `zermelo.words`.
"""

from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from zermelo.words import Bits

ALL: Final = (1 << 64) - 1
"""A word with every bit set."""
HALF: Final = 63
"""Bits in each word of a pair."""
HALF_ALL: Final = (1 << HALF) - 1
"""A word of a pair with every bit set."""

Pair: TypeAlias = tuple[int, int]
"""A board of up to 126 bits: its lower 63 bits, and the others."""


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
    which leaves nothing of a board: a machine's word cannot be shifted by more than 63, nor a pair by more than 126.

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


def runs(board: "Bits", shifts: tuple[int, ...]) -> "Bits":
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


def completions(board: "Bits", run: int, step: int) -> "Bits":
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


def pair_of(board: int) -> Pair:
    """The pair of a board that is a plain int of up to 126 bits; for constants, since no compiled int is so long.

    >>> pair_of(1 << 63 | 5)
    (5, 1)
    """
    return board & HALF_ALL, board >> HALF


def whole(pair: Pair) -> int:
    """The plain int of a pair, for texts and pictures; compiled code has no int that is so long.

    >>> whole((5, 1)) == 1 << 63 | 5
    True
    """
    return pair[0] | pair[1] << HALF


def pair_bit(index: int) -> Pair:
    """The pair in which only the bit of an index from 0 to 125 is set.

    >>> pair_bit(3), pair_bit(64)
    ((8, 0), (0, 2))
    """
    if index < HALF:
        return 1 << index, 0
    return 0, 1 << index - HALF


def pair_any(pair: Pair) -> bool:
    """Whether any bit of a pair is set.

    >>> pair_any((0, 4)), pair_any((0, 0))
    (True, False)
    """
    return pair[0] | pair[1] != 0


def pair_and(one: Pair, other: Pair) -> Pair:
    """The bits that are set in both.

    >>> pair_and((3, 5), (6, 4))
    (2, 4)
    """
    return one[0] & other[0], one[1] & other[1]


def pair_or(one: Pair, other: Pair) -> Pair:
    """The bits that are set in at least one of the two.

    >>> pair_or((3, 5), (6, 4))
    (7, 5)
    """
    return one[0] | other[0], one[1] | other[1]


def pair_xor(one: Pair, other: Pair) -> Pair:
    """The bits that are set in exactly one of the two.

    >>> pair_xor((3, 5), (6, 4))
    (5, 1)
    """
    return one[0] ^ other[0], one[1] ^ other[1]


def pair_without(one: Pair, other: Pair) -> Pair:
    """The bits that are set in the first and not in the second.

    >>> pair_without((3, 5), (6, 4))
    (1, 1)
    """
    return one[0] & ~other[0], one[1] & ~other[1]


def pair_left(pair: Pair, distance: int) -> Pair:
    """A pair moved up by 0 to 126 bits; what leaves the 126 bits is lost.

    >>> pair_left((1 << 62 | 1, 1), 1)
    (2, 3)
    """
    low, high = pair
    if distance >= HALF:
        return 0, low << distance - HALF & HALF_ALL
    return low << distance & HALF_ALL, (high << distance | low >> HALF - distance) & HALF_ALL


def pair_right(pair: Pair, distance: int) -> Pair:
    """A pair moved down by 0 to 126 bits; zeros come in at the top.

    >>> pair_right((2, 3), 1) == (1 << 62 | 1, 1)
    True
    """
    low, high = pair
    if distance >= HALF:
        return high >> distance - HALF, 0
    return low >> distance | high << HALF - distance & HALF_ALL, high >> distance


def pair_add(one: Pair, other: Pair) -> Pair:
    """The sum of two pairs.

    >>> pair_add((HALF_ALL, 1), (1, 0))
    (0, 2)
    """
    low = one[0] + other[0]  # compiled, it may be negative; then its bit 63 is still the carry
    return low & HALF_ALL, one[1] + other[1] + (low >> HALF & 1) & HALF_ALL


def pair_subtract(one: Pair, other: Pair) -> Pair:
    """One pair less another; 2**126 is added to a negative difference.

    >>> pair_subtract((0, 2), (1, 0)) == (HALF_ALL, 1)
    True
    """
    low = one[0] - other[0]
    return low & HALF_ALL, one[1] - other[1] - (low >> HALF & 1) & HALF_ALL


def pair_popcount(pair: Pair) -> int:
    """How many bits of a pair are set.

    >>> pair_popcount((3, 5))
    4
    """
    return popcount(pair[0]) + popcount(pair[1])


def pair_lowest(pair: Pair) -> Pair:
    """The lowest set bit of a pair, itself a pair; no bit where there is none.

    >>> pair_lowest((0, 12))
    (0, 4)
    """
    low, high = pair
    return low & -low, 0 if low else high & -high


def pair_runs(board: Pair, shifts: tuple[int, ...]) -> Pair:
    """`runs` on a pair; the shifts come from `run_shifts` with a size of 126.

    >>> pair_runs((1 << 62, 0b110111), run_shifts(4, 1, 126)) == (1 << 62, 0)
    True
    """
    for shift in shifts:
        board = pair_and(board, pair_right(board, shift))
    return board


def pair_has_run(board: Pair, directions: tuple[tuple[int, ...], ...]) -> bool:
    """`has_run` on a pair.

    >>> pair_has_run((1 << 62, 0b11), (run_shifts(3, 1, 126),))
    True
    """
    found = (0, 0)
    for shifts in directions:
        found = pair_or(found, pair_runs(board, shifts))
    return pair_any(found)


def pair_count_runs(board: Pair, directions: tuple[tuple[int, ...], ...]) -> int:
    """`count_runs` on a pair.

    >>> pair_count_runs((1 << 62, 0b111), (run_shifts(3, 1, 126),))
    2
    """
    count = 0
    for shifts in directions:
        count += pair_popcount(pair_runs(board, shifts))
    return count


def pair_completions(board: Pair, run: int, step: int) -> Pair:
    """`completions` on a pair: the bits that would complete ``run`` bits in a row, ``step`` apart.

    >>> pair_completions((1 << 62, 0b1101), 4, 1)
    (0, 2)
    """
    found = (0, 0)
    below = (HALF_ALL, HALF_ALL)  # the bits below which so many are set
    for before in range(run):
        above = (HALF_ALL, HALF_ALL)
        for _ in range(run - 1 - before):
            above = pair_right(pair_and(above, board), step)
        found = pair_or(found, pair_and(below, above))
        below = pair_left(pair_and(below, board), step)
    return found
