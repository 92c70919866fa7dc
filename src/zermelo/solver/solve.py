"""Solves a whole game on one machine."""

import contextlib
import errno
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from zermelo.compiled.game import compiled
from zermelo.errors import BadParameter, TableError, Unsolvable
from zermelo.game import Game
from zermelo.solver.local.executor import LocalExecutor
from zermelo.solver.local.memory import memory_now, peak_memory_mb
from zermelo.solver.local.workdir import WorkFolder
from zermelo.solver.model.problem import Problem, identity_of
from zermelo.solver.model.states import States
from zermelo.solver.passes.executor import Executor
from zermelo.solver.passes.plan import BYTES_OF_KEY, NEVER, PART, Plan, drop_work, require_own
from zermelo.solver.passes.progress import Progress
from zermelo.solver.passes.run import ExecutorOf, check_same, run
from zermelo.solver.passes.site import Parts, Site
from zermelo.solver.passes.threads import Workers
from zermelo.solver.table.manifest import MANIFEST, read_manifest
from zermelo.solver.table.stores import Folder, Store, is_url
from zermelo.solver.table.table import Table

__all__ = ["Progress", "Solved", "solve", "solve_timed", "worker_count"]

_SHARE: Final = 0.75
"""The share of the remaining memory that arrays of known sizes may take; libraries need the rest."""
MOST_WITHOUT_FOLDER: Final = 10_000_000
"""Stored positions, about, of a table in a temporary folder. Such a table takes some 30 MB, and four times that while
it is made."""
MOST_WORKERS: Final = 1024
"""The most threads that a caller may ask for."""
LEAST_STRETCH: Final = 1 << 12
"""The least number of keys for one task, however little memory there is."""
WAVE: Final = 4
"""Stretches in a wave: their successors are merged before they are written, and their questions are answered together.
A stretch is the neighbouring parts of a tier that one task takes."""
ONE_MACHINE: Final = "one machine"
"""The kind of executor, which a plan notes."""
MOST_MEMORY_GB: Final = 1 << 20
"""The most memory that a caller may ask for, in 2**30 bytes."""
LEAST_MEMORY: Final = 64 << 20
"""The least number of bytes for arrays, however little the caller allows: with less, a solve would be all overhead."""


@dataclass(frozen=True)
class Solved:
    """The result of a solve."""

    positions: int
    """All positions, symmetric ones included."""
    stored: int
    """Positions that the table stores, with symmetric ones as one where it is folded."""
    value: int
    """The value of the first start, from MAX's point of view."""
    remoteness: int | None
    """The remoteness of the first start in plies; None if play at that value need never end."""
    seconds: float
    """The time of this run; earlier runs may have done a part of the work, or all of it."""
    positions_per_second: float | None
    """None if earlier runs did a part of the work."""
    peak_memory_mb: float
    """The most memory that the process has taken, in 2**20 bytes."""
    bytes: int
    """The size of the table on disk."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values for JSON."""
        return asdict(self)


def solve(
    game: Game,
    folder: Path | str | None = None,
    *,
    workers: int | None = None,
    memory_gb: float = 8.0,
    starts: Any = (),
    progress: Callable[[Progress], None] | None = None,
) -> Table:
    """Solve a whole game, or go on with a solve that was stopped, and return its table.

    Without a folder, the table belongs to this process alone. It lies in a temporary folder, which is deleted when the
    table is closed or no longer used. `Table.save` copies it to a place where it stays.

    Parameters
    ----------
    game, folder, workers, memory_gb, starts, progress
        As in `solve_timed`; ``folder`` may be None.

    Returns
    -------
    Table
        The table, open.

    Raises
    ------
    Unsolvable
        There is no folder, and the game has more than `MOST_WITHOUT_FOLDER` positions. Other errors are those of
        `solve_timed`.
    """
    if folder is not None:
        return solve_timed(game, folder, workers=workers, memory_gb=memory_gb, starts=starts, progress=progress)[0]
    private = Path(tempfile.mkdtemp(prefix="zermelo-table-"))
    count = 0

    def limited(report: Progress) -> None:
        nonlocal count
        count = max(count, report.positions)
        if count > MOST_WITHOUT_FOLDER:
            raise Unsolvable(
                f"{game!r} has more than {MOST_WITHOUT_FOLDER:,} positions, the most for a table without a folder; "
                "name one: solve(game, 'my-table')."
            )
        if progress is not None:
            progress(report)

    try:
        table = solve_timed(game, private, workers=workers, memory_gb=memory_gb, starts=starts, progress=limited)[0]
    except BaseException:
        shutil.rmtree(private, ignore_errors=True)
        raise
    table.delete_when_unused(private)
    return table


