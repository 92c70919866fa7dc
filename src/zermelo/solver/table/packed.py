"""Arrays as the content of files: ascending keys as differences, everything compressed by zstd.

The content begins with the number of bytes that zstd expands it to, as 8 bytes, the lowest first. The rest is what zstd
makes of the differences of the keys (`zermelo.solver.kernels.differences`), or of the items themselves. Differences
repeat in long patterns, because positions that differ in few places have successors that differ in few places; so
zstd makes them several times smaller. ``docs/explanation/design.md`` compares other ways.
"""

from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from zermelo.solver.kernels.differences import read_differences, room_for, write_differences

_HEADER: Final = 8
"""Bytes that hold the number of bytes before compression."""
_ZSTD: Final = pa.Codec("zstd", compression_level=1)


def packed(array: NDArray[Any]) -> bytes:
    """Return the content of a file with the items of an array.

    Parameters
    ----------
    array
        Shape (n,): ascending keys as int64, none of them negative, or items of another type.

    Raises
    ------
    ValueError
        Items of int64 are not ascending, or negative.
    """
    plain = _differences(array) if array.dtype == np.int64 else np.ascontiguousarray(array).view(np.uint8)
    return len(plain).to_bytes(_HEADER, "little") + (_ZSTD.compress(plain.data, asbytes=True) if len(plain) else b"")


def _differences(keys: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the bytes of ascending keys."""
    room = room_for(keys)
    if room < 0:
        raise ValueError("The keys must ascend from 0 or more.")
    plain = np.empty(room, np.uint8)
    write_differences(keys, plain)
    return plain


def unpacked(content: bytes | bytearray, size: int, dtype: Any) -> NDArray[Any]:
    """Return the items of an array, given the content of its file, which the caller has checked.

    Parameters
    ----------
    content
        What `packed` returned.
    size, dtype
        The number of the items, and their type.

    Raises
    ------
    ValueError
        The content holds another number of items, or something else.
    """
    length = int.from_bytes(content[:_HEADER], "little")
    view = memoryview(content)[_HEADER:]
    try:
        plain = np.frombuffer(_ZSTD.decompress(view, length) if length else b"", np.uint8)
    except OSError:
        raise ValueError("zstd cannot read it") from None
    if np.dtype(dtype) == np.int64:
        keys = np.empty(size, np.int64)
        if read_differences(plain, keys) != length:
            raise ValueError("it does not hold this number of keys")
        return keys
    if length != size * np.dtype(dtype).itemsize:
        raise ValueError("it does not hold this number of items")
    return plain.view(dtype)
