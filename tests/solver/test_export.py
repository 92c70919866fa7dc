"""What was exported, read back: every position, once, with what the table says of it."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from solved import solved
from zermelo.compiled.codec import leaves_of
from zermelo.solver.table import export as exporting
from zermelo.solver.table.export import export

SMALL = [("connect", {"rows": 4, "columns": 3, "run": 3}), ("kalah", {"pits": 2, "seeds": 2}), ("loops", {"seed": 3})]


@pytest.mark.parametrize(("name", "parameters"), SMALL)
def test_every_position_is_there_once(name: str, parameters: dict[str, int], tmp_path: Path):
    table = solved(name, **parameters)
    game = table.game
    done: list[int] = []
    assert export(table, tmp_path / "all.parquet", done.append) == len(table) == sum(done)
    rows = pq.read_table(tmp_path / "all.parquet").to_pylist()
    said = {str(row["position"]): row for row in rows}
    assert len(said) == len(rows) == len({(row["tier"], row["key"]) for row in rows}) == len(table)
    known, waiting = {game.initial}, [game.initial]
    while waiting:
        state = waiting.pop()
        row = said[game.to_text(state) if game.to_text is not None else str(list(leaves_of(state)))]
        entry = table[state]
        assert (row["value"], row["remoteness"]) == (entry.value, entry.remoteness)
        for action in game.legal_actions(state):
            child = game.result(state, action)
            if child not in known:
                known.add(child)
                waiting.append(child)
    assert len(known) == len(rows)


def test_duckdb_reads_it(tmp_path: Path):
    duckdb = pytest.importorskip("duckdb")
    table = solved("connect", rows=4, columns=3, run=3)
    export(table, tmp_path / "all.parquet")
    rows = duckdb.sql(f"SELECT count(*), max(remoteness) FROM '{tmp_path / 'all.parquet'}'").fetchall()
    assert rows[0][0] == len(table)


def test_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    table = solved("connect", rows=4, columns=3, run=3)
    monkeypatch.setattr(exporting, "ROWS", 64)
    (tmp_path / "all.parquet").write_text("before")

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(table, tmp_path / "all.parquet", stop)
    assert [path.name for path in tmp_path.iterdir()] == ["all.parquet"]
    assert (tmp_path / "all.parquet").read_text() == "before"
