"""Ctrl-C while a kernel is compiled: LLVM calls Python functions, in which what is raised would be lost."""

import ctypes
import signal

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