def solve_timed(
    game: Game,
    folder: Path | str,
    *,
    workers: int | None = None,
    memory_gb: float = 8.0,
    starts: Any = (),
    progress: Callable[[Progress], None] | None = None,
) -> tuple[Table, Solved]:
    """Solve every position that can be reached, write the table, and say what the solve took.

    Parameters
    ----------
    game
        What to solve; its rules must compile.
    folder
        Where the table goes; created if it is missing. If it holds a finished table of the same game, that is opened;
        if it holds an unfinished one, the solve goes on.
    workers
        The number of threads; that of the processors if None.
    memory_gb
        Memory that the process should not exceed, in 2**30 bytes.
    starts
        States to begin from, or an array of shape (states, ints of a state), or one of shape (states,) with what the
        game's ``pack`` gives for each; the game's initial state if empty.
    progress
        Receives the progress, at most ten times a second and at the end of each tier.

    Returns
    -------
    Table, Solved
        The table, and what it took. Value and remoteness are those of the first start.

    Raises
    ------
    NotCompilable, Unsolvable
        The game's rules cannot become machine code; or they give something that a table cannot hold.
    TableError
        The folder holds another table, another process is solving into it, or the disk is full.
    BadParameter
        A number is out of range, or ``folder`` is a URL.
    """
    began = time.perf_counter()
    count = worker_count(workers)
    if not 0 < memory_gb <= MOST_MEMORY_GB:
        raise BadParameter(f"memory_gb is {memory_gb}; it must be more than 0 and at most {MOST_MEMORY_GB:,}.")
    if is_url(str(folder)):
        raise BadParameter(
            f"{folder} is a URL, and without --cluster a table goes into a folder; name one, or say --cluster local."
        )
    target = Path(folder)
    begin, done = States(compiled(game), starts), None
    # A finished table needs no problem, and making one takes time: it plays hundreds of games.
    problem = None if (target / MANIFEST).exists() else Problem(game, begin)
    with room_on_disk(target), alone(target):
        Folder(str(target)).tidy()
        if problem is None:
            manifest = read_manifest(target)
            check_same(manifest["identity"], identity_of(game, begin), target)
            _require_files(manifest, target)
            _tidy_work(Folder(str(target)))
        else:
            plan = plan_for(max(LEAST_MEMORY, int(_SHARE * (memory_gb * (1 << 30) - memory_now()))))
            with Workers(count) as threads:
                done = run(problem, plan, WorkFolder(str(target)), on_threads(threads), ONE_MACHINE, progress)
    table = Table(target, game)
    entry = table[begin[0]]
    seconds = time.perf_counter() - began
    return table, Solved(
        positions=len(table),
        stored=int(table.manifest["stored"]),
        value=entry.value,
        remoteness=entry.remoteness,
        seconds=seconds,
        positions_per_second=None if done is None or done.resumed else len(table) / seconds,
        peak_memory_mb=peak_memory_mb(),
        bytes=(target / MANIFEST).stat().st_size + sum(entry["bytes"] for entry in _files(table.manifest)),
    )


def _files(manifest: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the manifest's entries of all files."""
    return (entry for tier in manifest["tiers"] for entry in tier["files"])


def _require_files(manifest: dict[str, Any], target: Path) -> None:
    """Refuse a table with files that are missing or have the wrong length.

    Raises
    ------
    TableError
        There is such a file.
    """
    for entry in _files(manifest):
        path = target / entry["file"]
        if not path.is_file() or path.stat().st_size != entry["bytes"]:
            raise TableError(
                f"{path} is missing or damaged; delete {target / MANIFEST}, and the same command solves the game again."
            )


def worker_count(workers: int | None) -> int:
    """Return the number of threads to use: ``workers``, or the number of processors if that is None.

    Raises
    ------
    BadParameter
        The number is out of range.
    """
    count = os.cpu_count() or 1 if workers is None else workers
    if not 1 <= count <= MOST_WORKERS:
        raise BadParameter(f"The number of workers is {count}; it must be at least 1 and at most {MOST_WORKERS:,}.")
    return count


def plan_for(memory: int) -> Plan:
    """Return the plan of a solve on one machine whose arrays may take ``memory`` bytes."""
    stretch = max(LEAST_STRETCH, memory // BYTES_OF_KEY)
    return Plan(
        shards=1,
        stretch=stretch,
        part=min(PART, stretch),
        wave=WAVE,
        whole=NEVER,
        form="merged",
        memory=memory,
        objects=memory // 2,
        nodes=1,
    )


def on_threads(workers: Workers) -> ExecutorOf:
    """Return a function that makes the executor for this process and its threads."""

    def executor_of(problem: Problem, plan: Plan, store: Store) -> Executor:
        return LocalExecutor(Site(plan, problem, Parts(store, plan.memory // 4), "", workers))

    return executor_of


def _tidy_work(store: Folder) -> None:
    """Delete the work files of an earlier run that was killed just before it deleted them; keep files of others."""
    with contextlib.suppress(TableError):
        require_own(store)
        drop_work(store)


@contextlib.contextmanager
def room_on_disk(target: Path | str) -> Iterator[None]:
    """Turn errors that stop a solve, such as that of a full disk, into `TableError`.

    Parameters
    ----------
    target
        The folder or URL of the table, for the message.

    Raises
    ------
    TableError
        The file system refuses something, or memory runs out.
    """
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise TableError(
                f"The disk that holds {target} is full; make room, and the same command goes on from here."
            ) from None
        raise TableError(f"{target} cannot be written to: {error.strerror}.") from None
    except MemoryError:
        raise TableError(
            "There is less memory than the solve asks for; say --memory-gb, or close other programs, "
            "and the same command goes on from here."
        ) from None


@contextlib.contextmanager
def alone(target: Path) -> Iterator[None]:
    """Keep other processes from solving into the same folder; the lock ends with the process, however that ends.

    The folder is created if it is missing. On Windows there is no lock.

    Raises
    ------
    TableError
        Another process holds the lock.
    """
    target.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        yield
        return
    import fcntl

    handle = os.open(target, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise TableError(f"Another process is solving into {target}; wait for it, or choose another folder.") from None
    else:
        yield
    finally:
        os.close(handle)
