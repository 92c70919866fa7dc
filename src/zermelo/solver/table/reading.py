"""Reading one file of a table, a row group at a time, with checks of all that is read.

The manifest, which has its own checksum, has one for each row group of a file and one for the footer, which says where
the row groups lie. So reading a row group detects flipped bits, a truncated file, or another file in its place, without
reading the rest of the file. Tables of the first format have no such checksums: their files are read completely and
compared with their SHA-256 before first use.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from zermelo.errors import TableError
from zermelo.solver.model.outcome_codes import endless_plies, joined, shift_of
from zermelo.solver.table.parquet import TAIL, bounds_of, sum_of_piece, sums_of
from zermelo.solver.table.stores import Content, Store, place_errors

_END: Final = 1 << 16
"""Bytes that are read from the end of a file at once; most footers are shorter."""
_DIGITS: Final = 8
"""Hexadecimal digits of a checksum."""
Entries: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int32]]
"""Keys in ascending order and the outcome code of each, both of shape (n,)."""


@dataclass(frozen=True)
class Footer:
    """The footer of a file, checked."""

    metadata: pq.FileMetaData
    bounds: list[int]
    """The places, in bytes, where each row group and the footer begin, and where the file ends."""
    sums: str
    """The checksums of the row groups and of the footer, as `zermelo.solver.table.parquet.sums_of` writes them."""

    @cached_property
    def firsts(self) -> NDArray[np.int64]:
        """The first key of each row group; shape (row groups,)."""
        groups = range(self.metadata.num_row_groups)
        return np.array([self.metadata.row_group(number).column(0).statistics.min for number in groups], dtype=np.int64)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The number of positions before each row group, and the number of all; shape (row groups + 1,)."""
        groups = range(self.metadata.num_row_groups)
        return np.cumsum([0, *(self.metadata.row_group(number).num_rows for number in groups)])


