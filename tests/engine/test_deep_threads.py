"""Searches that run in the thread that asks for them stop in time, and give the same results as in other threads."""

import time

import pytest

from zermelo.compiled.apart import DeepThread, apart
from zermelo.engine import Engine
from zermelo.games import connect


@pytest.mark.parametrize("limits", [{"nodes": 500}, {"depth": 4}, {"nodes": 500, "seconds": 60}])
def test_a_search_in_a_deep_thread_is_the_same_search(limits: dict[str, int]) -> None:
    state = connect().replay("3 3 3 2")
    here = Engine(connect()).search(state, **limits)  # type: ignore[arg-type]
    there = apart(lambda: Engine(connect()).search(state, **limits))  # type: ignore[arg-type]
    assert (here.value, here.action, here.nodes, here.stopped_by) == (
        there.value, there.action, there.nodes, there.stopped_by
    )  # fmt: skip


def test_time_and_stop_end_a_search_in_a_deep_thread() -> None:
    engine = Engine(connect())
    results = [apart(lambda: engine.search(seconds=0.05))]
    assert results[0].stopped_by == "time"
    thread = DeepThread(target=lambda: results.append(engine.search()))
    thread.start()
    time.sleep(0.05)
    engine.stop()
    thread.join(60)
    assert results[1].stopped_by == "interrupted"
