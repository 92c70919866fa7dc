"""What a solve on a cluster settles at its beginning, and what of it is done: both outlive the driver.

The driver is a plain program that asks for units of work, each with a name that depends on nothing but the plan. What a
unit came to is put into the journal. Killed and started again, the driver runs the same program from its beginning,
and units in the journal are not done again. So there is no state to save beside the journal.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from zermelo.cluster.source import GameSource
from zermelo.errors import TableError
from zermelo.solver.table.sealed import checksum_of, sealed, unsealed
from zermelo.solver.table.stores import Part, Store

WORK: Final = "work"
PLAN: Final = "work/plan.json"
JOURNAL: Final = "work/journal"
_SECONDS: Final = 0.5
"""Units that are done wait as long as that to be put into the journal together."""


@dataclass(frozen=True)
class Plan:
    """What every worker is told."""

    source: GameSource
    fingerprints: tuple[str, str]
    """Of the rules, and of what a table depends on beside them."""
    place: str
    """Of the store."""
    shards: int
    part: int
    """Keys in a file."""
    stretch: int
    """Keys of the parts that one task takes."""
    wave: int
    """Stretches of which the successors are on their way at the same time."""
    memory: int
    """Bytes that one task may take for arrays."""
    threads: int
    """That a task has: half of a node's processors, so that two tasks are at work while one waits for the disk."""
    whole: int
    """Tiers that follow fewer positions than these are not spread over shards."""
    samples: Sequence[Sequence[int]] = ()
    fold: bool = False

    def settled(self, identity: Mapping[str, Any]) -> dict[str, Any]:
        """What must not change while the solve goes on, as plain values."""
        said = {"identity": identity, "samples": self.samples, "fold": self.fold}
        return {**said, "shards": self.shards, "part": self.part, "stretch": self.stretch, "wave": self.wave,
                "whole": self.whole}  # fmt: skip

    def resumed(self, settled: Mapping[str, Any]) -> "Plan":
        """The same with what an earlier run had settled."""
        names = ("samples", "fold", "shards", "part", "stretch", "wave", "whole")
        return replace(self, **{name: settled[name] for name in names})


def load_plan(store: Store) -> dict[str, Any] | None:
    """What an earlier run had settled; None for a new solve.

    Raises
    ------
    TableError
        It is damaged.
    """
    try:
        return unsealed(store.read(PLAN))
    except FileNotFoundError:
        return None
    except ValueError:
        raise TableError(f"{store.place}/{PLAN} is damaged; delete {store.place} and solve again.") from None


def save_plan(store: Store, settled: Mapping[str, Any]) -> None:
    """Settle it; what a journal has of another plan is void from now on, and is deleted with its files."""
    store.write(PLAN, sealed(settled))
    for name in store.names(WORK):
        if name != PLAN:
            store.delete(name)


def drop_work(store: Store) -> None:
    """Delete all that a solve has kept, the plan last: as long as it is there, it is known whose the rest is."""
    for name in store.names(WORK):
        if name != PLAN:
            store.delete(name)
    store.delete(PLAN)
    store.delete(WORK)


class Journal:
    """What each unit of work came to, by its name, as plain values.

    Parameters
    ----------
    store
        Where it lies.
    settled
        The plan, as `load_plan` has it; units of another one do not count.
    """

    def __init__(self, store: Store, settled: Mapping[str, Any]) -> None:
        self._store, self._plan = store, checksum_of(settled)
        self._waiting: dict[str, Any] = {}
        self._last = time.monotonic()
        self.done: dict[str, Any] = {}
        names = store.names(JOURNAL)
        for name in names:
            try:
                found = unsealed(store.read(name))
            except ValueError:
                raise TableError(f"{store.place}/{name} is damaged; delete {store.place} and solve again.") from None
            if found["plan"] == self._plan:
                self.done.update(found["units"])
        self.resumed = len(self.done)
        """Units that an earlier run had done."""
        self._next = len(names)

    def __contains__(self, unit: str) -> bool:
        return unit in self.done

    def __getitem__(self, unit: str) -> Any:
        return self.done[unit]

    def note(self, unit: str, result: Any) -> None:
        """A unit is done; its files are whole."""
        self.done[unit] = self._waiting[unit] = result
        if time.monotonic() - self._last > _SECONDS:
            self.flush()

    def flush(self) -> None:
        """All that was noted is there for good when this returns."""
        if self._waiting:
            content = sealed({"plan": self._plan, "units": self._waiting})
            self._store.write(f"{JOURNAL}/{self._next:08d}.json", content)
            self._next += 1
            self._waiting = {}
        self._last = time.monotonic()


def stretches(parts: Sequence[Part], size: int) -> list[list[Part]]:
    """Neighbouring parts in groups of at most so many keys, or of one part."""
    groups: list[list[Part]] = []
    room = 0
    for part in parts:
        if not groups or part.size > room:
            groups.append([])
            room = size
        groups[-1].append(part)
        room -= part.size
    return groups


def parts_of(rows: Sequence[Sequence[Any]]) -> list[Part]:
    """Parts that come from a journal."""
    return [Part(*row) for row in rows]
