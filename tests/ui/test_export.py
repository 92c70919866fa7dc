"""``zermelo export`` as people use it."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from solved import solved


def test_a_file_of_all_positions(zermelo: Callable[..., Any], tmp_path: Path):
    ran = zermelo("export", solved("tictactoe").place, "--parquet", "all.parquet")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("all.parquet: 5,478 positions, ")
    rows = pq.read_table(tmp_path / "all.parquet")
    assert rows.column_names == ["position", "key", "tier", "value", "remoteness"]
    assert rows.num_rows == 5478


def test_a_folder_is_no_file(refusal: Callable[..., str], tmp_path: Path):
    (tmp_path / "folder").mkdir()
    folder = solved("tictactoe").place
    assert "folder is a folder; it must be a file" in refusal("export", folder, "--parquet", "folder")


def test_a_folder_that_is_not_there(refusal: Callable[..., str]):
    assert "cannot be written: No such file" in refusal(
        "export", solved("tictactoe").place, "--parquet", "nowhere/all.parquet"
    )


def test_what_is_no_file_is_not_replaced(refusal: Callable[..., str], tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    folder = solved("tictactoe").place
    for name in ("pipe", os.devnull):
        assert f"{name} cannot be written: it is not a regular file" in refusal("export", folder, "--parquet", name)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
