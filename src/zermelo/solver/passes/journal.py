"""The journal: which units of work are done, and the result of each.

A *unit of work* is a task, or a group of tasks, whose result the journal keeps under a name. The name depends on
nothing but the plan. A pass is a plain program that asks for units of work. If the process is killed, the next one runs
the same program from its beginning, and skips the units that the journal has. So the journal is the only state of a
solve.

Units are written to the disk together, about twice a second. Only `Journal.flush` writes them, and only `Journal.flush`
deletes files. It goes in this order:

1. It waits until all files that the units name are on the disk.
2. It writes the units, in one step.
3. It deletes the files that no later unit needs.

So every file that the journal on the disk names is on the disk, too, however the process ends.
"""

import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

from zermelo.solver.table.sealed import checksum_of, sealed, unsealed
from zermelo.solver.table.stores import Part, Store

JOURNAL: Final = "work/journal"
_SECONDS: Final = 0.5
"""The time for which new units wait to be written together, unless a caller asks for `Journal.flush` before."""


class Journal:
    """The result of each unit of work, by the unit's name, as plain values.

    Parameters
    ----------
    store
        Where the journal lies.
    settled
        The plan, as `zermelo.solver.passes.plan.load_plan` returns it. Units of other plans are ignored.

    Raises
    ------
    TableError
        A file of the journal is damaged.
    """

    def __init__(self, store: Store, settled: Mapping[str, Any]) -> None:
        self._store, self._plan = store, checksum_of(settled)
        self._unwritten: dict[str, Any] = {}
        self._unneeded: list[str] = []
        self._last = time.monotonic()
        self.done: dict[str, Any] = {}
        names = store.names(JOURNAL)
        for name in names:
            try:
                found = unsealed(store.read(name))
            except ValueError:
                raise store.damaged(name) from None
            if found["plan"] == self._plan:
                self.done.update(found["units"])
        self.resumed = len(self.done)
        """The number of units that an earlier run has done."""
        self._next = len(names)

    def __contains__(self, unit: str) -> bool:
        return unit in self.done

    def __getitem__(self, unit: str) -> Any:
        return self.done[unit]

    def note(self, unit: str, result: Any) -> None:
        """Add a unit that is done, with its result, which consists of plain values."""
        self.done[unit] = self._unwritten[unit] = result
        if time.monotonic() - self._last > _SECONDS:
            self.flush()

    def forget(self, unit: str) -> None:
        """Remove a unit, so that it is done again."""
        del self.done[unit]

    def delete(self, parts: Iterable[Part]) -> None:
        """Delete the files of parts at the next `flush`.

        All units that need these parts must be in the journal already.
        """
        self._unneeded.extend(part.name for part in parts)

    def flush(self) -> None:
        """Write the new units to the disk, then delete the files that are no longer needed."""
        self._store.settle(self._unneeded)
        if self._unwritten:
            content = sealed({"plan": self._plan, "units": self._unwritten})
            self._store.write(f"{JOURNAL}/{self._next:08d}.json", content)
            self._next += 1
            self._unwritten = {}
        for name in self._unneeded:
            self._store.delete(name)
        self._unneeded = []
        self._last = time.monotonic()
