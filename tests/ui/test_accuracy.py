"""``zermelo accuracy`` as people use it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from solved import solved


def test_a_player_is_judged_in_words_as_json_and_as_a_page(zermelo: Callable[..., Any], tmp_path: Path) -> None:
    table = solved("tictactoe").place
    ran = zermelo("accuracy", "tictactoe", "random", "--table", table, "--count", "90", "--html", "page.html")
    assert (ran.status, ran.err) == (0, "")
    assert "random keeps the value in " in ran.out
    assert ran.out.count("\nplies to the end  positions ") == 1
    assert (tmp_path / "page.html").read_text().count("<svg") == 1
    again = zermelo("accuracy", "tictactoe", "random", "--table", table, "--count", "90", "--json")
    record = json.loads(again.out)
    assert record["positions"] == 90
    assert f"{100 * record['kept'][0]:.1f} %" in ran.out


def test_what_cannot_be_judged_gives_a_sentence(refusal: Callable[..., str]) -> None:
    table = solved("tictactoe").place
    said = refusal("accuracy", "tictactoe", "random", "--table", table, "--against", "random")
    assert "--against goes with --positions games" in said
    assert "is a table of" in refusal("accuracy", "nim", "random", "--table", table)
    assert "human is a person" in refusal("accuracy", "tictactoe", "human", "--table", table)
