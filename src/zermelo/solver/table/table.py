"""`Table`, a solved game: it answers with values, remoteness and best moves.

A table is a manifest and Parquet files, in a folder or at a URL. A question about one position reads one row group
of one file.
"""

import html
import shutil
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from zermelo.compiled.codec import Codec
from zermelo.compiled.explain import explained
from zermelo.compiled.game import CompiledGame, compiled
from zermelo.compiled.table_probe import ENDLESS, PLIES, Arrays
from zermelo.errors import TableError
from zermelo.game import MAX, Action, Game, State
from zermelo.solver.kernels.lookup import with_heads
from zermelo.solver.model.expand import write_keys
from zermelo.solver.model.outcome_codes import plies_of, preference_of, remoteness_of, value_of, values_of
from zermelo.solver.model.states import States
from zermelo.solver.table.code_lookup import CodeLookup
from zermelo.solver.table.manifest import MANIFEST, check_identity, game_of, read_manifest
from zermelo.solver.table.reading import Entries, fault_of
from zermelo.solver.table.stores import place_errors, store_at

_PROBED_BYTES: Final = 32
"""Bytes of memory for each position that searches can look up, while the positions are sorted."""


@dataclass(frozen=True)
class Entry:
    """The outcome of a position."""

    value: int
    """From MAX's point of view."""
    remoteness: int | None
    """Plies to the end; None if play at that value need never end."""


class Move(NamedTuple):
    """A move, with the outcome of the position that it leads to."""

    action: Action
    value: int
    remoteness: int | None


