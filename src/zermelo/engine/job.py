"""The workspace of one searching thread: a single record, which kernels get by its address.

A record takes one register in a recursive call. A NamedTuple of eight arrays was measured to cost 55 ns a node.
"""

from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.switches import Switches

MAX_PLY: Final = 1000
"""The most plies below the root that a search may reach."""
STACK: Final = 1 << 16
"""The most actions that may be on the stack of one search."""
HISTORY: Final = 1 << 12
"""Counters of the history heuristic for each side; actions that are equal modulo this number share one."""
FOLLOW_UPS: Final = 1 << 16
"""Counters of how well one action follows another; pairs of the same hash share one."""
FOLLOWED: Final = 2
"""How many plies back the actions are that an action follows: the opponent's last one, and the player's own."""
MOST_WORDS: Final = 1 << 10
MOST_CELLS: Final = 1 << 9
MOST_TUPLES: Final = 1 << 10
"""The most ints of a state, cells and tuples of a learned evaluation."""
JOURNAL: Final = 1 << 16
"""The most places of the proof table that a job remembers having written, so that it can clear them quickly."""

LOGARITHMS: Final = 64
"""The length of a table of logarithms, in hundredths."""

SCALE: Final = 1024
"""Scores are values times this, plus a distance. It is a constant power of 2, so that dividing is a shift."""

RUNNING: Final = 0
INTERRUPTED: Final = 1
OUT_OF_NODES: Final = 2
TOO_DEEP: Final = 3
OVERTAKEN: Final = 4
"""Why a kernel stops: not at all, the stop flag, the limit of nodes, or the size of the workspace. OVERTAKEN stops the
node at ``overtaken_ply`` and all below it, because another thread has found its value."""

Job = np.record
"""A record of `JOB`. In Python ``job["stop"]`` is several times faster than ``job.stop``."""

_COUNTS: Final = (
    "nodes", "leaves", "horizons", "prunings_max", "prunings_min", "max_ply", "table_hits", "table_states"
)  # fmt: skip
_COUNTERS: Final = np.dtype((np.int64, (len(_COUNTS),)))
_CONTROL: Final = ("stop", "deadline", "status", "node_limit", "root_action", "age", "selective")
_UNDER_WAY: Final = (
    "previous_action", "previous_seen", "better_action", "better_score", "nodes_before", "nodes_so_far", "best_nodes",
    "previewed"
)  # fmt: skip
_TABLES: Final = (
    "search_address",
    "search_bits",
    "proof_address",
    "proof_bits",
    "value_bits",
    "value_limit",
    "scale",
    "journal_length",
    "bottom",
)
_SOLVED: Final = ("solved_address", "solved_tables")
_NETWORK: Final = ("plan_address", "weights_address")
_EARLIER: Final = ("earlier", "earlier_tier", "earlier_mark")
_TEAM: Final = ("shared_plies", "marks_address", "overtaken_ply", "answer", "threads")
_SYMMETRY: Final = ("folds",)

SIGHT: Final = [
    ("words", "i8", (2, MOST_WORDS)),
    ("symbols", "i8", (2, MOST_CELLS)),
    ("places", "i8", (2, MOST_TUPLES)),
    ("totals", "i8", (2,)),
    ("known", "i8", (2,)),
]
"""What a learned evaluation has seen last (`zermelo.engine.network.Sight`)."""

JOB: Final = np.dtype(
    [
        (name, "i8")
        for name in (
            *_COUNTS,
            *_CONTROL,
            *_UNDER_WAY,
            *_TABLES,
            *_SOLVED,
            *_NETWORK,
            *_EARLIER,
            *_TEAM,
            *_SYMMETRY,
            *Switches._fields,
        )
    ]
    + [
        ("actions", "i8", (STACK,)),
        ("ranks", "i8", (STACK,)),
        ("keys", "i8", (STACK,)),
        ("path", "i8", (MAX_PLY + 1,)),
        ("earlier_keys", "i8", (MAX_PLY,)),
        ("tiers", "i8", (MAX_PLY + 1,)),
        ("alphas", "i8", (MAX_PLY + 1,)),
        ("killer_actions", "i8", (MAX_PLY + 1, 2)),
        ("history_counts", "i8", (2, HISTORY)),
        ("follow_counts", "i2", (FOLLOW_UPS,)),
        ("followed", "i8", (FOLLOWED + 1,)),
        ("counter_actions", "i8", (2, HISTORY)),
        ("played", "i8", (MAX_PLY + 1,)),
        ("sizes", "i8", (MAX_PLY + 1,)),
        ("statics", "i8", (MAX_PLY + 1,)),
        ("logarithms", "i8", (LOGARITHMS,)),
        ("journal", "i8", (JOURNAL,)),
    ]
    + SIGHT
)
"""Counts, control, the tables' addresses, the switches; then a stack of actions with their ranks and their children's
keys, the keys and tiers of the states on the path, the memory of the ordering heuristics, and for each ply the
action played there, how many nodes a node took lately, and the static evaluation.

`deadline` is the moment at which the search has to stop, in nanoseconds of `zermelo.compiled.clock.now`, 0 for none.
`nodes_before` are the nodes before the running iteration, `nodes_so_far` those before the root action that is searched,
and `best_nodes` those that the best root action took; `previewed` are those of previews. `selective` is 1 if a pruning
that can be wrong is in use.

`folds` is 1 if symmetric states count as one: in proofs, and in searches whose root is symmetric to itself.

`earlier` is how many states before the root a search has to know, `earlier_tier` is their highest tier, and
`earlier_mark` is a hash of their keys.

`bottom` is always 0: the first ply, and the first place of the stack. The compiler must not know that. For the literal
0 it would compile a second version of a search, which calls the first through a pointer, and no cache can keep that. So
it also stands for 0 where a function is called with a literal in one place, and with a number in another."""


def make_job(switches: Switches, threads: int = 1) -> Job:
    """A new workspace for one of so many threads."""
    job = np.recarray(1, JOB)[0]
    for name in JOB.names or ():
        job[name] = 0
    for name, switch in switches._asdict().items():
        job[name] = int(switch)
    job.scale = SCALE if switches.remoteness else 1
    job.threads, job.folds = threads, job.symmetries
    job.killer_actions[:] = job.counter_actions[:] = -1
    job.logarithms[1:] = [round(100 * log(number)) for number in range(1, LOGARITHMS)]
    return job


def forget(job: Job) -> None:
    """Bring ``job`` back to the state in which `make_job` made it, as far as the next search reads it."""
    for name in (*_COUNTS, *_CONTROL, *_UNDER_WAY, "journal_length"):
        if name != "selective":
            job[name] = 0
    job.history_counts[:] = job.follow_counts[:] = 0
    job.killer_actions[:] = job.counter_actions[:] = -1


def counts_of(job: Job) -> dict[str, int]:
    """The counts of a job, by name."""
    return dict(zip(_COUNTS, _counters(job).tolist(), strict=True))


def _counters(job: Job) -> NDArray[np.int64]:
    """The counts of a job, which are its first fields, as one array: to read each field by name takes far longer."""
    return np.asarray(job.getfield(_COUNTERS, 0))


def restart(job: Job, node_limit: int) -> None:
    """Make ``job`` ready for a new search. The history of the ordering heuristics is kept, but counts less."""
    _counters(job)[:] = 0
    job["stop"] = job["status"] = 0
    job["folds"] = job["symmetries"]
    job["node_limit"] = node_limit
    job["history_counts"] >>= 3
    job["killer_actions"] = -1
