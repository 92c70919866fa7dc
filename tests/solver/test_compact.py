"""Sorted keys in a compact form, against a dictionary."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zermelo.solver.kernels.compact import BLOCK, MOST_CODES, Compact, count_blocks, empty_blocks, fill, numbers_of
from zermelo.solver.kernels.lookup import with_heads
from zermelo.solver.model.outcome_codes import ABSENT

TOP = (1 << 63) - 1
DIFFERENCES = st.one_of(st.integers(1, 3), st.integers(1, 300), st.integers(1, 1 << 20), st.integers(1, 1 << 55))


def compact_of(keys: list[int], codes: list[int], bounds: list[tuple[int, int]]) -> Compact:
    """Return keys and codes as `Compact`, written in pieces with these bounds."""
    palette = np.array(sorted(set(codes)), dtype=np.int32)
    pieces = [(np.array(keys[low:high], np.int64), np.array(codes[low:high], np.int32)) for low, high in bounds]
    ends = np.cumsum([0, *(count_blocks(some) for some, _ in pieces)])
    firsts, words = empty_blocks(int(ends[-1]))
    content = words.reshape(-1, BLOCK // 8)
    for piece, (low, high) in zip(pieces, pairwise(ends), strict=True):
        fill(*piece, numbers_of(palette), firsts[low:high], content[low:high].reshape(-1))
    return Compact(with_heads(firsts), words, palette)


def look_up_all(keys: list[int], codes: list[int], cuts: list[int], queries: list[int]) -> None:
    """Look up queries in keys that were made compact in several pieces, and compare with a dictionary."""
    bounds = sorted({0, len(keys), *(cut % (len(keys) + 1) for cut in cuts)})
    found = compact_of(keys, codes, list(pairwise(bounds)))
    known = dict(zip(keys, codes, strict=True))
    out = np.full(len(queries), ABSENT, dtype=np.int32)
    count = found.look_up(np.array(queries, dtype=np.int64), out)
    assert out.tolist() == [known.get(query, ABSENT) for query in queries]
    assert count == sum(query in known for query in queries)


@given(
    st.integers(0, 1 << 60),
    st.lists(st.tuples(DIFFERENCES, st.integers(0, TOP >> 32)), max_size=300),
    st.lists(st.integers(0, 300), max_size=3),
    st.lists(st.integers(0, TOP), max_size=20),
)
@example(0, [], [], [0, TOP])
@example(TOP - 1, [(1, 5)], [], [0, TOP - 1, TOP])
@example(0, [(1, 0)] * 300, [], [300, 301])  # as many keys in each block as it has room for
def test_all_keys_are_found_and_no_others(
    first: int, steps: list[tuple[int, int]], cuts: list[int], others: list[int]
) -> None:
    keys, codes = [], []
    for difference, code in steps:
        first += difference
        if first <= TOP:
            keys.append(first)
            codes.append(code % MOST_CODES * 0x7FFFFF)
    near = [key + offset for key in keys for offset in (-1, 0, 1) if 0 <= key + offset <= TOP]
    look_up_all(keys, codes, cuts, near + others)


@pytest.mark.parametrize("most", [2, 30, 127, 140, 1_000, 40_000, 1 << 40])
def test_many_blocks(most: int) -> None:
    """Differences of one byte, of several, and of both, in blocks that are full to the last byte or not."""
    random = np.random.default_rng(most)
    keys = np.cumsum(random.integers(1, most, 4_000)).tolist()
    codes = random.integers(0, MOST_CODES, len(keys)).tolist()
    near = [key + offset for key in keys for offset in (-1, 0, 1)]
    look_up_all(keys, codes, random.integers(0, len(keys), 5).tolist(), near)


@pytest.mark.parametrize("number", range(1, 7))
def test_what_follows_the_differences_is_none(number: int) -> None:
    """The byte after the last difference of a full block is the number of a code, and as small as a difference."""
    keys = list(range(0, 7_000, 7))
    codes = [number] * len(keys)
    codes[:8] = range(8)  # so that the code is its own number
    look_up_all(keys, codes, [], [key + number for key in keys])


def test_as_many_codes_as_a_byte_tells_apart() -> None:
    keys = list(range(10, 10 + 3 * MOST_CODES, 3))
    look_up_all(keys, [(number * 37) % MOST_CODES << 22 for number in range(MOST_CODES)], [], [*keys, 0, 11])


def test_most_keys_take_little_more_than_two_bytes() -> None:
    keys = list(range(0, 1_000_000, 50))
    found = compact_of(keys, [0] * len(keys), [(0, len(keys))])
    assert len(found.words) * 8 == -(-len(keys) // (BLOCK // 2)) * BLOCK
    assert found.size < 2.5 * len(keys)
