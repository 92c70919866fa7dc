"""The command line: what each command prints, and the one sentence for each wrong input."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numba.core import config

import zermelo as package
from running import PATIENCE
from zermelo.games import connect
from zermelo.textbook import alpha_beta, minimax
from zermelo.textbook.perft import perft as textbook_perft
from zermelo.textbook.systems import ALGORITHMS
from zermelo.ui.terminal.usage import base_of_usage_errors

KEYS = {
    "game", "parameters", "algorithm", "value", "action", "guarantee", "principal_variation", "nodes", "leaves",
    "prunings", "prunings_max", "prunings_min", "max_depth", "table_states", "seconds",
}  # fmt: skip
SMALL = ("-p", "rows=3", "-p", "columns=3", "-p", "run=3")


@pytest.fixture
def found(zermelo: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    """The JSON object of a search."""

    def run(*arguments: str) -> dict[str, Any]:
        ran = zermelo("search", *arguments, "--json")
        assert (ran.status, ran.err) == (0, "")
        return json.loads(ran.out)  # type: ignore[no-any-return]

    return run


# --- search


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_search_json_has_every_key(algorithm: str, found: Callable[..., dict[str, Any]]):
    record = found("connect", *SMALL, "--algorithm", algorithm)
    assert record.keys() >= KEYS
    assert record["game"] == "connect"
    assert record["parameters"] == {"rows": 3, "columns": 3, "run": 3}
    assert record["algorithm"] == algorithm
    assert record["action"] in (0, 1, 2)
    assert record["principal_variation"][0] == record["action"]
    assert record["prunings"] == record["prunings_max"] + record["prunings_min"]
    assert record["nodes"] > record["leaves"] > 0
    assert record["seconds"] >= 0


@pytest.mark.parametrize("handout", [[], ["--handout"]])
@pytest.mark.parametrize("algorithm", ["minimax", "alpha-beta"])
def test_search_knows_who_wins(algorithm: str, handout: list[str], found: Callable[..., dict[str, Any]]):
    board = ["-p", "rows=3", "-p", "columns=4", "-p", "run=3"]
    first = found("connect", *board, "--algorithm", algorithm, *handout)
    assert (first["guarantee"], first["value"] > 0) == ("first", True)
    draw = found("tictactoe", "--algorithm", algorithm, *handout)
    assert (draw["guarantee"], draw["value"]) == ("draw", 0)
    won = found("tictactoe", "--algorithm", algorithm, *handout, "--moves", "0,1")
    assert (won["guarantee"], won["value"]) == ("first", 1000)


def test_search_after_a_blunder_the_second_player_wins(found: Callable[..., dict[str, Any]]):
    record = found("tictactoe", "--moves", "b3,a3,b1")
    assert (record["guarantee"], record["value"], record["action"]) == ("second", -1000, 4)


def test_search_to_a_depth_proves_nothing(found: Callable[..., dict[str, Any]]):
    record = found("connect", "--algorithm", "heuristic", "--depth", "2")
    assert (record["guarantee"], record["depth"], record["max_depth"]) == (None, 2, 2)


def test_search_width_one_follows_one_line(found: Callable[..., dict[str, Any]]):
    record = found("connect", "--algorithm", "path", "--depth", "3", "--width", "1")
    assert len(record["principal_variation"]) == 3
    assert record["nodes"] == 4


def test_search_level_sets_the_depth(found: Callable[..., dict[str, Any]]):
    assert found("connect", "--algorithm", "heuristic", "--level", "easy")["depth"] == 2


def test_search_counts_are_the_published_ones_with_the_handout(found: Callable[..., dict[str, Any]]):
    record = found("connect", *SMALL, "--algorithm", "minimax", "--handout")
    assert (record["table_states"], record["value"]) == (694, 0)


def test_letter_is_another_name_of_handout(zermelo: Callable[..., Any], found: Callable[..., dict[str, Any]]):
    record = found("connect", *SMALL, "--letter")
    assert (record["handout"], record["table_states"], record["prunings"]) == (True, 206, 149)
    for command in ("search", "play", "explain"):
        shown = zermelo(command, "--help").out
        assert "--handout" in shown
        assert "--letter" not in shown


@pytest.mark.parametrize("algorithm", ["minimax", "alpha-beta"])
def test_search_table_is_sorted_and_whole(algorithm: str, zermelo: Callable[..., Any]):
    ran = zermelo("search", "connect", *SMALL, "--algorithm", algorithm, "--table")
    rows = [line.split("\t") for line in ran.out.splitlines() if "\t" in line]
    table: dict[Any, Any] = {}
    game = connect(3, 3, 3)
    minimax.minimax_search(game, game.initial, table)
    truth = {game.to_text(state): info for state, info in table.items()} if game.to_text else {}
    assert rows == sorted(rows)
    assert len({row[0] for row in rows}) == len(rows)
    exact = [row for row in rows if "upper" not in row and "lower" not in row]
    assert all(int(row[1]) == truth[row[0]].value for row in exact)
    if algorithm == "minimax":
        assert len(rows) == 694
        assert all(row[2] == ("-" if truth[row[0]].action is None else str(truth[row[0]].action)) for row in rows)


def test_search_table_in_json(found: Callable[..., dict[str, Any]]):
    record = found("connect", *SMALL, "--algorithm", "minimax", "--table")
    assert len(record["table"]) == record["table_states"] == 694
    assert record["table"] == sorted(record["table"])


def test_search_for_people_shows_the_handout_beside_the_sound_table(zermelo: Callable[..., Any]):
    ran = zermelo("search", "connect", *SMALL)
    assert ran.status == 0
    assert ". . .\n0 1 2" in ran.out
    assert "Neither player has a guaranteed win" in ran.out
    game, counts = connect(3, 3, 3), package.result.SearchCounts()
    alpha_beta.alpha_beta_search(game, game.initial, -float("inf"), float("inf"), {}, counts)
    assert f"value 0, {counts.nodes:,} nodes, {counts.prunings:,} prunings" in ran.out
    assert "Exactly as the handout" not in zermelo("search", "connect", *SMALL, "--handout").out


# --- games, perft, version


def test_games_json_lists_parameters_with_ranges_and_defaults(zermelo: Callable[..., Any]):
    listing = {entry["name"]: entry for entry in json.loads(zermelo("games", "--json").out)}
    assert {"connect", "minicheckers", "mnk", "tictactoe"} <= listing.keys()
    rows = listing["connect"]["parameters"][0]
    assert rows == {"name": "rows", "type": "int", "default": 6, "min": 1, "max": 31}
    assert listing["tictactoe"]["parameters"] == []


def test_games_for_people(zermelo: Callable[..., Any]):
    out = zermelo("games").out
    assert "rows=6 (1 to 31)" in out
    assert "Mini-checkers" in out


def test_perft_counts(zermelo: Callable[..., Any]):
    record = json.loads(zermelo("perft", "tictactoe", "--depth", "4", "--json").out)
    assert record.keys() == {"nodes", "seconds", "rules"}
    assert record["nodes"] == 9 * 8 * 7 * 6
    assert "3,024 nodes at depth 4" in zermelo("perft", "tictactoe", "--depth", "4").out
    assert "1 nodes at depth 0" in zermelo("perft", "tictactoe", "--depth", "0").out


def test_perft_divide(zermelo: Callable[..., Any]):
    lines = zermelo("perft", "connect", "--depth", "3", "--divide").out.splitlines()
    assert lines[:7] == [f"{column}: 49" for column in range(7)]
    assert lines[7].startswith("343 nodes at depth 3")
    record = json.loads(zermelo("perft", "tictactoe", "--depth", "2", "--divide", "--json", "--moves", "b2").out)
    assert record["divide"] == dict.fromkeys(["a3", "b3", "c3", "a2", "c2", "a1", "b1", "c1"], 7)


def test_perft_from_a_position(zermelo: Callable[..., Any]):
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 100 80"
    record = json.loads(zermelo("perft", "chess", "--position", fen, "--depth", "2", "--divide", "--json").out)
    assert (record["nodes"], len(record["divide"]), record["divide"]["O-O"]) == (2039, 48, 43)
    asked = ("perft", "chess", "--position", fen.replace("100", "0"), "--moves", "e1g1", "--depth", "1", "--json")
    assert json.loads(zermelo(*asked).out)["nodes"] == 43


@pytest.mark.parametrize("command", ["perft --depth 2", "analyse --depth 2", "search", "explain", "play"])
def test_every_command_that_takes_moves_takes_a_position(command: str, refusal: Callable[..., str]):
    name, *options = command.split()
    assert "'a board' is no position of tictactoe:" in refusal(name, "tictactoe", *options, "--position", "a board")


@pytest.mark.parametrize("divide", [[], ["--divide"]])
def test_perft_counts_with_compiled_rules_and_says_so(divide: list[str], zermelo: Callable[..., Any]):
    line = ["perft", "connect", "-p", "rows=4", "-p", "columns=4", "--depth", "8", *divide]
    game = connect(4, 4)
    fast, slow = (json.loads(zermelo(*line, "--json", *how).out) for how in ([], ["--interpreted"]))
    assert (slow["rules"], fast["rules"]) == ("interpreted", "interpreted" if config.DISABLE_JIT else "compiled")
    assert (fast["nodes"], fast.get("divide")) == (slow["nodes"], slow.get("divide"))
    assert fast["nodes"] == textbook_perft(game, game.initial, 8)
    assert zermelo(*line).out.splitlines()[-1].endswith(f" seconds, {fast['rules']} rules")


def test_perft_says_why_it_counts_with_interpreted_rules(zermelo: Callable[..., Any]):
    text = """
