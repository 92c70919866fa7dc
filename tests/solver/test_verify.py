"""Every kind of damage is found, by the name of the file; wrong outcomes are found by the rules."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from solved import copy_of, solved
from zermelo.errors import TableError
from zermelo.solver.table.manifest import MANIFEST, manifest_content
from zermelo.solver.table.parquet import write_file
from zermelo.solver.table.reading import TableFile
from zermelo.solver.table.stores import Folder
from zermelo.solver.table.table import Table
from zermelo.solver.table.verify import damaged_files, misplaced, wrong_entries

SMALL = [
    ("connect", {"rows": 4, "columns": 4, "run": 3}),
    ("breakthrough", {"width": 3, "height": 4}),
    ("kalah", {"pits": 2, "seeds": 2}),
    ("loops", {"seed": 3}),
    ("loops", {"seed": 8}),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_of(solved("connect", rows=4, columns=3, run=3), tmp_path / "table")


@pytest.mark.parametrize(("name", "parameters"), SMALL)
def test_what_a_solve_wrote_is_whole_and_right(name: str, parameters: dict[str, int]):
    table = solved(name, **parameters)
    assert damaged_files(table.place) == []
    assert list(misplaced(table)) == []
    assert list(wrong_entries(table, None)) == []
    assert list(wrong_entries(table, 50, seed=1)) == []


def test_any_bit_flipped_in_any_file_is_found_by_the_files_name(folder: Path):
    generator = random.Random(0)
    files = sorted(folder.iterdir())
    assert len(files) > 10
    for path in files:
        content = path.read_bytes()
        bits = 8 * len(content)
        for bit in {0, bits - 1, *(generator.randrange(bits) for _ in range(60))}:
            damaged = bytearray(content)
            damaged[bit // 8] ^= 1 << bit % 8
            path.write_bytes(damaged)
            found = damaged_files(folder)
            assert len(found) == 1, (path.name, bit)
            assert path.name in found[0]
        path.write_bytes(content)
    assert damaged_files(folder) == []


def test_every_bit_of_the_manifests_layout_counts(folder: Path):
    path = folder / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()), sort_keys=True))
    assert damaged_files(folder) == [f"{path} is damaged: it is not written as 'zermelo solve' writes it."]


def test_missing_truncated_longer_and_strange_files_are_named(folder: Path):
    first, second, third, *_ = sorted(folder.glob("*.parquet"))
    first.unlink()
    second.write_bytes(second.read_bytes()[:-1])
    third.write_bytes(third.read_bytes() + b"\0")
    (folder / "notes.txt").write_text("mine")
    assert damaged_files(folder) == [
        f"{first} is missing.",
        f"{second} is truncated: it has {second.stat().st_size:,} bytes instead of {second.stat().st_size + 1:,}.",
        f"{third} is too long: it has {third.stat().st_size:,} bytes instead of {third.stat().st_size - 1:,}.",
        f"{folder / 'notes.txt'} does not belong to the table.",
    ]


def test_a_folder_without_a_table(tmp_path: Path):
    with pytest.raises(TableError, match="holds no solved table"):
        damaged_files(tmp_path)


def forged(folder: Path, number: int, change: object) -> Table:
    """A table whose checksums are right and one file is not: ``change`` makes other keys and codes of its own."""
    manifest = json.loads((folder / MANIFEST).read_text())
    del manifest["checksum"]
    tier = manifest["tiers"][number]
    game = Table(folder).game
    path = folder / tier["files"][0]["file"]
    file = TableFile(Folder(str(folder)), tier["files"][0])
    keys, codes = change(*map(np.array, file.read_all(game.utility_range)))  # type: ignore[operator]
    tier["files"][0] = write_file(path, keys, codes, game.utility_range)
    (folder / MANIFEST).write_bytes(manifest_content(manifest))
    assert damaged_files(folder) == []
    return Table(folder)


def test_a_wrong_remoteness_is_found_by_the_rules(folder: Path):
    def later(keys: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        codes[3] += 2
        return keys, codes

    found = list(wrong_entries(forged(folder, 4, later), None))
    assert found
    assert any("(tier 4, key " in sentence and "is said to be" in sentence for sentence in found)


def test_a_missing_position_is_found_by_the_rules(folder: Path):
    found = list(wrong_entries(forged(folder, 5, lambda keys, codes: (keys[1:], codes[1:])), None))
    assert any("leads to positions that the table does not hold." in sentence for sentence in found)


def test_keys_out_of_order_and_other_outcomes_are_found(folder: Path):
    def swapped(keys: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        keys[[1, 2]] = keys[[2, 1]]
        return keys, codes

    def longer(keys: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return keys, codes + 60

    assert any("is not in order" in sentence for sentence in misplaced(forged(folder, 6, swapped)))
    assert any("counts other outcomes in tier 7" in sentence for sentence in misplaced(forged(folder, 7, longer)))
