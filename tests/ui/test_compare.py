"""``zermelo compare``: a student's file in a process of its own; what is printed, and the exit status."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from students import ALPHA_BETA as ALPHA_BETA_SEARCH
from students import BARE, IMPORTS, MINIMAX

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
    """Compare what cannot be: the one sentence on standard error, with status 2."""

    def run(*arguments: str | Path) -> str:
        ran = zermelo("compare", *arguments)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith("zermelo: ")
        assert ran.err.count("\n") == 1
        return str(ran.err)

    return run


@pytest.fixture
def failing(zermelo: Callable[..., Any]) -> Callable[..., str]:
    """Compare a file whose search fails on a small board: what is said of it, with status 2."""

    def run(text: str, *arguments: str) -> str:
        ran = zermelo("compare", written(text), *SMALL, *arguments)
        assert (ran.status, ran.err) == (2, "")
        assert "Traceback" not in ran.out
        return str(ran.out)

    return run


# --- what agrees


def test_a_right_file_agrees_with_status_0(zermelo: Callable[..., Any]):
    ran = zermelo("compare", written(RIGHT), "--board", "3x3x3")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.count("They agree.") == 2
    assert "694" in ran.out
    assert "149" in ran.out


def test_three_boards_of_connect_are_taken_if_none_is_named(zermelo: Callable[..., Any]):
    ran = zermelo("compare", written(IMPORTS + ALPHA_BETA))
    assert (ran.status, ran.err) == (0, "")
    boards = [line.split("on ")[1] for line in ran.out.splitlines() if " on connect(" in line]
    assert boards == [f"connect(rows={r}, columns={c}, run={n})" for r, c, n in ((3, 3, 3), (3, 4, 3), (4, 4, 4))]
    assert ran.out.count("They agree.") == 3


def test_a_bare_value_is_compared_by_value(zermelo: Callable[..., Any]):
    ran = zermelo("compare", written(IMPORTS + BARE), "--board", "3x3x3")
    assert (ran.status, ran.err) == (0, "")
    assert "minimax on connect(rows=3, columns=3, run=3)" in ran.out
    assert "object at" not in ran.out


@pytest.mark.parametrize("pair", ["(value, best)", "[value, best]"])
def test_pairs_will_do_and_no_count_is_needed(pair: str, zermelo: Callable[..., Any]):
    text = changed("MinimaxInfo(value, best)", pair, IMPORTS + ALPHA_BETA).replace("table).value", "table)[0]")
    text = text.replace("MinimaxInfo(game.utility(state), None)", "(game.utility(state), None)")
    text = (
        text.replace("            prunings += 1\n", "").replace("prunings = 0\n", "").replace("global prunings", "pass")
    )
    ran = zermelo("compare", written(text), *SMALL)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.split("student")[1].split()[2] == "-"


def test_another_game(zermelo: Callable[..., Any]):
    ran = zermelo("compare", written(IMPORTS + MINIMAX), "--game", "tictactoe")
    assert ran.status == 0
    assert "5,478" in ran.out


def test_a_helper_module_beside_the_file_is_found(zermelo: Callable[..., Any], tmp_path: Path):
    folder = tmp_path / "homework"
    folder.mkdir()
    (folder / "helper.py").write_text(RIGHT)
    (folder / "mine.py").write_text("from helper import *\n")
    assert zermelo("compare", folder / "mine.py", *SMALL).status == 0  # prunings, which the helper counts, too
    (folder / "mine.py").write_text("from helper import minimax_search\n")
    (folder / "helper.py").write_text(changed("game.utility(state)", "1 // 0", IMPORTS + MINIMAX))
    ran = zermelo("compare", folder / "mine.py", *SMALL)
    assert ran.status == 2
    assert "helper.py, line 9: minimax_search failed" in ran.out


def test_one_function_alone(zermelo: Callable[..., Any]):
    text = changed("alpha >= beta", "alpha > beta")
    assert zermelo("compare", written(text), *SMALL, "--function", "minimax_search").status == 0
    ran = zermelo("compare", written(text), *SMALL, "--function", "alpha_beta_search")
    assert ran.status == 1
    assert "minimax_search on" not in ran.out


# --- what differs


def test_a_difference_is_explained_with_status_1(zermelo: Callable[..., Any]):
    ran = zermelo(
        "compare", written(IMPORTS + changed("alpha >= beta", "alpha > beta", ALPHA_BETA)), "--board", "3x3x3"
    )
    assert (ran.status, ran.err) == (1, "")
    for words in (
        "They differ.",
        "the first state that differs is",
        "MIN is to move, after the moves 0, 0, 0, 2, 1, 2, 2.",
        "The window is alpha -11250, beta 0.",
        "Its moves, as the handout's search values them: 1 -11250.",
        "handout: not in the table",
        "student: value -11250, action 1",
        "Likely cause: the prune test is alpha > beta; alpha >= beta is right.",
    ):
        assert words in ran.out
    board = ran.out.split("differs is\n")[1].splitlines()[:4]
    assert board == ["X . X", "O . O", "X X O", "0 1 2"]


def test_mistakes_that_look_alike_are_told_apart(zermelo: Callable[..., Any]):
    text = IMPORTS + changed("beta = min(beta, value)", "pass", ALPHA_BETA)
    assert "Likely cause: beta is never updated. With" in zermelo("compare", written(text), "--board", "3x3x3").out


def test_only_the_first_board_of_a_function_is_explained(zermelo: Callable[..., Any]):
    text = IMPORTS + changed("sign * child > sign", "sign * child >= sign", MINIMAX)
    ran = zermelo("compare", written(text), *SMALL, "--board", "3x3x3")
    assert ran.status == 1
    assert ran.out.count("They differ.") == 2
    assert ran.out.count("Likely cause: a later move") == 1


def test_only_counts_differ(zermelo: Callable[..., Any]):
    ran = zermelo("compare", written(IMPORTS + changed("prunings += 1", "prunings += 2", ALPHA_BETA)), *SMALL)
    assert ran.status == 1
    assert "only prunings differ." in ran.out
    assert "None of the usual mistakes" in ran.out


def test_what_is_returned_may_be_nonsense(zermelo: Callable[..., Any]):
    ran = zermelo("compare", written(START + "    return object\n"), *SMALL)
    assert ran.status == 1
    assert "<class 'object'>" in ran.out
    assert "None of the usual mistakes" in ran.out


def test_a_key_that_is_no_state_is_told(zermelo: Callable[..., Any]):
    text = changed(
        "    if state in table", "    table[7] = MinimaxInfo(0, 0)\n    if state in table", IMPORTS + MINIMAX
    )
    ran = zermelo("compare", written(text), *SMALL)
    assert (ran.status, ran.err) == (1, "")
    assert "the table has a key that is no state to which RESULT led" in ran.out
    record = json.loads(zermelo("compare", written(text), *SMALL, "--json").out)
    assert record["comparisons"][0]["difference"]["state"] is None


def test_zermelos_own_search_is_noticed_and_said(zermelo: Callable[..., Any]):
    for text in (
        "from zermelo.textbook.minimax import minimax_search\n",
        START + "    import importlib\n"
        "    return importlib.import_module('zermelo.textbook.minimax').minimax_search(game, state, table)\n",
    ):
        ran = zermelo("compare", written(text), *SMALL)
        assert ran.status == 0
        assert "Note: mine.py uses zermelo's own searches: zermelo.textbook.minimax." in ran.out
    assert "own searches" not in zermelo("compare", written(IMPORTS + MINIMAX), *SMALL).out


def test_the_right_answer_is_not_in_the_students_process(failing: Callable[..., str]):
    text = START + (
        "    import sys\n"
        "    frame = sys._getframe()\n"
        "    while 'expected' not in frame.f_locals and 'ours' not in frame.f_locals:\n"
        "        frame = frame.f_back\n"
        "    return frame.f_locals['expected'][state]\n"
    )
    assert "minimax_search failed on connect(rows=2, columns=3, run=2): AttributeError" in failing(text)


# --- what cannot be run


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "1 / 0",
            "mine.py, line 2: minimax_search failed on connect(rows=2, columns=3, run=2): ZeroDivisionError: div",
        ),
        (
            "raise SystemExit(0)",
            "mine.py, line 2: minimax_search failed on connect(rows=2, columns=3, run=2): SystemExit",
        ),
        (
            "raise KeyboardInterrupt",
            "line 2: minimax_search failed on connect(rows=2, columns=3, run=2): KeyboardInter",
        ),
        (
            "import os; os._exit(0)",
            "minimax_search on connect(rows=2, columns=3, run=2) ended the whole program with exit",
        ),
        ("import os; os.kill(os.getpid(), 9)", "ended the whole program by signal 9 (SIGKILL)."),
        (
            "return minimax_search(game, state, table)",
            "minimax_search failed on connect(rows=2, columns=3, run=2): BadGa",
        ),
    ],
)
def test_a_search_that_fails_is_a_failure(line: str, words: str, failing: Callable[..., str]):
    assert words in failing(f"{START}    {line}\n")


def test_a_search_that_does_not_end_is_stopped_with_all_that_it_started(failing: Callable[..., str]):
    text = START + (
        "    import subprocess, sys\n"
        "    child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "    open(__file__ + '.pid', 'w').write(str(child.pid))\n"
        "    while True:\n"
        "        pass\n"
    )
    before = time.monotonic()
    words = (
        "minimax_search on connect(rows=2, columns=3, run=2) did not end within 6 seconds; --seconds allows it more."
    )
    assert words in failing(text, "--seconds", "6")
    assert time.monotonic() - before < 300
    stat = Path(f"/proc/{Path('mine.py.pid').read_text()}/stat")
    for _ in range(600):  # whoever adopts it may take a moment to let it go
        if not stat.exists() or stat.read_text().split(") ")[1][0] == "Z":
            break
        time.sleep(0.1)
    else:
        raise AssertionError("the student's own child still runs")


def test_a_file_that_writes_the_answer_itself_is_a_failure(failing: Callable[..., str]):
    for answer in ("[]", "{}", '{"uses": [], "found": [0, 0], "table": [[1, 2, 3]], "trail": [], "counts": {}}'):
        text = START + (
            "    import json, os, sys\n"
            f"    open(json.loads(sys.argv[1])['answer'], 'w').write({answer!r})\n"
            "    os._exit(0)\n"
        )
        assert "It could not be run." in failing(text)


def test_one_failure_does_not_hide_what_else_there_is(zermelo: Callable[..., Any]):
    ran = zermelo("compare", written(changed("alpha >= beta", "alpha > undefined")), *SMALL)
    assert ran.status == 2
    assert ran.out.count("They agree.") == 1
    assert "alpha_beta_search failed on connect(rows=2, columns=3, run=2): NameError" in ran.out


def test_a_file_that_prints_and_reads_disturbs_nobody(zermelo: Callable[..., Any]):
    text = (
        IMPORTS
        + "print('hello')\n"
        + changed("    if state in table", "    print(state)\n    if state in table", MINIMAX)
    )
    ran = zermelo("compare", written(text), *SMALL, "--json")
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
def test_a_file_that_cannot_be_compared(text: str, words: str, not_run: Callable[..., str]):
    assert words in not_run(written(text))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("nothing.py", "There is no file nothing.py"),
        ("mine.py --board 3x3", "--board 3x3 is not a board; write ROWSxCOLUMNSxRUN"),
        ("mine.py --board 3x3xthree", "The parameter run is 'three'"),
        ("mine.py --board 9x9x4", "too large to hold"),
        ("mine.py --game conect", "did you mean connect"),
        ("mine.py --board 3x3x3 --game nim", "--board goes without --game and -p"),
        ("mine.py -p rows=3", "-p goes with --game; a board of connect is --board ROWSxCOLUMNSxRUN."),
        ("mine.py --seconds 0", "The time is 0.0 seconds; it must be more than 0."),
        ("mine.py --depth 0", "The depth is 0; it must be a whole number of plies, 1 or more."),
        ("mine.py --width 0", "The width is 0; it must be a whole number, 1 or more."),
        ("mine.py --function negamax", "There is no function 'negamax' in the handouts; there are minimax_search, "),
        ("mine.py --function minimax", "mine.py has no function minimax; write minimax(game, state, table)."),
        ("mine.py --game oware", "Positions of the game 'oware' can come back, and minimax_search, which"),
        ("mine.py --game nim --function alpha_beta_decision", "mine.py has no function alpha_beta_decision"),
    ],
)
def test_a_command_line_that_will_not_do(arguments: str, words: str, not_run: Callable[..., str]):
    written(RIGHT)
    assert words in not_run(*arguments.split())


# --- for programs


def test_json_says_everything(zermelo: Callable[..., Any]):
    text = RIGHT.replace("alpha >= beta", "alpha > beta") + "def minimax_max(*arguments):\n    1 / 0\n"
    ran = zermelo("compare", written(text), "--board", "3x3x3", "--json")
    record = json.loads(ran.out)
    assert (ran.status, ran.err) == (2, "")
    assert (record["file"], record["uses"], record["status"]) == ("mine.py", [], 2)
    same, different, failed = record["comparisons"]
    assert (same["function"], same["result"], same["parameters"]["run"]) == ("minimax_search", "same", 3)
    assert same["handout"] == same["student"] == {"value": 0, "states": 694}
    assert (different["function"], different["result"]) == ("alpha_beta_search", "different")
    assert different["handout"] == {"value": 0, "states": 206, "prunings": 149}
    assert different["student"]["states"] == 376
    assert different["likely_causes"] == ["the prune test is alpha > beta; alpha >= beta is right"]
    assert different["difference"] == {
        "state": "X.X|O.O|XXO",
        "path": ["0", "0", "0", "2", "1", "2", "2"],
        "player": "MIN",
        "alpha": -11250,
        "beta": 0,
        "children": [{"move": "1", "value": -11250}],
        "handout": "not in the table",
        "student": "value -11250, action 1",
    }
    assert (failed["function"], failed["result"]) == ("minimax_max", "failed")
    assert "ZeroDivisionError" in failed["error"]
