"""What is linked into a kernel belongs to it alone."""

import re
from pathlib import Path

import numpy as np
import pytest
from numba import config, njit
from numpy.typing import NDArray

from zermelo.compiled.cache import shared_kernel, subkernel

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")


@subkernel
def weighed(numbers: NDArray[np.int64], place: int, weight: int) -> int:
    """A part that calls itself twice, and so is not inlined."""
    if place >= len(numbers):
        return 1
    return numbers[place] * weighed(numbers, 2 * place, weight + 1) + weight * weighed(numbers, 2 * place + 1, weight)


@shared_kernel
def weighed_twice(numbers: NDArray[np.int64], place: int, weight: int) -> int:
    return weighed(numbers, place, weight) + weighed(numbers, weight, place)


@njit
def weighed_by_others(numbers: NDArray[np.int64], place: int, weight: int) -> int:
    """Code that is no kernel."""
    return weighed(numbers, place, weight) + weighed(numbers, weight, place)


def test_nothing_outside_of_a_kernel_can_call_its_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the optimiser knows every call of a part. `.weak` and `.globl` name what other code can call."""
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))  # code from a cache cannot be read as text
    assert weighed_twice(np.array([3, 4, 5]), 1, 2) == (4 * (5 + 3) + 2) + (5 + 1)
    text = weighed_twice.inspect_asm(weighed_twice.signatures[0])
    called = {name for name in re.findall(r"\.(?:weak|globl)\s+(\S+)", text) if not name.startswith("NRT_")}
    assert called and all("weighed_twice" in name for name in called)  # Numba's runtime, NRT, is not ours
    assert re.search(r"^\.?L\S*weighedB\S*:", text, re.MULTILINE), "the part is there"


def test_other_code_calls_parts_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not bound to those of a kernel that was loaded before."""
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    numbers = np.array([3, 4, 5])
    assert [call(numbers, 1, 2) for call in (weighed_twice, weighed_by_others, weighed_twice)] == [40, 40, 40]
