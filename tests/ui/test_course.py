"""``zermelo course new`` on the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_a_course_is_written_and_said(zermelo: Callable[..., Any]) -> None:
    ran = zermelo("course", "new", "ai", "--game", "tictactoe", "--seed", "1", "--depth", "2")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "ai is written, with the parts A, B, C, D, E. Begin with ai/README.md.\n"
    assert "5,478 states in the table" in Path("ai/assignment.md").read_text()
    assert {path.name for path in Path().iterdir()} == {"ai"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("old --game tictactoe", "old exists already; choose another name, or delete it first."),
        ("missing/new --game tictactoe", "missing/new cannot be written: No such file"),
        ("new --game conect", "did you mean connect"),
        ("new --game tictactoe --seed -1", "The seed is -1; it must be 0 or more."),
        ("new --game tictactoe --depth 0", "The depth is 0"),
        ("new --game tictactoe --width 0", "The width is 0"),
    ],
)
def test_a_course_that_cannot_be_written(arguments: str, words: str, refusal: Callable[..., str]) -> None:
    Path("old").mkdir()
    assert words in refusal("course", "new", *arguments.split())