from zermelo import MAX, Game
def words() -> Game:
    return Game(name="words", initial="", utility_range=(-1, 1), to_move=lambda s: MAX, actions=lambda s: range(3),
                result=lambda s, a: s + "abc"[a], is_terminal=lambda s: len(s) > 8, utility=lambda s: 1)
"""
    ran = zermelo("perft", written(text), "--depth", "8", "--json")
    assert (ran.status, json.loads(ran.out)["nodes"], json.loads(ran.out)["rules"]) == (0, 3**8, "interpreted")
    assert ran.err.startswith("The rules are interpreted, which takes longer: ")
    assert ran.err.count("\n") == 1
    small = zermelo("perft", written(text), "--depth", "4")  # of which nobody waits for machine code
    assert (small.err, small.out.split(",")[-1]) == ("", " interpreted rules\n")


def test_perft_refuses_a_depth_that_nobody_can_count(refusal: Callable[..., str]):
    assert "at most 1,000" in refusal("perft", "nim", "--depth", "99999999999999999999")


def test_control_c_ends_a_long_count(terminal: Callable[..., Any]):
    count = terminal("perft", "connect", "--depth", "30")
    count.until(r"counting: [\d,]+ nodes, [\d,]+ of 2,401 positions")
    count.child.kill(signal.SIGINT)
    count.until(r"zermelo: Interrupted\.")
    assert count.end() == 130


def test_python_m_zermelo_is_the_same_program(process: Callable[..., Any], zermelo: Callable[..., Any]):
    for arguments in (["--version"], ["perft", "tictactoe", "--depth", "1", "--json"], ["games", "--json"]):
        here, there = zermelo(*arguments), process(*arguments)
        assert here.status == there.status == 0
        assert here.out.split("seconds")[0] == there.out.split("seconds")[0]
    assert zermelo("--version").out.splitlines()[0] == f"zermelo {package.__version__}"


def test_control_c_while_the_program_is_loaded_is_one_sentence(process: Callable[..., Any], tmp_path: Path):
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt\n")
    ran = process("games", PYTHONPATH=os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    assert (ran.status, ran.out, ran.err) == (130, "", "zermelo: Interrupted.\n")


def test_a_reader_that_goes_away_is_no_error():
    command = f"{sys.executable} -m zermelo search connect -p rows=4 -p columns=4 -p run=3 --table | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.stdout.count("\n") == 1
    assert "Traceback" not in done.stderr


# --- bad input


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("search conect", "no game called 'conect'; did you mean connect"),
        ("search games/mine", "no game called 'games/mine'; the name of a file with a game ends in .py."),
        ("play tictactow", "did you mean tictactoe?"),
        ("perft zzzz --depth 1", "known games are "),
        ("search connect -p rows=0", "The parameter rows is 0; it must be a whole number from 1 to 31"),
        ("search connect -p rows=six", "The parameter rows is 'six'; it must be a whole number"),
        ("search connect -p rows=", "The parameter rows is ''"),
        ("search connect -p rows", "-p rows is not a parameter; write -p name=value"),
        ("search connect -p =3", "-p =3 is not a parameter"),
        ("search connect -p height=3", "no parameter 'height'; it has rows, columns, run"),
        ("search tictactoe -p rows=3", "no parameter 'rows'; it has none"),
        ("search connect -p rows=9 -p columns=13", "9 rows and 13 columns is too large to hold"),
        ("play connect -p rows=9 -p columns=13", "too large to hold"),
        ("search mnk -p width=20 -p height=20", "too large to hold"),
        ("search connect --algorithm heuristic --depth 0", "The depth is 0; it must be a whole number, 1 or more"),
        (
            "search connect --depth 3",
            "The algorithm alpha-beta takes no --depth; it goes with heuristic, path, decision, timed.",
        ),
        ("search connect --algorithm heuristic --seconds 3", "heuristic takes no --seconds; it goes with timed."),
        ("search connect --algorithm minimax --level easy", "minimax takes no --level"),
        ("perft connect -p rows=4 -p rows=5 --depth 1", "The parameter rows is given twice; give it once."),
        ("play connect --max engine:", "The player engine: lacks its level; there are easy, medium, hard."),
        ("play connect --max heuristic --depth -1", "The depth is -1"),
        ("search connect --algorithm path --width 0", "The width is 0"),
        ("search connect --algorithm timed --seconds 0", "The time is 0.0 seconds; it must be more than 0"),
        ("play connect --max timed --seconds nan", "The time is nan seconds"),
        ("perft tictactoe --depth -1", "The depth is -1; it must be 0 or more"),
        ("perft tictactoe --depth 0 --divide", "The depth is 0; it must be 1 or more"),
        ("search connect --moves 3,9", "'9' is not a legal action here; legal are 0, 1, 2, 3, 4, 5, 6"),
        ("play connect --moves x", "'x' is not a legal action here"),
        ("search tictactoe --moves 0,3,1,4,2", "The game is over in this state"),
        ("play connect --max deepblue", "no player 'deepblue'; there are human, random, minimax"),
        ("play connect --min timed:extreme", "no level 'extreme'; there are easy, medium, hard"),
        ("play --resume nothing.json", "nothing.json cannot be read: No such file"),
        ("search nothing.py", "There is no file nothing.py"),
    ],
)
def test_bad_input_gets_one_sentence(line: str, words: str, refusal: Callable[..., str]):
    assert words in refusal(*line.split())


# --- games of the user

GOOD = """
from dataclasses import replace
from typing import Annotated
from zermelo.game import Game
from zermelo.games import mnk

