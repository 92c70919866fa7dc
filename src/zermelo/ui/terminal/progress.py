"""Progress of long tasks: bars on a terminal, and nothing if the output is piped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn

from zermelo.ui.terminal.wording import duration

if TYPE_CHECKING:
    from zermelo.solver import Progress as Report


@contextmanager
def counting(name: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how many are done."""
    console = Console(stderr=True)
    bar = Progress(TextColumn(name), BarColumn(), MofNCompleteColumn(), console=console, transient=True,
                   disable=not console.is_terminal)  # fmt: skip
    task = bar.add_task(name, total=total)
    with bar:
        yield lambda done: bar.advance(task, done)


@contextmanager
def share_done() -> Iterator[Callable[[str, float], None]]:
    """Show on a terminal what is being done, and which share of the whole is done."""
    console = Console(stderr=True)
    bar = Progress(TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), console=console,
                   transient=True, disable=not console.is_terminal)  # fmt: skip
    task = bar.add_task("", total=1.0)
    with bar:
        yield lambda doing, share: bar.update(task, description=doing, completed=share)


@contextmanager
def solve_progress(console: Console) -> Iterator[Callable[["Report"], None]]:
    """Show on a terminal how far a solve is."""
    bar = Progress(TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[rest]}"), console=console,
                   transient=True, disable=not console.is_terminal)  # fmt: skip
    task = bar.add_task("compiling", total=None, rest="")
    meter = Meter(monotonic())

    def report(progress: "Report") -> None:
        begins = progress.phase != meter.phase  # refresh at once: a small game is solved before the next refresh
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
    """Measures how fast a solve is, and estimates how long the rest will take.

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
        """Take a report into account."""
        if report.phase != self.phase:
            # An earlier run may have done what the first report of a phase counts.
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
        """The number of positions, the rate and the remaining time, for people."""
        text = f"{self.positions:,} positions"
        if self.rate:
            text += f", {self.rate:,.0f} a second"
        return text if self.left is None else f"{text}, {duration(self.left)} left"
