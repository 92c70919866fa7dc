"""The threads of one engine and the memory that they share."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.game import CompiledGame
from zermelo.compiled.table_probe import Arrays, described
from zermelo.compiled.thread_pool import Call
from zermelo.engine.job import (
    INTERRUPTED,
    JOURNAL,
    MAX_PLY,
    OUT_OF_NODES,
    RUNNING,
    TOO_DEEP,
    Job,
    counts_of,
    forget,
    make_job,
    restart,
)
from zermelo.engine.network import Network, point_to
from zermelo.engine.runner import run, stop, wait_for
from zermelo.engine.sharing import ALONE, MARK_BITS, SHARED_PLIES
from zermelo.engine.switches import UNSOUND, Switches
from zermelo.errors import BadParameter
from zermelo.result import StoppedBy

TableName = Literal["search", "proof"]
NO_LIMIT: Final = (1 << 62) - 1
_EMPTIED: Final = 1 << 22
"""Bytes of the largest table that `Team.clear` keeps."""
_LINE: Final = 64
"""Bytes of a cache line: a bucket of the search table fills one."""
_STOPPED_BY: Final[dict[int, StoppedBy]] = {INTERRUPTED: "interrupted", OUT_OF_NODES: "nodes", TOO_DEEP: "depth"}
_COUNTS: Final = ("nodes", "leaves", "prunings_max", "prunings_min", "table_hits", "table_states")


class Team:
    """Workspaces of ``threads`` threads, and two tables of half ``table_mb`` each, allocated when first needed.

    ``solved`` are solved tables that a search may ask, and ``network`` is the learned evaluation that it uses, if any.
    The proof table may be larger than half ``table_mb``, since the number of a place must have as many bits as a value
    (see `zermelo.engine.proof_table`).
    """

    def __init__(
        self,
        game: CompiledGame,
        switches: Switches,
        threads: int,
        table_mb: float,
        solved: Sequence[Arrays] = (),
        network: Network | None = None,
    ) -> None:
        self.game = game
        self.solved = [table for table in solved if len(table.keys)]
        self._descriptions = described(self.solved)
        self.network = network
        self.switches = switches
        half = max(1, int(table_mb * (1 << 19)))
        low, high = game.utility_range
        self.value_limit = max(-low, high, 1)
        self.value_bits = (2 * self.value_limit).bit_length()
        self.sizes: dict[TableName, int] = {
            "search": max(4, (half // 64).bit_length() - 1),
            "proof": max(2 + self.value_bits, (half // 8).bit_length() - 1),
        }
        self.memory: dict[TableName, NDArray[np.int64]] = {}
        self.marks = np.zeros(1 << MARK_BITS, dtype=np.int64)
        self._stopped = False
        self._late: list[Call] = []
        self.unsound: tuple[str, ...] = ()
        self.jobs = [self._make_job(threads) for _ in range(threads)]

    @property
    def first(self) -> Job:
        """The workspace of the first thread."""
        return self.jobs[0]

    def clear(self) -> None:
        """Forget everything learnt.

        Of the proof table only those places are emptied that were written, if they are few. Another small table is
        emptied where it is; a large one is given back, because the next search may touch little of it.
        """
        self._rest()
        for name, words in list(self.memory.items()):
            if name == "proof" and all(job["journal_length"] <= JOURNAL for job in self.jobs):
                for job in self.jobs:
                    words[job["journal"][: job["journal_length"]]] = 0
            elif words.nbytes <= _EMPTIED:
                words[:] = 0
            else:
                del self.memory[name]
        for job in self.jobs:
            forget(job)

    def forget_proofs(self) -> None:
        """Empty the proof table: only the places that were written, if they are few."""
        self._rest()
        words = self.memory.get("proof")
        if words is not None and all(job["journal_length"] <= JOURNAL for job in self.jobs):
            for job in self.jobs:
                words[job["journal"][: job["journal_length"]]] = 0
        elif words is not None:
            words[:] = 0
        for job in self.jobs:
            job.journal_length = 0

    def begin(self) -> None:
        """Begin a new request; a stop of an earlier one no longer counts."""
        self._stopped = False

    def share(self, together: bool) -> None:
        """Set whether the threads are about to share one proof, or prove states of their own."""
        self._rest()
        if len(self.jobs) > 1:
            self.marks[:] = 0
        for job in self.jobs:
            job.shared_plies = SHARED_PLIES if together and len(self.jobs) > 1 else ALONE

    def leave_out(self, allowed: bool) -> None:
        """Set whether the next search may use the switches' prunings that can be wrong."""
        self._rest()
        self.unsound = self.switches.unsound if allowed else ()
        for job in self.jobs:
            job.selective = int(bool(self.unsound))
            for name in UNSOUND:
                job[name] = int(getattr(self.switches, name)) if allowed else 0

    def start(self, table: TableName, node_limit: int | None) -> None:
        """Prepare a search that uses ``table``, with a limit of nodes for all threads together."""
        self._rest()
        if table not in self.memory:
            self.memory[table] = _aligned_words((64 if table == "search" else 8) << self.sizes[table])
        self.marks[:] = 0
        for job in self.jobs:
            job[f"{table}_address"] = self.memory[table].ctypes.data
            restart(job, NO_LIMIT if node_limit is None else min(NO_LIMIT, max(1, node_limit // len(self.jobs))))

    def run(
        self,
        work: Callable[[int, Callable[[Any], None]], None],
        seconds: float | None,
        report: Callable[[Any], None] = lambda _: None,
        wait_for_all: bool = False,
    ) -> StoppedBy | None:
        """Run ``work`` in every thread until one or all return; what stopped them, None if nothing did.

        Other threads may return a little later, and write to their workspaces until then. Whatever changes a workspace
        or a table waits for them (`_rest`), and the counts are read without.
        """
        self._rest()
        if self._stopped:
            return "interrupted"
        for job in self.jobs:
            job["stop"], job["status"] = 0, RUNNING
        ends: list[int] = []

        def noting(number: int, say: Callable[[Any], None]) -> None:
            work(number, say)
            ends.append(int(self.jobs[number]["status"]))

        if self._stopped:  # by another thread, since the loop above
            stop(self.jobs)
        ended = run(self.jobs, noting, seconds, report, wait_for_all, self._late)
        if ended is not None or self._stopped:
            return ended or "interrupted"
        return None if RUNNING in ends else _STOPPED_BY[ends[0]]

    def _rest(self) -> None:
        """Wait for the threads that had not returned when the last run ended; all of them were told to stop."""
        wait_for(self._late)
        self._late.clear()

    def stop(self) -> None:
        """Make every thread return, and start none until the next request."""
        self._stopped = True
        stop(self.jobs)

    def counts(self) -> dict[str, Any]:
        """The counts of all threads together, as the fields of a `SearchResult`."""
        counts = [counts_of(job) for job in self.jobs]
        total: dict[str, Any] = {name: sum(count[name] for count in counts) for name in _COUNTS}
        return total | {"max_depth": min(MAX_PLY, max(count["max_ply"] for count in counts))}

    def _make_job(self, threads: int) -> Job:
        job = make_job(self.switches, threads)
        job.search_bits, job.proof_bits = self.sizes["search"], self.sizes["proof"]
        job.solved_address, job.solved_tables = self._descriptions.ctypes.data, len(self.solved)
        job.marks_address, job.shared_plies = self.marks.ctypes.data, ALONE
        job.value_bits, job.value_limit = self.value_bits, self.value_limit
        point_to(self.network, job)
        if self.network is None:
            job.previews = 0  # with EVAL, they bring nothing
        if self.game.path_dependent:  # on the path, a symmetric position is not the same position
            job.symmetries = 0
        return job


def _aligned_words(size: int) -> NDArray[np.int64]:
    """``size`` bytes of zeros, as int64, that begin at a cache line; the system provides memory when it is touched.

    Raises
    ------
    BadParameter
        There is not enough memory.
    """
    try:
        memory = np.zeros(size // 8 + _LINE // 8, dtype=np.int64)
    except (MemoryError, ValueError):  # ValueError if it is more than can be addressed
        raise BadParameter(f"There is no memory for a table of {size >> 20:,} MiB; choose a smaller one.") from None
    skip = -memory.ctypes.data % _LINE // 8
    return memory[skip : skip + size // 8]
