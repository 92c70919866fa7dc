"""Tables that are solved without a folder: they are there as long as they are used, and not longer."""

import gc
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from solved import solved
from zermelo import make_game, solve
from zermelo.errors import BadParameter, TableError, Unsolvable
from zermelo.solver import solve as solving
from zermelo.solver.table.export import export
from zermelo.solver.table.table import Table

SMALL = {"rows": "3", "columns": "3", "run": "3"}


def test_it_is_as_any_other_and_goes_with_the_table():
    game = make_game("connect", SMALL)
    table = solve(game, workers=1)
    place = Path(table.place)
    assert (len(table), table[game.initial].value) == (694, 0)
    assert re.fullmatch(r"<Table of connect\(.*\), 694 positions, in a temporary folder>", repr(table))
    assert "in a temporary folder" not in table._repr_html_()
    assert "<td>a temporary folder</td>" in table._repr_html_()
    assert place.is_dir()
    del table
    gc.collect()
    assert not place.exists()


def test_it_can_be_closed_and_kept(tmp_path: Path):
    game = make_game("connect", SMALL)
    with solve(game, workers=1) as table:
        place = Path(table.place)
        kept = table.save(tmp_path / "kept")
    assert not place.exists()
    assert repr(kept) == f"Table({str(tmp_path / 'kept')!r})"
    assert (len(kept), kept[game.initial].value) == (694, 0)
    with pytest.raises(TableError, match="cannot be used: it does not exist"):
        table.values([game.result(game.initial, 0)])
    with pytest.raises(TableError, match="is not empty; choose another folder"):
        kept.save(tmp_path / "kept")
    with Table(tmp_path / "kept"):
        pass
    assert (tmp_path / "kept").is_dir(), "the table of a folder stays"


def test_large_games_want_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(solving, "MOST_WITHOUT_FOLDER", 300)
    monkeypatch.setattr(solving.tempfile, "mkdtemp", lambda prefix: str(tmp_path / "private"))
    with pytest.raises(Unsolvable, match=r"has more than 300 positions, .* without a folder; name one"):
        solve(make_game("connect", SMALL), workers=1)
    with pytest.raises(Unsolvable, match="has more than 300 positions"):
        solve(make_game("tictactoe"), workers=1)
    assert not (tmp_path / "private").exists()


def test_a_url_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadParameter, match=r"s3://bucket/t is a URL, and without --cluster .* say --cluster local"):
        solve(make_game("connect", SMALL), "s3://bucket/t")
    assert not list(tmp_path.iterdir())


def test_a_finished_table_is_opened_without_looking_at_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    game = make_game("connect", SMALL)
    starts = [game.initial, game.result(game.initial, 0)]
    solve(game, tmp_path / "table", workers=1, starts=starts)
    monkeypatch.setattr(solving, "Problem", None)
    assert solve(game, tmp_path / "table", starts=starts)[starts[1]].remoteness is not None
    with pytest.raises(TableError, match="the positions to start from"):
        solve(game, tmp_path / "table")


@pytest.mark.parametrize("name", ["tictactoe", "kalah"])
def test_rows_are_those_of_an_export(name: str, tmp_path: Path):
    table = solved("kalah", pits=2, seeds=2) if name == "kalah" else solved(name)
    export(table, tmp_path / "all.parquet")
    rows = table.to_arrow()
    assert rows.equals(pq.read_table(tmp_path / "all.parquet"))
    assert rows.num_rows == len(table)
    assert rows.column_names == ["position", "key", "tier", "value", "remoteness"]


def test_data_frames(monkeypatch: pytest.MonkeyPatch):
    """What Polars and pandas are handed; neither needs to be installed for that."""
    table = solved("tictactoe")
    monkeypatch.setitem(sys.modules, "polars", SimpleNamespace(from_arrow=lambda rows: ("polars", rows)))
    assert table.to_polars() == ("polars", table.to_arrow())
    for name in ("polars", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(TableError, match="polars is not installed; pip install polars, or use to_arrow"):
        table.to_polars()
    with pytest.raises(TableError, match="pandas is not installed"):
        table.to_pandas()


def test_pandas():
    pandas: Any = pytest.importorskip("pandas")
    frame = solved("loops", seed=3).to_pandas()
    assert frame["remoteness"].dtype == pandas.Int32Dtype()
    assert pa.Table.from_pandas(frame).num_rows == len(frame)


def test_polars():
    assert solved("tictactoe").to_polars().shape == (5478, 5)