def strip(length: Annotated[int, range(2, 9)] = 3, misere: bool = False) -> Game:
    \"\"\"Stones in a row.\"\"\"
    game = mnk(length, 1, 2)
    return replace(game, name="strip", parameters={"length": length, "misere": misere})
"""
SECOND = GOOD + "\ndef other() -> Game:\n    return strip(4)\n\ndef unsaid():\n    return strip(5)\n"


def written(text: str) -> str:
    Path("mine.py").write_text(text)
    return "mine.py"


def test_a_users_game_by_its_file(found: Callable[..., dict[str, Any]]):
    record = found(written(GOOD), "-p", "length=4", "-p", "misere=true")
    assert (record["game"], record["parameters"]) == ("strip", {"length": 4, "misere": True})


@pytest.mark.parametrize(("name", "length"), [("strip", 3), ("other", 4), ("unsaid", 5)])
def test_a_users_game_by_file_and_factory(name: str, length: int, found: Callable[..., dict[str, Any]]):
    assert found(f"{written(SECOND)}:{name}")["parameters"]["length"] == length


@pytest.mark.parametrize(("text", "value"), [("true", True), ("YES", True), ("no", False), ("False", False)])
def test_yes_no_parameters(text: str, value: bool, found: Callable[..., dict[str, Any]]):
    assert found(written(GOOD), "-p", f"misere={text}")["parameters"]["misere"] is value


@pytest.mark.parametrize("value", ["1", "maybe", ""])
def test_a_wrong_yes_no_parameter(value: str, refusal: Callable[..., str]):
    assert "it must be true or false" in refusal("search", written(GOOD), "-p", f"misere={value}")


LACKING = """
from zermelo.game import Game
def half() -> Game:
    return Game(name="half", initial=0, utility_range=(-1, 1), to_move=lambda s: 1,
                actions=lambda s: [0], is_terminal=lambda s: False)
