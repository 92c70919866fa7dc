"""``zermelo tune`` as people use it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

SMALL = ("breakthrough", "-p", "width=5", "-p", "height=5")


def test_the_command_tunes_and_goes_on(zermelo: Callable[..., Any], tmp_path: Path) -> None:
    done = zermelo("tune", *SMALL, "--games", "40", "--nodes", "200", "--out", "numbers", "--json")
    assert (done.status, done.err) == (0, "")
    told = json.loads(done.out)
    assert (told["games"], len(told["rounds"]), set(told["weights"])) == (40, 4, {"man", "row"})
    assert json.loads((tmp_path / "numbers").read_text())["weights"] == told["weights"]
    again = zermelo("tune", *SMALL, "--games", "20", "--nodes", "200", "--out", "numbers")
    assert again.status == 0
    assert "after 60 games:\n\n    Weights(man=" in again.out
    assert "against the version before" in again.err


def test_bad_input_gets_a_sentence(refusal: Callable[..., str], tmp_path: Path) -> None:
    assert "no numbers to tune" in refusal("tune", "konane", "--out", "x")
    assert "--nodes" in refusal("tune", *SMALL, "--out", "x", "--nodes", "0")
    assert "not both" in refusal("tune", *SMALL, "--out", "x", "--minutes", "1", "--games", "5")
    assert "folder" in refusal("tune", *SMALL, "--out", "no/such/x")
    (tmp_path / "there").write_text("something")
    assert "choose another name" in refusal("tune", *SMALL, "--out", "there")
    (tmp_path / "there.tuning").write_text("something")
    assert "damaged" in refusal("tune", *SMALL, "--out", "there")
