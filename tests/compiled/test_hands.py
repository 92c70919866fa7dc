"""Threads that run one kernel after another."""

import gc
import os
import threading
import weakref

import pytest

from zermelo.compiled import hands
from zermelo.compiled.apart import DeepThread, machine_code_runs
from zermelo.compiled.hands import Errand


@pytest.fixture(autouse=True)
def _none_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands of other tests stay out of these."""
    monkeypatch.setattr(hands, "_waiting", [])


def test_one_hand_runs_one_errand_after_another() -> None:
    seen: list[threading.Thread] = []
    for _ in range(20):
        errand = Errand(lambda: seen.append(threading.current_thread()))
        assert not errand.begun
        errand.start()
        errand.join()
        assert errand.begun and errand.returned.is_set()
    assert len(set(seen)) == 1 and isinstance(seen[0], DeepThread)


def test_errands_run_side_by_side_and_only_a_few_hands_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "_MOST", 2)
    together, seen = threading.Barrier(5), []

    def work() -> None:
        together.wait(60)
        seen.append(threading.current_thread())

    errands = [Errand(work) for _ in range(5)]
    for errand in errands:
        errand.start()
    for errand in errands:
        errand.join()
    assert len(set(seen)) == 5
    assert len(hands._waiting) == 2 and set(hands._waiting) <= set(seen)
    for thread in set(seen) - set(hands._waiting):
        thread.join(60)
        assert not thread.is_alive()


def test_a_hand_that_waits_runs_no_machine_code() -> None:
    begun, ended = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        ended.wait(60)

    errand = Errand(work)
    errand.start()
    begun.wait(60)
    assert machine_code_runs()
    errand.join(0.01)
    assert not errand.returned.is_set()
    ended.set()
    errand.join()
    assert not machine_code_runs()


def test_a_hand_keeps_nothing_of_an_errand() -> None:
    class Large:
        """Something that an errand refers to."""

        def work(self) -> None:
            pass

    large = Large()
    gone = weakref.ref(large)
    errand = Errand(large.work)
    errand.start()
    errand.join()
    Errand(lambda: None).start()  # so that the hand has left the first one
    del errand, large
    for _ in range(100):
        gc.collect()
        if gone() is None:
            break
        threading.Event().wait(0.05)
    assert gone() is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no forks")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_the_child_of_a_fork_starts_hands_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the list that a fork empties is the usual one
    errand = Errand(lambda: None)
    errand.start()
    errand.join()
    assert hands._waiting
    child = os.fork()
    if child == 0:
        again = Errand(lambda: None)
        again.start()
        again.join(60)
        os._exit(0 if again.returned.is_set() else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
