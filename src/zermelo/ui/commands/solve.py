"""``zermelo solve``: a whole game onto the disk, how far it is, and what came of it."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from zermelo.errors import BadParameter
from zermelo.game import Game, State
from zermelo.ui.arguments import (
    EXIT_INTERRUPTED,
    ClusterOption,
    GameArgument,
    JsonOption,
    ParameterOption,
    ShardsOption,
    fail,
)
from zermelo.ui.loading import read_game

if TYPE_CHECKING:
    from zermelo.solver.model.estimate import Estimate
    from zermelo.solver.solve import Progress as Report
    from zermelo.solver.solve import Solved


def solve(
    game: GameArgument,
    out: Annotated[
        str | None, typer.Option(metavar="DIR", help="The folder of the table; made where it is missing.")
    ] = None,
    parameter: ParameterOption = None,
    workers: Annotated[int | None, typer.Option(help="Threads; as many as there are processors if not given.")] = None,
    memory_gb: Annotated[float, typer.Option(help="Memory that the process should not exceed, in GiB.")] = 8.0,
    from_: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Positions to begin from, one a line of text.")
    ] = None,
    all_placements: Annotated[
        str | None, typer.Option(metavar="MEN", help="Begin from every placement of these men, as the game names them.")
    ] = None,
    foresee: Annotated[bool, typer.Option("--estimate", help="Only predict positions, time, memory and disk.")] = False,
    cluster: ClusterOption = None,
    shards: ShardsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a whole game: the value and remoteness of every position, into a table on disk.

    If it is interrupted, run the same command again to resume.
    """
    from zermelo.solver.solve import solve_timed

    rules = read_game(game, parameter)
    starts = [] if from_ is None else read_starts(rules, from_)
    if all_placements is not None:
        starts += placed(rules, all_placements)
    if foresee and cluster is None:
        print_estimate(rules, workers, starts, as_json)
        return
    if foresee:
        from zermelo.ui.clustering import print_cluster_estimate

        print_cluster_estimate(rules, str(cluster), workers, memory_gb, starts, shards, as_json)
        return
    if not out:
        raise BadParameter("Say where the table goes: --out DIR.")
    if cluster is not None:
        from zermelo.ui.clustering import solve_clustered

        solve_clustered(rules, out, cluster, workers, memory_gb, starts, shards, as_json)
        return
    if shards is not None:
        raise BadParameter("--shards goes with --cluster; one machine keeps no shards.")
    try:
        with progress_shown(Console(stderr=True)) as report:
            _, solved = solve_timed(rules, out, workers=workers, memory_gb=memory_gb, starts=starts, progress=report)
    except KeyboardInterrupt:
        fail(f"Interrupted; the same command goes on with what is in {out}.", EXIT_INTERRUPTED)
    if as_json:
        print(json.dumps(solved.to_dict()))
    else:
        print_solved(rules, out, solved, Console())


def read_starts(game: Game, file: Path) -> list[State]:
    """Positions in a file, one a line in the game's own notation; empty lines do not count.

    Raises
    ------
    BadParameter
        The game has no notation, or the file cannot be read, or a line of it means no position.
    """
    if game.from_text is None:
        raise BadParameter(f"The game {game.name} has no notation for positions (from_text), so --from cannot be used.")
    return [read_position(game, line, f"{place}: ") for place, line in position_lines(file)]


