"""Ctrl-C while a kernel is compiled: LLVM calls Python functions, in which what is raised would be lost."""

import ctypes
import signal
import time

import pytest
from llvmlite.binding.executionengine import ExecutionEngine

from zermelo.compiled.apart import compile_for


def _raw_object_cache_notify():
    signal.raise_signal(signal.SIGINT)


class Kernel:
    def __init__(self, work):
        self.work = work

    def compile(self, _signature):
        self.work()


@pytest.fixture(autouse=True)
def usual_handler():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def llvm_works():
    ctypes.CFUNCTYPE(None)(_raw_object_cache_notify)()


def llvm_works_and_numba_fails():
    llvm_works()
    raise RuntimeError("no compiled object yet")


def numba_works():
    signal.raise_signal(signal.SIGINT)
    pytest.fail("Ctrl-C comes too late")


def an_object_is_made(made):
    """A function of the module that makes LLVM's objects, in which the signal arrives."""
    inside = {"__name__": "llvmlite.binding.ffi", "signal": signal, "made": made}
    exec("def make():\n signal.raise_signal(signal.SIGINT)\n made.append('whole')", inside)
    inside["make"]()


@pytest.mark.parametrize("goes_on", [True, False])
def test_an_object_of_llvm_is_made_whole_before_an_interrupt(goes_on):
    made = []

    def work():
        an_object_is_made(made)
        end = time.monotonic() + 60
        while goes_on:
            assert time.monotonic() < end, "Ctrl-C comes too late"

    with pytest.raises(KeyboardInterrupt):
        compile_for(Kernel(work))
    assert made == ["whole"]
    time.sleep(0.05)  # there is no second interrupt


@pytest.mark.parametrize("work", [llvm_works, llvm_works_and_numba_fails, numba_works])
def test_an_interrupt_ends_a_compilation(work):
    with pytest.raises(KeyboardInterrupt):
        compile_for(Kernel(work))


def test_other_failures_stay_as_they_are():
    def fail():
        raise RuntimeError("of its own")

    with pytest.raises(RuntimeError, match="of its own"):
        compile_for(Kernel(fail))


def test_an_ignored_interrupt_stays_ignored():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    compile_for(Kernel(llvm_works))
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_llvmlite_names_its_functions_so():
    assert hasattr(ExecutionEngine, "_raw_object_cache_notify")
    assert hasattr(ExecutionEngine, "_raw_object_cache_getbuffer")
