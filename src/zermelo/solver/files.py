"""One file of a solved table: keys in ascending order, and the value and remoteness of each, as Parquet.

Keys are stored as differences, values and remoteness as numbers into a dictionary, all compressed in row groups that
are read one at a time. Sizes and times of other forms are in ``docs/performance.md``.
"""

import hashlib
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from zermelo.errors import TableError
from zermelo.files import write_whole
from zermelo.solver.outcomes import shift_of

BLOCK: Final = 1 << 14
"""Positions in a row group: what a probe decodes."""


def write_file(path: Path, keys: Any, words: Any, utility_range: tuple[int, int]) -> dict[str, Any]:
    """Write a file, whole or not at all; returns its entry in the manifest."""
    content = file_content(keys, words, utility_range)
    write_whole(path, content)
    return entry_of(path.name, keys, content)


def file_content(keys: Any, words: Any, utility_range: tuple[int, int]) -> Any:
    """What stands in a file, as a buffer of Arrow's."""
    shift, low = shift_of(utility_range), np.int32(utility_range[0])
    none = np.int32((1 << shift) - 1)
    plies = words & none
    # As `zermelo.solver.outcomes` reads words, in 32 bits: a tenth of the time of writing.
    table = pa.table(
        {
            "key": pa.array(keys, type=pa.int64()),
            "value": pa.array((words >> shift) + low),
            "remoteness": pa.array(plies, mask=plies == none),
        }
    )
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        row_group_size=BLOCK,
        compression="zstd",
        use_dictionary=["value", "remoteness"],
        column_encoding={"key": "DELTA_BINARY_PACKED"},
        write_statistics=["key"],
        store_schema=False,
    )
    return sink.getvalue()


def entry_of(name: str, keys: Any, content: Any) -> dict[str, Any]:
    """A file's entry in the manifest."""
    return {
        "file": name,
        "positions": len(keys),
        "first": int(keys[0]),
        "last": int(keys[-1]),
        "bytes": content.size,
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def release_unused() -> None:
    """Give the memory back that Arrow keeps for later."""
    pa.default_memory_pool().release_unused()


def words_of(table: Any, utility_range: tuple[int, int]) -> tuple[Any, Any]:
    """Keys and outcome words of rows that were read."""
    shift = shift_of(utility_range)
    keys = table.column("key").to_numpy()
    values = table.column("value").to_numpy().astype(np.int64) - utility_range[0]
    plies = table.column("remoteness").fill_null((1 << shift) - 1).to_numpy()
    return keys, (values << shift | plies).astype(np.int32)


def open_file(path: Path) -> Any:
    """A file to read row groups from.

    Raises
    ------
    TableError
        It is missing or damaged; the message names it.
    """
    return opened(path, str(path))


def opened(source: Any, name: str) -> Any:
    """The same for a path or an open file; ``name`` is what to call it."""
    try:
        return pq.ParquetFile(source, memory_map=False)
    except (OSError, pa.ArrowException) as error:
        raise TableError(f"The file {name} of the table cannot be read: {_first_line(error)}.") from None


def read_file(path: Path, utility_range: tuple[int, int]) -> tuple[Any, Any]:
    """All keys and outcome words of a file; errors as `open_file`."""
    try:
        return words_of(open_file(path).read(use_threads=False), utility_range)
    except (OSError, pa.ArrowException) as error:
        raise TableError(f"The file {path} of the table cannot be read: {_first_line(error)}.") from None


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__
