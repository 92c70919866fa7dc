"""``zermelo course new``: a folder whose solution passes and whose starter fails; `examples/course` is one."""

import csv
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from zermelo.classroom.course import course_files, fitting_parts, read_course, write_course
from zermelo.classroom.exercises import exercises
from zermelo.classroom.school import grade_class, play_tournament
from zermelo.classroom.sheet import about
from zermelo.classroom.submission import Place
from zermelo.errors import BadParameter
from zermelo.games import connect, oware
from zermelo.registry import make_game
from zermelo.textbook.homework.assignments import Limits
from zermelo.ui import cli

EXAMPLES = Path(__file__).parents[2] / "examples"
COURSE = EXAMPLES / "course"
SMALL = Place("connect", {"rows": "2", "columns": "3", "run": "2"})


def written(folder: Path, place: Place = SMALL, seed: int = 3) -> Path:
    write_course(folder / "course", place, make_game(*place), seed, Limits())
    return folder / "course"


def script(folder: Path, name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run one of a course's scripts in the folder above it."""
    command = [sys.executable, str(folder / "teacher" / f"{name}.py"), *map(str, arguments)]
    return subprocess.run(command, cwd=folder.parent, capture_output=True, text=True, check=False)


def test_the_example_is_what_the_command_writes() -> None:
    course = read_course(COURSE)
    assert course.to_dict() == {
        "game": "connect", "parameters": {"rows": "3", "columns": "4", "run": "3"}, "seed": 7,
        "parts": ["A", "B", "C", "D", "E"], "depth": 4, "width": 3,
    }  # fmt: skip
    files = course_files(course, make_game(*course.place), about(course.place))
    there = {str(path.relative_to(COURSE)): path for path in COURSE.rglob("*") if path.is_file()}
    assert {name for name in there if "__pycache__" not in name} == set(files)
    for name, text in files.items():
        assert there[name].read_text(encoding="utf-8") == text, f"write {name} again: zermelo course new"


def test_the_solution_passes_and_the_starter_fails(tmp_path: Path) -> None:
    folder = written(tmp_path)
    ran = script(folder, "grade", "course/teacher/solution.py", "course/starter.py")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == [
        "course/teacher/solution.py: right, 5 of 5 parts are right.",
        "course/starter.py: crashed, 0 of 5 parts are right.",
    ]
    rows = list(csv.reader((tmp_path / "grades.csv").read_text().splitlines()))
    assert rows[0] == ["file", "verdict", "right", "A", "B", "C", "D", "E"]
    assert rows[1][1:] == ["right", "5", *["right"] * 5]
    assert rows[2][1:] == ["crashed", "0", *["crashed"] * 5]
    assert "NotImplementedError: Write this." in (tmp_path / "reports" / "starter.txt").read_text()


def test_a_mistake_in_the_solution_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = written(tmp_path)
    monkeypatch.chdir(tmp_path)
    solution = (folder / "teacher" / "solution.py").read_text()
    Path("wrong.py").write_text(solution.replace("alpha >= beta", "alpha > beta"))
    assert grade_class(folder, [Path("wrong.py"), Path("--gradescope"), Path("results.json")]) == 0
    results = json.loads(Path("results.json").read_text())
    assert [test["status"] for test in results["tests"]] == ["passed", "failed", "failed", "passed", "passed"]
    assert "Likely cause: the prune test is alpha > beta" in results["tests"][1]["output"]


def test_the_class_plays_a_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The tournament itself compiles the game, and has tests of its own."""
    commands = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    assert play_tournament(written(tmp_path), [Path("a.py"), Path("b.py")]) == 0
    assert commands[0][1:8] == ["-m", "zermelo", "tournament", "connect", "a.py", "b.py", "-p"]
    monkeypatch.setattr(sys, "argv", ["zermelo", "tournament", *commands[0][4:], "--games", "3"])
    with pytest.raises(SystemExit):  # which says that 3 is odd, and so has read everything else
        cli.main()
    assert "The number of games is 3" in capsys.readouterr().err


def test_another_seed_gives_other_tests_and_exercises(tmp_path: Path) -> None:
    for seed in (3, 4):
        (tmp_path / str(seed)).mkdir()
        written(tmp_path / str(seed), seed=seed)
    one, other = ({path.name: path.read_text() for path in (tmp_path / str(seed)).rglob("*.*")} for seed in (3, 4))
    assert one["hidden_tests.json"] != other["hidden_tests.json"]
    assert one["minimax.svg"] != other["minimax.svg"]
    assert one["solution.py"] == other["solution.py"]


def test_hidden_tests_that_are_not_this_versions_are_not_graded(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = written(tmp_path)
    tests = folder / "teacher" / "hidden_tests.json"
    tests.write_text(re.sub(r'"value": \d+', '"value": 12345', tests.read_text()))
    assert grade_class(folder, [folder / "starter.py"]) == 2
    assert "does not have the tests of this version of zermelo" in capsys.readouterr().err


def test_a_game_in_a_file_is_copied(tmp_path: Path) -> None:
    folder = written(tmp_path, Place(str(EXAMPLES / "take.py"), {"heap": "9"}))
    assert (folder / "take.py").read_text() == (EXAMPLES / "take.py").read_text()
    assert read_course(folder).place.game == str(folder / "take.py")
    ran = script(folder, "grade", "course/teacher/solution.py")
    assert "right, 5 of 5 parts are right." in ran.stdout


def test_parts_that_do_not_suit_a_game_are_left_out(tmp_path: Path) -> None:
    assert fitting_parts(oware(), Limits(depth=2)) == ["C", "D", "E"]
    assert fitting_parts(connect(), Limits()) == ["C", "D", "E"]
    folder = written(tmp_path, Place("oware", {}))
    for name in ("starter.py", "teacher/solution.py"):
        functions = re.findall(r"^def (\w+)", (folder / name).read_text(), re.MULTILINE)
        assert functions == ["alpha_beta_heuristic_search", "minimax_max", "alpha_beta_decision", "choose"]
    assert "Part A" not in (folder / "assignment.md").read_text()


def test_pictures_of_questions_show_leaves_only() -> None:
    def values(svg: str) -> list[str]:
        return [text.text or "" for text in ElementTree.fromstring(svg).iter() if text.get("class") == "value"]

    for one in exercises(connect(3, 4, 3), 7):
        assert "" in values(one.tree[1])
        assert "" not in values(one.solved[1])
        assert "<title>" not in one.tree[1]
        assert len(values(one.tree[1])) >= len(values(one.solved[1]))


@pytest.mark.parametrize("page", ["exercises.md", "teacher/solutions.md", "teacher/slides.md"])
def test_every_picture_of_a_page_is_there_and_every_picture_is_shown(page: str) -> None:
    text, folder = (COURSE / page).read_text(), (COURSE / page).parent
    named = set(re.findall(r"\]\(([\w/-]+\.svg)\)", text))
    assert len(named) >= 3
    assert {str(path.relative_to(folder)) for name in named for path in (folder / name).parent.iterdir()} == named


def test_slides_count_what_the_assignment_does() -> None:
    text = (COURSE / "teacher" / "slides.md").read_text()
    assert text.count("\n---\n") == 1 + 9
    assert "| A | `minimax_search` | 11,819 | 7,157 | 13,333 |" in text


@pytest.mark.parametrize("damage", ["{", "[]", '{"game": "connect"}', None])
def test_a_damaged_course_is_refused(damage: str | None, tmp_path: Path) -> None:
    if damage is not None:
        (tmp_path / "course.json").write_text(damage)
    with pytest.raises(BadParameter, match=r"course\.json (is damaged|cannot be read)"):
        read_course(tmp_path)


def test_no_part_of_a_course_is_left_if_it_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> Callable[..., None]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(BadParameter, match="cannot be written: No space left"):
        written(tmp_path)
    assert list(tmp_path.iterdir()) == []
