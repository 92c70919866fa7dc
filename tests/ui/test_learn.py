"""``zermelo learn`` as people use it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def test_the_command_learns_goes_on_and_its_file_plays(zermelo: Callable[..., Any]) -> None:
    done = zermelo("learn", "mnk", "--games", "400", "--threads", "1", "--out", "ttt.eval", "--json")
    assert (done.status, done.err) == (0, "")
    first = json.loads(done.out)
    assert (first["games"], first["seed"], len(first["steps"])) == (400, 0, 10)
    again = zermelo("learn", "mnk", "--games", "400", "--threads", "1", "--out", "ttt.eval")
    assert again.status == 0
    assert "800" in again.out
    played = zermelo("match", "mnk", "engine:eval=ttt.eval,depth=1", "random:seed=1", "--games", "4", "--json")
    assert played.status == 0
    assert json.loads(played.out)["games"]


def test_the_command_learns_against_an_opponent(zermelo: Callable[..., Any]) -> None:
    learn = ("learn", "mnk", "--games", "100", "--threads", "1")
    assert zermelo(*learn, "--out", "first.eval").status == 0
    done = zermelo(*learn, "--against", "first.eval", "--out", "second.eval", "--json")
    assert (done.status, done.err) == (0, "")
    assert json.loads(done.out)["games"] == 100


def test_bad_input_gets_a_sentence(refusal: Callable[..., str], tmp_path: Path) -> None:
    assert "--minutes" in refusal("learn", "mnk", "--out", "x", "--minutes", "0")
    assert "not both" in refusal("learn", "mnk", "--out", "x", "--minutes", "1", "--games", "5")
    assert "--games" in refusal("learn", "mnk", "--out", "x", "--games", "0")
    assert "--threads" in refusal("learn", "mnk", "--out", "x", "--threads", "0")
    assert "--workers goes with --cluster" in refusal("learn", "mnk", "--out", "x", "--workers", "2")
    assert "--threads goes without" in refusal("learn", "mnk", "--out", "x", "--threads", "2", "--cluster", "local")
    assert "--against goes without" in refusal("learn", "mnk", "--out", "x", "--against", "y", "--cluster", "local")
    assert "nowhere" in refusal("learn", "mnk", "--out", "x", "--against", "nowhere")
    assert "workers is 0" in refusal("learn", "mnk", "--out", "x", "--workers", "0", "--cluster", "local")
    assert "folder" in refusal("learn", "mnk", "--out", "no/such/x")
    (tmp_path / "there").write_text("something")
    assert "choose another name" in refusal("learn", "mnk", "--out", "there")
    assert "damaged" in refusal("match", "mnk", "engine:eval=there", "random")
    assert "name of a file" in refusal("match", "mnk", "engine:eval=", "random")
