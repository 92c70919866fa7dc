"""Whether a table is what its solve wrote, and whether what it says follows from the rules.

Three questions, each asked only where the one before had a good answer:

1. *Files.* Is the manifest the very bytes that it should be, is every file that it names there with the checksum that
   it names, and no other?
2. *Order.* Do the keys of each file ascend, from the first to the last that the manifest names, and do the outcomes
   add up to its counts?
3. *Entries.* Does the outcome of each sampled position follow from those of its successors: the best value for the
   player to move, and the remoteness that the rule picks, one ply on?

Entries that lean on each other in a loop can be wrong together; the third question finds where they lean on what
is right. For that only a second solve is a proof.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from zermelo.errors import TableError
from zermelo.solver.kernels.induction import improve, settle
from zermelo.solver.model.outcome_codes import ABSENT, plies_of, shift_of, values_of
from zermelo.solver.study.scan import sample, with_neighbours
from zermelo.solver.table.manifest import MANIFEST, manifest_content, read_manifest
from zermelo.solver.table.reading import TableFile, fault_of
from zermelo.solver.table.stores import said, store_at
from zermelo.solver.table.table import Table

SAMPLE: Final = 100_000
_MOST: Final = 20
"""Wrong entries that are named one by one."""


def damaged_files(place: Path | str) -> list[str]:
    """A sentence for each file that is damaged, truncated, missing or does not belong there.

    Raises
    ------
    TableError
        There is no table, or one of another format; or the place cannot be reached.
    """
    store = store_at(str(place))
    with said(store.place):
        names = store.names("")
    try:
        manifest = read_manifest(place)
    except TableError as error:
        if MANIFEST not in names:
            raise
        return [str(error)]
    # What JSON does not care about, such as white space, counts too.
    if store.read(MANIFEST) != manifest_content(manifest):
        return [f"{store.place}/{MANIFEST} is damaged: it is not written as 'zermelo solve' writes it."]
    entries = [entry for tier in manifest["tiers"] for entry in tier["files"]]
    faults = [fault_of(store, entry) for entry in entries]
    strangers = sorted(set(names) - {entry["file"] for entry in entries} - {MANIFEST})
    return [
        *(fault for fault in faults if fault is not None),
        *(f"{store.place}/{name} does not belong to the table." for name in strangers),
    ]


def misplaced(table: Table, progress: Callable[[int], None] = lambda done: None) -> Iterator[str]:
    """A sentence for each file whose keys or outcomes are not what the manifest says; ``progress`` counts positions."""
    known, store = table.game.utility_range, store_at(table.place)
    for tier in table.manifest["tiers"]:
        counted: dict[int, int] = {}
        for entry in tier["files"]:
            path = f"{table.place}/{entry['file']}"
            count, last = 0, None
            for keys, words in TableFile(store, entry).blocks(known):
                if (np.diff(keys) <= 0).any() or (last is not None and keys[0] <= last):
                    yield f"{path} is not in order: its keys do not ascend."
                    break
                if count == 0 and keys[0] != entry["first"]:
                    yield f"{path} begins with the key {keys[0]}, and the manifest says {entry['first']}."
                count, last = count + len(keys), int(keys[-1])
                progress(len(keys))
                for word, times in zip(*np.unique(words, return_counts=True), strict=True):
                    counted[int(word)] = counted.get(int(word), 0) + int(times)
            if (count, last) != (entry["positions"], entry["last"]):
                yield f"{path} holds {count:,} positions up to {last}, and the manifest says otherwise."
        said = _said(tier, known)
        if set(said) != set(counted) or (not table.manifest["fold"] and said != counted):
            yield f"{table.place}/{MANIFEST} counts other outcomes in tier {tier['tier']} than its files hold."


def _said(tier: dict[str, Any], utility_range: tuple[int, int]) -> dict[int, int]:
    """How many positions have each outcome word, as a manifest's tier says."""
    shift = shift_of(utility_range)
    none = (1 << shift) - 1
    return {
        (value - utility_range[0]) << shift | (none if remoteness is None else remoteness): count
        for value, remoteness, count in tier["outcomes"]
    }


def wrong_entries(
    table: Table, count: int | None = SAMPLE, seed: int = 0, progress: Callable[[int], None] = lambda done: None
) -> Iterator[str]:
    """A sentence for each sampled position whose outcome does not follow from its successors; the first ones only."""
    zero, shift = -table.game.utility_range[0], shift_of(table.game.utility_range)
    told = 0
    for tier, keys, words in sample(table, count, seed):
        done = 0
        for found in with_neighbours(table, keys):
            here = words[done : done + len(found.keys)]
            done += len(found.keys)
            best = np.full(len(here), ABSENT, dtype=np.int32)
            right = np.empty(len(here), dtype=np.int32)
            improve(found.own, found.ends, found.children, zero, shift, best)
            settle(found.own, best, shift, right)
            owners = np.repeat(np.arange(len(here)), np.diff(found.ends, prepend=0))
            lost = np.zeros(len(here), dtype=bool)
            lost[owners[found.children < 0]] = True
            for place in np.flatnonzero((right != here) | lost):
                yield _sentence(table, tier, int(found.keys[place]), here[place], right[place], bool(lost[place]))
                told += 1
                if told == _MOST:
                    return
            progress(len(found.keys))


def _sentence(table: Table, tier: int, key: int, here: Any, right: Any, lost: bool) -> str:
    position = f"The position {table.state(key)!r} (tier {tier}, key {key})"
    if lost:
        return f"{position} leads to positions that the table does not hold."
    return f"{position} is said to be {_shown(table, here)}; by its successors it is {_shown(table, right)}."


def _shown(table: Table, word: Any) -> str:
    words = np.array([word])
    plies = int(plies_of(words, table.game.utility_range)[0])
    value = int(values_of(words, table.game.utility_range)[0])
    return f"{value} without end" if plies < 0 else f"{value} in {plies}"
