"""Reports of how far a solve is."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal

from zermelo.solver.passes.executor import Report
from zermelo.solver.passes.forward import Tier

_SECONDS_BETWEEN: Final = 0.1
"""The least time between two reports; the last report of a tier does not wait."""


@dataclass(frozen=True)
class Progress:
    """How far a solve is."""

    phase: Literal["forward", "backward"]
    tier: int
    done: int
    """Stored positions of this tier that are done."""
    total: int
    """Stored positions of this tier, as far as they are known."""
    positions: int
    """Positions of all tiers that are stored so far (forward), or solved so far (backward)."""
    expected: int | None
    """The number of positions in all tiers; None while it is not known."""


def reporter(
    progress: Callable[[Progress], None] | None, phase: Literal["forward", "backward"], tiers: Iterable[Tier] = ()
) -> Report:
    """Return a function that a pass calls with its progress, and that passes on at most ten reports a second.

    It sums the positions of all tiers. The last report of a tier is always passed on.

    Parameters
    ----------
    progress
        Receives the reports; None if nobody wants any.
    phase
        The name of the pass.
    tiers
        All tiers, if they are known.
    """
    finished: dict[int, int] = {}
    expected = sum(tier.count for tier in tiers) or None
    last = 0.0

    def report(tier: int, done: int, total: int) -> None:
        nonlocal last
        finished[tier] = done
        now = time.monotonic()
        if progress is not None and (now - last > _SECONDS_BETWEEN or done == total):
            last = now
            progress(Progress(phase, tier, done, total, sum(finished.values()), expected))

    return report


class Steps:
    """The progress within a tier, summed over its tasks.

    Parameters
    ----------
    report
        Receives the progress.
    tier
        The tier.
    left
        How many of its positions no earlier run has solved.
    """

    def __init__(self, report: Report, tier: Tier, left: int) -> None:
        self._report, self._tier, self._done = report, tier, tier.count - left
        if self._done:
            self._add(0)

    def _add(self, count: int) -> None:
        self._done += count
        self._report(self._tier.number, self._done, self._tier.count)

    def of(self, size: int) -> tuple[Callable[[int], None], Callable[[], None]]:
        """Return the functions that count the progress of a task of ``size`` positions.

        Returns
        -------
        step : callable
            Adds the number of positions that it is given.
        finish : callable
            Adds the positions of the task that ``step`` has not counted. It is called when the task has ended.
        """
        told = 0

        def step(count: int) -> None:
            nonlocal told
            told += count
            self._add(count)

        def finish() -> None:
            if told < size:
                step(size - told)

        return step, finish
