"""Running kernels in threads of their own, so that the clock, Ctrl-C and `stop` take effect at once."""

import threading
from collections.abc import Callable, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, Final

from zermelo.compiled.apart import DeepThread
from zermelo.compiled.clock import KERNELS_READ_IT, is_past, now
from zermelo.compiled.thread_pool import Call
from zermelo.engine.job import Job
from zermelo.errors import BadGame
from zermelo.result import StoppedBy

_SECOND: Final = 1_000_000_000
"""Nanoseconds."""
_LONGEST: Final = 1e9
"""Seconds of the longest limit of time that a job can hold, some 30 years; a longer one is taken for this."""
GRACE: Final = 10.0
"""Seconds that a thread has to return once it is told to stop. Rules that never return cannot be stopped."""
LINGER: Final = 0.003
"""Seconds for which the first thread that returns waits for what the others have found."""
_PATIENCE: Final = 0.1
"""Seconds that the waiting main thread sleeps before it looks for Ctrl-C."""


def run(
    jobs: Sequence[Job],
    work: Callable[[int, Callable[[Any], None]], None],
    seconds: float | None,
    report: Callable[[Any], None],
    wait_for_all: bool = False,
    late: list[Call] | None = None,
) -> StoppedBy | None:
    """Call ``work(number, say)`` in a thread for each job, until the first returns, or all do, or the time is up.

    Whatever a thread passes to ``say`` is passed on to ``report`` in the calling thread. Returns "time" or
    "interrupted" if that ended the work, else None. An error of ``work`` is raised here. An error of ``report`` is,
    too, and ends the work.

    Kernels read the clock themselves. The calling thread watches it, too, for rules that do not return.

    Several threads begin together, once all of them are started: to start a thread takes long while others are at work
    on all processors, and a search of a second with 48 threads on two processors took four seconds more.

    When the work has ended, each other thread returns at its next node, but it has to get a processor first. With many
    threads on few processors that takes long. So threads that have not returned a little later (`LINGER`) are put into
    ``late``, if it is given, and not waited for. The caller has to wait for them (`wait_for`) before it uses ``jobs``
    again. What they still find is dropped, and so are their errors.

    A single job runs in the calling thread if that has a deep stack, and so is not the main thread, which has to look
    for Ctrl-C.
    """
    deadline = _set_deadline(jobs, seconds)
    if len(jobs) == 1 and isinstance(threading.current_thread(), DeepThread) and (KERNELS_READ_IT or not deadline):
        work(0, report)
        return _stopped_by(jobs, deadline)
    news: SimpleQueue[Any] = SimpleQueue()
    done, returned, failures, gate = object(), [], [], threading.Event()
    if len(jobs) == 1:
        gate.set()

    def body(number: int) -> None:
        gate.wait()
        try:
            work(number, news.put)
        except BaseException as error:  # raised again below, in the thread that asked
            failures.append(error)
        returned.append(jobs[number])
        news.put(done)

    ended: StoppedBy | None = None
    calls = [Call(partial(body, number)) for number in range(len(jobs))]
    working, told, patience = len(jobs) if wait_for_all else 1, False, GRACE
    try:
        for call in calls:
            call.start()
        gate.set()
        while working:
            try:
                item = _next(news, deadline)
                if item is done:
                    ended = ended or _stopped_by(returned, deadline)
                    working = 0 if failures else working - 1
                else:
                    report(item)
            except (Empty, KeyboardInterrupt) as why:  # Ctrl-C during ``report`` also ends the search
                if told:
                    patience = 0.0
                    raise _stuck(why) from None
                told, ended = True, "time" if isinstance(why, Empty) else "interrupted"
                deadline = now() + int(GRACE * _SECOND)
                stop(jobs)
        if not (wait_for_all or failures):
            ended = _hear_out(jobs, news, done, report) or ended
    finally:  # also after an error of ``report``, and after Ctrl-C while the threads start
        stop(jobs)
        gate.set()
        begun = [call for call in calls if call.begun]
        if late is None or working or wait_for_all or len(jobs) == 1:  # if it is working, an error has ended the work
            wait_for(begun, patience)
        else:
            late.extend(begun)
    if failures:
        raise failures[0]
    return ended


def wait_for(calls: Sequence[Call], patience: float = GRACE) -> None:
    """Wait until calls that were told to stop have returned; leave one behind that takes longer than ``patience``."""
    for call in calls:
        call.join(patience)


def _set_deadline(jobs: Sequence[Job], seconds: float | None) -> int:
    """Let the kernels that run with ``jobs`` return after so many seconds; return that moment, 0 if there is none."""
    deadline = 0 if seconds is None else max(1, now() + int(min(seconds, _LONGEST) * _SECOND))
    for job in jobs:
        job["deadline"] = deadline
    return deadline


def _stopped_by(jobs: Sequence[Job], deadline: int) -> StoppedBy | None:
    """Return "time" if a kernel has stopped because its time was up, else None."""
    return "time" if is_past(deadline) and any(job["stop"] for job in jobs) else None


def _stuck(why: BaseException) -> BaseException:
    """What to raise if the rules do not return after the search was told to stop: the second Ctrl-C, or a sentence."""
    if isinstance(why, KeyboardInterrupt):
        return why
    return BadGame(f"The rules did not return for {GRACE} seconds; zermelo check looks for a loop that never ends.")


def stop(jobs: Sequence[Job]) -> None:
    """Make the kernels that run with ``jobs`` return at their next node."""
    for job in jobs:
        job["stop"] = 1


def _hear_out(
    jobs: Sequence[Job], news: "SimpleQueue[object]", done: object, report: Callable[[Any], None]
) -> StoppedBy | None:
    """Stop the other threads, and report what they say in a moment; "interrupted" if Ctrl-C comes first."""
    stop(jobs)
    others, deadline = len(jobs) - 1, now() + int(LINGER * _SECOND)
    try:
        while others:
            item = _next(news, deadline)
            if item is done:
                others -= 1
            else:
                report(item)
    except Empty:
        return None
    except KeyboardInterrupt:
        return "interrupted"
    return None


def _next(news: "SimpleQueue[object]", deadline: int) -> object:
    """The next item; Empty at the deadline. It wakes up now and then, so that Ctrl-C works."""
    while True:
        left = min(_PATIENCE, (deadline - now()) / _SECOND) if deadline else _PATIENCE
        if left <= 0:
            raise Empty
        try:
            return news.get(timeout=left)
        except Empty:
            continue
