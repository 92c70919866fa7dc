"""The whole of it: enumerate, solve backwards, write the manifest; and go on where an earlier run was stopped."""

import contextlib
import errno
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

from zermelo.compiled.game import compiled
from zermelo.compiled.states import load_state
from zermelo.errors import BadParameter, TableError, Unsolvable
from zermelo.files import write_whole
from zermelo.game import Game
from zermelo.solver.local.memory import memory_now, peak_memory_mb
from zermelo.solver.local.threads import Workers
from zermelo.solver.local.workdir import Storage, Tier, stranger_in
from zermelo.solver.model.problem import Misfits, Problem, identity_of, rows_of
from zermelo.solver.passes.backward import Backward
from zermelo.solver.passes.forward import Forward
from zermelo.solver.table.manifest import FORMAT, MANIFEST, manifest_content, read_manifest
from zermelo.solver.table.reading import fault_of
from zermelo.solver.table.stores import Folder, is_url
from zermelo.solver.table.table import Table

WORK: Final = "work"
_SHARE: Final = 0.75
"""Of the memory that is free, for arrays whose sizes are known; the rest is for what libraries keep."""
_SECONDS_BETWEEN: Final = 0.1
"""Reports of progress are no more frequent."""
MOST_WITHOUT_FOLDER: Final = 10_000_000
"""Stored positions, about, of a table in a temporary folder: some 30 MB, and four times that on the way."""
MOST_WORKERS: Final = 1024
MOST_MEMORY_GB: Final = 1 << 20
LEAST_MEMORY: Final = 64 << 20
"""Bytes for arrays, however little is allowed: less would be all overhead."""


@dataclass(frozen=True)
class Progress:
    """How far a solve is."""

    phase: Literal["forward", "backward"]
    tier: int
    done: int
    """Positions stored of this tier that are done."""
    total: int
    """Of so many."""
    positions: int
    """Stored in all tiers so far (forward), or solved so far (backward)."""
    expected: int | None
    """Of how many; None while it is not known."""


@dataclass(frozen=True)
class Solved:
    """What a solve came to."""

    positions: int
    """All of them, symmetric ones counted."""
    stored: int
    value: int
    remoteness: int | None
    seconds: float
    positions_per_second: float
    peak_memory_mb: float
    bytes: int
    """Of the table on disk."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
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
    """Solve a whole game, or go on with a solve that was stopped; see `solve_timed`, which tells how it went.

    Without a folder the table is of this process alone: it lies in a temporary folder, which goes when nobody uses the
    table any more, or when it is closed. Its `Table.save` keeps it.

    Raises
    ------
    Unsolvable
        Without a folder: the game has more than `MOST_WITHOUT_FOLDER` positions. And as `solve_timed`.
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
    """Solve every position that can be reached, and write the table.

    Parameters
    ----------
    game
        What to solve; its rules must compile.
    folder
        Where the table goes; made where it is missing. A finished table of the same game is opened as it is, an
        unfinished one is gone on with.
    workers
        Threads; the number of processors if None.
    memory_gb
        Memory that the process should not exceed, in 2**30 bytes.
    starts
        States to begin from, or an array with a row of ints for each; the game's initial state if empty.
    progress
        Told how far it is, some times a second at most.

    Returns
    -------
    Table, Solved
        The table, and what it took. Value and remoteness are those of the first start.

    Raises
    ------
    NotCompilable, Unsolvable
        The game's rules cannot become machine code; or what they say cannot be put into a table.
    TableError
        The folder holds another table, another process is at work there, or the disk is full.
    BadParameter
        A number is out of range.
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
    # A finished table is opened at once: a problem looks at hundreds of games before it begins.
    problem = None if (target / MANIFEST).exists() else Problem(game, starts)
    with room_on_disk(target), alone(target):
        Folder(str(target)).tidy()
        if problem is None:
            manifest = read_manifest(target)
            check_same(manifest["identity"], identity_of(game, rows_of(game, starts)), target)
            _require_files(manifest, target)
            if (target / WORK).exists() and stranger_in(target / WORK) is None:
                Storage(target / WORK, 0).drop()  # an earlier run was killed just before it did
        else:
            memory = max(LEAST_MEMORY, int(_SHARE * (memory_gb * (1 << 30) - memory_now())))
            _run(problem, target, memory, count, progress)
    table = Table(target, game)
    entry = table[load_state(compiled(game), rows_of(game, starts)[0])]
    seconds = time.perf_counter() - began
    return table, Solved(
        positions=len(table),
        stored=int(table.manifest["stored"]),
        value=entry.value,
        remoteness=entry.remoteness,
        seconds=seconds,
        positions_per_second=len(table) / seconds,
        peak_memory_mb=peak_memory_mb(),
        bytes=(target / MANIFEST).stat().st_size + sum(entry["bytes"] for entry in _files(table.manifest)),
    )


def _files(manifest: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What a manifest says of each file."""
    return (entry for tier in manifest["tiers"] for entry in tier["files"])


