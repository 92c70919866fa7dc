"""Two sorted arrays of keys as one, with their outcome codes."""

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import shared_kernel

Keys = NDArray[np.int64]
Codes = NDArray[np.int32]


def merge_two(keys: Keys, codes: Codes, more_keys: Keys, more_codes: Codes) -> tuple[Keys, Codes]:
    """Two sorted arrays of keys as one, and the code of each."""
    count = len(keys) + len(more_keys)
    merged = np.empty(count, np.int64), np.empty(count, np.int32)
    interleave(keys, codes, more_keys, more_codes, *merged)
    return merged


@shared_kernel
def interleave(keys: Keys, codes: Codes, more_keys: Keys, more_codes: Codes, merged: Keys, merged_codes: Codes) -> None:
    """Write two sorted arrays and their codes as one; no branch depends on which key is next."""
    first = second = 0
    while first < len(keys) and second < len(more_keys):
        one, two = keys[first], more_keys[second]
        ahead = one <= two
        merged[first + second] = min(one, two)
        merged_codes[first + second] = codes[first] if ahead else more_codes[second]
        first, second = first + ahead, second + (not ahead)
    end = first + len(more_keys)
    merged[first + second : end] = more_keys[second:]
    merged_codes[first + second : end] = more_codes[second:]
    merged[end:] = keys[first:]
    merged_codes[end:] = codes[first:]
