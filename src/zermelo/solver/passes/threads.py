"""Threads that work side by side: kernels release the GIL, and so do sorting and files."""

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
        How many.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="zermelo-solver")

    def in_order(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
        """What the work makes of each task, in the order of the tasks; a few are done ahead.

        Where the caller stops, or is interrupted, tasks that have not begun are dropped.
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
        """Start some work whose end can be waited for."""
        return self._pool.submit(work)

    def __enter__(self) -> "Workers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
