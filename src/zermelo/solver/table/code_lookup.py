"""Finding outcome codes in the files of a table, by key or in order."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from zermelo.solver.kernels.lookup import look_up, with_heads
from zermelo.solver.kernels.shards import shard_of, split
from zermelo.solver.model.outcome_codes import ABSENT
from zermelo.solver.table.reading import Entries, TableFile
from zermelo.solver.table.stores import Store

_MANY: Final = 6
"""Reading a whole file takes as long as reading every sixth of its row groups one by one."""
_KEPT: Final = 512
"""Decoded row groups that are kept: those used last."""


class CodeLookup:
    """The files of a table, and those of their row groups that were used last.

    Parameters
    ----------
    store
        Where the table lies.
    tiers
        The entries of the tiers in the manifest.
    utility_range
        The least and the greatest utility of the game.
    tiered
        Whether the game has tiers; otherwise a look-up does not know the tier of a key.
    """

    def __init__(
        self, store: Store, tiers: list[Mapping[str, Any]], utility_range: tuple[int, int], *, tiered: bool
    ) -> None:
        self.utility_range, self._tiered = utility_range, tiered
        self._files: dict[int, list[TableFile]] = {}
        self._shards: dict[int, list[list[TableFile]]] = {}
        """The files of each shard, for each tier; a tier that is stored in the order of its keys is one shard."""
        for tier in tiers:
            files = self._files[tier["tier"]] = [TableFile(store, entry) for entry in tier["files"]]
            shards = self._shards[tier["tier"]] = [[] for _ in range(tier.get("shards", 1))]
            for file, entry in zip(files, tier["files"], strict=True):
                shards[entry.get("shard", 0)].append(file)
        self._recent: OrderedDict[tuple[str, int], Entries] = OrderedDict()

    def code(self, key: int, tier: int) -> int:
        """Return the outcome code of a key, `ABSENT` if the table does not hold it.

        Raises
        ------
        TableError
            A file of the table is damaged or cannot be read. The same holds for the other methods.
        """
        for number in [tier] if self._tiered else self._shards:
            shards = self._shards.get(number, [[]])
            for file in shards[shard_of(key, len(shards)) if len(shards) > 1 else 0]:
                if file.first <= key <= file.last:
                    keys, codes = self._row_group(file, file.row_group_of(key))
                    place = int(np.searchsorted(keys, key))
                    if place < len(keys) and keys[place] == key:
                        return int(codes[place])
        return ABSENT

    def codes(self, keys: NDArray[np.int64], tiers: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the outcome codes of keys, `ABSENT` for those that the table does not hold.

        Parameters
        ----------
        keys, tiers
            Shape (n,): the keys, and the tier of each.
        """
        codes = np.full(len(keys), ABSENT, dtype=np.int32)
        valid = np.flatnonzero(keys >= 0)
        for tier, shards in self._shards.items():
            left = valid[codes[valid] < 0]
            if self._tiered:
                left = left[tiers[left] == tier]
            for shard, _, places in split(keys[left], len(shards)):
                for file in shards[shard]:
                    chosen = left[places]
                    chosen = chosen[(keys[chosen] >= file.first) & (keys[chosen] <= file.last)]
                    if len(chosen):
                        self._read_codes(file, keys, chosen, codes)
        return codes

    def row_groups(self, tier: int) -> Iterator[Entries]:
        """Yield the keys and outcome codes of a tier, a row group at a time."""
        for file in self._files[tier]:
            yield from file.row_groups(self.utility_range)

    def picked(self, tier: int, places: NDArray[np.int64]) -> Entries:
        """Return the keys and outcome codes at some places of a tier.

        Parameters
        ----------
        places
            Shape (n,), ascending: the position's number in the order of the tier's files, from 0.
        """
        keys, codes, start = [], [], 0
        for file in self._files[tier]:
            bounds = start + file.footer.starts
            groups = np.searchsorted(bounds, places, side="right") - 1
            for number in np.unique(groups[(groups >= 0) & (groups < len(bounds) - 1)]):
                chosen = places[groups == number] - bounds[number]
                some_keys, some_codes = file.read(int(number), self.utility_range)
                keys.append(some_keys[chosen])
                codes.append(some_codes[chosen])
            start = bounds[-1]
        return np.concatenate(keys), np.concatenate(codes)

    def _read_codes(
        self, file: TableFile, keys: NDArray[np.int64], places: NDArray[np.int64], codes: NDArray[np.int32]
    ) -> None:
        """Write the codes of ``keys[places]`` that a file holds to ``codes[places]``.

        It reads single row groups, or the whole file if many of them are needed.
        """
        places = places[np.argsort(keys[places], kind="stable")]
        groups = np.searchsorted(file.footer.firsts, keys[places], side="right") - 1
        if len(np.unique(groups)) > len(file) // _MANY:
            _copy_found(file.read_all(self.utility_range), keys, places, codes)
            return
        for number in np.unique(groups):
            _copy_found(self._row_group(file, int(number)), keys, places[groups == number], codes)

    def _row_group(self, file: TableFile, number: int) -> Entries:
        """Return a row group of a file; read it only if it is not among those used last."""
        place = (file.name, number)
        if place not in self._recent:
            self._recent[place] = file.read(number, self.utility_range)
            if len(self._recent) > _KEPT:
                self._recent.popitem(last=False)
        self._recent.move_to_end(place)
        return self._recent[place]


def _copy_found(entries: Entries, keys: NDArray[np.int64], places: NDArray[np.int64], codes: NDArray[np.int32]) -> None:
    """Write the codes of ``keys[places]`` that are among the entries to ``codes[places]``."""
    known, known_codes = entries
    found = codes[places]
    look_up(with_heads(known), known_codes, keys[places], found)
    codes[places] = found