"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def f(:\n", "mine.py cannot be imported: line 1: SyntaxError"),
        ("\nimport no_such_module\n", "mine.py, line 2: ModuleNotFoundError: No module named 'no_such_module'"),
        ("\n\n1 / 0\n", "mine.py, line 3: ZeroDivisionError"),
        ("raise SystemExit(0)\n", "mine.py cannot be imported"),
        ("\0", "mine.py cannot be imported: it holds null bytes, as no Python source does.\n"),
        ("raise ValueError('no.')", "mine.py, line 1: ValueError: no.\n"),
        ("x = 3\n", "holds no game; it needs a function annotated '-> Game'"),
        (SECOND, "holds several games; choose one: mine.py:strip, mine.py:other"),
        (LACKING, "The game 'half' lacks result and utility"),
        (GOOD.replace("return replace", "1 / 0; return replace"), "Making the game mine.py failed: mine.py, line 10"),
        (GOOD.replace("return replace(", "return str("), "TypeError"),
        ("from zermelo.game import Game\ndef f() -> Game:\n    return 3\n", "returned a int; it must return a zermelo"),
        (GOOD.replace("utility_range", "x") + "strip = strip(99)\n", "cannot be imported"),
    ],
)
def test_a_users_file_that_will_not_do(text: str, words: str, refusal: Callable[..., str]):
    assert words in refusal("search", written(text))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("stripe", "mine.py has no function 'stripe'; it has strip, other"),
        ("Annotated", "Making the game mine.py:Annotated failed"),
        ("__name__", "neither a Game nor a function"),
    ],
)
def test_a_wrong_factory_name(name: str, words: str, refusal: Callable[..., str]):
    assert words in refusal("search", f"{written(SECOND)}:{name}")


