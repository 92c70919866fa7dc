"""Boards of two words compute as Python's ints do below 2**126, interpreted and compiled."""

from hypothesis import example, given
from hypothesis import strategies as st
from numba import njit

from zermelo.compiled.helpers import register
from zermelo.words import MOST_CELLS, ONE_WORD, TWO_WORDS, Wide

EVERY = (1 << MOST_CELLS) - 1
boards = st.integers(0, EVERY)
of, bit, has_bit, lowest_index = TWO_WORDS.of, TWO_WORDS.bit, TWO_WORDS.has_bit, TWO_WORDS.lowest_index
shift_left, shift_right, complement = TWO_WORDS.shift_left, TWO_WORDS.shift_right, TWO_WORDS.complement
popcount, lowest = TWO_WORDS.popcount, TWO_WORDS.lowest
for function in TWO_WORDS:
    register(function)


def answers(one, other, distance):
    """All that a pair of boards and a distance can be asked."""
    both, either = one & other, one | other
    both &= either
    either |= both
    parted = one ^ other
    parted ^= bit(distance)
    less = one - other
    less -= bit(distance)
    more = one + other
    more += bit(distance)
    up, down = one, one
    up <<= distance
    down >>= distance
    return (
        (both, either, parted, less, more, one & ~other, lowest(one)),
        (shift_left(one, distance), shift_right(one, distance), complement(one), bit(distance)),
        (one << distance, one >> distance, up, down),
        (has_bit(one, distance), popcount(one), one == other, one != other),
    )


compiled_answers = njit(answers)


@example(one=EVERY, other=1, distance=63)
@example(one=0, other=1, distance=0)
@example(one=1 << 63, other=(1 << 63) - 1, distance=62)
@given(one=boards, other=boards, distance=st.integers(0, 125))
def test_they_are_numbers_of_126_bits(one, other, distance):
    sets, moved, shifted, told = answers(of(one), of(other), distance)
    least = 1 << distance
    less, more = one - other - least & EVERY, one + other + least & EVERY
    assert sets == tuple(map(of, (one & other, one | other, one ^ other ^ least, less, more, one & ~other, one & -one)))
    assert moved == tuple(map(of, (one << distance & EVERY, one >> distance, EVERY ^ one, least)))
    assert shifted == tuple(map(of, (one << distance & EVERY, one >> distance))) * 2
    assert told == (bool(one & least), one.bit_count(), one == other, one != other)
    assert TWO_WORDS.whole(of(one)) == one
    assert all(isinstance(board, Wide) for board in (*sets, *moved, *shifted))
    assert compiled_answers(of(one), of(other), distance) == (sets, moved, shifted, told)


def test_a_shift_by_all_bits_leaves_nothing():
    assert of(EVERY) << MOST_CELLS == of(EVERY) >> MOST_CELLS == of(0)


@njit
def indices(board, nothing, one):
    found = 0
    while board != nothing:
        found = found * 127 % 1000003 + lowest_index(board)
        board &= board - one
    return found


@example(board=1 << 63)
@example(board=0)
@given(board=boards)
def test_the_cells_of_a_board_are_listed(board):
    expected = 0
    for index in range(MOST_CELLS):
        if board >> index & 1:
            expected = expected * 127 % 1000003 + index
    arguments = of(board), of(0), of(1)
    assert indices(*arguments) == indices.py_func(*arguments) == expected


def test_both_kinds_have_the_same_functions():
    one, two = ONE_WORD, TWO_WORDS
    for word in (0, 1, 5, 1 << 62, (1 << 62) - 3):
        assert two.of(word) == two.mask(word) and two.whole(two.of(word)) == one.whole(one.of(word)) == word
        assert two.popcount(two.of(word)) == one.popcount(word)
        assert two.lowest(two.of(word)) == two.of(one.lowest(word))
        assert two.shift_right(two.of(word), 5) == two.of(one.shift_right(word, 5))
        assert two.whole(two.bit(40)) == one.bit(40)
        assert two.has_bit(two.of(word), 2) == one.has_bit(word, 2)
        if word:
            assert two.lowest_index(two.of(word)) == one.lowest_index(word)
