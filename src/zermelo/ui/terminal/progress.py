"""How far a long task is: bars on a terminal, and nothing when the output is piped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from zermelo.ui.terminal.wording import duration

if TYPE_CHECKING:
    from zermelo.solver import Progress as Report


@contextmanager
def counting(name: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how many are done on a terminal, and nothing when piped."""
    console = Console(stderr=True)
    bar = Progress(TextColumn(name), BarColumn(), MofNCompleteColumn(), console=console, transient=True,
                   disable=not console.is_terminal)  # fmt: skip
    task = bar.add_task(name, total=total)
    with bar:
        yield lambda done: bar.advance(task, done)


@contextmanager
def solve_progress(console: Console) -> Iterator[Callable[["Report"], None]]:
    """Show how far a solve is on a terminal, and nothing when piped."""
    bar = Progress(TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[rest]}"), console=console,
                   transient=True, disable=not console.is_terminal)  # fmt: skip
    task = bar.add_task("compiling", total=None, rest="")
    meter = Meter(monotonic())

    def report(progress: "Report") -> None:
        begins = progress.phase != meter.phase  # shown at once: a small game is over before the next look
        meter.note(progress, monotonic())
        bar.update(
            task,
            description=meter.doing,
            rest=meter.rest,
            total=progress.expected,
            completed=meter.positions,
            refresh=begins,
        )

    with bar:
        yield report


class Meter:
    """How fast a solve is, and how long what is left will take.

    Parameters
    ----------
    now
        Seconds on some clock.
    """

    def __init__(self, now: float) -> None:
        self.phase = ""
        self.doing = ""
        self.positions = 0
        self.rate = 0.0
        self.left: float | None = None
        """Seconds; None while it is not known how many positions there are."""
        self._began = now
        self._before = 0

    def note(self, report: "Report", now: float) -> None:
        """Take up a report."""
        if report.phase != self.phase:
            # What the first report of a phase counts may have been done by an earlier run.
            self._began, self._before = now, report.positions
            self.phase = report.phase
        verb = {"forward": "finding positions", "backward": "solving"}[report.phase]
        self.doing = f"{verb}, tier {report.tier}"
        self.positions = report.positions
        elapsed = now - self._began
        self.rate = max(0, report.positions - self._before) / elapsed if elapsed > 0 else 0.0
        self.left = None
        if report.expected is not None and self.rate:
            self.left = max(0, report.expected - report.positions) / self.rate

    @property
    def rest(self) -> str:
        """Positions, rate and what is left, for people."""
        text = f"{self.positions:,} positions"
        if self.rate:
            text += f", {self.rate:,.0f} a second"
        return text if self.left is None else f"{text}, {duration(self.left)} left"
