"""A solved table: Parquet files and a manifest, from which values, remoteness and best moves are read.

It lies in a folder or at a URL, in the order of keys or in shards. A probe reads a block of one file.
"""

import html
import shutil
import weakref
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from zermelo.compiled.codec import Codec
from zermelo.compiled.explain import explained
from zermelo.compiled.game import CompiledGame, compiled
from zermelo.compiled.states import flatten
from zermelo.compiled.table_probe import ENDLESS, PLIES, Arrays
from zermelo.errors import TableError
from zermelo.game import MAX, Action, Game, State
from zermelo.solver.kernels.lookup import look_up, with_heads
from zermelo.solver.kernels.shards import shard_of, split
from zermelo.solver.model.expand import write_keys
from zermelo.solver.model.outcome_codes import ABSENT, plies_of, preference_of, values_of
from zermelo.solver.table.manifest import MANIFEST, check_identity, game_of, read_manifest
from zermelo.solver.table.reading import TableFile, fault_of
from zermelo.solver.table.stores import said, store_at

_PROBED_BYTES: Final = 32
"""Of memory for a position that searches may look up, while it is sorted."""
_MANY: Final = 6
"""To read a file whole takes as long as to read every sixth of its blocks alone."""
_BLOCKS: Final = 512
"""Decoded blocks that are kept, the latest used."""


@dataclass(frozen=True)
class Entry:
    """What a table says of a position."""

    value: int
    """For MAX."""
    remoteness: int | None
    """Plies to the end; None where play at that value need never end."""


class Move(NamedTuple):
    """What a table says of a move: of the position that it leads to."""

    action: Action
    value: int
    remoteness: int | None


