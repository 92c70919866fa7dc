"""Work in several threads at once, which Ctrl-C ends after what is under way."""

from collections.abc import Callable
from typing import Final

from zermelo.compiled.apart import DeepThread

_PATIENCE: Final = 0.1
"""Seconds that the main thread sleeps before it looks for Ctrl-C."""


def in_threads(count: int, work: Callable[[int], None], stop: Callable[[], None]) -> None:
    """Call ``work`` with each number below ``count``, in a thread for each; what fails in one is raised here.

    Parameters
    ----------
    stop
        Tells all threads to end soon. It is called when one fails, after Ctrl-C, and when all are done.
    """
    failures: list[BaseException] = []

    def body(number: int) -> None:
        try:
            work(number)
        except BaseException as error:  # raised again below, in the thread that waits
            failures.append(error)
            stop()

    threads = [DeepThread(target=body, args=(number,), daemon=True) for number in range(count)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():  # now and then it looks for Ctrl-C
                thread.join(_PATIENCE)
    finally:
        stop()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
    if failures:
        raise failures[0]
