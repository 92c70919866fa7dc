"""Vectors count as Python's ints do, but for what leaves 16 bits, interpreted and compiled."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from numba.core import config
from numba.core.errors import TypingError

from zermelo.compiled.helpers import register
from zermelo.vectors import clipped, dot, vector_at

LENGTH = 16
WIDE = 128
ints = st.integers(-(1 << 15), (1 << 15) - 1)
tables = st.lists(st.lists(ints, min_size=LENGTH, max_size=LENGTH), min_size=1, max_size=5)


def wrapped(number: int) -> int:
    """What is left of a number in 16 bits with their sign."""
    return (number + (1 << 15)) % (1 << 16) - (1 << 15)


def combined(table, first, second, least, most):
    """Every operation on two vectors, told by dot products."""
    one, other = vector_at(table, first, LENGTH), vector_at(table, second, LENGTH)
    total = one
    for place in range(len(table)):
        total += vector_at(table, place, LENGTH)
    less, times = one, one
    less -= other
    times *= other
    return (
        dot(one, other),
        dot(one + other, one),
        dot(one - other, one),
        dot(one * other, one),
        dot(clipped(one, least, most), other),
        dot(total, total),
        dot(less, times),
    )


register(combined)


@njit
def compiled_combined(table, first, second, least, most):
    return combined(table, first, second, least, most)


def by_definition(table, first, second, least, most):
    """The same with Python's ints."""
    one, other = table[first], table[second]
    pairs = list(zip(one, other, strict=True))
    total = [wrapped(a + sum(column)) for a, column in zip(one, zip(*table, strict=True), strict=True)]
    return (
        sum(a * b for a, b in pairs),
        sum(wrapped(a + b) * a for a, b in pairs),
        sum(wrapped(a - b) * a for a, b in pairs),
        sum(wrapped(a * b) * a for a, b in pairs),
        sum(min(max(a, least), most) * b for a, b in pairs),
        sum(a * a for a in total),
        sum(wrapped(a - b) * wrapped(a * b) for a, b in pairs),
    )


def square(table):
    return dot(vector_at(table, 0, WIDE), vector_at(table, 0, WIDE))


register(square)


@njit
def compiled_square(table):
    return square(table)


@given(tables, st.integers(0, 4), st.integers(0, 4), ints, ints)
def test_vectors_count_as_pythons_ints_do(table, first, second, one, other):
    first, second, least, most = first % len(table), second % len(table), min(one, other), max(one, other)
    wanted = by_definition(table, first, second, least, most)
    array = np.array(table, dtype=np.int16)
    assert combined(array, first, second, least, most) == wanted
    assert compiled_combined(array, first, second, least, most) == wanted


def test_the_largest_sums_fit() -> None:
    """Sums of products need more than 32 bits."""
    table = np.full((1, WIDE), -(1 << 15), dtype=np.int16)

    assert square(table) == compiled_square(table) == WIDE << 30


def test_a_table_with_other_rows_is_refused() -> None:
    with pytest.raises(AssertionError):
        vector_at(np.zeros((2, 8), dtype=np.int16), 0, LENGTH)


@pytest.mark.skipif(config.DISABLE_JIT, reason="this is about compiled code")
@pytest.mark.parametrize(
    "table", [np.zeros((2, WIDE)), np.zeros((2, 2 * WIDE), np.int16)[:, ::2], np.zeros(WIDE, np.int16)]
)
def test_compiled_code_reads_vectors_from_tables_of_16_bits_alone(table) -> None:
    with pytest.raises(TypingError):
        compiled_square(table)
