"""Counting outcome codes in a hash table, beside a dictionary."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from zermelo.solver.kernels.tally import tallied
from zermelo.solver.model.outcome_codes import ABSENT
from zermelo.solver.passes.outcomes import count_into

LARGEST = (1 << 31) - 1
CODES = st.one_of(st.integers(0, 40), st.just(ABSENT), st.integers(LARGEST - 40, LARGEST), st.integers(0, LARGEST))


@given(st.lists(st.tuples(CODES, st.integers(1, 1000)), max_size=300))
def test_weights_of_each_code_are_added_up(pairs: list[tuple[int, int]]) -> None:
    expected: Counter[int] = Counter()
    for code, weight in pairs:
        expected[code] += weight
    codes = np.array([code for code, _ in pairs], dtype=np.int32)
    weights = np.array([weight for _, weight in pairs], dtype=np.int64)
    found = tallied(codes, weights)
    assert len(found) == len(expected)
    assert dict(found) == expected


def test_more_codes_than_the_first_table_has_places() -> None:
    codes = np.arange(0, 10_000 << 9, 1 << 9, dtype=np.int32)
    twice = np.concatenate([codes, codes[::-1]])
    found = tallied(twice, np.ones(len(twice), dtype=np.int64))
    assert dict(found) == dict.fromkeys(codes.tolist(), 2)


def test_a_census_keeps_what_it_has() -> None:
    census = Counter({3: 5, 4: 1})
    count_into(census, np.array([4, 3, 4, 7], dtype=np.int32), np.array([2, 2, 1, 1], dtype=np.int64))
    assert census == {3: 7, 4: 4, 7: 1}
