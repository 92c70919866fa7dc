"""Keys as bytes and back: the differences of neighbouring keys, in LEB128.

LEB128 writes a number seven bits at a time, the lowest first, and sets the eighth bit of each byte but the last. Most
differences of neighbouring keys are less than 128, so they take one byte each.
"""

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import shared_kernel


@shared_kernel
def room_for(keys: NDArray[np.int64]) -> int:
    """Return how many bytes `write_differences` writes for ascending keys, the least of which is not negative.

    It returns -1 if the keys are anything else. Equal neighbours are allowed.
    """
    count, last = len(keys), 0
    for place in range(len(keys)):
        difference = keys[place] - last
        if difference < 0:
            return -1
        last = keys[place]
        while difference >= 128:
            difference >>= 7
            count += 1
    return count


@shared_kernel
def write_differences(keys: NDArray[np.int64], out: NDArray[np.uint8]) -> None:
    """Write the difference of each key to the one before it, that of the first key to 0.

    Parameters
    ----------
    keys
        Shape (n,): as `room_for` accepts them.
    out
        Shape (bytes,), written: as many bytes as `room_for` returns.
    """
    end = last = 0
    for place in range(len(keys)):
        difference = keys[place] - last
        last = keys[place]
        while difference >= 128:
            out[end] = difference & 127 | 128
            difference >>= 7
            end += 1
        out[end] = difference
        end += 1


@shared_kernel
def read_differences(content: NDArray[np.uint8], keys: NDArray[np.int64]) -> int:
    """Write the keys that `write_differences` wrote as ``content``.

    Parameters
    ----------
    content
        Shape (bytes,).
    keys
        Shape (n,), written.

    Returns
    -------
    int
        How many bytes the keys took; -1 if there are too few bytes.
    """
    begin, last, size = 0, np.int64(0), len(content)
    for place in range(len(keys)):
        if begin >= size:
            return -1
        byte = np.int64(content[begin])
        begin += 1
        last += byte & 127
        step = 7
        while byte >= 128:
            if begin >= size or step > 56:
                return -1
            byte = np.int64(content[begin])
            begin += 1
            last += (byte & 127) << step
            step += 7
        keys[place] = last
    return begin
