"""What a server keeps for good is set aside, and what visitors left behind is freed all the same."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from zermelo.ui.web.heap import QUIET_SECONDS, Heap


class Page:
    """An object that only the collector frees."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    yield
    gc.unfreeze()


def test_objects_are_set_aside_and_those_of_visitors_are_freed_when_all_have_left() -> None:
    heap, page = Heap(), Page()
    seen = weakref.ref(page)
    heap.settle()
    assert gc.get_freeze_count() > 0
    del page
    gc.collect()
    assert seen() is not None  # the collector does not look at it
    for connections in (1, 0, 1, *[0] * (QUIET_SECONDS - 1)):
        heap.look(connections)
    assert seen() is not None  # somebody may come back
    heap.look(0)
    assert seen() is None


def test_a_server_that_nobody_visits_collects_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    settled: list[None] = []
    heap = Heap()
    whole = heap.settle
    monkeypatch.setattr(heap, "settle", lambda: (settled.append(None), whole()))
    for _ in range(2 * QUIET_SECONDS):
        heap.look(0)
    assert not settled  # nothing was set aside
    heap.settle()
    for _ in range(3 * QUIET_SECONDS):
        heap.look(0)
    assert len(settled) == 2
