"""A table as rows for other programs: a Parquet file, an Arrow table, or a data frame of Polars or pandas."""

import errno
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from zermelo.compiled.codec import leaves_of
from zermelo.errors import TableError
from zermelo.files import whole
from zermelo.game import State
from zermelo.solver.model.outcome_codes import plies_of, values_of

if TYPE_CHECKING:
    from zermelo.solver.table.table import Table

ROWS: Final = 1 << 17
"""Rows in a row group of the file."""


def export(table: "Table", file: Path, progress: Callable[[int], None] = lambda done: None) -> int:
    """Write every position of a table, including symmetric ones, to one Parquet file.

    The columns are those of `schema_of`. Since the rules are called for each position, this takes a second for about
    50,000 rows.

    Parameters
    ----------
    file
        Where to write; an existing file is replaced, and only once the new one is complete.
    progress
        Called with the number of rows written since its last call.

    Returns
    -------
    int
        The number of rows.

    Raises
    ------
    OSError
        The file cannot be written, or is a device or a pipe.
    TableError
        A file of the table is damaged.
    """
    schema = schema_of(table)
    written = 0
    if file.exists() and not file.is_file():
        raise OSError(errno.EINVAL, "it is not a regular file", str(file))
    with whole(file) as sink, pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        for rows in _batches(table, schema):
            writer.write_table(rows, row_group_size=ROWS)
            written += rows.num_rows
            progress(rows.num_rows)
    return written


def to_arrow(table: "Table") -> pa.Table:
    """Return the rows of `export` as an Arrow table in memory."""
    schema = schema_of(table)
    return pa.concat_tables([schema.empty_table(), *_batches(table, schema)])


def to_polars(table: "Table") -> Any:  # polars.DataFrame, of an optional package
    """Return the rows of `export` as a Polars data frame.

    Raises
    ------
    TableError
        Polars is not installed.
    """
    return _imported("polars").from_arrow(to_arrow(table))


def to_pandas(table: "Table") -> Any:  # pandas.DataFrame, of an optional package
    """Return the rows of `export` as a pandas data frame, with the nullable types ``Int32`` and ``Int64``.

    Raises
    ------
    TableError
        pandas is not installed.
    """
    pandas = _imported("pandas")
    whole_numbers = {pa.int32(): pandas.Int32Dtype(), pa.int64(): pandas.Int64Dtype()}
    return to_arrow(table).to_pandas(types_mapper=whole_numbers.get)


def _imported(name: str) -> ModuleType:
    """Import an optional package, or raise `TableError`."""
    try:
        return import_module(name)
    except ImportError:
        raise TableError(f"{name} is not installed; pip install {name}, or use to_arrow().") from None


def schema_of(table: "Table") -> pa.Schema:
    """Return the columns: position, key, tier, value, remoteness.

    A position is text in the game's notation, or a list of the ints of its state if the game has no notation.
    """
    has_text = table.game.to_text is not None
    return pa.schema(
        [
            pa.field("position", pa.string() if has_text else pa.list_(pa.int64()), nullable=False),
            pa.field("key", pa.int64(), nullable=False),
            pa.field("tier", pa.int32(), nullable=False),
            pa.field("value", pa.int32(), nullable=False),
            pa.field("remoteness", pa.int32()),
        ]
    )


def _batches(table: "Table", schema: pa.Schema) -> Iterator[pa.Table]:
    """Yield the rows of a table, about `ROWS` at a time."""
    game = table.game
    columns: list[list[str | tuple[int, ...] | int | None]] = [[] for _ in schema]
    for tier in table.manifest["tiers"]:
        number = int(tier["tier"])
        for keys, codes in table.row_groups(number):
            values = values_of(codes, game.utility_range).tolist()
            plies = plies_of(codes, game.utility_range).tolist()
            for key, value, remoteness in zip(keys.tolist(), values, plies, strict=True):
                for state, own_key in orbit(table, key):
                    text = game.to_text(state) if game.to_text is not None else leaves_of(state)
                    row = (text, own_key, number, value, None if remoteness < 0 else remoteness)
                    for column, cell in zip(columns, row, strict=True):
                        column.append(cell)
            if len(columns[0]) >= ROWS:
                yield pa.table(columns, schema=schema)
                columns = [[] for _ in schema]
    if columns[0]:
        yield pa.table(columns, schema=schema)


def orbit(table: "Table", key: int) -> Iterator[tuple[State, int]]:
    """Yield the position stored under a key and the symmetric ones that it stands for, each with its own key."""
    state = table.state(key)
    yield state, key
    if table.manifest["fold"]:
        seen = {key}
        for other in table.game.symmetries(state) if table.game.symmetries is not None else ():
            own_key = table.key(other)
            if own_key not in seen:
                seen.add(own_key)
                yield other, own_key
