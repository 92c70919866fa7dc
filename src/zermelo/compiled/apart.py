"""Running kernels in threads of their own: the main thread only waits, so that Ctrl-C reaches it at once.

Kernels and the textbook recurse deeply, so their threads need large stacks. Python has one stack size for all new
threads of the process. `DeepThread` sets it, and sets it back as soon as the thread has started.
"""

import signal
import threading
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, TypeVar

import numba

Answer = TypeVar("Answer")

STACK_BYTES: Final = 64 << 20
"""The stack of a thread, in bytes: enough for a kernel's deepest recursion. Only what is used of it takes memory."""
_one_size: Final = threading.Lock()
"""Held while the process has another stack size than usual."""
_PATIENCE: Final = 0.1
"""Seconds that a waiting thread sleeps before it looks for Ctrl-C."""
_CALLED_BY_LLVM: Final = "_raw_object_cache_"
"""How the names of llvmlite's functions begin that LLVM calls."""
_OBJECTS: Final = "llvmlite.binding.ffi"
"""The module of llvmlite that makes and frees LLVM's objects."""
_SOON: Final = 0.01
"""Seconds after which an interrupt that came there is raised."""


def apart(work: Callable[[], Answer]) -> Answer:
    """Run ``work`` in a thread with a deep stack; return what it returns, or raise what it raises.

    After Ctrl-C, this function raises KeyboardInterrupt at once. The thread goes on until ``work`` returns or the
    process ends.
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

    DeepThread(target=body, daemon=True).start()
    while not done.wait(_PATIENCE):
        pass
    if failures:
        raise failures[0]
    return answers[0]


def compile_for(kernel: Callable[..., Answer], *arguments: object) -> None:
    """Compile a kernel for arguments of these types, or load its machine code; without a compiler, do nothing."""
    if hasattr(kernel, "compile"):
        with ending_at_interrupt():
            kernel.compile(tuple(map(numba.typeof, arguments)))


@contextmanager
def ending_at_interrupt() -> Iterator[None]:
    """Let Ctrl-C end a compilation with KeyboardInterrupt, also while LLVM works.

    When LLVM has finished, it calls Python functions of llvmlite, in which a signal of the meantime is handled. What is
    raised there is lost, and Numba fails later, because the machine code never reached it. So the signal is only noted
    there, and raised when Numba returns. While llvmlite makes or frees an object, the signal is raised a little later:
    an object that is half made would print an error when Python frees it.
    """
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or usual is not signal.default_int_handler:
        yield
        return
    asked = over = False
    later: list[threading.Timer] = []

    def note(_number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        if over or _is_called_by_llvm(frame):
            return
        if frame is not None and frame.f_globals.get("__name__") == _OBJECTS:
            later.append(threading.Timer(_SOON, interrupt_main))
            later[-1].start()
            return
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, note)
    try:
        yield
    except Exception:
        if asked:
            raise KeyboardInterrupt from None
        raise
    finally:
        over = True
        for timer in later:
            timer.cancel()
            timer.join()
        signal.signal(signal.SIGINT, usual)
    if asked:
        raise KeyboardInterrupt


def _is_called_by_llvm(frame: FrameType | None) -> bool:
    """Return whether LLVM called the function that runs in ``frame``, or one that called it."""
    while frame is not None:
        if frame.f_code.co_name.startswith(_CALLED_BY_LLVM):
            return True
        frame = frame.f_back
    return False


def call_apart(kernel: Callable[..., Answer], *arguments: object) -> Answer:
    """Compile a kernel in this thread; call it in another one, since its rules may never return; return its answer."""
    compile_for(kernel, *arguments)
    return apart(lambda: kernel(*arguments))


class DeepThread(threading.Thread):
    """A thread with a stack of `STACK_BYTES`, in which kernels may run."""

    idle = False
    """Whether it has run its kernel, and waits for the next one or ends (`zermelo.compiled.thread_pool`)."""

    def start(self) -> None:
        """Start the thread."""
        with _one_size:
            usual = threading.stack_size(STACK_BYTES)
            try:
                super().start()
            finally:
                threading.stack_size(usual)


def machine_code_runs() -> bool:
    """Whether a thread may be running a kernel."""
    return any(isinstance(thread, DeepThread) and not thread.idle for thread in threading.enumerate())
