"""All positions of a table in one Parquet file, for DuckDB, Polars, pandas."""

import errno
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from zermelo.compiled.codec import leaves_of
from zermelo.errors import TableError
from zermelo.files import whole
from zermelo.game import State
from zermelo.solver.model.outcome_codes import plies_of, values_of
from zermelo.solver.table.table import Table

ROWS: Final = 1 << 17
"""In a row group."""


def export(table: Table, file: Path, progress: Callable[[int], None] = lambda done: None) -> int:
    """Write every position that a table answers for, symmetric ones too, to one Parquet file; whole or not at all.

    The columns are those of `schema_of`. Positions go through the rules one by one: about 50,000 a second.

    Parameters
    ----------
    file
        Replaced where it exists.
    progress
        Told how many rows were written since it was last told.

    Returns
    -------
    int
        How many rows.

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
        raise OSError(errno.EINVAL, "it is no regular file", str(file))
    with whole(file) as sink, pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        for rows in _batches(table, schema):
            writer.write_table(rows, row_group_size=ROWS)
            written += rows.num_rows
            progress(rows.num_rows)
    return written


def to_arrow(table: Table) -> Any:
    """The same rows as a table of Arrow in memory."""
    schema = schema_of(table)
    return pa.concat_tables([schema.empty_table(), *_batches(table, schema)])


def to_polars(table: Table) -> Any:
    """The same rows as a data frame of Polars.

    Raises
    ------
    TableError
        Polars is not installed.
    """
    return _imported("polars").from_arrow(to_arrow(table))


def to_pandas(table: Table) -> Any:
    """The same rows as a data frame of pandas; its whole numbers may be missing, as `Int32` and `Int64` may.

    Raises
    ------
    TableError
        pandas is not installed.
    """
    pandas = _imported("pandas")
    whole_numbers = {pa.int32(): pandas.Int32Dtype(), pa.int64(): pandas.Int64Dtype()}
    return to_arrow(table).to_pandas(types_mapper=whole_numbers.get)


def _imported(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise TableError(f"{name} is not installed; pip install {name}, or take to_arrow().") from None


def schema_of(table: Table) -> Any:
    """``position`` (the game's notation; the ints of the state where it has none), key, tier, value, remoteness."""
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


def _batches(table: Table, schema: Any) -> Iterator[Any]:
    game = table.game
    columns: list[list[Any]] = [[] for _ in schema]
    for tier in table.manifest["tiers"]:
        number = int(tier["tier"])
        for keys, words in table.blocks(number):
            values = values_of(words, game.utility_range).tolist()
            plies = plies_of(words, game.utility_range).tolist()
            for key, value, remoteness in zip(keys.tolist(), values, plies, strict=True):
                for state, own_key in alike(table, key):
                    text = game.to_text(state) if game.to_text is not None else leaves_of(state)
                    row = (text, own_key, number, value, None if remoteness < 0 else remoteness)
                    for column, cell in zip(columns, row, strict=True):
                        column.append(cell)
            if len(columns[0]) >= ROWS:
                yield pa.table(columns, schema=schema)
                columns = [[] for _ in schema]
    if columns[0]:
        yield pa.table(columns, schema=schema)


def alike(table: Table, key: int) -> Iterator[tuple[State, int]]:
    """The position stored under a key and those that it stands for, each once, with their own keys."""
    state = table.state(key)
    yield state, key
    if table.manifest["fold"]:
        seen = {key}
        for other in table.game.symmetries(state) if table.game.symmetries is not None else ():
            own_key = table.key(other)
            if own_key not in seen:
                seen.add(own_key)
                yield other, own_key