def position_lines(file: Path) -> list[tuple[str, str]]:
    """The lines of a file of positions that are not empty, each with its place, as errors name it.

    Raises
    ------
    BadParameter
        The file cannot be read, or is empty.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise BadParameter(f"{file} cannot be read: {reason}.") from None
    found = [(f"{file}, line {number}", line.strip()) for number, line in enumerate(lines, start=1) if line.strip()]
    if not found:
        raise BadParameter(f"{file} holds no position; it must hold one a line.")
    return found


def placed(game: Game, men: str) -> list[State]:
    """Every placement of the men that a text names.

    Raises
    ------
    BadParameter
        The game places no men, or the text names none.
    """
    if game.placements is None:
        raise BadParameter(f"The game {game.name} says nothing of placements, so --all-placements cannot be used.")
    try:
        return list(game.placements(men))
    except ValueError as error:
        raise BadParameter(f"--all-placements: {str(error).rstrip('.')}.") from None


def read_position(game: Game, text: str, place: str = "") -> State:
    """The position that a text means.

    Raises
    ------
    BadParameter
        The game has no notation, or the text means nothing in it.
    """
    if game.from_text is None:
        raise BadParameter(f"The game {game.name} has no notation for positions (from_text); use --moves.")
    try:
        return game.from_text(text)
    except ValueError as error:
        raise BadParameter(f"{place}{text!r} is no position of {game.name}: {str(error).rstrip('.')}.") from None


@contextmanager
def progress_shown(console: Console) -> Iterator[Callable[["Report"], None]]:
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


def print_estimate(game: Game, workers: int | None, starts: list[State], as_json: bool) -> None:
    """Predict what a solve will take, for people or as JSON; nothing is written."""
    from zermelo.solver.model.estimate import estimate
    from zermelo.solver.solve import worker_count

    count = worker_count(workers)
    with Console(stderr=True).status("Counting the first positions, sampling the others"):
        found = estimate(game, workers=count, starts=starts)
    if as_json:
        print(json.dumps(found.to_dict()))
        return
    print_foreseen(game, found, [
        ("time", f"about {duration(found.seconds)}"),
        ("memory", f"about {size(found.memory_mb * (1 << 20))} if it is to be had; less makes it slower"),
        ("disk", f"about {size(found.table_bytes)}, and {size(found.work_bytes)} more on the way"),
    ])  # fmt: skip


def print_foreseen(game: Game, found: "Estimate", what_it_takes: list[tuple[str, str]]) -> None:
    """How large a game is, what it takes, and how sure that is."""
    about = "" if found.exact else "about "
    counted = sum(level.counted for level in found.levels)
    plies = len(found.levels)
    how = "all counted" if found.exact else f"{counted} of {plies} levels counted, the others estimated"
    rows = [
        ("game", repr(game)),
        ("positions", f"{about}{rounded(found.positions, found.exact)} ({how})"),
        ("stored", f"{about}{rounded(found.stored, found.exact)}"),
        *what_it_takes,
    ]
    if not found.exact:
        rows.append(
            ("how sure", "boards of connect come out within a factor of 3, other games of 10; see docs/solving.md")
        )
    console = Console()
    for name, text in rows:
        console.print(f"{name:<12} {text}", markup=False, highlight=False, soft_wrap=True)


def rounded(count: float, exact: bool) -> str:
    """A count for people: as it is, or to two digits where it is an estimate."""
    return f"{count:,}" if exact else f"{float(f'{count:.1e}'):,.0f}"


def duration(seconds: float) -> str:
    """A time for people: seconds, minutes or hours."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def size(count: float) -> str:
    """So many bytes for people."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:,.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:,.1f} TB"


def verdict(value: int) -> str:
    """Who wins at a value."""
    return "MAX wins" if value > 0 else "MIN wins" if value < 0 else "a draw"


def ending(remoteness: int | None) -> str:
    """How far the end is."""
    return "play need never end" if remoteness is None else "1 ply" if remoteness == 1 else f"{remoteness} plies"


def print_solved(game: Game, out: Path | str, solved: "Solved", console: Console, whose: str = "") -> None:
    """What a solve came to, for people; ``whose`` the memory was that is told."""
    rows: list[tuple[str, Any]] = [
        ("game", repr(game)),
        ("value", f"{solved.value} ({verdict(solved.value)})"),
        ("remoteness", ending(solved.remoteness)),
        ("positions", f"{solved.positions:,}, of which {solved.stored:,} are stored"),
        ("table", f"{out}, {size(solved.bytes)}"),
        ("time", f"{solved.seconds:.1f} s, {solved.positions_per_second:,.0f} positions a second"),
        ("memory", f"{solved.peak_memory_mb:,.0f} MB at most{whose}"),
    ]
    for name, text in rows:
        console.print(f"{name:<12} {text}", markup=False, highlight=False, soft_wrap=True)