def test_annotations_that_name_nothing(refusal: Callable[..., str]):
    text = "from __future__ import annotations\ndef f(x: Nothing = 1):\n    return 1\n"
    assert "parameters of f cannot be read: NameError" in refusal("search", f"{written(text)}:f", "-p", "x=1")


@pytest.mark.parametrize(
    "command", [["search"], ["perft", "--depth", "2"], ["play", "--max", "random", "--min", "random"]]
)
def test_rules_that_raise_are_named_with_their_line(command: list[str], zermelo: Callable[..., Any]):
    text = GOOD + "\ndef broken() -> Game:\n    def actions(s):\n        raise KeyError('oops')\n"
    text += "    return replace(strip(), actions=actions)\n"
    ran = zermelo(command[0], f"{written(text)}:broken", *command[1:])
    assert ran.status == 1
    assert ran.err == "zermelo: The game's own code failed: mine.py, line 14: KeyError: 'oops'.\n"


def installed(folder: Path, value: str) -> str:
    """A package in ``folder`` that registers the game nim2 as ``value``; the PYTHONPATH that finds it."""
    info = folder / "other_games-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[zermelo.games]\nstrip = {value}\n")
    (folder / "other_games.py").write_text(GOOD)
    return os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])


def test_a_game_of_another_package(process: Callable[..., Any], tmp_path: Path):
    path = installed(tmp_path / "site", "other_games:strip")
    listing = {entry["name"]: entry for entry in json.loads(process("games", "--json", PYTHONPATH=path).out)}
    assert listing["strip"]["about"] == "Stones in a row."
    assert [one["name"] for one in listing["strip"]["parameters"]] == ["length", "misere"]
    ran = process("search", "strip", "-p", "length=4", "--json", PYTHONPATH=path)
    assert json.loads(ran.out)["parameters"]["length"] == 4


