"""Merging runs with several threads, against sets; and the memory that threads use again."""

from collections.abc import Iterator
from threading import Thread

import numpy as np
import pytest
from numpy.typing import NDArray

from zermelo.solver.passes import merging
from zermelo.solver.passes.merging import merged_arrays, merged_pieces
from zermelo.solver.passes.threads import Scratch, Workers

MEMORY = 1 << 10
"""So little that a range has few keys."""


@pytest.fixture
def workers() -> Iterator[Workers]:
    with Workers(3) as some:
        yield some


def runs_of(seed: int, count: int, most: int, span: int) -> list[NDArray[np.int64]]:
    """Return runs, some of which may be empty or the same."""
    random = np.random.default_rng(seed)
    return [np.unique(random.integers(0, span, random.integers(0, most))) for _ in range(count)]


@pytest.mark.parametrize(
    ("count", "most", "span"),
    [(0, 1, 1), (1, 20_000, 1 << 40), (7, 20_000, 1 << 40), (5, 20_000, 25_000), (40, 3_000, 1 << 62), (9, 2, 3)],
)
def test_runs_become_one_without_repetitions(workers: Workers, count: int, most: int, span: int) -> None:
    runs = runs_of(count, count, most, span)
    before = [run.copy() for run in runs]
    expected = sorted({int(key) for run in runs for key in run})
    pieces = list(merged_pieces(workers, MEMORY, runs))
    assert [int(key) for piece in pieces for key in piece] == expected
    assert all(len(piece) <= 2 * merging.room_for_range(MEMORY, workers) for piece in pieces)
    both = merged_arrays(workers, MEMORY, {"some": runs, "none": [], "two": [*runs, *runs]})
    if runs:
        assert both["some"].tolist() == both["two"].tolist() == expected
    assert "none" not in both
    assert all(np.array_equal(run, was) for run, was in zip(runs, before, strict=True)), "runs stay as they are"


def test_scratch_grows_and_keeps_its_beginning() -> None:
    scratch = Scratch()
    scratch.keys("a", 3)[:] = [1, 2, 3]
    assert scratch.keys("a", 3).tolist() == [1, 2, 3]
    assert scratch.keys("a", 1000, kept=3)[:3].tolist() == [1, 2, 3]
    assert len(scratch.keys("a", 5)) == 5
    scratch.keys("b", 3)[:] = 7
    assert scratch.keys("a", 3).tolist() == [1, 2, 3], "each use has its own room"


def test_each_thread_has_its_own_scratch() -> None:
    scratch = Scratch()
    scratch.keys("a", 2)[:] = [1, 2]

    def other() -> None:
        scratch.keys("a", 2)[:] = [8, 9]

    thread = Thread(target=other)
    thread.start()
    thread.join()
    assert scratch.keys("a", 2).tolist() == [1, 2]
