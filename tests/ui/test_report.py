"""``zermelo report`` as people use it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def test_a_small_game_is_reported_in_words_and_as_a_page(zermelo: Callable[..., Any], tmp_path: Path) -> None:
    ran = zermelo("report", "tictactoe", "--minutes", "0.02", "--html", "page.html")
    assert (ran.status, ran.err) == (0, "")
    for heading in ("SKILLED PLAY", "DEPTH OF SKILL", "DECIDED POSITIONS", "RANDOM PLAY"):
        assert f"\n{heading}\n" in ran.out
    points = next(line.split("first")[1].strip() for line in ran.out.splitlines() if "who moves first" in line)
    assert f"<td>{points}</td>" in (tmp_path / "page.html").read_text()


def test_json_has_all_figures(zermelo: Callable[..., Any]) -> None:
    record = json.loads(zermelo("report", "tictactoe", "--minutes", "0.02", "--json").out)
    assert {"game", "random", "skilled", "seed"} <= record.keys()
    assert len(record["skilled"]["steps"]) >= 3


def test_no_time_gives_a_sentence(refusal: Callable[..., str]) -> None:
    assert "give it more than 0" in refusal("report", "tictactoe", "--minutes", "0")
