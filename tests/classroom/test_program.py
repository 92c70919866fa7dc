"""Programs in any language are graded over the protocol as Python files are."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from zermelo.classroom.grading import Graded, grade_all
from zermelo.classroom.program import Program
from zermelo.classroom.submission import Allowance, Place
from zermelo.registry import make_game
from zermelo.textbook.homework.assignments import Limits

EXAMPLES = Path(__file__).parents[2] / "examples" / "graded"
BOARD = Place("connect", {"rows": "3", "columns": "3", "run": "3"})
SCRIPT = """
import sys
from zermelo.games import connect
from zermelo.textbook import alpha_beta_decision, minimax_max
from zermelo import SearchCounts

sizes, state = {"rows": 6, "columns": 7, "run": 4}, None
for line in sys.stdin:
    match line.split():
        case ["ugi"]:
            print("option name Searches type string default alpha_beta_decision minimax_max")
            for name in sizes:
                print(f"option name {name} type spin default 0 min 0 max 99")
            print("ugiok")
        case ["setoption", "name", name, "value", number]:
            sizes[name] = int(number)
        case ["isready"]:
            print("readyok")
        case ["position", "startpos", *moves]:
            game = connect(**sizes)
            state = game.replay(moves[1:])
        case ["search", "alpha_beta_decision", "depth", depth]:
            counts = SearchCounts()
            info = alpha_beta_decision(game, state, int(depth), counts)
            print("info string hello")
            print("found", info.value, info.action, "nodes", counts.nodes, "prunings_max", counts.prunings_max)
        case ["search", "minimax_max", "depth", depth, "width", width]:
            info = minimax_max(game, state, 0, float("-inf"), float("inf"), int(depth), int(width))
            print("found", info.value, ",".join(map(str, info.path)) or "-")
    sys.stdout.flush()
"""


def graded(command: str, *wanted: str, seconds: float = 60.0) -> list[Graded]:
    """The verdicts on a program on 3x3."""
    game = make_game(*BOARD)
    report = grade_all(Program(command, Allowance(seconds)), [(BOARD, game)], wanted, Limits())
    if report.failure is not None:
        return [Graded(None, game, report.verdict, 0, failure=report.failure)]  # type: ignore[arg-type]
    return list(report.graded)


def script(folder: Path, old: str = "", new: str = "") -> str:
    """The command of a program in Python, with one change."""
    assert old in SCRIPT
    file = folder / "searches.py"
    file.write_text(SCRIPT.replace(old, new) if old else SCRIPT)
    return f"{sys.executable} {file}"


def test_a_right_program_is_right(tmp_path: Path) -> None:
    path, decision = graded(script(tmp_path))
    assert [(one.assignment.name, one.verdict) for one in (path, decision)] == [
        ("minimax_max", "right"),
        ("alpha_beta_decision", "right"),
    ]
    assert decision.largest is not None
    assert set(decision.largest.theirs.counts) == {"nodes", "prunings_max"}


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        ("int(depth), counts)", "int(depth) + 1, counts)", "CUTOFF comes one ply too late"),
        ("info.value, info.action", "info.value, 'z'", ""),
        ("info.value, info.action", "-info.value, info.action", ""),
        ("counts.nodes", "counts.nodes + 1", ""),
    ],
)
def test_a_wrong_program_is_explained(old: str, new: str, cause: str, tmp_path: Path) -> None:
    [one] = graded(script(tmp_path, old, new), "alpha_beta_decision")
    assert one.verdict == "wrong"
    assert one.smallest is not None
    assert one.smallest.size <= 4
    assert [name.startswith(cause) for name in one.causes.names] == ([True] if cause else [])


@pytest.mark.parametrize(
    ("old", "new", "verdict", "words"),
    [
        ("info.value, info.action", "'much', info.action", "crashed", "'found much"),
        ("            info = alpha", "            1 / 0\n            info = alpha", "crashed", "ZeroDivisionError"),
        ("            info = alpha", "            while True: pass\n            info = alpha", "too slow", "--seconds"),
        ('"columns": 7, ', "", "crashed", "has no option columns, which is 3 here"),
        ('print("ugiok")', "raise SystemExit", "crashed", "said neither ugiok nor uciok"),
    ],
)
def test_a_program_that_fails(old: str, new: str, verdict: str, words: str, tmp_path: Path) -> None:
    [one] = graded(script(tmp_path, old, new), "alpha_beta_decision", seconds=3 if verdict == "too slow" else 60)
    assert one.verdict == verdict
    assert words in str(one.failure)


@pytest.mark.parametrize(
    ("name", "build", "command"),
    [
        ("minimax.c", ["cc", "-Wall", "-Wextra", "-Werror", "-O2"], ""),
        ("minimax.c", ["g++", "-Wall", "-Wextra", "-Werror", "-O2", "-x", "c++"], ""),
        ("Minimax.java", [], "java -Xmx64m"),
    ],
    ids=["C", "C++", "Java"],
)
def test_an_example_is_right_and_a_change_of_it_is_wrong(
    name: str, build: list[str], command: str, tmp_path: Path
) -> None:
    program = build[0] if build else command.split()[0]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    old, new = "child * player > value", "child * player >= value"
    assert old in text
    for source, verdict in ((text, "right"), (text.replace(old, new), "wrong")):
        file, built = tmp_path / name, tmp_path / "built"
        file.write_text(source, encoding="utf-8")
        if build:
            subprocess.run([*build, "-o", built, file], check=True)
        [one] = graded(str(built) if build else f"{command} {file}")
        assert (one.assignment.name, one.verdict) == ("minimax_search", verdict)
    assert one.causes.names[0].startswith("a later move of the same value")
