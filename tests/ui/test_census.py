"""``zermelo census`` as people use it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solved import solved


@pytest.fixture(scope="module")
def folder() -> Path:
    return solved("connect", rows=4, columns=4, run=3).place


def test_json(zermelo: Callable[..., Any], folder: Path):
    ran = zermelo("census", folder, "--json")
    assert (ran.status, ran.err) == (0, "")
    record = json.loads(ran.out)
    assert record["positions"] == record["max_wins"] + record["draws"] + record["min_wins"]
    assert [row["number"] for row in record["by_tier"]] == list(range(17))
    assert len(record["longest"]["line"]) == record["longest"]["remoteness"]
    assert record["saving"]["exact"] is True


def test_people_see_tables_the_longest_win_and_saving_moves(zermelo: Callable[..., Any], folder: Path):
    ran = zermelo("census", folder, "--sample", "500")
    assert ran.status == 0
    assert ran.out.startswith("connect(rows=4, columns=4, run=3): ")
    assert "\ntier  positions  Red wins" in ran.out
    assert "\nThe longest win: " in ran.out
    assert ", estimated from 500: " in ran.out


def test_plot(zermelo: Callable[..., Any], folder: Path, tmp_path: Path):
    pytest.importorskip("matplotlib")
    assert zermelo("census", folder, "--plot", "census.png").status == 0
    assert (tmp_path / "census.png").read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_drawn(refusal: Callable[..., str], folder: Path, monkeypatch: pytest.MonkeyPatch):
    assert "must end in .png" in refusal("census", folder, "--plot", "census.doc")
    assert "There is no folder nowhere" in refusal("census", folder, "--plot", "nowhere/census.png")
    assert "The sample is -1" in refusal("census", folder, "--sample", "-1")
    Path("full.png").mkdir()
    assert "full.png cannot be written: Is a directory" in refusal("census", folder, "--plot", "full.png")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "zermelo[plot]" in refusal("census", folder, "--plot", "census.png")
