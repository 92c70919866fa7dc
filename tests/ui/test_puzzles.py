"""``zermelo puzzles`` as people use it."""

import json
from collections.abc import Callable
from typing import Any

from solved import solved


def test_puzzles_are_drawn_with_their_solutions(zermelo: Callable[..., Any]):
    folder = solved("connect", rows=4, columns=4, run=3).place
    ran = zermelo("puzzles", folder, "--count", "3")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.count("0 1 2 3\n") == ran.out.count("   Solution: ") == 3
    assert "\n1. " in ran.out
    record = json.loads(zermelo("puzzles", folder, "--count", "3", "--json").out)
    assert len(record) == 3
    assert set(record[0]) == {
        "position", "to_move", "action", "move", "value", "remoteness", "moves", "depth", "line",
    }  # fmt: skip
    assert f"   Solution: {' '.join(record[2]['line'])}\n" in ran.out


def test_none_is_too_few(refusal: Callable[..., str]):
    assert "it must be at least 1" in refusal("puzzles", solved("tictactoe").place, "--count", "0")
