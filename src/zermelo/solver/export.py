"""All positions of a table in one Parquet file, for DuckDB, Polars, pandas."""

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from zermelo.compiled.codec import leaves_of
from zermelo.game import State
from zermelo.solver.outcomes import remoteness_in, values_in
from zermelo.solver.table import Table

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
        The file cannot be written.
    TableError
        A file of the table is damaged.
    """
    schema = schema_of(table)
    written = 0
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as sink:
            with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
                for rows in _batches(table, schema):
                    writer.write_table(rows, row_group_size=ROWS)
                    written += rows.num_rows
                    progress(rows.num_rows)
            sink.flush()
            os.fsync(sink.fileno())
        temporary.chmod(0o644)
        temporary.replace(file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return written


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
            values = values_in(words, game.utility_range).tolist()
            plies = remoteness_in(words, game.utility_range).tolist()
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