class Table:
    """A solved game on disk.

    Parameters
    ----------
    place
        The folder or URL where `zermelo.solve` or `zermelo.cluster.solve.solve_on_cluster` wrote the table.
    game
        The game; not needed for a registered game, which the manifest names.

    Raises
    ------
    TableError
        There is no table, it cannot be reached, it is damaged, or it is a table of other rules. Methods raise it, too,
        if they find a file damaged.
    """

    def __init__(self, place: Path | str, game: Game | None = None) -> None:
        self.place = str(place)
        self.manifest = read_manifest(place)
        self.game = game_of(self.manifest, self.place) if game is None else game
        check_identity(self.manifest["identity"], self.game, self.place)
        self._rules = compiled(self.game)
        self._codec = Codec.read(self._rules, self.manifest["columns"])
        self._fold = bool(self.manifest["fold"])
        self.lookup = CodeLookup(
            store_at(self.place),
            self.manifest["tiers"],
            self.game.utility_range,
            tiered=self.game.tier is not None,
        )
        """Finds outcome codes by keys."""
        self._private: weakref.finalize[..., Table] | None = None

    def delete_when_unused(self, folder: Path) -> None:
        """Delete the table's folder when the table is closed or no longer referenced."""
        self._private = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    def close(self) -> None:
        """Delete the table if it lies in a temporary folder; keep any other as it is."""
        if self._private is not None:
            self._private()

    def __enter__(self) -> "Table":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def save(self, folder: Path | str) -> "Table":
        """Copy the table to another folder or URL, and open it there.

        Raises
        ------
        TableError
            The folder is not empty or cannot be written to, or a file of the table is damaged.
        """
        source, target = store_at(self.place), store_at(str(folder))
        entries = [entry for tier in self.manifest["tiers"] for entry in tier["files"]]
        with place_errors(target.place):
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
        """Return the table's game, size, value and place as HTML, for a notebook."""
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

    def to_arrow(self) -> pa.Table:
        """Return an Arrow table with a row for every position; symmetric positions have a row each.

        The columns are those of `zermelo export`: ``position`` (text in the game's notation, or a list of the state's
        ints), ``key``, ``tier``, ``value``, ``remoteness`` (null if play need never end). Since the rules are called
        for each position, this takes a second for about 50,000 rows.
        """
        from zermelo.solver.table.export import to_arrow

        return to_arrow(self)

    def to_polars(self) -> Any:  # polars.DataFrame, of an optional package
        """Return the rows of `to_arrow` as a Polars data frame.

        Raises
        ------
        TableError
            Polars is not installed.
        """
        from zermelo.solver.table.export import to_polars

        return to_polars(self)

    def to_pandas(self) -> Any:  # pandas.DataFrame, of an optional package
        """Return the rows of `to_arrow` as a pandas data frame, with the nullable types ``Int32`` and ``Int64``.

        Raises
        ------
        TableError
            pandas is not installed.
        """
        from zermelo.solver.table.export import to_pandas

        return to_pandas(self)

    def __len__(self) -> int:
        """Return the number of positions, symmetric ones included."""
        return int(self.manifest["positions"])

    def __contains__(self, state: State) -> bool:
        return self.get(state) is not None

    def __getitem__(self, state: State) -> Entry:
        """Return the outcome of a position.

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
        """Return the outcome of a position; None if the table does not hold it.

        A table may hold the state without its counters. Then a win or loss holds only if it comes before a counter can
        end the game.
        """
        entry = self._stored(state)
        if entry is not None or self.game.position is None:
            return entry
        if self.game.is_terminal(state):
            return Entry(self.game.utility(state), 0)
        entry = self._stored(self.game.position(state))
        if entry is None or entry.value == self.game.endless_value or entry.remoteness is None:
            return entry
        return entry if entry.remoteness <= self._rules.plies_left(state) else None

    def _stored(self, state: State) -> Entry | None:
        """Return the outcome of a state that the table itself holds."""
        key = self.stored_key(state)
        code = -1 if key < 0 else self.lookup.code(key, self._rules.tier(state))
        if code < 0:
            return None
        return Entry(value_of(code, self.game.utility_range), remoteness_of(code, self.game.utility_range))

    def stored_key(self, state: State) -> int:
        """Return the key that a position is stored under; a negative number if it cannot be in the table."""
        keys = [self._codec.key(state)]
        if self._fold:
            keys += [self._codec.key(other) for other in self._rules.symmetries(state)]
        return min(keys)

    def moves(self, state: State) -> list[Move]:
        """Return every legal move with the outcome of the position after it, the best move first.

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
        """Return every action that keeps the value of a position, in the order of the rules."""
        values = {move.action: move.value for move in self.moves(state)}
        best = (max if self.game.to_move(state) == MAX else min)(values.values())
        return [action for action in self.game.legal_actions(state) if values[action] == best]

    def action(self, state: State) -> Action:
        """Return the best action with the best remoteness: the quickest, or the slowest if the player loses."""
        return self.moves(state)[0].action

    def line(self, state: State, most: int = 1000) -> list[Action]:
        """Return best play from a position to the end, to a position that comes back, or for ``most`` plies."""
        played: list[Action] = []
        seen = set()
        while not self.game.is_terminal(state) and len(played) < most and state not in seen:
            seen.add(state)
            played.append(self.action(state))
            state = self.game.result(state, played[-1])
        return played

    def values(self, states: Sequence[State] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the values of many positions.

        Parameters
        ----------
        states
            A sequence of ``n`` states, an array of shape (n, ints of a state), or one of shape (n,) with what ``pack``
            of the game gives for each.

        Returns
        -------
        numpy.ndarray
            Shape (n,), int64.

        Raises
        ------
        KeyError
            The table does not hold one of them.
        """
        return values_of(self._codes(states), self.game.utility_range)

    def remoteness(self, states: Sequence[State] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the remoteness of many positions in plies, -1 if play need never end; see `values` for the rest."""
        return plies_of(self._codes(states), self.game.utility_range)

    def _codes(self, states: Sequence[State] | NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the outcome codes of many positions; see `values`."""
        codes = np.empty(len(states), dtype=np.int32)
        done = 0
        blocks = States(self._rules, states).blocks(self._codec.layout) if len(states) else iter(())
        for rows in blocks:
            keys, tiers = np.empty(len(rows), dtype=np.int64), np.empty(len(rows), dtype=np.int64)
            with explained(self._rules):
                write_keys(self._rules, self._codec.layout, rows, self._fold, keys, tiers)
            codes[done : done + len(rows)] = self.lookup.codes(keys, tiers)
            done += len(rows)
        absent = int((codes < 0).sum())
        if absent:
            raise KeyError(f"{absent} of {len(codes)} positions are not in the table {self.place}")
        return codes

    def census(self) -> list[dict[str, Any]]:
        """Return for each tier its number, its positions, and rows of value, remoteness and number of positions."""
        return [
            {"tier": tier["tier"], "positions": tier["positions"], "outcomes": tier["outcomes"]}
            for tier in self.manifest["tiers"]
        ]

    def arrays(self, memory: int) -> Arrays:
        """Return the first tiers, as many as fit into ``memory`` bytes, for searches to look states up in."""
        keys, outcomes = [], []
        held = 0
        for tier in self.manifest["tiers"]:
            held += _PROBED_BYTES * tier["stored"]
            if held > memory:
                break
            for some_keys, codes in self.row_groups(tier["tier"]):
                plies = plies_of(codes, self.game.utility_range)
                plies[(plies < 0) | (plies >= ENDLESS)] = ENDLESS
                keys.append(some_keys)
                outcomes.append(values_of(codes, self.game.utility_range) * PLIES + plies)
        joined = np.concatenate([np.empty(0, dtype=np.int64), *keys])
        order = np.argsort(joined, kind="stable")
        known = with_heads(joined[order])
        found = np.concatenate([np.empty(0, dtype=np.int64), *outcomes])[order]
        return Arrays(self._codec.layout, self._fold, known.keys, known.heads, known.shift, found)

    def row_groups(self, tier: int) -> Iterator[Entries]:
        """Yield the keys and outcome codes of a tier, a row group at a time."""
        return self.lookup.row_groups(tier)

    @property
    def key_makers(self) -> tuple[CompiledGame, NDArray[np.int64], bool]:
        """What kernels need to make keys: the compiled rules, the codec's layout, whether symmetric ones are folded."""
        return self._rules, self._codec.layout, self._fold

    def key(self, state: State) -> int:
        """Return the key of the state itself, even if the table stores it under that of a symmetric one."""
        return self._codec.key(state)

    def state(self, key: int) -> State:
        """Return the state that a key stands for."""
        return self._codec.state(key)