class TableFile:
    """One file of a table. Its footer is read on first use.

    Parameters
    ----------
    store
        Where the table lies.
    entry
        The file's entry in the manifest.
    """

    def __init__(self, store: Store, entry: Mapping[str, Any]) -> None:
        self.store, self.entry, self.name = store, entry, str(entry["file"])
        self.first, self.last = entry["first"], entry["last"]

    def __len__(self) -> int:
        """Return the number of row groups."""
        return len(self.footer.firsts)

    def row_group_of(self, key: int) -> int:
        """Return the number of the row group that must hold a key if the file holds it."""
        return int(np.searchsorted(self.footer.firsts, key, side="right")) - 1

    def read(self, number: int, utility_range: tuple[int, int]) -> Entries:
        """Return the keys and outcome codes of a row group.

        Raises
        ------
        TableError
            The file cannot be read, or is damaged. The same holds for the other methods.
        """
        begin, end = self.footer.bounds[number : number + 2]
        if self._held is None:
            piece = self._piece(begin, end)
            self._check(number, piece)
            return self._decoded(self._opened(_in_place(piece, begin)), [number], utility_range)
        source, file = self._held
        self._check(number, source.read_at(end - begin, begin))
        return self._decoded(file, [number], utility_range)

    def read_all(self, utility_range: tuple[int, int]) -> Entries:
        """Return the keys and outcome codes of the whole file."""
        return self._decoded(self._whole(), list(range(len(self))), utility_range)

    def read_codes(self, utility_range: tuple[int, int]) -> NDArray[np.int32]:
        """Return the outcome codes of the whole file."""
        try:
            return outcomes_of(self._whole().read(["value", "remoteness"], use_threads=False), utility_range)
        except (OSError, pa.ArrowException):
            raise self._damaged() from None

    def _whole(self) -> pq.ParquetFile:
        """Return the file, read as a whole and checked."""
        footer = self.footer
        with place_errors(self._path):
            content = self.store.read(self.name)
        if len(content) != self.entry["bytes"] or sums_of(content, footer.bounds) != footer.sums:
            raise self._damaged()
        return self._opened(pa.BufferReader(content))

    def row_groups(self, utility_range: tuple[int, int]) -> Iterator[Entries]:
        """Yield the keys and outcome codes of each row group."""
        return (self.read(number, utility_range) for number in range(len(self)))

    @cached_property
    def footer(self) -> Footer:
        """The footer, read and checked on first use."""
        with place_errors(self._path):
            if self.store.size(self.name) != self.entry["bytes"]:
                raise self._damaged()
        return self._footer_of_first_format() if "crc32" not in self.entry else self._footer()

    def _footer(self) -> Footer:
        """Read the footer from the end of the file."""
        size, sums = self.entry["bytes"], self.entry["crc32"]
        end = self._piece(max(0, size - _END), size)
        length = int.from_bytes(end[-TAIL : -TAIL // 2], "little") + TAIL
        if length > size:
            raise self._damaged()
        if length > len(end):
            end = self._piece(size - length, size)
        footer = end[-length:]
        if sum_of_piece(footer) != sums[-_DIGITS:]:
            raise self._damaged()
        metadata = self._metadata(footer)
        return Footer(metadata, bounds_of(metadata, size), sums)

    def _footer_of_first_format(self) -> Footer:
        """Read and check the whole file, and compute the checksums of its row groups."""
        with place_errors(self._path):
            content = self.store.read(self.name)
        if hashlib.sha256(content).hexdigest() != self.entry["sha256"]:
            raise self._damaged()
        metadata = self._metadata(content)
        bounds = bounds_of(metadata, len(content))
        return Footer(metadata, bounds, sums_of(content, bounds))

    def _metadata(self, content: Content) -> pq.FileMetaData:
        """Parse the footer; ``content`` is the file or its end."""
        try:
            return pq.read_metadata(pa.BufferReader(content))
        except (OSError, pa.ArrowException):
            raise self._damaged() from None

    @cached_property
    def _held(self) -> tuple[pa.OSFile, pq.ParquetFile] | None:
        """The open file and its reader; None for a URL.

        They stay open, since opening takes a tenth of the time of reading a row group. A row group is read twice: once
        for its checksum and once by Arrow, from the system's cache. At a URL it is read only once.
        """
        if self.store.path is None:
            return None
        with place_errors(self._path):
            source = pa.OSFile(str(self.store.path / self.name))
        return source, self._opened(source)

    def _opened(self, source: pa.NativeFile) -> pq.ParquetFile:
        with place_errors(self._path):
            return pq.ParquetFile(source, metadata=self.footer.metadata, memory_map=False)

    def _decoded(self, file: pq.ParquetFile, groups: list[int], utility_range: tuple[int, int]) -> Entries:
        """Return the keys and outcome codes of some row groups."""
        try:
            return entries_of(file.read_row_groups(groups, use_threads=False), utility_range)
        except (OSError, pa.ArrowException):
            raise self._damaged() from None

    def _piece(self, begin: int, end: int) -> bytes:
        """Read the bytes of the file from ``begin`` to ``end``."""
        with place_errors(self._path):
            return self.store.piece(self.name, begin, end)

    def _check(self, number: int, piece: Content) -> None:
        """Compare the bytes of a row group with their checksum."""
        if sum_of_piece(piece) != self.footer.sums[_DIGITS * number : _DIGITS * (number + 1)]:
            raise self._damaged()

    @property
    def _path(self) -> str:
        return f"{self.store.place}/{self.name}"

    def _damaged(self) -> TableError:
        return TableError(f"The file {self._path} of the table is damaged; 'zermelo verify' lists all damaged files.")


def _in_place(piece: bytes, begin: int) -> pa.BufferReader:
    """Return a reader of a piece of a file that behaves like the file from its start to the end of the piece.

    Nothing touches the memory before the piece, so the system never provides it. A file object in Python instead would
    make reading a row group take one and a half times as long.
    """
    room = np.empty(begin + len(piece), dtype=np.uint8)
    room[begin:] = np.frombuffer(piece, dtype=np.uint8)
    return pa.BufferReader(pa.py_buffer(room))


def entries_of(table: pa.Table, utility_range: tuple[int, int]) -> Entries:
    """Return the keys and outcome codes of rows that Arrow has read."""
    return table.column("key").to_numpy(), outcomes_of(table, utility_range)


def outcomes_of(table: pa.Table, utility_range: tuple[int, int]) -> NDArray[np.int32]:
    """Return the outcome codes of rows that Arrow has read."""
    shift = shift_of(utility_range)
    offsets = table.column("value").to_numpy() - utility_range[0]
    plies = table.column("remoteness").fill_null(endless_plies(shift)).to_numpy()
    return joined(offsets, plies, shift)


def fault_of(store: Store, entry: Mapping[str, Any]) -> str | None:
    """Return a sentence that says how a file differs from its entry in the manifest; None if it does not."""
    path = f"{store.place}/{entry['file']}"
    try:
        content = store.read(entry["file"])
    except FileNotFoundError:
        return f"{path} is missing."
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}."
    if len(content) < entry["bytes"]:
        return f"{path} is truncated: it has {len(content):,} bytes instead of {entry['bytes']:,}."
    if len(content) > entry["bytes"]:
        return f"{path} is too long: it has {len(content):,} bytes instead of {entry['bytes']:,}."
    if hashlib.sha256(content).hexdigest() != entry["sha256"]:
        return f"{path} is damaged: its checksum does not match."
    return None
