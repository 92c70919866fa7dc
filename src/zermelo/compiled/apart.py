"""Kernels in threads of their own, so that Ctrl-C reaches the thread that waits at once."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

import numba

Answer = TypeVar("Answer")

STACK_BYTES: Final = 64 << 20
"""Enough for the deepest recursion that a kernel is asked for; only what is used takes memory."""
_PATIENCE: Final = 0.1
"""Seconds between two looks of a waiting thread for Ctrl-C."""


def apart(work: Callable[[], Answer]) -> Answer:
    """Do ``work`` in a thread with a deep stack and hand back what it gives, or raise what it raises.

    Where Ctrl-C comes first, the work is left to itself: it ends with the process at the latest.
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
    """Compile a kernel here, where Ctrl-C reaches it, and call it apart: its rules may never return."""
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
