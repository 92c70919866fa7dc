"""Reports of how far a solve is."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal

from zermelo.solver.passes.executor import Report
from zermelo.solver.passes.forward import Tier

_SECONDS_BETWEEN: Final = 0.1
"""Reports are no more frequent, except for the last one of a tier."""


@dataclass(frozen=True)
class Progress:
    """How far a solve is."""

    phase: Literal["forward", "backward"]
    tier: int
    done: int
    """Positions of this tier that are done, as they are stored."""
    total: int
    """Positions that the tier has, as far as is known."""
    positions: int
    """Stored in all tiers so far (forward), or solved so far (backward)."""
    expected: int | None
    """How many positions there will be; None while that is not known."""


def reporter(
    progress: Callable[[Progress], None] | None, phase: Literal["forward", "backward"], tiers: Iterable[Tier] = ()
) -> Report:
    """What a pass calls: it adds up, and passes on no more than ten reports a second.

    ``tiers`` are all tiers, once they are known.
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
