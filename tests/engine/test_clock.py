"""Searches look at the clock themselves, and so does compiled code."""

import time

import pytest
from numba import njit

from zermelo.compiled.clock import is_past, now


def test_compiled_code_and_python_read_the_same_clock() -> None:
    compiled_now = njit(lambda: now())
    moments = [read() for _ in range(100) for read in (now, compiled_now)]
    assert moments == sorted(moments)
    before = compiled_now()
    time.sleep(0.02)
    assert compiled_now() - before >= 20_000_000


@pytest.mark.parametrize("compiled", [False, True])
def test_a_moment_is_past_once_it_has_come_and_no_moment_ever_is(compiled: bool) -> None:
    past = njit(lambda deadline: is_past(deadline)) if compiled else is_past
    assert past(now())
    assert past(1)
    assert not past(0)
    assert not past(now() + 3_600_000_000_000)
