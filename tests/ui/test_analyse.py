"""``zermelo analyse``, ``zermelo cache`` and the player ``engine``, as a person uses them."""

import json
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.ui.conftest import PLAIN

from zermelo.compiled import compiled, is_cached
from zermelo.compiled.perft import count_nodes
from zermelo.engine import team
from zermelo.engine.deepening import search_deeper
from zermelo.errors import BadParameter
from zermelo.registry import make_game
from zermelo.result import SearchResult

SMALL = ["connect", "-p", "rows=4", "-p", "columns=4"]


def test_json_has_every_field_of_a_result(zermelo: Callable[..., Any]):
    done = zermelo("analyse", *SMALL, "--depth", "4", "--json")
    record = json.loads(done.out)
    fields = SearchResult(value=0, action=0).to_dict()
    assert set(record) == set(fields) | {"game", "parameters", "guarantee"}
    assert (record["depth"], record["stopped_by"], record["proven"], record["guarantee"]) == (4, "depth", False, None)


def test_a_proof_with_root_values(zermelo: Callable[..., Any]):
    record = json.loads(zermelo("analyse", *SMALL, "--prove", "--root-values", "--json").out)
    assert (record["value"], record["proven"], record["guarantee"]) == (0, True, "draw")
    assert record["root_values"] == {"0": 0, "1": 0, "2": 0, "3": 0}
    assert record["best_actions"] == [0, 1, 2, 3]


def test_a_proof_that_was_stopped_says_what_is_an_estimate_and_what_is_proven(zermelo: Callable[..., Any]):
    """Positions of oware come back, so that nothing is proven of one that was stopped; of connect bounds are."""
    line = ["analyse", "oware", "-p", "pits=3", "-p", "seeds=2", "--prove", "--nodes", "300"]
    record = json.loads(zermelo(*line, "--json").out)
    assert (record["bound"], record["proven"], record["guarantee"]) == ("estimate", False, None)
    depth = record["depth"]
    assert f"value          {record['value']} (an estimate, {depth} plies deep)\n" in zermelo(*line).out
    record = json.loads(zermelo("analyse", "connect", "--prove", "--nodes", "20000", "--json").out)
    assert record["bound"] in ("lower", "upper")
    assert not record["proven"]
    shown = zermelo("analyse", "connect", "--prove", "--nodes", "20000").out
    assert re.search(r"^value +at (least|most) -?\d+ \(so much is proven\)$", shown, re.MULTILINE)


def test_a_search_to_a_depth_is_labelled_as_an_estimate(zermelo: Callable[..., Any]):
    out = zermelo("analyse", "connect", "--depth", "2").out
    assert "(an estimate, 2 plies deep)\n" in out
    assert re.search(r"^action +\d$", out, re.MULTILINE)
    shown = zermelo("analyse", "tictactoe", "--depth", "2").out
    assert re.search(r"^action +[abc][123]$", shown, re.MULTILINE)
    assert re.search(r"^line +[abc][123] [abc][123]$", shown, re.MULTILINE)


def test_each_depth_is_shown_and_then_the_result(zermelo: Callable[..., Any]):
    done = zermelo("analyse", *SMALL, "--moves", "1,1", "--depth", "3")
    lines = done.out.splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("depth"))
    assert [line.split()[0] for line in lines[head + 1 : head + 4]] == ["1", "2", "3"]
    assert "value" in done.out
    assert "stopped" not in done.err


def test_a_table_that_no_memory_has_room_for_is_refused(monkeypatch):
    def zeros(*_: Any, **__: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr(team.np, "zeros", zeros)
    with pytest.raises(BadParameter, match="no memory for a table of 8 MiB; choose a smaller one"):
        team._aligned_words(8 << 20)


def test_limits_by_nodes_and_by_time(zermelo: Callable[..., Any]):
    huge = json.loads(zermelo("analyse", *SMALL, "--nodes", "99999999999999999999", "--json").out)
    assert huge["proven"]
    by_nodes = json.loads(zermelo("analyse", "connect", "--nodes", "20000", "--json").out)
    assert by_nodes["stopped_by"] == "nodes"
    by_time = json.loads(zermelo("analyse", "connect", "--seconds", "0.3", "--json").out)
    assert by_time["stopped_by"] == "time"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["connect", "--depth", "0"], "The limit depth is 0; it must be more than 0."),
        (["connect", "--seconds", "-1"], "The limit seconds is -1.0; it must be more than 0."),
        (["connect", "--threads", "0"], "An engine has 1 to 256 threads, not 0."),
        (["connect", "--threads", "99999999999999999999"], "An engine has 1 to 256 threads"),
        (["connect", "--table-mb", "0"], "table_mb is 0.0; it must be more than 0"),
        (["connect", "--table-mb", "nan"], "table_mb is nan; it must be more than 0 and at most 16,777,216."),
        (["connect", "--table-mb", "inf"], "table_mb is inf; it must be"),
        (["connect", "--out", "x.jsonl"], "--out goes with --positions"),
        (["connect", "--positions", "x", "--moves", "3"], "--moves and --position go without --positions"),
        (["connect", "--positions", "x", "--out", "x.txt"], "x.txt is no name for results; it must end in .jsonl"),
        (["connect", "--positions", "x", "--out", "no/x.jsonl"], "There is no folder no; make it first."),
        (["connect", "--table-mb", "1e7"], "There is no memory for a table of"),
        (["connect", "--moves", "9"], "'9' is not a legal action here"),
        ([*SMALL, "--moves", "0,1,0,1,0,1,0"], "The game is over"),
    ],
)
def test_bad_input_gets_one_sentence(arguments: list[str], sentence: str, zermelo: Callable[..., Any]):
    done = zermelo("analyse", *arguments)
    assert done.status == 1
    assert sentence in done.err.splitlines()[-1]
    assert "Traceback" not in done.err