class Table:
    """A solved game on disk.

    Parameters
    ----------
    place
        A folder or a URL: what `zermelo.solve` or `zermelo.cluster.solve.solve_on_cluster` wrote.
    game
        Its rules; made from the manifest where it is one of the registered games.

    Raises
    ------
    TableError
        There is no table, it cannot be reached, it is damaged, or it is one of other rules.
    """

    def __init__(self, place: Path | str, game: Game | None = None) -> None:
        self.place = str(place)
        self.manifest = read_manifest(place)
        self.game = game_of(self.manifest, self.place) if game is None else game
        check_identity(self.manifest["identity"], self.game, self.place)
        self._rules = compiled(self.game)
        self._codec = Codec.read(self._rules, self.manifest["columns"])
        self._fold = bool(self.manifest["fold"])
        self._files: dict[int, list[TableFile]] = {}
        self._shards: dict[int, list[list[TableFile]]] = {}
        """By tier, and by the shard of a key; a tier in the order of keys is one shard."""
        store = store_at(self.place)
        for tier in self.manifest["tiers"]:
            files = self._files[tier["tier"]] = [TableFile(store, entry) for entry in tier["files"]]
            shards = self._shards[tier["tier"]] = [[] for _ in range(tier.get("shards", 1))]
            for file, entry in zip(files, tier["files"], strict=True):
                shards[entry.get("shard", 0)].append(file)
        self._tiered = self.game.tier is not None
        self._blocks: OrderedDict[tuple[str, int], tuple[Any, Any]] = OrderedDict()

        self._private: weakref.finalize[Any, Any] | None = None

    def own(self, folder: Path) -> None:
        """Delete a folder, that of the table, when nobody uses the table any more."""
        self._private = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    def close(self) -> None:
        """Delete the table if it was solved without a folder; any other stays as it is."""
        if self._private is not None:
            self._private()

    def __enter__(self) -> "Table":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def save(self, folder: Path | str) -> "Table":
        """Copy the table to a folder that is empty or not there yet, and open it there.

        Raises
        ------
        TableError
            There is something in the folder, a file of the table is damaged, or the folder cannot be written to.
        """
        source, target = store_at(self.place), store_at(str(folder))
        entries = [entry for tier in self.manifest["tiers"] for entry in tier["files"]]
        with said(target.place):
            if target.names(""):
                raise TableError(f"{folder} is not empty; choose another folder for the table.")
            for entry in entries:
                fault = fault_of(source, entry)
                if fault is not None:
                    raise TableError(fault)
                target.write(entry["file"], source.read(entry["file"]))
            target.write(MANIFEST, source.read(MANIFEST))
        return Table(target.place, self.game)

    def __repr__(self) -> str:
        if self._private is None:
            return f"Table({self.place!r})"
        return f"<Table of {self.game!r}, {len(self):,} positions, in a temporary folder>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        rows = [
            ("game", repr(self.game)),
            ("positions", f"{len(self):,}, of which {self.manifest['stored']:,} are stored"),
            ("place", "a temporary folder" if self._private is not None else self.place),
        ]
        entry = self.get(self.game.initial)
        if entry is not None:
            plies = "play need never end" if entry.remoteness is None else f"{entry.remoteness} plies to the end"
            rows.insert(1, ("value", f"{entry.value}, {plies}"))
        cells = "".join(f"<tr><th>{name}</th><td>{html.escape(text)}</td></tr>" for name, text in rows)
        return f"<table>{cells}</table>"

    def to_arrow(self) -> Any:
        """Every position as a row of an Arrow table, those that are the same by symmetry one by one.

        The columns are those of `zermelo export`: ``position`` (text in the game's notation, or a list of the state's
        ints), ``key``, ``tier``, ``value``, ``remoteness`` (null where play need never end). Positions go through the
        rules one by one, about 50,000 a second.
        """
        from zermelo.solver.table.export import to_arrow

        return to_arrow(self)

    def to_polars(self) -> Any:
        """The rows of `to_arrow` as a data frame of Polars; TableError where it is not installed."""
        from zermelo.solver.table.export import to_polars

        return to_polars(self)

    def to_pandas(self) -> Any:
        """The rows of `to_arrow` as a data frame of pandas, whose whole numbers may be missing; as `to_polars`."""
        from zermelo.solver.table.export import to_pandas

        return to_pandas(self)

    def __len__(self) -> int:
        """Positions, symmetric ones counted."""
        return int(self.manifest["positions"])

    def __contains__(self, state: State) -> bool:
        return self.get(state) is not None

    def __getitem__(self, state: State) -> Entry:
        """What is known of a position.

        Raises
        ------
        KeyError
            The table does not hold it.
        """
        entry = self.get(state)
        if entry is None:
            raise KeyError(state)
        return entry

    def get(self, state: State) -> Entry | None:
        """What is known of a position; None where the table does not hold it."""
        key = self.stored_key(state)
        if key < 0:
            return None
        tiers = [self._rules.tier(state)] if self._tiered else list(self._shards)
        for tier in tiers:
            shards = self._shards.get(tier, [[]])
            for file in shards[shard_of(key, len(shards)) if len(shards) > 1 else 0]:
                if file.first <= key <= file.last:
                    known, words = self._block(file, file.block_of(key))
                    place = int(np.searchsorted(known, key))
                    if place < len(known) and known[place] == key:
                        return self._entry(words[place])
        return None

    def stored_key(self, state: State) -> int:
        """The key that a position is stored under; negative where it can have none."""
        keys = [self._codec.key(state)]
        if self._fold:
            keys += [self._codec.key(other) for other in self._rules.symmetries(state)]
        return min(keys)

    def moves(self, state: State) -> list[Move]:
        """Every legal move with the value and remoteness of the position after it, best for the player to move first.

        Raises
        ------
        KeyError
            The table does not hold a position that a move leads to.
        """
        found = []
        for action in self.game.legal_actions(state):
            entry = self[self.game.result(state, action)]
            found.append(Move(action, entry.value, entry.remoteness))
        sign = self.game.to_move(state)
        return sorted(found, key=lambda move: preference_of(move.value, move.remoteness, sign), reverse=True)

    def best_actions(self, state: State) -> list[Action]:
        """Every action that keeps the value of a position, in the order of the rules."""
        values = {move.action: move.value for move in self.moves(state)}
        best = (max if self.game.to_move(state) == MAX else min)(values.values())
        return [action for action in self.game.legal_actions(state) if values[action] == best]

    def action(self, state: State) -> Action:
        """Of the best actions the one that the remoteness rule picks: quick where it is good, slow where it is bad."""
        return self.moves(state)[0].action

    def line(self, state: State, most: int = 1000) -> list[Action]:
        """Best play from a position to the end, or to where it comes back."""
        played: list[Action] = []
        seen = set()
        while not self.game.is_terminal(state) and len(played) < most and state not in seen:
            seen.add(state)
            played.append(self.action(state))
            state = self.game.result(state, played[-1])
        return played

    def values(self, states: Any) -> Any:
        """The values of many positions.

        Parameters
        ----------
        states
            States, or an array with a row of ints for each.

        Returns
        -------
        numpy.ndarray
            int64, one for each.

        Raises
        ------
        KeyError
            The table does not hold one of them.
        """
        return values_of(self._known_words(states), self.game.utility_range)

    def remoteness(self, states: Any) -> Any:
        """The remoteness of many positions, -1 where there is none; otherwise as `values`."""
        return plies_of(self._known_words(states), self.game.utility_range)

    def words(self, states: Any) -> Any:
        """The outcome words of many positions, negative where absent; see `zermelo.solver.model.outcome_codes`."""
        return self.known(*self._names(states))

    def _names(self, states: Any) -> tuple[Any, Any]:
        """The keys and tiers of many positions."""
        rows = states if isinstance(states, np.ndarray) else np.array([flatten(state) for state in states])
        keys, tiers = np.empty(len(rows), dtype=np.int64), np.empty(len(rows), dtype=np.int64)
        if len(rows):
            with explained(self._rules):
                write_keys(self._rules, self._codec.layout, rows, self._fold, keys, tiers)
        return keys, tiers

    def known(self, keys: Any, tiers: Any) -> Any:
        """The outcome words of keys of these tiers, negative where the table holds none."""
        words = np.full(len(keys), ABSENT, dtype=np.int32)
        there = np.flatnonzero(keys >= 0)
        for tier, shards in self._shards.items():
            left = there[words[there] < 0]
            if self._tiered:
                left = left[tiers[left] == tier]
            for shard, _, places in split(keys[left], len(shards)):
                for file in shards[shard]:
                    chosen = left[places]
                    chosen = chosen[(keys[chosen] >= file.first) & (keys[chosen] <= file.last)]
                    if len(chosen):
                        self._read_words(file, keys, chosen, words)
        return words

    def census(self) -> list[dict[str, Any]]:
        """For each tier: its number, positions, and rows of value, remoteness and how many positions have them."""
        return [
            {"tier": tier["tier"], "positions": tier["positions"], "outcomes": tier["outcomes"]}
            for tier in self.manifest["tiers"]
        ]

    def arrays(self, memory: int) -> Arrays:
        """As many tiers as ``memory`` bytes hold, the first ones first, for searches to look states up in."""
        keys, outcomes = [], []
        held = 0
        for tier in self.manifest["tiers"]:
            held += _PROBED_BYTES * tier["stored"]
            if held > memory:
                break
            for some, words in self.blocks(tier["tier"]):
                plies = plies_of(words, self.game.utility_range)
                plies[(plies < 0) | (plies >= ENDLESS)] = ENDLESS
                keys.append(some)
                outcomes.append(values_of(words, self.game.utility_range) * PLIES + plies)
        joined = np.concatenate([np.empty(0, dtype=np.int64), *keys])
        order = np.argsort(joined, kind="stable")
        known = with_heads(joined[order])
        found = np.concatenate([np.empty(0, dtype=np.int64), *outcomes])[order]
        return Arrays(self._codec.layout, self._fold, known.keys, known.heads, known.shift, found)

    def blocks(self, tier: int) -> Iterator[tuple[Any, Any]]:
        """Keys and outcome words of a tier, a block at a time."""
        for file in self._files[tier]:
            yield from file.blocks(self.game.utility_range)

    def picked(self, tier: int, places: Any) -> tuple[Any, Any]:
        """Keys and outcome words of the positions with these numbers, ascending, among those of a tier."""
        keys, words, start = [], [], 0
        for file in self._files[tier]:
            bounds = start + file.footer.starts
            blocks = np.searchsorted(bounds, places, side="right") - 1
            for number in np.unique(blocks[(blocks >= 0) & (blocks < len(bounds) - 1)]):
                chosen = places[blocks == number] - bounds[number]
                some_keys, some_words = file.read(int(number), self.game.utility_range)
                keys.append(some_keys[chosen])
                words.append(some_words[chosen])
            start = bounds[-1]
        return np.concatenate(keys), np.concatenate(words)

    @property
    def naming(self) -> tuple[CompiledGame, Any, bool]:
        """How positions get their keys: the compiled rules, the codec's layout, whether symmetric ones are one."""
        return self._rules, self._codec.layout, self._fold

    def key(self, state: State) -> int:
        """The key of a state itself, whether or not it is stored under that of a symmetric one."""
        return self._codec.key(state)

    def state(self, key: int) -> State:
        """The state that is stored under a key."""
        return self._codec.state(key)

    def _known_words(self, states: Any) -> Any:
        words = self.words(states)
        if (words < 0).any():
            raise KeyError(f"{int((words < 0).sum())} of {len(words)} positions are not in the table {self.place}")
        return words

    def _read_words(self, file: TableFile, keys: Any, places: Any, words: Any) -> None:
        """Find keys in a file: block by block, or in all of it where many blocks are wanted."""
        places = places[np.argsort(keys[places], kind="stable")]
        blocks = np.searchsorted(file.footer.firsts, keys[places], side="right") - 1
        if len(np.unique(blocks)) > len(file) // _MANY:
            some = words[places]
            known, outcomes = file.read_all(self.game.utility_range)
            look_up(with_heads(known), outcomes, keys[places], some)
            words[places] = some
            return
        for number in np.unique(blocks):
            wanted = places[blocks == number]
            known, outcomes = self._block(file, int(number))
            some = words[wanted]
            look_up(with_heads(known), outcomes, keys[wanted], some)
            words[wanted] = some

    def _block(self, file: TableFile, number: int) -> tuple[Any, Any]:
        name = (file.name, number)
        if name not in self._blocks:
            self._blocks[name] = file.read(number, self.game.utility_range)
            if len(self._blocks) > _BLOCKS:
                self._blocks.popitem(last=False)
        self._blocks.move_to_end(name)
        return self._blocks[name]

    def _entry(self, word: Any) -> Entry:
        words = np.array([word])
        plies = int(plies_of(words, self.game.utility_range)[0])
        return Entry(int(values_of(words, self.game.utility_range)[0]), None if plies < 0 else plies)
