"""Runs on boards of either kind are those that a look at each bit finds, interpreted and compiled."""

from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from zermelo import bits
from zermelo.compiled.helpers import register
from zermelo.words import MOST_CELLS, ONE_WORD, TWO_WORDS

EVERY = (1 << MOST_CELLS) - 1
boards = st.integers(0, EVERY)
kinds = st.sampled_from([(ONE_WORD, 63), (TWO_WORDS, 126)])
for function in (bits.runs, bits.completions, bits.has_run, bits.count_runs):
    register(function)


@njit
def found_in(board, shifts, run, step):
    return bits.runs(board, shifts), bits.completions(board, run, step)


@njit
def told_of(board, directions):
    return bits.has_run(board, directions), bits.count_runs(board, directions)


@given(
    kind=kinds,
    board=boards | boards.map(lambda board: EVERY ^ board & board >> 5),
    run=st.integers(1, 9),
    step=st.integers(1, 70),
)
def test_runs_are_those_bit_by_bit(kind, board, run, step):
    words, size = kind
    board, step = board & (1 << size) - 1, min(step, size)
    places = [place for place in range(size) if all(board >> place + step * index & 1 for index in range(run))]
    wanted = 0
    for bit in range(size):
        line = [bit + step * index for index in range(1 - run, run)]
        for first in range(run):
            others = [place for place in line[first : first + run] if place != bit]
            if all(0 <= place < size and board >> place & 1 for place in others):
                wanted |= 1 << bit
    shifts = bits.run_shifts(run, step, size)
    starts, every = words.of(sum(1 << place for place in places)), words.of((1 << size) - 1)
    for function in (found_in, found_in.py_func) if shifts else (found_in.py_func,):
        found, completing = function(words.of(board), shifts, run, step)
        assert found == starts and completing & every == words.of(wanted)
    if size == 63 and shifts:
        expected = bool(places), len(places)
        assert told_of(board, (shifts,)) == told_of.py_func(board, (shifts,)) == expected