def test_a_game_that_is_over_is_refused_before_anything_is_shown(refusal: Callable[..., str]):
    game = ["mnk", "-p", "width=5", "-p", "height=1", "-p", "run=1"]  # which nobody has compiled yet
    assert "The game is over" in refusal("analyse", *game, "--moves", "a1")


def test_the_notice_of_compiling_is_one_line(zermelo: Callable[..., Any], monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    ran = zermelo("analyse", "domineering", "-p", "width=2", "-p", "height=3", "--depth", "1")
    assert ran.err == ("Compiling domineering(width=2, height=3) to machine code; this is done once and kept.\n")


def test_a_terminal_shows_that_it_compiles_and_for_how_long(terminal: Callable[..., Any], monkeypatch, tmp_path):
    monkeypatch.setitem(PLAIN, "ZERMELO_CACHE_DIR", str(tmp_path))
    game = terminal("analyse", "domineering", "-p", "width=2", "-p", "height=3", "--depth", "1")
    game.until(r"compiling, which no limit counts: \d+ s")
    game.until("stopped|finished|depth")
    assert game.end() == 0


def test_a_game_that_cannot_be_compiled_says_why(zermelo: Callable[..., Any], tmp_path):
    file = tmp_path / "words.py"
    file.write_text(
        "from zermelo import MAX, Game\n"
        "def words() -> Game:\n"
        "    return Game(name='words', initial='', utility_range=(-1, 1), to_move=lambda s: MAX,\n"
        "        actions=lambda s: ['a', 'b'], result=lambda s, a: s + a, is_terminal=lambda s: len(s) > 2,\n"
        "        utility=lambda s: 1)\n"
    )
    done = zermelo("analyse", str(file))
    assert done.status == 1
    assert "str" in done.err
    assert "NamedTuple of ints" in done.err
    assert zermelo("search", str(file), "--algorithm", "minimax").status == 0


def test_the_cache_is_told_and_cleared(zermelo: Callable[..., Any], monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "cache"))
    assert "0 kernels of 0 games" in zermelo("cache", "info").out
    first = zermelo("perft", "connect", "-p", "rows=2", "--depth", "7")  # the kernel that compiles soonest
    assert "Compiling connect(rows=2, columns=7, run=4) to machine code" in first.err
    again = zermelo("perft", "connect", "-p", "rows=2", "--depth", "7")
    assert again.err == ""
    code = compiled(make_game("connect", rows=2)).code
    assert is_cached(code, count_nodes)
    assert not is_cached(code, search_deeper)  # so that its notice appears when a search compiles it
    assert " of 1 games" in zermelo("cache", "info").out
    assert "deleted" in zermelo("cache", "clear").out
    assert "0 kernels of 0 games" in zermelo("cache", "info").out


@pytest.mark.parametrize("seat", ["engine:easy", "engine"])
def test_the_engine_plays_a_whole_game(seat: str, process: Callable[..., Any]):
    ran = process("play", *SMALL, "--max", seat, "--min", "random", "--seconds", "0.05")
    assert (ran.status, ran.err) == (0, "")
    assert f"The winner is Red (MAX): {seat}." in ran.out or "The game is a draw" in ran.out
    assert f"{seat} plays" in ran.out


def test_control_c_ends_an_analysis_with_its_result(terminal: Callable[..., Any]):
    game = terminal("analyse", "connect", "--seconds", "600")
    game.until(r"thinking: \d+,\d{3},\d{3} nodes")
    game.child.kill(signal.SIGINT)
    game.until("interrupted")
    assert game.end() == 130


def test_control_c_in_a_search_is_one_sentence(terminal: Callable[..., Any]):
    game = terminal("search", "connect", "--algorithm", "alpha-beta")
    game.until(r"thinking: \d+,\d{3} nodes")
    game.child.kill(signal.SIGINT)
    game.until(r"zermelo: Interrupted\.")
    assert game.end() == 130


def test_positions_of_a_file_without_ray(zermelo: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """One after the other in this process; a run that was stopped is gone on with."""
    monkeypatch.setitem(sys.modules, "ray", None)
    (tmp_path / "positions.txt").write_text("0\n0,1\n0,1,0,1,0,1,0\n")
    command = ("analyse", *SMALL, "--positions", "positions.txt", "--depth", "3", "--out", "results.jsonl")
    ran = zermelo(*command)
    assert (ran.status, ran.out) == (0, "3 positions, 0 of them from an earlier run: results.jsonl\n")
    records = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert [record["position"] for record in records] == ["0", "0,1", "0,1,0,1,0,1,0"]
    assert [record["result"]["action"] is None for record in records] == [False, False, True]
    lines = (tmp_path / "results.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "results.jsonl").write_text(lines[0] + lines[1][:20])
    assert zermelo(*command).out == "3 positions, 1 of them from an earlier run: results.jsonl\n"
