"""A table in shards, in a folder or behind a URL, probed without being copied: a probe reads a block of one file."""

from pathlib import Path
from typing import Any

import numpy as np

from zermelo.errors import TableError
from zermelo.game import Game, State
from zermelo.solver.cluster.shards import shard_of, split
from zermelo.solver.cluster.stores import Bucket, Store, said, store_at
from zermelo.solver.files import opened
from zermelo.solver.outcomes import ABSENT
from zermelo.solver.table import MANIFEST, Entry, Table, TableFile, check_manifest


class _StoredFile(TableFile):
    """A file of a table in a store, opened when it is first read."""

    def __init__(self, store: Store, entry: dict[str, Any]) -> None:
        super().__init__(Path(store.place), entry)
        self.store, self.name = store, entry["file"]

    def open(self) -> Any:
        """The file, to read row groups from."""
        with said(f"{self.store.place}/{self.name}"):
            return opened(self.store.open(self.name), f"{self.store.place}/{self.name}")


class ShardedTable(Table):
    """A solved game in shards.

    Parameters
    ----------
    place
        A folder or a URL.
    game
        Its rules; made from the manifest where it is one of the registered games.

    Raises
    ------
    TableError
        There is no table, it cannot be reached, it is damaged, or it is one of other rules.
    """

    def __init__(self, place: str, game: Game | None = None) -> None:
        self.store = store_at(place)
        manifest = read_manifest_at(self.store)
        if manifest is None:
            raise TableError(f"{place} holds no solved table; it has no {MANIFEST}.")
        self._take_up(Path(place), manifest, game)
        self._by_shard: dict[int, list[list[TableFile]]] = {}
        for tier in self.manifest["tiers"]:
            files = self._files[tier["tier"]] = [_StoredFile(self.store, entry) for entry in tier["files"]]
            shards = self._by_shard[tier["tier"]] = [[] for _ in range(tier.get("shards", 1))]
            for file, entry in zip(files, tier["files"], strict=True):
                shards[entry.get("shard", 0)].append(file)

    def __repr__(self) -> str:
        return f"ShardedTable({self.store.place!r})"

    def get(self, state: State) -> Entry | None:
        """What is known of a position; None where the table does not hold it."""
        key = self.stored_key(state)
        if key < 0:
            return None
        near = {tier: shards[shard_of(key, len(shards))] for tier, shards in self._by_shard.items()}
        return self._find(key, state, near)

    def known(self, keys: Any, tiers: Any) -> Any:
        """The outcome words of keys of these tiers, negative where the table holds none."""
        words = np.full(len(keys), ABSENT, dtype=np.int32)
        there = np.flatnonzero(keys >= 0)
        for tier, shards in self._by_shard.items():
            left = there[words[there] < 0]
            for shard, some, places in split(keys[left], len(shards)):
                chosen = left[places]
                found = np.full(len(some), ABSENT, dtype=np.int32)
                self._find_words({tier: shards[shard]}, some, tiers[chosen], found)
                words[chosen] = found
        return words


def open_table(place: str, game: Game | None = None) -> Table:
    """The table in a folder or at a URL, in shards or not; errors as `ShardedTable`."""
    store = store_at(place)
    manifest = read_manifest_at(store)
    if isinstance(store, Bucket) or (manifest is not None and "shards" in manifest):
        return ShardedTable(place, game)
    return Table(Path(place), game)


def read_manifest_at(store: Store) -> dict[str, Any] | None:
    """The manifest of a table in a store, checked; None where there is none."""
    with said(store.place):
        try:
            content = bytes(store.read(MANIFEST))
        except FileNotFoundError:
            return None
    return check_manifest(content, f"{store.place}/{MANIFEST}")
