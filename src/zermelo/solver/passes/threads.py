"""Threads that work at the same time: kernels, sorting and file access all release the GIL."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import accumulate, islice
from threading import local
from types import TracebackType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class Scratch(local):
    """Memory for keys that a thread uses again for each task; the system would have to clear new memory every time."""

    def __init__(self) -> None:
        self._rooms: dict[object, NDArray[np.int64]] = {}

    def keys(self, name: object, count: int, kept: int = 0) -> NDArray[np.int64]:
        """Return room for ``count`` keys, which the next call with the same name in the same thread returns, too.

        Parameters
        ----------
        name
            Names the use, so that a thread can have room for several uses at the same time.
        count
            The number of keys.
        kept
            How many keys at the beginning keep their values; all others are arbitrary.
        """
        room = self._rooms.get(name)
        if room is None or len(room) < count:
            larger = np.empty(count + count // 2, dtype=np.int64)
            if room is not None and kept:
                larger[:kept] = room[:kept]
            room = self._rooms[name] = larger
        return room[:count]


class Workers:
    """A number of threads.

    Parameters
    ----------
    count
        The number of threads.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.scratch = Scratch()
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

    def as_one(self, sizes: Sequence[int], keys_of: Callable[[int], NDArray[np.int64]]) -> NDArray[np.int64]:
        """Return several arrays of keys one after the other; the threads make them and copy them.

        Parameters
        ----------
        sizes
            The number of keys in each array.
        keys_of
            Receives the number of an array, from 0, and returns the array.
        """
        ends = list(accumulate(sizes, initial=0))
        whole = np.empty(ends[-1], dtype=np.int64)

        def copy(number: int) -> None:
            whole[ends[number] : ends[number + 1]] = keys_of(number)

        for _ in self.in_order(copy, range(len(sizes))):
            pass
        return whole

    def later(self, work: Callable[[], Answer]) -> "Future[Answer]":
        """Start some work, and return its future."""
        return self._pool.submit(work)

    def __enter__(self) -> "Workers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
