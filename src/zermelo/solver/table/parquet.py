"""Writing one file of a table: keys in ascending order with the value and remoteness of each, as Parquet.

Keys are stored as differences, and values and remoteness as indices into a dictionary. All are compressed in row
groups, which are read one at a time. ``docs/explanation/design.md`` compares the size and speed of other formats.

The manifest has a checksum of each row group and of the footer, which says where the row groups lie. So a reader can
check a row group without reading the rest of the file; see `zermelo.solver.table.reading`.
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
from numpy.typing import NDArray

from zermelo.files import write_whole
from zermelo.solver.model.outcome_codes import endless_plies, offsets_in, raw_plies_in, shift_of
from zermelo.solver.table.stores import Content

ROW_GROUP: Final = 1 << 14
"""Positions in a row group, the unit that a look-up decodes."""
TAIL: Final = 8
"""Bytes at the end of a Parquet file, after the footer: the length of the footer, and the mark ``PAR1``."""


def write_file(
    path: Path, keys: NDArray[np.int64], codes: NDArray[np.int32], utility_range: tuple[int, int]
) -> dict[str, Any]:
    """Write a file of a table, completely or not at all; return its entry for the manifest.

    Parameters
    ----------
    keys, codes
        Shape (n,): the keys in ascending order, and their outcome codes.
    """
    content = file_content(keys, codes, utility_range)
    write_whole(path, content)
    return entry_of(path.name, keys, content)


def file_content(keys: NDArray[np.int64], codes: NDArray[np.int32], utility_range: tuple[int, int]) -> pa.Buffer:
    """Return the bytes of a file; see `write_file` for the parameters."""
    shift = shift_of(utility_range)
    # 32 bits instead of the 64 of `values_of` and `plies_of` save a tenth of the time of writing.
    values = offsets_in(codes, shift) + np.int32(utility_range[0])
    plies = raw_plies_in(codes, shift)
    table = pa.table(
        {
            "key": pa.array(keys, type=pa.int64()),
            "value": pa.array(values),
            "remoteness": pa.array(plies, mask=plies == endless_plies(shift)),
        }
    )
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        row_group_size=ROW_GROUP,
        compression="zstd",
        use_dictionary=["value", "remoteness"],
        column_encoding={"key": "DELTA_BINARY_PACKED"},
        write_statistics=["key"],
        store_schema=False,
    )
    return sink.getvalue()


def entry_of(name: str, keys: NDArray[np.int64], content: pa.Buffer) -> dict[str, Any]:
    """Return a file's entry for the manifest, given its name, keys and content."""
    return {
        "file": name,
        "positions": len(keys),
        "first": int(keys[0]),
        "last": int(keys[-1]),
        "bytes": content.size,
        "sha256": hashlib.sha256(content).hexdigest(),
        "crc32": sums_of(content, bounds_of(pq.read_metadata(pa.BufferReader(content)), content.size)),
    }


def bounds_of(metadata: pq.FileMetaData, size: int) -> list[int]:
    """Return the places, in bytes, where each row group and the footer begin, and where the file ends.

    The first row group begins at 0, which includes the mark at the start of the file.
    """
    columns = (metadata.row_group(number).column(0) for number in range(1, metadata.num_row_groups))
    starts = [column.dictionary_page_offset or column.data_page_offset for column in columns]
    return [0, *starts, size - TAIL - metadata.serialized_size, size]


def sums_of(content: Content, bounds: Sequence[int]) -> str:
    """Return the CRC-32 of each piece between two bounds, eight hexadecimal digits each, one after the other."""
    view = memoryview(content)
    return "".join(sum_of_piece(view[begin:end]) for begin, end in pairwise(bounds))


def sum_of_piece(piece: Content) -> str:
    """Return the CRC-32 of a piece of a file as eight hexadecimal digits."""
    return f"{zlib.crc32(piece):08x}"


def release_unused() -> None:
    """Return the memory to the system that Arrow keeps for later use."""
    pa.default_memory_pool().release_unused()
