"""The journal: which units of work are done, and what came of each.

A pass is a plain program that asks for units of work. The name of a unit depends on nothing but the plan. If the
process is killed, the next one runs the same program from its beginning, and skips the units that the journal has. So
the journal is all the state that there is.

Units are written to the disk together, some times a second. `Journal.flush` is the only place where that happens, and
where files are deleted:

1. all files that the units name are on the disk;
2. the units are written, in one step;
3. files that no later unit needs are deleted.

So whatever the journal on the disk names is on the disk, too, however the process ends.
"""

import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

from zermelo.solver.table.sealed import checksum_of, sealed, unsealed
from zermelo.solver.table.stores import Part, Store

JOURNAL: Final = "work/journal"
_SECONDS: Final = 0.5
"""Units wait as long as that to be written together."""


class Journal:
    """What came of each unit of work, by the unit's name, as plain values.

    Parameters
    ----------
    store
        Where the journal lies.
    settled
        The plan, as `zermelo.solver.passes.plan.load_plan` returns it; units of another plan do not count.

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
        """Units that an earlier run had done."""
        self._next = len(names)

    def __contains__(self, unit: str) -> bool:
        return unit in self.done

    def __getitem__(self, unit: str) -> Any:
        return self.done[unit]

    def note(self, unit: str, result: Any) -> None:
        """A unit is done."""
        self.done[unit] = self._unwritten[unit] = result
        if time.monotonic() - self._last > _SECONDS:
            self.flush()

    def forget(self, unit: str) -> None:
        """A unit has to be done again."""
        del self.done[unit]

    def delete(self, parts: Iterable[Part]) -> None:
        """Delete the files of parts, of which all units that need them have been noted."""
        self._unneeded.extend(part.name for part in parts)

    def flush(self) -> None:
        """Make durable what was noted, then delete what is no longer needed."""
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
