"""The plan of a solve: what is settled when it begins, and outlives the process."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from zermelo.errors import TableError
from zermelo.solver.table.sealed import sealed, unsealed
from zermelo.solver.table.stores import Part, Store

WORK: Final = "work"
PLAN: Final = "work/plan.json"
PART: Final = 1 << 20
"""Keys in a file of a table, and in a part unless memory is short."""
BYTES_OF_KEY: Final = 256
"""Memory that a task may need for each key of its stretch: the key's successors, twice, and the key itself."""
NEVER: Final = 1 << 62
"""`Plan.whole` if no tier is to be spread over shards."""
Exchange = Literal["auto", "fetch", "ask"]
Loops = Literal["auto", "gather", "rounds"]
Form = Literal["merged", "shards"]
_SETTLED: Final = ("samples", "fold", "form", "shards", "part", "stretch", "wave", "whole")


@dataclass(frozen=True)
class Plan:
    """How a problem is cut into tasks, and how much each task may take."""

    shards: int
    stretch: int
    """Keys of the parts that one task takes."""
    part: int
    """Keys in a part."""
    wave: int
    """Stretches whose successors are kept in memory at the same time."""
    whole: int
    """A tier that fewer positions than these lead to lies in one shard."""
    form: Form
    """``merged``: the table has one run of files for each tier. ``shards``: one for each tier and shard."""
    memory: int
    """Bytes that one task may take for arrays."""
    objects: int
    """Bytes that positions of later tiers, to be looked up, may take on each node."""
    nodes: int
    """Machines that take part."""
    exchange: Exchange = "auto"
    """How a task learns the outcomes of successors; see `zermelo.solver.passes.backward`."""
    loops: Loops = "auto"
    """How a tier whose positions lead to each other is solved; see `zermelo.solver.passes.backward`."""
    samples: Sequence[Sequence[int]] = ()
    """Of the problem's codec."""
    fold: bool = False
    """Whether positions that are the same by symmetry are stored once."""

    @property
    def fan_in(self) -> int:
        """How many runs one task may merge: it holds a part of each in memory."""
        return max(2, self.stretch * BYTES_OF_KEY // (32 * self.part))

    def settled(self, identity: Mapping[str, Any], began_on: str) -> dict[str, Any]:
        """What must not change while the solve goes on, as plain values."""
        return {"identity": identity, "began_on": began_on, **{name: getattr(self, name) for name in _SETTLED}}

    def resumed(self, settled: Mapping[str, Any]) -> "Plan":
        """The plan with what an earlier run settled."""
        return replace(self, **{name: settled[name] for name in _SETTLED})


def load_plan(store: Store) -> dict[str, Any] | None:
    """What an earlier run settled; None if there was no earlier run.

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
    """Delete all that an unfinished solve keeps; the plan last, because it says whose the other files are."""
    for name in store.names(WORK):
        if name != PLAN:
            store.delete(name)
    store.delete(PLAN)
    store.delete(WORK)


def require_own(store: Store) -> None:
    """Refuse a folder ``work`` that holds anything that no solve of this version has written.

    Raises
    ------
    TableError
        It does.
    """
    for name in store.names(WORK):
        if name == f"{WORK}/state.json":
            raise TableError(
                f"{store.place}/{WORK} holds an unfinished solve of an earlier version of zermelo, which this version "
                "cannot go on with; delete that folder, and the same command solves from the beginning."
            )
        if not store.is_own(name):
            raise TableError(f"{store.place}/{name} belongs to no solve; choose another folder for the table.")


def stretches(parts: Sequence[Part], size: int) -> list[list[Part]]:
    """Neighbouring parts in groups of at most ``size`` keys, or of one part."""
    groups: list[list[Part]] = []
    room = 0
    for part in parts:
        if not groups or part.size > room:
            groups.append([])
            room = size
        groups[-1].append(part)
        room -= part.size
    return groups


def parts_of(rows: Iterable[Sequence[Any]]) -> list[Part]:
    """Parts that come from a journal."""
    return [Part(*row) for row in rows]


def keys_in(parts: Iterable[Part]) -> int:
    """How many keys some parts hold together."""
    return sum(part.size for part in parts)
