"""Arrays as the content of files: what was packed is unpacked, and nothing else is."""

from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from reference import leb128
from zermelo.solver.kernels.differences import read_differences, room_for, write_differences
from zermelo.solver.table.packed import packed, unpacked

MOST = (1 << 63) - 1
BORDERS = sorted({max(0, (1 << bits) + more) for bits in range(63) for more in (-1, 0, 1)} | {MOST})
"""Numbers on both sides of each power of two."""
KEYS: dict[str, list[int]] = {
    "none": [],
    "least": [0],
    "greatest": [MOST],
    "both": [0, MOST],
    "neighbours": [*range(1000)],
    "far from 0": [*range(MOST - 1000, MOST)],
    "differences of all sizes": BORDERS,
    "sums of all sizes": np.cumsum([number for number in BORDERS if number < 1 << 55]).tolist(),
    "equal": [5, 5, 5],
    "at random": np.unique(np.random.default_rng(0).integers(0, MOST, 5000)).tolist(),
}


@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
def test_keys_come_back(keys: list[int]) -> None:
    array = np.array(keys, dtype=np.int64)
    assert unpacked(packed(array), len(keys), np.int64).tolist() == keys
    assert unpacked(bytearray(packed(array)), len(keys), np.int64).tolist() == keys


@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("compiled", [True, False])
def test_differences_are_those_of_the_slow_twin(keys: list[int], compiled: bool) -> None:
    room, write, read = (
        function if compiled else getattr(function, "py_func", function)
        for function in (room_for, write_differences, read_differences)
    )
    expected = b"".join(leb128(second - first) for first, second in pairwise([0, *keys]))
    array = np.array(keys, dtype=np.int64)
    assert room(array) == len(expected)
    out = np.empty(len(expected), np.uint8)
    write(array, out)
    assert out.tobytes() == expected
    back = np.empty_like(array)
    assert read(out, back) == len(expected)
    assert (back == array).all()
    for cut in range(len(expected)):
        if len(expected) < 100:
            assert read(out[:cut], back) == -1


@pytest.mark.parametrize("keys", [[-1], [3, 2], [-5, -4], [0, 1, 0]])
def test_keys_that_do_not_ascend_are_refused(keys: list[int]) -> None:
    with pytest.raises(ValueError, match="must ascend from 0 or more"):
        packed(np.array(keys, dtype=np.int64))


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.int16])
def test_other_items_come_back(dtype: Any) -> None:
    for size in (0, 1, 1000):
        items: NDArray[Any] = np.random.default_rng(size).integers(0, 100, size).astype(dtype)
        items[size // 2 :] *= -1 if dtype != np.uint8 else 1
        found = unpacked(packed(items[::-1]), size, dtype)
        assert found.dtype == dtype
        assert (found == items[::-1]).all()


def test_another_number_of_items_is_noticed() -> None:
    keys = np.arange(0, 3000, 3)
    for size in (0, 999, 1001):
        with pytest.raises(ValueError, match="this number of keys"):
            unpacked(packed(keys), size, np.int64)
        with pytest.raises(ValueError, match="this number of items"):
            unpacked(packed(keys.astype(np.int32)), size, np.int32)


def test_what_is_not_packed_is_noticed() -> None:
    content = packed(np.arange(1000))
    with pytest.raises(ValueError, match="zstd cannot read it"):
        unpacked(content[:8] + b"nonsense" * 10, 1000, np.int64)
    plain = b"\xff" * 20  # a number without an end
    forged = len(plain).to_bytes(8, "little") + pa.Codec("zstd").compress(plain, asbytes=True)
    with pytest.raises(ValueError, match="this number of keys"):
        unpacked(forged, 1, np.int64)


def test_neighbouring_keys_take_far_less_than_a_byte() -> None:
    """As in a game: the same few differences, again and again."""
    keys = np.cumsum(np.tile([1, 2, 1, 5, 300, 7], 10_000))
    assert len(packed(keys)) < 0.05 * len(keys)
