"""Sorting and finding keys: as NumPy does it, and as a dictionary does."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.solver.kernels import lookup
from zermelo.solver.kernels.lookup import look_up, places_of, sorted_once, with_heads, without

KEYS = st.integers(0, (1 << 63) - 1)


@given(st.lists(KEYS | st.integers(0, 40), max_size=60))
def test_sorted_by_digits_as_by_comparisons(keys: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookup, "_FEW", 1)
        patch.setattr(lookup, "numpy_is_faster", lambda: False)
        assert sorted_once(np.array(keys, dtype=np.int64)).tolist() == sorted(set(keys))


@pytest.mark.parametrize("by_numpy", [False, True])
@pytest.mark.parametrize("bits", [0, 1, 10, 11, 12, 22, 23, 45, 63])
def test_many_keys_of_any_width(bits: int, by_numpy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "numpy_is_faster", lambda: by_numpy)
    keys = np.random.default_rng(bits).integers(0, 1 << bits, 3_000, dtype=np.uint64).astype(np.int64)
    expected = np.unique(keys)
    assert np.array_equal(sorted_once(keys), expected)


@pytest.mark.parametrize(("numpy", "digits"), [(1.0, 3.0), (3.0, 1.0)])
def test_the_faster_way_to_sort_is_taken(numpy: float, digits: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways are tried in turn, by a clock of which each reading is known, and tried only once."""
    readings = iter([0.0, numpy, 0.0, digits] * 3)
    monkeypatch.setattr(lookup, "thread_time", lambda: next(readings))
    lookup.numpy_is_faster.cache_clear()
    try:
        assert lookup.numpy_is_faster() is (numpy < digits)
        assert lookup.numpy_is_faster() is (numpy < digits)
        assert next(readings, None) is None
    finally:
        lookup.numpy_is_faster.cache_clear()


@given(st.lists(KEYS | st.integers(0, 40), max_size=40), st.lists(KEYS | st.integers(0, 40), max_size=40))
def test_found_as_in_a_dictionary(held: list[int], asked: list[int]) -> None:
    known = with_heads(np.array(sorted(set(held)), dtype=np.int64))
    queries = np.array([*asked, *held], dtype=np.int64)
    place = {key: number for number, key in enumerate(known.keys.tolist())}
    expected = [place.get(key, -1) for key in queries.tolist()]
    assert places_of(known, queries).tolist() == expected
    out = np.full(len(queries), -7, dtype=np.int32)
    codes = np.arange(len(known.keys), dtype=np.int32)
    assert look_up(known, codes, queries, out) == sum(number >= 0 for number in expected)
    assert out.tolist() == [number if number >= 0 else -7 for number in expected]
    assert without(queries, known).tolist() == [key for key in queries.tolist() if key not in place]


@pytest.mark.parametrize("count", [15, 16, 17, 18, 1_000])
def test_many_keys_under_one_place_of_the_index(count: int) -> None:
    """A key that is far from all others leaves these under one place of the index."""
    held = [*range(0, 2 * count, 2), 1 << 62]
    known = with_heads(np.array(held, dtype=np.int64))
    assert known.heads[1] == count
    queries = np.arange(-1, 2 * count + 2)
    expected = [held.index(query) if query in held else -1 for query in queries.tolist()]
    assert places_of(known, queries).tolist() == expected
    codes, out = np.arange(count + 1, dtype=np.int32), np.full(len(queries), -1, dtype=np.int32)
    assert look_up(known, codes, queries, out) == count
    assert out.tolist() == expected
