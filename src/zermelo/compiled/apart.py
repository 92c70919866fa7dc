"""Kernels in threads of their own: the main thread only waits, so that Ctrl-C reaches it at once.

`deep_stacks` sets the stack size of new threads, which Python keeps for the whole process: kernels and the textbook
recurse deeply. The size is set back as soon as the threads have been started.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

import numba

Answer = TypeVar("Answer")

STACK_BYTES: Final = 64 << 20
"""Enough for the deepest recursion of a kernel; the system gives memory only to what is used of it."""
_PATIENCE: Final = 0.1
"""Seconds that a waiting thread sleeps before it looks for Ctrl-C."""


def apart(work: Callable[[], Answer]) -> Answer:
    """Run ``work`` in a thread with a deep stack, and return what it returns or raise what it raises.

    After Ctrl-C nobody waits for the work any longer; it ends with the process at the latest.
    """
    answers: list[Answer] = []
    failures: list[BaseException] = []
    done = threading.Event()

    def body() -> None:
        try:
            answers.append(work())
        except BaseException as error:  # raised again below, in the thread that asked
            failures.append(error)
        done.set()

    with deep_stacks():
        threading.Thread(target=body, daemon=True).start()
    while not done.wait(_PATIENCE):
        pass
    if failures:
        raise failures[0]
    return answers[0]


def compile_for(kernel: Callable[..., Answer], *arguments: object) -> None:
    """Compile a kernel, or load its machine code, for arguments of these types; without a compiler, do nothing."""
    if hasattr(kernel, "compile"):
        kernel.compile(tuple(map(numba.typeof, arguments)))


def call_apart(kernel: Callable[..., Answer], *arguments: object) -> Answer:
    """Compile a kernel in this thread and call it in another one, since its rules may never return."""
    compile_for(kernel, *arguments)
    return apart(lambda: kernel(*arguments))


@contextmanager
def deep_stacks() -> Iterator[None]:
    """Threads started within have a stack of `STACK_BYTES`."""
    usual = threading.stack_size(STACK_BYTES)
    try:
        yield
    finally:
        threading.stack_size(usual)