def test_another_package_that_cannot_be_loaded(process: Callable[..., Any], tmp_path: Path):
    path = installed(tmp_path / "site", "other_games:missing")
    ran = process("games", PYTHONPATH=path)
    assert ran.status == 1
    assert "The game 'strip' is registered as 'other_games:missing', which cannot be loaded" in ran.err
    assert "Traceback" not in ran.err
    assert process("perft", "tictactoe", "--depth", "1", PYTHONPATH=path).status == 0


def test_the_help_of_every_command_speaks_of_its_options(zermelo: Callable[..., Any]):
    for command in ("play", "search", "perft", "grade", "games"):
        ran = zermelo(command, "--help")
        assert ran.status == 0
        assert f"{command} [OPTIONS]" in ran.out


# --- command lines that cannot be read


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("play connect --depth two", "The option --depth is 'two'; it must be a whole number."),
        ("perft connect --depth=1.5", "The option --depth is '1.5'; it must be a whole number."),
        ("analyse connect --seconds soon", "The option --seconds is 'soon'; it must be a number."),
        ("play connect --level superb", "The option --level is 'superb'; it must be one of easy, medium, hard."),
        (
            "search connect --algorithm magic",
            "The option --algorithm is 'magic'; "
            "it must be one of minimax, alpha-beta, heuristic, path, decision, timed.",
        ),
        ("perft connect", "The option --depth is missing; zermelo perft --help explains it."),
        ("search", "GAME is missing; zermelo search --help explains it."),
        ("analyse connect --depthh 3", "There is no option --depthh; did you mean --depth?"),
        ("analyse connect --xyzzy 3", "There is no option --xyzzy; zermelo analyse --help explains it."),
        ("play connect --depth", "The option --depth lacks its value; zermelo --help explains it."),
        ("play connect more", "Got unexpected extra argument(s) (more); zermelo play --help shows what there is."),
        ("plya connect", "No such command 'plya'; did you mean play?"),
        ("serv connect", "No such command 'serv'; did you mean serve or search?"),
        ("frobnicate", "No such command 'frobnicate'; zermelo --help shows what there is."),
        ("serve --port 0", "The option --port is '0'; it must be 1 or more."),
        ("serve --port 65536", "The option --port is '65536'; it must be 65535 or less."),
    ],
)
def test_a_command_line_that_cannot_be_read_is_refused_in_one_sentence(line: str, sentence: str, zermelo):
    ran = zermelo(*line.split())
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"zermelo: {sentence}")
    assert ran.err.count("\n") == 1


def test_a_command_alone_prints_its_help(zermelo):
    for line in ([], ["cache"]):
        ran = zermelo(*line)
        assert (ran.status, ran.out) == (2, "")
        assert "Commands:" in ran.err


def test_games_are_compiled_before_somebody_waits_for_them(zermelo):
    assert re.fullmatch(r"nim: \d+\.\d s\n", zermelo("cache", "warm", "nim", "-p", "misere=false").out)
    ran = zermelo("cache", "warm", "nim", "nun", "--json")
    found = {record["game"]: record["error"] for record in map(json.loads, ran.out.splitlines())}
    assert (ran.status, found["nim"], found["nun"][:32]) == (1, None, "There is no game called 'nun'; d")
    ran = zermelo("cache", "warm", "nim", "kayles", "-p", "misere=false")
    assert (ran.status, ran.err) == (1, "zermelo: Parameters belong to one game; name it.\n")


def test_a_typer_without_its_base_of_usage_errors_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("typer.BadParameter", type("BadParameter", (Exception,), {}))
    with pytest.raises(ImportError, match="no UsageError"):
        base_of_usage_errors()
