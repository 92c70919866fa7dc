"""Reading one file of a solved table, a row group at a time, and checking all that is read.

The manifest, which has a checksum of its own, has one of each file's footer and of each row group; the footer says
where these lie. So a flipped bit, a file cut short or a file in the place of another is noticed by whoever reads it,
and nothing else of the file has to be read for that. Tables of the first format have no such checksums: their files
are compared whole with their SHA-256 when they are first read.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from zermelo.errors import TableError
from zermelo.solver.model.outcome_codes import shift_of
from zermelo.solver.table.parquet import TAIL, bounds_of, sum_of_piece, sums_of
from zermelo.solver.table.stores import Store, said

_END: Final = 1 << 16
"""Bytes that are read at once from the end of a file: most footers are shorter."""
_DIGITS: Final = 8
"""Of a checksum."""


@dataclass(frozen=True)
class Footer:
    """What the footer of a file says."""

    metadata: Any
    """As Arrow reads it."""
    bounds: list[int]
    """Where each row group begins, where the footer does, and where the file ends."""
    sums: str
    """Checksums of the row groups and of the footer."""

    @cached_property
    def firsts(self) -> Any:
        """The first key of each row group."""
        groups = range(self.metadata.num_row_groups)
        return np.array([self.metadata.row_group(number).column(0).statistics.min for number in groups], dtype=np.int64)

    @cached_property
    def starts(self) -> Any:
        """How many positions lie before each row group, and in all."""
        groups = range(self.metadata.num_row_groups)
        return np.cumsum([0, *(self.metadata.row_group(number).num_rows for number in groups)])


class TableFile:
    """One file of a table, whose footer is read when it is first asked for.

    Parameters
    ----------
    store
        Where the table lies.
    entry
        What the manifest says of the file.
    """

    def __init__(self, store: Store, entry: Mapping[str, Any]) -> None:
        self.store, self.entry, self.name = store, entry, str(entry["file"])
        self.first, self.last = entry["first"], entry["last"]

    def __len__(self) -> int:
        """Row groups."""
        return len(self.footer.firsts)

    def block_of(self, key: int) -> int:
        """The number of the row group that holds a key, if any does."""
        return int(np.searchsorted(self.footer.firsts, key, side="right")) - 1

    def read(self, number: int, utility_range: tuple[int, int]) -> tuple[Any, Any]:
        """The keys and outcome words of a row group.

        Raises
        ------
        TableError
            The file cannot be read, or is not what was written.
        """
        begin, end = self.footer.bounds[number : number + 2]
        if self._held is None:
            piece = self._piece(begin, end)
            self._check(number, piece)
            return self._decoded(self._opened(_in_place(piece, begin)), [number], utility_range)
        source, file = self._held
        self._check(number, source.read_at(end - begin, begin))
        return self._decoded(file, [number], utility_range)

    def read_all(self, utility_range: tuple[int, int]) -> tuple[Any, Any]:
        """The keys and outcome words of the whole file; errors as `read`."""
        footer = self.footer
        with said(self._path):
            content = self.store.read(self.name)
        if len(content) != self.entry["bytes"] or sums_of(content, footer.bounds) != footer.sums:
            raise self._damaged()
        return self._decoded(self._opened(pa.BufferReader(content)), list(range(len(self))), utility_range)

    def blocks(self, utility_range: tuple[int, int]) -> Iterator[tuple[Any, Any]]:
        """The keys and outcome words of each row group; errors as `read`."""
        return (self.read(number, utility_range) for number in range(len(self)))

    @cached_property
    def footer(self) -> Footer:
        """What the footer says; errors as `read`."""
        with said(self._path):
            if self.store.size(self.name) != self.entry["bytes"]:
                raise self._damaged()
        return self._footer_of_first_format() if "crc32" not in self.entry else self._footer()

    def _footer(self) -> Footer:
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
        with said(self._path):
            content = self.store.read(self.name)
        if hashlib.sha256(content).hexdigest() != self.entry["sha256"]:
            raise self._damaged()
        metadata = self._metadata(content)
        bounds = bounds_of(metadata, len(content))
        return Footer(metadata, bounds, sums_of(content, bounds))

    def _metadata(self, content: Any) -> Any:
        """Of content that ends as the file does."""
        try:
            return pq.read_metadata(pa.BufferReader(content))
        except (OSError, pa.ArrowException):
            raise self._damaged() from None

    @cached_property
    def _held(self) -> tuple[Any, Any] | None:
        """The file of a folder and its reader, kept open: to open them takes a tenth of the time of a row group.

        Arrow reads again what was just checked, out of the system's cache. None at a URL, where all is read but once.
        """
        if self.store.path is None:
            return None
        with said(self._path):
            source = pa.OSFile(str(self.store.path / self.name))
        return source, self._opened(source)

    def _opened(self, source: Any) -> Any:
        with said(self._path):
            return pq.ParquetFile(source, metadata=self.footer.metadata, memory_map=False)

    def _decoded(self, file: Any, groups: list[int], utility_range: tuple[int, int]) -> tuple[Any, Any]:
        try:
            return words_of(file.read_row_groups(groups, use_threads=False), utility_range)
        except (OSError, pa.ArrowException):
            raise self._damaged() from None

    def _piece(self, begin: int, end: int) -> Any:
        with said(self._path):
            return self.store.piece(self.name, begin, end)

    def _check(self, number: int, piece: Any) -> None:
        if sum_of_piece(piece) != self.footer.sums[_DIGITS * number : _DIGITS * (number + 1)]:
            raise self._damaged()

    @property
    def _path(self) -> str:
        return f"{self.store.place}/{self.name}"

    def _damaged(self) -> TableError:
        return TableError(f"The file {self._path} of the table is damaged; 'zermelo verify' tells what else is.")


def _in_place(piece: Any, begin: int) -> Any:
    """A piece of a file in memory, to be read as though it were the file up to there.

    What lies before the piece is never touched, and takes no memory; a file that asks Python for each read takes half
    as long again as all the rest.
    """
    room = np.empty(begin + len(piece), dtype=np.uint8)
    room[begin:] = np.frombuffer(piece, dtype=np.uint8)
    return pa.BufferReader(pa.py_buffer(room))


def words_of(table: Any, utility_range: tuple[int, int]) -> tuple[Any, Any]:
    """Keys and outcome words of rows that were read."""
    shift = shift_of(utility_range)
    keys = table.column("key").to_numpy()
    values = table.column("value").to_numpy().astype(np.int64) - utility_range[0]
    plies = table.column("remoteness").fill_null((1 << shift) - 1).to_numpy()
    return keys, (values << shift | plies).astype(np.int32)


def fault_of(store: Store, entry: Mapping[str, Any]) -> str | None:
    """What is wrong with a file as a whole, as a sentence; None if nothing is."""
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
