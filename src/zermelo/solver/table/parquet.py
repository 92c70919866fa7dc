"""One file of a solved table: keys in ascending order, and the value and remoteness of each, as Parquet.

Keys are stored as differences, values and remoteness as numbers into a dictionary, all compressed in row groups that
are read one at a time. Sizes and times of other forms are in ``docs/performance.md``.

The manifest has a checksum of each row group and of the footer, which says where they lie; so whoever reads a row group
can tell whether it is what was written. See `zermelo.solver.table.reading`.
"""

import hashlib
import zlib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from zermelo.files import write_whole
from zermelo.solver.model.outcome_codes import shift_of

BLOCK: Final = 1 << 14
"""Positions in a row group: what a probe decodes."""
TAIL: Final = 8
"""Bytes at the end of a Parquet file, after the footer: its length, and a mark."""


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
    # As `zermelo.solver.model.outcome_codes` reads words, in 32 bits: a tenth of the time of writing.
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
        "crc32": sums_of(content, bounds_of(pq.read_metadata(pa.BufferReader(content)), content.size)),
    }


def bounds_of(metadata: Any, size: int) -> list[int]:
    """Where the row groups of a file begin, where its footer does, and where it ends; the first one begins at 0."""
    columns = (metadata.row_group(number).column(0) for number in range(1, metadata.num_row_groups))
    starts = [column.dictionary_page_offset or column.data_page_offset for column in columns]
    return [0, *starts, size - TAIL - metadata.serialized_size, size]


def sums_of(content: Any, bounds: Sequence[int]) -> str:
    """CRC-32 of each piece between bounds, as eight hexadecimal digits, one after the other."""
    view = memoryview(content)
    return "".join(sum_of_piece(view[begin:end]) for begin, end in pairwise(bounds))


def sum_of_piece(piece: Any) -> str:
    """CRC-32 as eight hexadecimal digits."""
    return f"{zlib.crc32(piece):08x}"


def release_unused() -> None:
    """Give the memory back that Arrow keeps for later."""
    pa.default_memory_pool().release_unused()
