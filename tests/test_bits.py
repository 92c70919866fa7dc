"""Pairs of words compute as Python's ints do below 2**126."""

from hypothesis import example, given
from hypothesis import strategies as st

from zermelo import bits

EVERY = (1 << 126) - 1
boards = st.integers(0, EVERY)
distances = st.integers(0, 126)


def both(board):
    pair = bits.pair_of(board)
    assert bits.whole(pair) == board and all(0 <= word < 1 << 63 for word in pair)
    return pair


@example(board=EVERY, other=1)
@example(board=0, other=1)
@example(board=1 << 63, other=(1 << 63) - 1)
@given(board=boards, other=boards)
def test_pairs_are_numbers_of_126_bits(board, other):
    one, two = both(board), both(other)
    assert bits.pair_and(one, two) == both(board & other)
    assert bits.pair_or(one, two) == both(board | other)
    assert bits.pair_xor(one, two) == both(board ^ other)
    assert bits.pair_without(one, two) == both(board & ~other)
    assert bits.pair_add(one, two) == both(board + other & EVERY)
    assert bits.pair_subtract(one, two) == both(board - other & EVERY)
    assert bits.pair_any(one) == (board != 0)
    assert bits.pair_popcount(one) == board.bit_count()
    assert bits.pair_lowest(one) == both(board & -board)


@example(board=EVERY, distance=63)
@example(board=EVERY, distance=62)
@given(board=boards, distance=distances)
def test_pairs_are_shifted_across_their_words(board, distance):
    assert bits.pair_left(both(board), distance) == both(board << distance & EVERY)
    assert bits.pair_right(both(board), distance) == both(board >> distance)
    if distance < 126:
        assert bits.pair_bit(distance) == both(1 << distance)


@given(
    board=boards | boards.map(lambda board: EVERY ^ board & board >> 5), run=st.integers(1, 9), step=st.integers(1, 70)
)
def test_runs_in_pairs_are_those_bit_by_bit(board, run, step):
    places = [place for place in range(126) if all(board >> place + step * index & 1 for index in range(run))]
    directions = (bits.run_shifts(run, step, 126),)
    assert bits.pair_runs(both(board), directions[0]) == both(sum(1 << place for place in places))
    assert bits.pair_has_run(both(board), directions) == bool(places)
    assert bits.pair_count_runs(both(board), directions) == len(places)
    wanted = 0
    for bit in range(126):
        line = [bit + step * index for index in range(1 - run, run)]
        for first in range(run):
            others = [place for place in line[first : first + run] if place != bit]
            if all(0 <= place < 126 and board >> place & 1 for place in others):
                wanted |= 1 << bit
    assert bits.pair_completions(both(board), run, step) == both(wanted)
