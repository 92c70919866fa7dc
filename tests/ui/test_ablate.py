"""``zermelo ablate`` as people use it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

BOARD = ("connect", "--openings", "3", "--plies", "4", "--depth", "4")


def test_the_switches_are_compared_in_words_as_json_and_as_pictures(
    zermelo: Callable[..., Any], tmp_path: Path
) -> None:
    ran = zermelo("ablate", *BOARD, "--plot", "nodes.svg", "--html", "nodes.html")
    assert (ran.status, ran.err) == (0, "")
    assert "Searches to depth 4 from 3 random openings of 4 plies (seed 0)" in ran.out
    ElementTree.parse(tmp_path / "nodes.svg")
    assert "history=off" in (tmp_path / "nodes.html").read_text()
    record = json.loads(zermelo("ablate", *BOARD, "--json").out)["nodes"]
    assert f"{record['nodes']:,}" in ran.out
    assert all(cost["flip"] in ran.out for cost in record["costs"])
