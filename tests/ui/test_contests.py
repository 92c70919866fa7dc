"""Matches, tournaments, ratings and openings from the command line."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from running import interruptible, wait_until
from zermelo.lab.ledger import read_ledger

QUICK = ("--nodes", "50", "--plies", "6", "--games", "6")
MATCH = ("match", "connect", "engine", "engine:easy", *QUICK)


def test_a_match_is_printed_for_people_and_for_programs(zermelo: Callable[..., Any], tmp_path: Path) -> None:
    ran = zermelo(*MATCH, "--out", "games.jsonl", "--sprt", "0,10")
    assert (ran.status, ran.err) == (0, "")
    found = json.loads(zermelo(*MATCH, "--out", "games.jsonl", "--sprt", "0,10", "--json").out)
    assert found["players"] == ["engine", "engine:easy"]
    assert found["wins"] + found["draws"] + found["losses"] == found["games"] == 2 * sum(found["pentanomial"]) == 6
    assert f"6: {found['wins']} won, {found['draws']} drawn, {found['losses']} lost" in ran.out
    assert f"{found['elo']:+.1f} ± {found['elo_half_width']:.1f}" in ran.out
    assert f"LLR {found['llr']:.2f}, bounds -2.94 and 2.94" in ran.out
    header, games = read_ledger(tmp_path / "games.jsonl")
    assert header["players"] == found["players"]
    assert sorted(game.number for game in games) == list(range(6))


def test_a_tournament_and_its_ratings(zermelo: Callable[..., Any]) -> None:
    players = ("engine:easy", "engine", "engine")
    ran = zermelo("tournament", "connect", *players, *QUICK, "--games", "2", "--out", "games.jsonl", "--threads", "2")
    assert (ran.status, ran.err) == (0, "")
    rated = zermelo("rate", "games.jsonl")
    assert rated.out.splitlines() == ran.out.splitlines()[1:]
    found = json.loads(zermelo("rate", "games.jsonl", "games.jsonl", "--json").out)
    assert {player["player"] for player in found["players"]} == {"engine:easy", "engine", "engine (2)"}
    assert found["games"] == 12
    assert sum(player["points"] for player in found["players"]) == 12
    gauntlet = json.loads(
        zermelo("tournament", "connect", *players, *QUICK, "--games", "2", "--gauntlet", "--json").out
    )
    assert {(row["player"], row["opponent"]) for row in gauntlet["cross"] if row["player"] != "engine:easy"} == {
        ("engine", "engine:easy"), ("engine (2)", "engine:easy")
    }  # fmt: skip


def test_reports_are_pages_of_the_games(
    zermelo: Callable[..., Any], refusal: Callable[..., str], tmp_path: Path
) -> None:
    """A match writes the same report as its file does later, but for the name of the file."""
    assert "there is no folder" in refusal(*MATCH, "--html", "nowhere/report.html")
    zermelo(*MATCH, "--sprt", "0,10", "--out", "games.jsonl", "--html", "match.html")
    assert zermelo("rate", "games.jsonl", "--html", "rated.html").status == 0
    of_match, of_file = ((tmp_path / name).read_text() for name in ("match.html", "rated.html"))
    assert of_file == of_match.replace("</dd><dt>Kind</dt>", "</dd><dt>Files</dt><dd>games.jsonl</dd><dt>Kind</dt>")
    assert "A sequential test of 10 against 0 Elo." in of_match
    assert zermelo("rate", "games.jsonl", "games.jsonl", "--html", "rated.html").status == 0
    assert "games.jsonl, games.jsonl" in (tmp_path / "rated.html").read_text()
    (tmp_path / "folder.html").mkdir()
    assert "it is a folder" in refusal("rate", "games.jsonl", "--html", "folder.html")


def test_games_are_written_as_pgn_and_looked_at(
    zermelo: Callable[..., Any], refusal: Callable[..., str], tmp_path: Path
) -> None:
    """A match of chess writes the same games as its file does later; nobody moves, so nothing is compiled."""
    assert "cannot be written as PGN" in refusal(*MATCH, "--pgn", "games.pgn")
    assert "there is no folder" in refusal("match", "chess", "random", "random", "--pgn", "nowhere/games.pgn")
    (tmp_path / "book.pgn").write_text("1. e4 e5 2. Nf3 Nc6 *\n")
    options = ("--games", "2", "--openings", "book.pgn", "--plies", "3", "--max-plies", "4", "--out", "games.jsonl")
    assert zermelo("match", "chess", "random", "random", *options, "--pgn", "games.pgn").status == 0
    assert zermelo("rate", "games.jsonl", "--pgn", "rated.pgn").status == 0
    written = (tmp_path / "games.pgn").read_text()
    assert written == (tmp_path / "rated.pgn").read_text()
    assert written.count("1. e4 e5 2. Nf3 ") == 2
    assert zermelo("play", "chess", "--resume", "games.pgn", "--moves", "d4").status == 1  # the input ends
    assert "PGN does not tell which game it is of" in refusal("play", "--resume", "games.pgn")


def test_openings_are_written_and_played(zermelo: Callable[..., Any], tmp_path: Path) -> None:
    ran = zermelo("openings", "connect", "--count", "3", "--plies", "6", "--unbalanced", "--out", "openings.txt")
    assert ran.out == "Wrote 3 openings to openings.txt.\n"
    printed = zermelo("openings", "connect", "--count", "3", "--plies", "6", "--unbalanced").out
    lines = (tmp_path / "openings.txt").read_text().splitlines()
    assert printed.splitlines() == [line for line in lines if not line.startswith("#")]
    zermelo(*MATCH, "--openings", "openings.txt", "--out", "games.jsonl")
    _, games = read_ledger(tmp_path / "games.jsonl")
    assert {" ".join(game.moves[: game.plies]) for game in games} == set(printed.splitlines())


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--count", "The number of openings is -1; it must be at least 1."),
        ("--plies", "The number of plies is -1; it must be at least 0."),
    ],
)
def test_numbers_of_openings_that_cannot_be_are_refused(refusal: Callable[..., str], option: str, words: str) -> None:
    assert words in refusal("openings", "connect", option, "-1")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--games 5", "must be even"),
        ("--games 0", "at least 2"),
        ("--clock soon", "is no time control"),
        ("--seconds 0", "more than 0"),
        ("--nodes 10 --clock nodes=5", "twice"),
        ("--sprt 5", "--sprt 0,10"),
        ("--sprt 10,0", "elo0 must be the smaller one"),
        ("--resign much", "--resign much is no rule"),
        ("--draw 1,2,3,4", "up to 3"),
        ("--threads 0", "threads"),
        ("--seed -1", "seed"),
        ("--openings nowhere.txt", "nowhere.txt cannot be read"),
        ("--plies 42", "No opening of 42 plies"),
        ("--out /nowhere/games.jsonl", "cannot be kept"),
        ("--table nowhere", "nowhere"),
    ],
)
def test_what_cannot_be_is_refused(options: str, words: str, refusal: Callable[..., str]) -> None:
    assert words in refusal("match", "connect", "engine", "engine:easy", *options.split())


def test_a_player_that_does_not_exist_begins_no_file(refusal: Callable[..., str], tmp_path: Path) -> None:
    assert "nobody" in refusal("match", "connect", "engine", "nobody", *QUICK, "--out", "games.jsonl")
    assert not (tmp_path / "games.jsonl").exists()


def test_files_that_cannot_be_rated_are_refused(refusal: Callable[..., str], tmp_path: Path) -> None:
    assert "cannot be read" in refusal("rate", "nowhere.jsonl")
    (tmp_path / "other.jsonl").write_text('{"number": 1}\n')
    assert "no file of a tournament" in refusal("rate", "other.jsonl")


def test_a_killed_match_ends_with_the_same_table(zermelo: Callable[..., Any], tmp_path: Path) -> None:
    """`benchmarks/matches.py --tasks kill` does this twenty times, at moments of every kind."""
    match = ("match", "connect", "engine:depth=3", "engine:depth=2", "--games", "60", "--plies", "6")
    undisturbed = json.loads(zermelo(*match, "--json").out)
    file = tmp_path / "games.jsonl"
    process = started(match, tmp_path, games=10)
    process.kill()
    process.communicate(timeout=60)
    with file.open("ab") as torn:
        torn.write(b'{"number":59,"first":"eng')
    assert json.loads(zermelo(*match, "--out", "games.jsonl", "--json").out) == undisturbed
    assert sorted(game.number for game in read_ledger(file)[1]) == list(range(60))


def started(match: Sequence[str], folder: Path, games: int) -> subprocess.Popen[str]:
    """A match that writes to games.jsonl, and has ended so many games."""
    command = [sys.executable, "-m", "zermelo", *match, "--out", "games.jsonl", "--threads", "2"]
    with interruptible():
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    file = folder / "games.jsonl"
    wait_until(lambda: process.poll() is not None or (file.exists() and file.read_bytes().count(b"\n") > games))
    return process


def test_ctrl_c_ends_a_match_with_one_sentence(tmp_path: Path) -> None:
    process = started((*MATCH, "--games", "100000"), tmp_path, games=3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err == "zermelo: Interrupted; the same command goes on with the games in games.jsonl.\n"
    assert len(read_ledger(tmp_path / "games.jsonl")[1]) >= 3
