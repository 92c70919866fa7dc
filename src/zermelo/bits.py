"""64-bit helpers that mean the same interpreted and compiled.

A board lives in one plain int of at most 63 bits, guard bits included: then ``&``, ``|``, ``^``,
``<<`` and ``>>`` agree between Python's ints and the machine's signed words.
"""


def popcount(word: int) -> int:
    """How many bits of ``word`` are set.

    >>> popcount(0b1011)
    3
    """
    return word.bit_count()


def lowest(word: int) -> int:
    """The lowest set bit of ``word``, itself a word; 0 where there is none.

    >>> lowest(0b1100)
    4
    """
    return word & -word


def lowest_index(word: int) -> int:
    """The index, from 0, of the lowest set bit of ``word``, which must not be 0.

    >>> lowest_index(0b1100)
    2
    """
    return (word & -word).bit_length() - 1
