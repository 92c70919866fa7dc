"""A table that is damaged and used: no answer is wrong, each fault is one sentence."""

import json
import random
import shutil
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from solved import copy_of, solved
from zermelo import Engine
from zermelo.errors import TableError
from zermelo.solver.study.census import census
from zermelo.solver.study.puzzles import puzzles
from zermelo.solver.table.export import export
from zermelo.solver.table.manifest import MANIFEST, manifest_content
from zermelo.solver.table.parquet import sums_of
from zermelo.solver.table.reading import TableFile
from zermelo.solver.table.stores import Folder
from zermelo.solver.table.table import Table


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_of(solved("connect", rows=4, columns=4, run=3), tmp_path / "table")


def flips(path: Path, count: int, seed: int = 0) -> Iterator[int]:
    """Bits of a file, one flipped at a time: the first, the last, and some drawn at random."""
    content = path.read_bytes()
    bits = 8 * len(content)
    chooser = random.Random(f"{path.name} {seed}")
    for bit in (0, bits - 1, *(chooser.randrange(bits) for _ in range(count))):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        yield bit
    path.write_bytes(content)


def everything(table: Table) -> list[Any]:
    """All keys and outcome codes, block by block."""
    tiers = [tier["tier"] for tier in table.manifest["tiers"]]
    return [(keys.tolist(), codes.tolist()) for tier in tiers for keys, codes in table.row_groups(tier)]


def first_format(folder: Path) -> None:
    """Make the manifest what it was before it had checksums of blocks."""
    manifest = json.loads((folder / MANIFEST).read_text())
    del manifest["checksum"]
    manifest["format"] = "zermelo table 1"
    for tier in manifest["tiers"]:
        for entry in tier["files"]:
            del entry["crc32"]
    (folder / MANIFEST).write_bytes(manifest_content(manifest))


def read(folder: Path, entry: dict[str, Any]) -> list[Any]:
    """All that is in a file, read in all ways."""
    file, bounds = TableFile(Folder(str(folder)), entry), (-1, 1)
    found = [[keys.tolist(), codes.tolist()] for keys, codes in (*file.row_groups(bounds), file.read_all(bounds))]
    assert file.read_codes(bounds).tolist() == found[-1][1]
    return found


@pytest.mark.parametrize("older", [False, True])
def test_no_flipped_bit_gives_a_wrong_value(folder: Path, older: bool):
    """Whatever of a file is read: there is a sentence that names the file."""
    if older:
        first_format(folder)
    for tier in Table(folder).manifest["tiers"]:
        for entry in tier["files"]:
            right = read(folder, entry)
            for bit in flips(folder / entry["file"], 40):
                with pytest.raises(TableError, match=rf"{entry['file']} of the table is damaged"):
                    raise AssertionError(bit, read(folder, entry))
            assert read(folder, entry) == right


def test_every_bit_of_a_small_file(folder: Path):
    entry = Table(folder).manifest["tiers"][4]["files"][0]
    path = folder / entry["file"]
    content = path.read_bytes()
    for bit in range(8 * len(content)):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        with pytest.raises(TableError, match="is damaged"):
            raise AssertionError(bit, list(TableFile(Folder(str(folder)), entry).row_groups((-1, 1))))


USES: dict[str, Callable[[Table, Path], Any]] = {
    "probe": lambda table, _: table.line(table.game.initial),
    "values": lambda table, _: table.values([table.game.initial] * 3),
    "census": lambda table, _: census(table),
    "puzzles": lambda table, _: [puzzle.line for puzzle in puzzles(table, 2)],
    "export": lambda table, file: (export(table, file), file.read_bytes()),
    "engine": lambda table, _: Engine(table.game, tables=[table]).search(table.game.initial, depth=6).value,
}


@pytest.mark.parametrize("use", USES)
def test_a_damaged_table_in_use(use: str, folder: Path, tmp_path: Path):
    """With every file of the table damaged somewhere, nobody gets an answer."""
    for path in folder.glob("*.parquet"):
        content = bytearray(path.read_bytes())
        content[len(content) // 3] ^= 4
        path.write_bytes(content)
    with pytest.raises(TableError, match="is damaged; 'zermelo verify' lists all damaged files"):
        USES[use](Table(folder), tmp_path / "all.parquet")
    assert not (tmp_path / "all.parquet").exists()


def test_files_in_each_others_place_are_noticed(folder: Path):
    """Even those of one length."""
    names = sorted(path.name for path in folder.glob("*.parquet"))
    table = Table(folder)
    entries = {entry["file"]: entry for tier in table.manifest["tiers"] for entry in tier["files"]}
    for one, two in pairwise(names):
        swap(folder / one, folder / two)
        for name in (one, two):
            with pytest.raises(TableError, match=f"{name} of the table is damaged"):
                read(folder, entries[name])
        swap(folder / one, folder / two)
    everything(table)


def swap(one: Path, two: Path) -> None:
    aside = one.with_name("aside")
    one.rename(aside)
    two.rename(one)
    aside.rename(two)


def test_a_file_of_another_table_is_noticed(folder: Path, tmp_path: Path):
    other = solved("connect", rows=4, columns=4, run=4)
    shutil.copy(Path(other.place) / "tier-000012-00000.parquet", folder)
    with pytest.raises(TableError, match=r"tier-000012-00000.parquet of the table is damaged"):
        everything(Table(folder))


def test_files_cut_short_missing_and_longer_are_noticed(folder: Path):
    path = folder / "tier-000010-00000.parquet"
    content = path.read_bytes()
    for other in (content[:-1], content[: len(content) // 2], b"", content + b"\0", bytes(len(content))):
        path.write_bytes(other)
        with pytest.raises(TableError, match="is damaged"):
            list(Table(folder).row_groups(10))
    path.unlink()
    with pytest.raises(TableError, match=r"tier-000010-00000.parquet cannot be used: it does not exist"):
        list(Table(folder).row_groups(10))


def test_checksums_cover_every_byte():
    assert sums_of(b"abcdef", [0, 2, 6]) == sums_of(b"ab", [0, 2]) + sums_of(b"cdef", [0, 4])
    table = solved("connect", rows=4, columns=4, run=3)
    for tier in table.manifest["tiers"]:
        for entry in tier["files"]:
            assert len(entry["crc32"]) == 8 * (2 + (entry["positions"] - 1) // (1 << 14))
