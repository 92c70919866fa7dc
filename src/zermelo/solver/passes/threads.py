"""Threads that work at the same time: kernels, sorting and file access all release the GIL."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from types import TracebackType
from typing import Any, TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class Workers:
    """A number of threads.

    Parameters
    ----------
    count
        The number of threads.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="zermelo-solver")

    def in_order(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
        """Yield the result of each task, in the order of the tasks.

        At most one task more than there are threads is started ahead of the caller. If the caller stops or is
        interrupted, tasks that have not begun are dropped.

        Parameters
        ----------
        work
            Receives a task and returns its result.
        tasks
            The tasks. They are taken one by one, as results are yielded.
        """
        remaining = iter(tasks)
        under_way: deque[Future[Any]] = deque(
            self._pool.submit(work, task) for task in islice(remaining, self.count + 1)
        )
        try:
            while under_way:
                answer = under_way.popleft().result()
                for task in islice(remaining, 1):
                    under_way.append(self._pool.submit(work, task))
                yield answer
        finally:
            for future in under_way:
                future.cancel()

    def later(self, work: Callable[[], Answer]) -> "Future[Answer]":
        """Start some work, and return its future."""
        return self._pool.submit(work)

    def __enter__(self) -> "Workers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
