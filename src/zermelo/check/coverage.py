"""What an audit did not check. The report lists it, since an empty report would otherwise look like approval."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from zermelo.check.explore import Exploration
from zermelo.check.inspector import Inspector
from zermelo.check.lopsided import ENOUGH
from zermelo.check.values import Prover

ENGINE_SECONDS: Final = 3
"""Seconds below which the engine is not tried, since compiling a search would take most of them."""
_ONE_BY_ONE: Final = 200
"""A report mentions it if the audit checked fewer positions than this one by one, although there are more."""


@dataclass
class Coverage:
    """How much an audit has checked."""

    seconds: float
    """The time given to the audit, in seconds."""
    compile: bool
    """Whether the audit may compile the rules."""
    seen: Exploration = field(default_factory=Exploration)
    """The positions and random games that were seen."""
    checked: int = 0
    """The number of positions that were checked one by one."""
    proven: int = 0
    """The number of positions whose values were proven."""
    compared: int | None = None
    """The number of positions where compiled and interpreted rules were compared; None if that was not tried."""
    engine: int = 0
    """The number of positions where the engine was compared with proven values."""


def unchecked(inspector: Inspector, done: Coverage, prover: Prover) -> Iterator[str]:
    """Yield a sentence about each thing that was not checked."""
    more = "more --seconds look at more"
    if done.checked < min(_ONE_BY_ONE, len(done.seen.positions)):
        yield f"Most positions: {done.checked:,} of {len(done.seen.positions):,} were looked at one by one; {more}."
    if not inspector.sound:
        yield "Statistics, compiled rules and the engine: they mean nothing while there are errors."
        return
    ended = sum(playout.ending == "end" for playout in done.seen.playouts)
    if ended < ENOUGH:
        yield f"Who wins over many games: {ended} random games ended, and {ENOUGH} are needed; {more}."
    yield from _values(inspector, done, prover, more)
    if not done.compile:
        yield "Compiled rules and the engine: they were not asked for."
    elif not inspector.has("not compilable"):
        if not done.compared:
            yield f"Compiled rules: they were compared in no position; {more}."
        if done.seconds < ENGINE_SECONDS:
            yield f"The engine: an audit that asks it needs {ENGINE_SECONDS} seconds."
        elif not done.engine:
            yield "The engine: it could be compared in no position."


def _values(inspector: Inspector, done: Coverage, prover: Prover, more: str) -> Iterator[str]:
    """Yield sentences about checks that need proven values and had too few."""
    told = ("bounds", "window_bounds", "sufficient_actions", "symmetries", "swap", "evaluate")
    given = [name for name in told if getattr(inspector.game, name) is not None]
    if not given:
        return
    if not done.proven:
        yield f"Whether {', '.join(given)} agree with proven values: no small ending was proven in time; {more}."
    elif inspector.game.evaluate is not None and not prover.agreement:
        yield f"Whether evaluate is for MAX: too few endings of different values were proven for both players; {more}."
