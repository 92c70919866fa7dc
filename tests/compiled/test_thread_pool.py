"""Threads that run one kernel after another."""

import gc
import os
import threading
import weakref

import pytest

from zermelo.compiled import thread_pool
from zermelo.compiled.apart import DeepThread, machine_code_runs
from zermelo.compiled.thread_pool import Call


@pytest.fixture(autouse=True)
def _none_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that other tests started stay out of these."""
    monkeypatch.setattr(thread_pool, "_waiting", [])


def test_one_thread_runs_one_call_after_another() -> None:
    seen: list[threading.Thread] = []
    for _ in range(20):
        call = Call(lambda: seen.append(threading.current_thread()))
        assert not call.begun
        call.start()
        call.join()
        assert call.begun and call.returned.is_set()
    assert len(set(seen)) == 1 and isinstance(seen[0], DeepThread)


def test_calls_run_side_by_side_and_only_a_few_threads_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_pool, "_MOST", 2)
    together, seen = threading.Barrier(5), []

    def work() -> None:
        together.wait(60)
        seen.append(threading.current_thread())

    calls = [Call(work) for _ in range(5)]
    for call in calls:
        call.start()
    for call in calls:
        call.join()
    assert len(set(seen)) == 5
    assert len(thread_pool._waiting) == 2 and set(thread_pool._waiting) <= set(seen)
    for thread in set(seen) - set(thread_pool._waiting):
        thread.join(60)
        assert not thread.is_alive()


def test_a_thread_that_waits_runs_no_machine_code() -> None:
    begun, ended = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        ended.wait(60)

    call = Call(work)
    call.start()
    begun.wait(60)
    assert machine_code_runs()
    call.join(0.01)
    assert not call.returned.is_set()
    ended.set()
    call.join()
    assert not machine_code_runs()


def test_a_thread_keeps_nothing_of_a_call() -> None:
    class Large:
        """Something that a call refers to."""

        def work(self) -> None:
            pass

    large = Large()
    gone = weakref.ref(large)
    call = Call(large.work)
    call.start()
    call.join()
    del call, large
    for _ in range(100):
        gc.collect()
        if gone() is None:
            break
        threading.Event().wait(0.05)
    assert gone() is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no forks")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_the_child_of_a_fork_starts_threads_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the list that a fork empties is the usual one
    call = Call(lambda: None)
    call.start()
    call.join()
    assert thread_pool._waiting
    child = os.fork()
    if child == 0:
        again = Call(lambda: None)
        again.start()
        again.join(60)
        os._exit(0 if again.returned.is_set() else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
