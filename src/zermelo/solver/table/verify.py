"""Whether a table is what its solve wrote, and whether its outcomes follow from the rules.

There are three checks. Each is made only if the one before found nothing:

1. *Files.* The manifest has exactly the bytes that it should have. Every file that it names is there with the right
   checksum, and there are no other files.
2. *Order.* The keys of each file ascend from the first to the last that the manifest names, and the outcomes add up to
   the counts in the manifest.
3. *Outcomes.* The outcome of each sampled position follows from those of its successors: it has the best value for the
   player to move, and the remoteness of the best successor plus one.

Positions that lead to each other in a loop can all be wrong and still agree with each other. The third check finds them
only where they meet a right outcome. For that only a second solve is a proof.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from zermelo.errors import TableError
from zermelo.solver.kernels.induction import improve, settle
from zermelo.solver.model.outcome_codes import ABSENT, code_of, remoteness_of, shift_of, value_of
from zermelo.solver.table.manifest import MANIFEST, manifest_content, read_manifest
from zermelo.solver.table.reading import TableFile, fault_of
from zermelo.solver.table.scan import sample, with_neighbours
from zermelo.solver.table.stores import place_errors, store_at
from zermelo.solver.table.table import Table

SAMPLE: Final = 100_000
"""How many positions `wrong_entries` checks, unless told otherwise."""
_MOST: Final = 20
"""The most wrong outcomes that are reported."""


def damaged_files(place: Path | str) -> list[str]:
    """Return a sentence for each file that is damaged, truncated or missing, or that does not belong to the table.

    Raises
    ------
    TableError
        There is no table, it has another format, or the place cannot be reached.
    """
    store = store_at(str(place))
    with place_errors(store.place):
        names = store.names("")
    try:
        manifest = read_manifest(place)
    except TableError as error:
        if MANIFEST not in names:
            raise
        return [str(error)]
    # A change counts even if it does not matter to JSON, such as one of white space.
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
    """Yield a sentence for each file whose keys or outcomes are not what the manifest says.

    ``progress`` is called with the number of positions checked since its last call.

    Raises
    ------
    TableError
        A file of the table is damaged.
    """
    utility_range, store = table.game.utility_range, store_at(table.place)
    for tier in table.manifest["tiers"]:
        counted: dict[int, int] = {}
        for entry in tier["files"]:
            path = f"{table.place}/{entry['file']}"
            count, last = 0, None
            for keys, codes in TableFile(store, entry).row_groups(utility_range):
                if (np.diff(keys) <= 0).any() or (last is not None and keys[0] <= last):
                    yield f"{path} is not in order: its keys do not ascend."
                    break
                if count == 0 and keys[0] != entry["first"]:
                    yield f"{path} begins with the key {keys[0]}, and the manifest says {entry['first']}."
                count, last = count + len(keys), int(keys[-1])
                progress(len(keys))
                for code, times in zip(*np.unique(codes, return_counts=True), strict=True):
                    counted[int(code)] = counted.get(int(code), 0) + int(times)
            if (count, last) != (entry["positions"], entry["last"]):
                yield f"{path} holds {count:,} positions up to {last}, and the manifest says otherwise."
        claimed = _claimed(tier, utility_range)
        # With folded positions the manifest counts more than the files hold, so only the outcomes can be compared.
        if set(claimed) != set(counted) or (not table.manifest["fold"] and claimed != counted):
            yield f"{table.place}/{MANIFEST} counts other outcomes in tier {tier['tier']} than its files hold."


def _claimed(tier: dict[str, Any], utility_range: tuple[int, int]) -> dict[int, int]:
    """Return how many positions have each outcome code, according to a tier's entry in the manifest."""
    return {code_of(value, remoteness, utility_range): count for value, remoteness, count in tier["outcomes"]}


def wrong_entries(
    table: Table, count: int | None = SAMPLE, seed: int = 0, progress: Callable[[int], None] = lambda done: None
) -> Iterator[str]:
    """Yield a sentence for each sampled position whose outcome does not follow from its successors, up to 20.

    Parameters
    ----------
    count
        How many positions to check; all if None.
    seed
        Seed of the sample.
    progress
        Called with the number of positions checked since its last call.

    Raises
    ------
    TableError
        A file of the table is damaged, or a key of the table stands for no position.
    """
    zero, shift = -table.game.utility_range[0], shift_of(table.game.utility_range)
    reported = 0
    for tier, keys, codes in sample(table, count, seed):
        done = 0
        for found in with_neighbours(table, keys):
            here = codes[done : done + len(found.keys)]
            done += len(found.keys)
            best = np.full(len(here), ABSENT, dtype=np.int32)
            right = np.empty(len(here), dtype=np.int32)
            improve(found.own, found.ends, found.children, zero, shift, best)
            settle(found.own, best, shift, right)
            owners = np.repeat(np.arange(len(here)), np.diff(found.ends, prepend=0))
            lost = np.zeros(len(here), dtype=bool)
            lost[owners[found.children < 0]] = True
            for place in np.flatnonzero((right != here) | lost):
                yield _sentence(
                    table, tier, int(found.keys[place]), int(here[place]), int(right[place]), bool(lost[place])
                )
                reported += 1
                if reported == _MOST:
                    return
            progress(len(found.keys))


def _sentence(table: Table, tier: int, key: int, here: int, right: int, lost: bool) -> str:
    """Say what is wrong with the outcome code ``here`` of a position; ``lost`` if a successor is absent."""
    position = f"The position {table.state(key)!r} (tier {tier}, key {key})"
    if lost:
        return f"{position} leads to positions that the table does not hold."
    return f"{position} is said to be {_shown(table, here)}; by its successors it is {_shown(table, right)}."


def _shown(table: Table, code: int) -> str:
    value, remoteness = value_of(code, table.game.utility_range), remoteness_of(code, table.game.utility_range)
    return f"{value} without end" if remoteness is None else f"{value} in {remoteness}"