def _require_files(manifest: dict[str, Any], target: Path) -> None:
    """Refuse to call a table finished whose files are not all there, in their length.

    Raises
    ------
    TableError
        One is missing, or shorter or longer than it was.
    """
    for entry in _files(manifest):
        path = target / entry["file"]
        if not path.is_file() or path.stat().st_size != entry["bytes"]:
            raise TableError(
                f"{path} is missing or damaged; delete {target / MANIFEST}, and the same command solves the game again."
            )


def worker_count(workers: int | None) -> int:
    """How many threads to work with: the number of processors if None.

    Raises
    ------
    BadParameter
        It is out of range.
    """
    count = os.cpu_count() or 1 if workers is None else workers
    if not 1 <= count <= MOST_WORKERS:
        raise BadParameter(f"The number of workers is {count}; it must be at least 1 and at most {MOST_WORKERS:,}.")
    return count


def _run(problem: Problem, target: Path, memory: int, count: int, progress: Callable[[Progress], None] | None) -> None:
    storage = Storage(target / WORK, memory)
    state = storage.resume()
    if state is not None:
        check_same(state["identity"], problem.identity, target)
    with Workers(count) as workers:
        tiers, state = _enumerate(problem, storage, workers, state, reporter(progress, "forward"))
        solved = _whole(state.get("solved", {}), target, workers)
        report = reporter(progress, "backward", tiers, solved)
        backward = Backward(problem, storage, workers, report, target, tiers)

        def save(entries: dict[int, dict[str, Any]]) -> None:
            storage.commit({**state, "solved": entries})

        backward.run(solved, save)
    write_whole(target / MANIFEST, manifest_of(problem, [solved[number] for number in sorted(solved)], {}))
    storage.drop()


def _enumerate(
    problem: Problem, storage: Storage, workers: Workers, state: dict[str, Any] | None, report: Any
) -> tuple[list[Tier], dict[str, Any]]:
    """All tiers, and the state of the folder; begins again with a wider codec when a state turns up that has no key."""
    while True:
        if state is not None:
            problem.take_up(state["samples"])
        if state is not None and "merged" not in state:
            return [Tier(**tier) for tier in state["tiers"]], state
        forward = Forward(problem, storage, workers, report)
        try:
            forward.run(state)
        except Misfits as misfits:
            problem.widen(misfits)
            storage.clear()
            state = None
        else:
            state = json.loads(json.dumps(forward.said()))
            storage.commit(state)


def _whole(solved: dict[str, dict[str, Any]], target: Path, workers: Workers) -> dict[int, dict[str, Any]]:
    """The tiers that an earlier run had solved, less those whose files are not what it wrote: they are solved again."""

    def is_whole(tier: dict[str, Any]) -> bool:
        return all(fault_of(Folder(str(target)), entry) is None for entry in tier["files"])

    found = workers.in_order(is_whole, solved.values())
    return {int(number): tier for (number, tier), whole in zip(solved.items(), found, strict=True) if whole}


def manifest_of(problem: Problem, tiers: list[dict[str, Any]], more: dict[str, Any]) -> bytes:
    """The manifest of a table, with ``more`` in it."""
    return manifest_content({
        **more,
        "format": FORMAT,
        "identity": problem.identity,
        "fold": problem.fold,
        "columns": problem.codec.columns,
        "positions": sum(tier["positions"] for tier in tiers),
        "stored": sum(tier["stored"] for tier in tiers),
        "tiers": tiers,
    })  # fmt: skip


def check_same(identity: dict[str, Any], wanted: dict[str, Any], target: Path | str) -> None:
    """Refuse to solve into a place that holds another game than the one that is wanted.

    Raises
    ------
    TableError
        It does.
    """
    ours = json.loads(json.dumps(wanted))
    for name, meaning in (
        ("game", "the game"),
        ("parameters", "the parameters"),
        ("starts", "the positions to start from"),
        ("rules", "the fingerprint of the rules"),
        ("knowledge", "the fingerprint of pack, unpack, symmetries, tier and repetition"),
    ):
        if identity[name] != ours[name]:
            raise TableError(
                f"{target} already holds a table for which {meaning} is {identity[name]!r}, and not {ours[name]!r}; "
                "choose another folder, or delete this one."
            )


@contextlib.contextmanager
def room_on_disk(target: Path | str) -> Iterator[None]:
    """What keeps a solve from going on, such as a full disk, said in a sentence."""
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
    """Keep other processes from solving into the same folder; the lock goes with the process, however it ends."""
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


def reporter(
    progress: Callable[[Progress], None] | None,
    phase: Literal["forward", "backward"],
    tiers: Sequence[Any] = (),
    solved: Iterable[int] = (),
) -> Callable[[int, int, int], None]:
    """What forward and backward call: it adds up, and passes on no more than ten reports a second."""
    finished = {tier.number: tier.count for tier in tiers if tier.number in solved}
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
