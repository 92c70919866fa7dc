"""``zermelo playouts``: the figures that it prints."""

import json
from collections.abc import Callable
from typing import Any

import pytest


def test_the_command_prints_figures(zermelo: Callable[..., Any]):
    record = json.loads(zermelo("playouts", "tictactoe", "--games", "500", "--moves", "b2", "--json").out)
    assert record["playouts"] == 500 == record["wins"] + record["draws"] + record["losses"]
    assert record["playouts_per_second"] == pytest.approx(500 / record["seconds"])
    assert record["plies_per_playout"] == record["plies"] / 500 and record["stopped_by"] == "finished"
    said = zermelo("playouts", "tictactoe", "--games", "500", "--moves", "b2")
    assert "500 random games" in said.out and f"draws {100 * record['draws'] / 500:.1f} %" in said.out
    assert "it must be 1 or more" in zermelo("playouts", "tictactoe", "--games", "0").err
