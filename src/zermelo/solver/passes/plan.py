"""The plan of a solve: what is fixed when the solve begins, and outlives the process.

A *part* is a file of ascending keys, or of their outcome codes. A *stretch* is the neighbouring parts of a shard that
one task takes. A *wave* is the stretches whose successors are in memory at the same time.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeVar

from zermelo.errors import TableError
from zermelo.solver.table.sealed import sealed, unsealed
from zermelo.solver.table.stores import Part, Store

WORK: Final = "work"
"""The folder for the files of an unfinished solve."""
PLAN: Final = "work/plan.json"
"""The file that holds the plan."""
FILES: Final = 3
"""The form of the files below `WORK`. In form 1, which plans do not name, a key took eight bytes. In form 2, a wave had
the same number of stretches, however few keys they had."""
PART: Final = 1 << 20
"""Keys in a file of a table, and in a part unless memory is short."""
BYTES_OF_KEY: Final = 256
"""Bytes that a task may need for each key of its stretch: for the key itself, and twice for its successors."""
NEVER: Final = 1 << 62
"""The value of `Plan.whole` for which every tier lies in one shard."""
Exchange = Literal["auto", "fetch", "compact", "ask"]
"""How a task learns the outcomes of successors: see `zermelo.solver.passes.backward`; ``auto`` takes the cheaper
way."""
Loops = Literal["auto", "gather", "files", "rounds"]
"""How a tier whose positions lead to each other is solved: by one task in memory, on one machine with the edges in
files, or in rounds over its shards."""
Form = Literal["merged", "shards"]
"""How the files of a table are divided; see `Plan.form`."""
Item = TypeVar("Item")
_SETTLED: Final = ("samples", "fold", "form", "shards", "part", "stretch", "wave", "whole")
"""The fields of a plan that do not change while a solve goes on."""


@dataclass(frozen=True)
class Plan:
    """How a problem is cut into tasks, and how much memory each task may take."""

    shards: int
    """The number of shards of a tier that is spread."""
    stretch: int
    """The most keys in a stretch, unless it is a single part."""
    part: int
    """Keys in a part; the last part of a run may be shorter."""
    wave: int
    """Stretches in a wave, if each has as many keys as it may have; of smaller ones, a wave has more."""
    whole: int
    """A tier that n positions lead to lies in sqrt(n / whole) shards, but at least in one and at most in all; a large
    tier within which moves stay lies in all. 0 means that every tier lies in all."""
    form: Form
    """``merged``: the table has one run of files for each tier. ``shards``: one for each tier and shard."""
    memory: int
    """Bytes that the arrays of one task may take."""
    objects: int
    """Bytes on each node for positions of later tiers that are looked up."""
    nodes: int
    """The number of machines that take part."""
    exchange: Exchange = "auto"
    """How a task learns the outcomes of successors; see `zermelo.solver.passes.backward`."""
    loops: Loops = "auto"
    """How a tier whose positions lead to each other is solved; see `zermelo.solver.passes.retrograde_tasks` and
    `zermelo.solver.passes.filed`."""
    samples: Sequence[Sequence[int]] = ()
    """The samples from which the problem's codec is made."""
    fold: bool = False
    """Whether symmetric positions are stored as one."""

    @property
    def fan_in(self) -> int:
        """The number of runs that one task may merge; it holds a part of each in memory."""
        return max(2, self.stretch * BYTES_OF_KEY // (32 * self.part))

    def waves(self, items: Iterable[Item], keys: Callable[[Item], int]) -> list[list[Item]]:
        """Return items in waves, where each item is a stretch or has one; ``keys`` tells how many keys it has."""
        return gathered(items, keys, self.wave * self.stretch)

    def settled(self, identity: Mapping[str, Any], began_on: str) -> dict[str, Any]:
        """Return, as plain values, what must not change while the solve goes on."""
        fixed = {"files": FILES, "identity": identity, "began_on": began_on}
        return {**fixed, **{name: getattr(self, name) for name in _SETTLED}}

    def resumed(self, settled: Mapping[str, Any]) -> "Plan":
        """Return the plan with the values that an earlier run fixed."""
        return replace(self, **{name: settled[name] for name in _SETTLED})


def load_plan(store: Store) -> dict[str, Any] | None:
    """Return what an earlier run fixed; None if there was no earlier run.

    Raises
    ------
    TableError
        The plan is damaged.
    """
    try:
        return unsealed(store.read(PLAN))
    except FileNotFoundError:
        return None
    except ValueError:
        raise store.damaged(PLAN) from None


def save_plan(store: Store, settled: Mapping[str, Any]) -> None:
    """Write a plan, and delete everything that belongs to an earlier one."""
    store.write(PLAN, sealed(settled))
    for name in store.names(WORK):
        if name != PLAN:
            store.delete(name)


def drop_work(store: Store) -> None:
    """Delete all files of an unfinished solve; the plan goes last, because it says whose the other files are."""
    for name in store.names(WORK):
        if name != PLAN:
            store.delete(name)
    store.delete(PLAN)
    store.delete(WORK)


def require_own(store: Store) -> None:
    """Refuse a folder ``work`` with a file that no solve of this version has written.

    Raises
    ------
    TableError
        There is such a file.
    """
    for name in store.names(WORK):
        if name == f"{WORK}/state.json":
            raise _of_earlier_version(store)
        if not store.is_own(name):
            raise TableError(f"{store.place}/{name} belongs to no solve; choose another folder for the table.")


def require_form(store: Store, settled: Mapping[str, Any]) -> None:
    """Refuse to go on with a plan whose files have another form than this version writes.

    Raises
    ------
    TableError
        They have.
    """
    if settled.get("files") != FILES:
        raise _of_earlier_version(store)


def _of_earlier_version(store: Store) -> TableError:
    """Return the error to raise if another version of zermelo wrote the files of an unfinished solve."""
    return TableError(
        f"{store.place}/{WORK} holds an unfinished solve of an earlier version of zermelo, which this version "
        "cannot go on with; delete that folder, and the same command solves from the beginning."
    )


def stretches(parts: Sequence[Part], size: int) -> list[list[Part]]:
    """Return neighbouring parts in groups: each has at most ``size`` keys, or is a single part."""
    return gathered(parts, lambda part: part.size, size)


def gathered(items: Iterable[Item], keys: Callable[[Item], int], most: int) -> list[list[Item]]:
    """Return neighbouring items in groups: each has at most ``most`` keys, or is a single item."""
    groups: list[list[Item]] = []
    room = 0
    for item in items:
        if not groups or keys(item) > room:
            groups.append([])
            room = most
        groups[-1].append(item)
        room -= keys(item)
    return groups


def parts_of(rows: Iterable[Sequence[Any]]) -> list[Part]:
    """Return the parts that rows of the journal describe."""
    return [Part(*row) for row in rows]


def keys_in(parts: Iterable[Part]) -> int:
    """Return how many keys some parts hold together."""
    return sum(part.size for part in parts)
