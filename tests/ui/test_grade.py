"""``zermelo grade``: a student's file in a process of its own; verdicts, what is printed, and the exit status."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from students import ALPHA_BETA as ALPHA_BETA_SEARCH
from students import BARE, IMPORTS, MINIMAX
from test_house import ROOMS
from zermelo.textbook.homework.guard import ALLOWED

ALPHA_BETA = "\nprunings = 0" + ALPHA_BETA_SEARCH
RIGHT = IMPORTS + MINIMAX + ALPHA_BETA
SMALL = ("--board", "2x3x2")
START = "def minimax_search(game, state, table):\n"


def changed(old: str, new: str, text: str = RIGHT) -> str:
    assert old in text
    return text.replace(old, new)


def written(text: str) -> str:
    Path("mine.py").write_text(text)
    return "mine.py"


@pytest.fixture
def not_run(zermelo: Callable[..., Any]) -> Callable[..., str]:
    """Grade what cannot be: the one sentence on standard error, with status 2."""

    def run(*arguments: str | Path) -> str:
        ran = zermelo("grade", *arguments)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith("zermelo: ")
        assert ran.err.count("\n") == 1
        return str(ran.err)

    return run


@pytest.fixture
def failing(zermelo: Callable[..., Any]) -> Callable[..., str]:
    """Grade a file that fails on a small board with this status: what is said of it."""

    def run(status: int, text: str, *arguments: str) -> str:
        ran = zermelo("grade", written(text), *SMALL, *arguments)
        assert (ran.status, ran.err) == (status, "")
        assert "Traceback" not in ran.out
        return str(ran.out)

    return run


# --- what is right


def test_a_right_file_has_status_0(zermelo: Callable[..., Any]):
    ran = zermelo("grade", written(RIGHT), "--board", "3x3x3")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.count("\nRight.\n") == 2
    assert ran.out.endswith("\nmine.py: right.\n")
    assert "694" in ran.out
    assert "149" in ran.out


def test_three_boards_of_connect_are_taken_if_none_is_named(zermelo: Callable[..., Any]):
    ran = zermelo("grade", written(IMPORTS + ALPHA_BETA))
    assert (ran.status, ran.err) == (0, "")
    boards = [line.split("on ")[1] for line in ran.out.splitlines() if " on connect(" in line]
    assert boards == [f"connect(rows={r}, columns={c}, run={n})" for r, c, n in ((3, 3, 3), (3, 4, 3), (4, 4, 4))]
    assert ran.out.count("\nRight.\n") == 3


def test_bare_values_are_compared_by_value(zermelo: Callable[..., Any]):
    bare = "\ndef alpha_beta(*arguments):\n    return alpha_beta_of(*arguments).value\n"
    text = IMPORTS + BARE + ALPHA_BETA.replace("alpha_beta_search", "alpha_beta_of") + bare
    ran = zermelo("grade", written(text), "--board", "3x3x3")
    assert (ran.status, ran.err) == (0, "")
    assert "minimax on connect(rows=3, columns=3, run=3)" in ran.out
    assert "alpha_beta on connect(rows=3, columns=3, run=3)" in ran.out
    assert "object at" not in ran.out


@pytest.mark.parametrize("pair", ["(value, best)", "[value, best]"])
def test_pairs_will_do_and_no_count_is_needed(pair: str, zermelo: Callable[..., Any]):
    text = changed("MinimaxInfo(value, best)", pair, IMPORTS + ALPHA_BETA).replace("table).value", "table)[0]")
    text = text.replace("MinimaxInfo(game.utility(state), None)", "(game.utility(state), None)")
    text = (
        text.replace("            prunings += 1\n", "").replace("prunings = 0\n", "").replace("global prunings", "pass")
    )
    ran = zermelo("grade", written(text), *SMALL)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.split("student")[1].split()[2] == "-"


def test_another_game_and_one_from_a_file(zermelo: Callable[..., Any]):
    ran = zermelo("grade", written(IMPORTS + MINIMAX), "--game", "tictactoe")
    assert ran.status == 0
    assert "5,478" in ran.out
    take = Path(__file__).parents[2] / "examples" / "take.py"
    ran = zermelo("grade", "mine.py", "--game", take, "-p", "heap=9")
    assert (ran.status, ran.err) == (0, "")


def test_a_game_that_is_too_large_to_be_searched_is_graded_in_small_positions(zermelo: Callable[..., Any]):
    ran = zermelo("grade", written(IMPORTS + MINIMAX), "--game", "dots_and_boxes")
    assert (ran.status, ran.err) == (0, "")
    assert "The search from the start is too large to be graded." in ran.out


def test_functions_that_do_not_fit_a_game_are_left_out(zermelo: Callable[..., Any]):
    text = RIGHT + "def alpha_beta_decision(game, state, limit):\n    return 1 // 0\n"
    ran = zermelo("grade", written(text), "--game", "oware", "--json")
    assert [one["function"] for one in json.loads(ran.out)["graded"]] == ["alpha_beta_decision"]


def test_a_helper_module_beside_the_file_is_found(zermelo: Callable[..., Any], tmp_path: Path):
    folder = tmp_path / "homework"
    folder.mkdir()
    (folder / "helper.py").write_text(RIGHT)
    (folder / "mine.py").write_text("from helper import *\n")
    assert zermelo("grade", folder / "mine.py", *SMALL).status == 0  # prunings, which the helper counts, too
    (folder / "mine.py").write_text("from helper import minimax_search\n")
    (folder / "helper.py").write_text(changed("game.utility(state)", "1 // 0", IMPORTS + MINIMAX))
    ran = zermelo("grade", folder / "mine.py", *SMALL)
    assert ran.status == 3
    assert "helper.py, line 9: minimax_search failed" in ran.out


def test_one_function_alone(zermelo: Callable[..., Any]):
    text = changed("alpha >= beta", "alpha > beta")
    assert zermelo("grade", written(text), *SMALL, "--function", "minimax_search").status == 0
    ran = zermelo("grade", written(text), *SMALL, "--function", "alpha_beta_search")
    assert ran.status == 1
    assert "minimax_search on" not in ran.out


# --- what is wrong


def test_the_smallest_wrong_search_is_explained_with_status_1(zermelo: Callable[..., Any]):
    text = IMPORTS + changed("beta = min(beta, value)", "pass", ALPHA_BETA)
    ran = zermelo("grade", written(text), "--board", "3x3x3")
    assert (ran.status, ran.err) == (1, "")
    told = ran.out.split("begins here:\n")[1].splitlines()
    assert told[3:6] == [
        "0 1 2",
        "MIN is to move, after the moves 1, 1, 1, 2, 0, 0, 2.",
        "The handout's search visits 4 nodes.",
    ]
    assert told[0:3] == [". X .", "O O X", "X X O"]
    assert told[6] == "The first state of the table that differs is:"
    assert told[7:10] == [". X O", "O O X", "X X O"]
    assert told[11:] == [
        "MAX is to move after 2 from there; the window is alpha -inf, beta -11250.",
        "Its moves, as the handout's search values them: 0 0.",
        "handout: not in the table",
        "student: value 0, action 0",
        "Likely cause: beta is never updated. With this, the handout's search does exactly the same in all searches.",
        "",
        "mine.py: wrong.",
    ]


def test_only_the_first_board_of_a_function_is_explained(zermelo: Callable[..., Any]):
    text = IMPORTS + changed("sign * child > sign", "sign * child >= sign", MINIMAX)
    ran = zermelo("grade", written(text), *SMALL, "--board", "3x3x3")
    assert ran.status == 1
    assert ran.out.count("\nWrong.\n") == 2
    assert ran.out.count("Likely cause: a later move") == 1


def test_only_counts_differ(zermelo: Callable[..., Any]):
    ran = zermelo("grade", written(IMPORTS + changed("prunings += 1", "prunings += 9", ALPHA_BETA)), *SMALL)
    assert ran.status == 1
    assert "Its result is right, but prunings is 9, and 1 is right." in ran.out
    assert "No mistake of the catalogue" in ran.out


def test_what_is_returned_may_be_nonsense(zermelo: Callable[..., Any]):
    ran = zermelo("grade", written(START + "    return object\n"), *SMALL)
    assert ran.status == 1
    assert "<class 'object'>" in ran.out
    assert "No mistake of the catalogue" in ran.out


def test_a_key_that_is_no_state_is_told(zermelo: Callable[..., Any]):
    text = changed(
        "    if state in table", "    table[7] = MinimaxInfo(0, 0)\n    if state in table", IMPORTS + MINIMAX
    )
    ran = zermelo("grade", written(text), *SMALL)
    assert (ran.status, ran.err) == (1, "")
    assert "The table has a key that is no state to which RESULT led." in ran.out
    record = json.loads(zermelo("grade", "mine.py", *SMALL, "--json").out)
    assert record["graded"][0]["smallest"]["difference"]["state"] is None


# --- what cheats


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("from zermelo.textbook.minimax import minimax_search\n", "mine.py, line 1, imports zermelo.textbook"),
        ("from zermelo import Engine\n", "mine.py, line 1, imports zermelo.engine"),
        ("import zermelo.solver.table\n", "mine.py, line 1, imports zermelo.solver"),
        (
            START + "    import importlib\n"
            "    return importlib.import_module('zermelo.textbook.minimax').minimax_search(game, state, table)\n",
            "mine.py, line 3, imports zermelo.textbook",
        ),
        (
            START + "    try:\n        from zermelo.textbook.minimax import minimax_search as mine\n"
            "    except BaseException:\n        return 0\n",
            "mine.py, line 3, imports zermelo.textbook",
        ),
        (
            "import zermelo, pathlib\n"
            "exec((pathlib.Path(zermelo.__file__).parent / 'textbook' / 'minimax.py').read_text())\n",
            "line 2, reads zermelo/textbook/minimax.py",
        ),
        (
            "import zermelo, os\nos.chdir(zermelo.__path__[0])\nopen(b'textbook/minimax.py')\n",
            "line 3, reads zermelo/textbook/minimax.py",
        ),
        (START + "    import subprocess\n    subprocess.run(['zermelo'])\n", "line 3, starts another process"),
        (START + "    import socket\n    socket.create_connection(('localhost', 9))\n", "line 3, uses the network"),
    ],
)
def test_a_file_that_cheats_is_caught(text: str, words: str, failing: Callable[..., str]):
    out = failing(5, text)
    assert words in out
    assert out.endswith("mine.py: cheated.\n")


def test_rules_and_results_may_be_imported(failing: Callable[..., str]):
    text = "import numpy, traceback\nfrom zermelo import MAX, MIN, MinimaxInfo, Game\nimport zermelo.games\n"
    text += "traceback.print_stack()\n"
    failing(0, text + IMPORTS + MINIMAX)


def test_what_may_be_imported_is_what_lies_above_the_searches():
    assert set(" ".join(ROOMS[: ROOMS.index("textbook")]).split()) == ALLOWED


def test_the_right_answer_is_not_in_the_students_process(failing: Callable[..., str]):
    text = START + (
        "    import sys\n"
        "    frame = sys._getframe()\n"
        "    while 'expected' not in frame.f_locals and 'ours' not in frame.f_locals:\n"
        "        frame = frame.f_back\n"
        "    return frame.f_locals['expected'][state]\n"
    )
    assert "minimax_search failed on connect(rows=2, columns=3, run=2) after the moves" in failing(3, text)


# --- what crashes, and what is too slow


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("1 / 0", "ZeroDivisionError: div"),
        ("raise SystemExit(0)", "SystemExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("import os; os._exit(0)", "mine.py: minimax_search ended the whole program with exit status 0."),
        ("import os; os.kill(os.getpid(), 9)", "ended the whole program by signal 9 (SIGKILL)."),
        ("return minimax_search(game, state, table)", "BadGame"),
        ("return bytearray(1 << 40)", "the memory is full."),
    ],
)
def test_a_search_that_fails_has_crashed(line: str, words: str, failing: Callable[..., str]):
    out = failing(3, f"{START}    {line}\n", "--memory", "1024")
    assert words in out
    assert "mine.py: minimax_search ended" in out or "minimax_search failed on connect(rows=2, columns=3, run=2)" in out


def test_a_search_that_does_not_end_is_stopped_with_all_that_it_started(failing: Callable[..., str]):
    text = START + (
        "    import ctypes, os\n"
        "    child = ctypes.CDLL(None).fork()\n"
        "    if child:\n"
        "        open(__file__ + '.pid', 'w').write(str(child))\n"
        "    while True:\n"
        "        pass\n"
    )
    before = time.monotonic()
    words = "mine.py: minimax_search did not end within 6 seconds; --seconds allows it more."
    out = failing(4, text, "--seconds", "6")
    assert words in out
    assert "It had answered 0 of 20 searches before." in out
    assert time.monotonic() - before < 300
    stat = Path(f"/proc/{Path('mine.py.pid').read_text()}/stat")
    for _ in range(600):  # whoever adopts it may take a moment to let it go
        if not stat.exists() or stat.read_text().split(") ")[1][0] == "Z":
            break
        time.sleep(0.1)
    else:
        raise AssertionError("the student's own child still runs")


def test_a_thread_that_does_not_end_keeps_nobody_waiting(failing: Callable[..., str]):
    text = IMPORTS + MINIMAX + "import threading, time\nthreading.Thread(target=time.sleep, args=[300]).start()\n"
    failing(0, text)


def test_a_file_that_writes_the_answers_itself_has_crashed(failing: Callable[..., str]):
    for answer in (
        "[]",
        "{}",
        "nonsense",
        '{"done": 1}',
        '{"found": [0, 0], "table": [[1, 2]], "trail": [], "counts": {}}',
    ):
        text = START + (
            "    import os, sys\n"
            "    frame = sys._getframe()\n"
            "    while 'out' not in frame.f_locals:\n"
            "        frame = frame.f_back\n"
            f"    frame.f_locals['out'].write({answer!r}.encode())\n"
            "    os._exit(0)\n"
        )
        assert "\nCrashed.\n" in failing(3, text)


def test_the_gravest_verdict_gives_the_status(zermelo: Callable[..., Any]):
    text = changed("alpha >= beta", "alpha > beta", RIGHT) + "def minimax_max(*arguments):\n    1 / 0\n"
    ran = zermelo("grade", written(text), *SMALL, "--json")
    assert [one["verdict"] for one in json.loads(ran.out)["graded"]] == ["right", "wrong", "crashed"]
    assert ran.status == json.loads(ran.out)["status"] == 3


def test_a_file_that_prints_and_reads_disturbs_nobody(zermelo: Callable[..., Any]):
    text = (
        IMPORTS
        + "print('hello')\n"
        + changed("    if state in table", "    print(state)\n    if state in table", MINIMAX)
    )
    ran = zermelo("grade", written(text), *SMALL, "--json")
    assert (ran.status, ran.err) == (0, "")
    assert json.loads(ran.out)["status"] == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n", "mine.py has none of the handouts' functions; write one of minimax_search(game, state, table); "),
        ("def f(:\n", "mine.py cannot be imported: line 1: SyntaxError"),
        ("import os; os._exit(0)\n", "mine.py: importing it ended the whole program with exit status 0."),
    ],
)
def test_a_file_without_functions_has_crashed(text: str, words: str, failing: Callable[..., str]):
    assert words in failing(3, text)


def test_a_function_that_is_wanted_and_missing_has_crashed(failing: Callable[..., str]):
    out = failing(3, IMPORTS + MINIMAX, "--function", "minimax_search", "--function", "minimax")
    assert "\nRight.\n" in out
    assert "mine.py has no function minimax; write minimax(game, state, table)." in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("nothing.py", "There is no file nothing.py"),
        ("program:", "A program needs a command after the colon"),
        ("program:nothing", "There is no program 'nothing' that can be run."),
        ("mine.py --board 3x3", "--board 3x3 is not a board; write ROWSxCOLUMNSxRUN"),
        ("mine.py --board 3x3xthree", "The parameter run is 'three'"),
        ("mine.py --board 12x12x4", "too large to hold"),
        ("mine.py --game conect", "did you mean connect"),
        ("mine.py --board 3x3x3 --game nim", "--board goes without --game and -p"),
        ("mine.py -p rows=3", "-p goes with --game; a board of connect is --board ROWSxCOLUMNSxRUN."),
        ("mine.py --seconds 0", "The time is 0.0 seconds; it must be more than 0."),
        ("mine.py --memory 1", "The memory is 1 MiB; it must be 64 or more."),
        ("mine.py --points nan", "There are nan points; it must be 0 or more."),
        ("mine.py --depth 0", "The depth is 0; it must be a whole number of plies, 1 or more."),
        ("mine.py --width 0", "The width is 0; it must be a whole number, 1 or more."),
        ("mine.py --function negamax", "There is no function 'negamax' in the handouts; there are minimax_search, "),
        ("mine.py --game oware", "Positions of the game 'oware' can come back, and minimax_search, which"),
        ("mine.py --board 2x3x2 --gradescope missing/results.json", "missing/results.json cannot be written: No such"),
    ],
)
def test_a_command_line_that_will_not_do(arguments: str, words: str, not_run: Callable[..., str]):
    written(RIGHT)
    assert words in not_run(*arguments.split())


# --- for programs


def test_json_says_everything(zermelo: Callable[..., Any]):
    text = RIGHT.replace("alpha >= beta", "alpha > beta") + "def minimax_max(*arguments):\n    1 / 0\n"
    ran = zermelo("grade", written(text), "--board", "3x3x3", "--json")
    record = json.loads(ran.out)
    assert (ran.status, ran.err) == (3, "")
    assert (record["submission"], record["verdict"], record["status"]) == ("mine.py", "crashed", 3)
    right, wrong, crashed = record["graded"]
    assert (right["function"], right["verdict"], right["parameters"]["run"]) == ("minimax_search", "right", 3)
    assert (right["searches"], right["wrong"]) == (85, 0)
    assert right["handout"] == right["student"] == {"value": 0, "states": 694}
    assert (wrong["function"], wrong["verdict"], wrong["searches"], wrong["wrong"]) == (
        "alpha_beta_search", "wrong", 77, 56,
    )  # fmt: skip
    assert wrong["handout"] == {"value": 0, "states": 206, "prunings": 149}
    assert wrong["student"]["states"] == 376
    assert wrong["likely_causes"] == ["the prune test is alpha > beta; alpha >= beta is right"]
    smallest = wrong["smallest"]
    assert (smallest["depth"], smallest["nodes"]) == (None, 5)
    assert (smallest["player"], len(smallest["moves"])) == ("MAX", 6)
    assert smallest["difference"]["handout"] == "not in the table"
    assert (crashed["function"], crashed["verdict"]) == ("minimax_max", "crashed")
    assert "ZeroDivisionError" in crashed["error"]


def test_a_report_for_gradescope(zermelo: Callable[..., Any]):
    text = changed("alpha >= beta", "alpha > beta")
    ran = zermelo("grade", written(text), *SMALL, "--gradescope", "results.json", "--points", "30")
    results = json.loads(Path("results.json").read_text())
    assert ran.status == 1
    assert (results["score"], results["visibility"]) == (15, "visible")
    right, wrong = results["tests"]
    assert right["name"] == "minimax_search on connect(rows=2, columns=3, run=2)"
    assert (right["score"], right["max_score"], right["status"]) == (15, 15, "passed")
    assert (wrong["score"], wrong["max_score"], wrong["status"]) == (0, 15, "failed")
    assert "Likely cause: the prune test is alpha > beta" in wrong["output"]


def test_gradescope_gets_a_report_on_a_file_that_cannot_be_imported(zermelo: Callable[..., Any]):
    assert zermelo("grade", written("def f(:\n"), "--gradescope", "results.json").status == 3
    results = json.loads(Path("results.json").read_text())
    assert (results["score"], [test["score"] for test in results["tests"]]) == (0, [0])
    assert "SyntaxError" in results["tests"][0]["output"]
