"""``zermelo solve``: what it prints, and the sentence for each wrong input."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from running import PATIENCE, interruptible, wait_until
from zermelo.games import nine_mens_morris
from zermelo.solver.solve import Progress, Solved
from zermelo.ui.terminal.progress import Meter
from zermelo.ui.terminal.wording import duration, rounded, size

SMALL = ["connect", "-p", "rows=3", "-p", "columns=3", "-p", "run=3"]


def test_json_is_what_was_solved(zermelo: Callable[..., Any]):
    ran = zermelo("solve", *SMALL, "--out", "table", "--workers", "1", "--json")
    assert (ran.status, ran.err) == (0, "")
    record = json.loads(ran.out)
    assert set(record) == {field.name for field in fields(Solved)}
    assert (record["positions"], record["value"], record["remoteness"]) == (694, 0, 9)


def test_the_size_is_that_of_the_table_and_not_of_the_folder(zermelo: Callable[..., Any], tmp_path: Path):
    (tmp_path / "large").write_bytes(bytes(1 << 20))
    assert json.loads(zermelo("solve", *SMALL, "--out", ".", "--json").out)["bytes"] < 100_000


def test_people_are_told_who_wins(zermelo: Callable[..., Any]):
    ran = zermelo("solve", "tictactoe", "--out", "table")
    assert (ran.status, ran.err) == (0, "")
    assert "value        0 (a draw)\nremoteness   9 plies\npositions    5,478, of which " in ran.out
    assert re.search(r"^time +[\d.]+ s, [\d,]+ positions a second$", ran.out, re.M)


def test_a_finished_table_is_opened_and_another_game_is_refused(zermelo: Callable[..., Any], refusal: Any):
    first = json.loads(zermelo("solve", "tictactoe", "--out", "table", "--json").out)
    again = json.loads(zermelo("solve", "tictactoe", "--out", "table", "--json").out)
    assert first["positions"] == again["positions"]
    assert first["positions_per_second"] == first["positions"] / first["seconds"]
    assert again["positions_per_second"] is None
    assert re.search(
        r"^time +[\d.]+ s; earlier runs did the rest$", zermelo("solve", "tictactoe", "--out", "table").out, re.M
    )
    assert "table already holds a table" in refusal("solve", *SMALL, "--out", "table")


def test_a_game_of_a_file(zermelo: Callable[..., Any]):
    zermelo("new", "halves.py")
    ran = zermelo("solve", "halves.py", "-p", "start=12", "--out", "table", "--json")
    assert (ran.status, json.loads(ran.out)["value"]) == (0, 100)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((*SMALL, "--out", "t", "--workers", "0"), "The number of workers is 0"),
        ((*SMALL, "--out", "t", "--workers", "99999999999999999999"), "it must be at least 1 and at most 1,024."),
        ((*SMALL, "--estimate", "--workers", "0"), "The number of workers is 0"),
        ((*SMALL, "--out", "t", "--memory-gb", "inf"), "memory_gb is inf; it must be more than 0 and at most"),
        ((*SMALL, "--out", ""), "Say where the table goes: --out DIR."),
        ((*SMALL, "--out", "t", "--memory-gb", "0"), "memory_gb is 0.0"),
        ((*SMALL, "--out", "t", "--from", "nowhere.txt"), "nowhere.txt cannot be read: No such file"),
        ((*SMALL, "--out", "occupied"), "occupied cannot be written to"),
        (("no-such-game", "--out", "t"), "no game called"),
        (
            (*SMALL, "--out", "s3://bucket/t"),
            "s3://bucket/t is a URL, and without --cluster a table goes into a folder",
        ),
    ],
)
def test_errors_are_one_sentence(
    arguments: tuple[str, ...], sentence: str, refusal: Callable[..., str], tmp_path: Path
):
    (tmp_path / "occupied").touch()
    assert sentence in refusal("solve", *arguments)


def test_starts_of_a_file(zermelo: Callable[..., Any], refusal: Callable[..., str], tmp_path: Path):
    game = nine_mens_morris()
    assert game.to_text is not None
    (tmp_path / "starts.txt").write_text(f"\n{game.to_text(game.initial)}\nnonsense\n")
    assert "starts.txt, line 3: 'nonsense' is no position" in refusal(
        "solve", "nine_mens_morris", "--from", "starts.txt", "--out", "t"
    )
    (tmp_path / "starts.txt").write_text("\n\n")
    assert "holds no position" in refusal("solve", "nine_mens_morris", "--from", "starts.txt", "--out", "t")
    zermelo("new", "halves.py")
    assert "has no notation" in refusal("solve", "halves.py", "--from", "starts.txt", "--out", "t")


def test_the_positions_of_a_file_are_what_is_solved(zermelo: Callable[..., Any], tmp_path: Path):
    from zermelo.registry import make_game

    game = make_game("breakthrough", {"width": "2", "height": "5"})
    assert game.to_text is not None
    (tmp_path / "starts.txt").write_text(game.to_text(game.replay(game.legal_actions(game.initial)[:1])) + "\n")
    wanted = ("solve", "breakthrough", "-p", "width=2", "-p", "height=5", "--json", "--out")
    whole = json.loads(zermelo(*wanted, "whole").out)
    part = json.loads(zermelo(*wanted, "part", "--from", "starts.txt").out)
    assert part["positions"] < whole["positions"]


def test_ctrl_c_is_one_sentence_and_the_same_command_goes_on(tmp_path: Path):
    command = [sys.executable, "-m", "zermelo", "solve", "connect", "-p", "rows=5", "-p", "columns=4", "--out", "table"]
    with interruptible():
        child = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    plan = tmp_path / "table" / "work" / "plan.json"
    wait_until(lambda: plan.exists() or child.poll() is not None)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=PATIENCE)
    assert (child.returncode, out, err) == (
        130, "", "zermelo: Interrupted; the same command goes on with what is in table.\n",
    )  # fmt: skip
    done = subprocess.run([*command, "--json"], cwd=tmp_path, capture_output=True, check=True, timeout=PATIENCE)
    assert json.loads(done.stdout)["positions"] == 1706255


def test_progress_is_shown_on_a_terminal(terminal: Callable[..., Any]):
    session = terminal("solve", "connect", "-p", "rows=4", "-p", "columns=4", "--out", "table")
    session.until("finding positions, tier")
    session.until("solving, tier")
    session.until("161,029, of which")
    assert session.end() == 0


def test_what_is_left_is_said_once_it_is_known():
    meter = Meter(0.0)
    meter.note(Progress("forward", 3, 5, 10, 100, None), 1.0)
    assert (meter.rest, meter.left) == ("100 positions", None)
    meter.note(Progress("forward", 3, 5, 10, 300, None), 2.0)
    assert meter.rest == "300 positions, 200 a second"
    meter.note(Progress("backward", 9, 5, 10, 50, 1000), 3.0)
    meter.note(Progress("backward", 9, 5, 10, 150, 1000), 5.0)
    assert meter.rest == "150 positions, 50 a second, 17 s left"
    assert meter.doing == "solving, tier 9"


def test_units():
    assert [duration(seconds) for seconds in (3, 90, 7200)] == ["3 s", "2 min", "2.0 h"]
    assert [size(count) for count in (12, 1500, 2.5e9, 3e15)] == ["12 bytes", "1.5 kB", "2.5 GB", "3,000.0 TB"]


def test_an_estimate_writes_nothing(zermelo: Callable[..., Any], refusal: Callable[..., str], tmp_path: Path):
    ran = zermelo("solve", *SMALL, "--out", "table", "--estimate")
    assert (ran.status, ran.err) == (0, "")
    assert "positions    694 (all counted)\n" in ran.out
    assert "how sure" not in ran.out
    assert not (tmp_path / "table").exists()
    record = json.loads(zermelo("solve", "connect", "-p", "rows=4", "-p", "columns=5", "--estimate", "--json").out)
    assert set(record) == {
        "positions", "positions_low", "positions_high", "stored", "exact", "seconds",
        "memory_mb", "table_bytes", "work_bytes", "successors", "levels",
    }  # fmt: skip
    assert record["exact"] is False
    assert record["positions_low"] < record["positions"] < record["positions_high"]
    assert "--out DIR" in refusal("solve", *SMALL)


def test_estimates_are_rounded():
    assert [rounded(123456, True), rounded(123456, False), rounded(3.16e9, False)] == [
        "123,456",
        "120,000",
        "3,200,000,000",
    ]


def test_all_placements(zermelo: Callable[..., Any], refusal: Any):
    """1,984 ways to place a king against a king with either side to move, and what is left after a jump."""
    record = json.loads(zermelo("solve", "checkers", "--all-placements", "Kk", "--out", "kings", "--json").out)
    lone = 2 * 32  # a king alone, its owner having jumped or about to
    assert 1984 < record["positions"] <= 1984 + 2 * lone
    assert "K, M, k and m" in refusal("solve", "checkers", "--all-placements", "Kx", "--out", "none")
    assert "says nothing of placements" in refusal("solve", "tictactoe", "--all-placements", "X", "--out", "none")
