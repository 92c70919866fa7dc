"""Rules that fail, and a system that refuses: each command line ends with one clear sentence, and not with success."""

import errno
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from running import PATIENCE
from zermelo.ui.terminal.exits import status_of

GAME = """
import sys
from typing import NamedTuple
from zermelo import MAX, Game

class State(NamedTuple):
    left: int
    player: int

def to_move(state):
    return state.player

def actions(state):
    return range(1, min(3, state.left) + 1)

def result(state, action):
    return State(state.left - action, -state.player)

def is_terminal(state):
    return state.left == 0

def utility(state):
    return -state.player

def evaluate(state):
    return 0

def draw(state):
    return str(state.left)

def start():
    return State(7, MAX)

{change}

def take() -> Game:
    return Game(name="take", initial=start(), utility_range=(-1, 1), to_move=to_move, actions=actions, result=result,
                is_terminal=is_terminal, utility=utility, evaluate=evaluate, draw=draw, {fields})
"""
COMMANDS = {
    "perft": "perft take.py --depth 9",
    "search": "search take.py",
    "explain": "explain take.py",
    "play": "play take.py --max random --min heuristic",
    "analyse": "analyse take.py --depth 2",
    "solve": "solve take.py --out table",
}
EVERY = tuple(COMMANDS)
NAMES = ("to_move", "actions", "is_terminal", "utility", "evaluate", "draw")
ARGUMENTS = {**dict.fromkeys(NAMES, "state"), "result": "state, action", "start": ""}


def always(name: str, body: str) -> str:
    """A function of the rules that always does something else."""
    return f"def {name}({ARGUMENTS[name]}):\n    {body}"


def late(name: str, body: str) -> str:
    """A function of the rules that does something else where two are left: not yet at the start."""
    head = f"{name}_before = {name}\ndef {name}({ARGUMENTS[name]}):\n    if state.left == 2:\n        {body}\n"
    return f"{head}    return {name}_before({ARGUMENTS[name]})"


AT_THE_START = "The game take.py fails at its start: "
LATER = "The game's own code failed: "
FAULTS = [
    (always("actions", "return None"), EVERY, AT_THE_START + "actions gives None; a yield or a return is probably"),
    (always("actions", "return []"), EVERY, AT_THE_START + "The game is not over here, and there are no actions."),
    (always("actions", "return [[1]]"), EVERY, AT_THE_START + "result raises TypeError for the action [1]"),
    (always("actions", "while True: yield 1"), EVERY, AT_THE_START + "actions yields more than 20,000 items here"),
    (always("actions", "sys.exit(0)"), EVERY, AT_THE_START + "actions raises SystemExit (actions, take.py line"),
    (always("result", "return None"), EVERY, AT_THE_START + "result gives None for the action 1; a return is probably"),
    (always("result", "return [1, 2]"), EVERY, AT_THE_START + "The state is a list, which cannot be hashed"),
    (always("to_move", "return 0"), EVERY, AT_THE_START + "to_move gives 0. It must be MAX (+1) or MIN (-1)"),
    (always("draw", "return None"), EVERY, AT_THE_START + "draw gives None; a return is probably missing."),
    (always("draw", "raise BaseException"), EVERY, AT_THE_START + "draw raises BaseException (draw, take.py line"),
    (always("is_terminal", "raise MemoryError"), EVERY, AT_THE_START + "is_terminal raises MemoryError (is_terminal,"),
    (always("is_terminal", "raise ValueError('a\\n\\nb')"), EVERY, "ValueError (is_terminal, take.py line 35): a b."),
    (always("start", "return None"), ("perft", "search"), AT_THE_START + "is_terminal raises AttributeError"),
    (always("start", "return [7, 1]"), EVERY, AT_THE_START + "The state is a list, which cannot be hashed"),
    (
        late("actions", "return None"),
        ("search", "perft"),
        LATER + "actions gives None; a yield or a return is probably",
    ),
    (late("actions", "sys.exit(0)"), ("search", "explain"), LATER + "take.py, line 37: SystemExit: 0."),
    (late("result", "return None"), ("search", "explain"), LATER + "result gives None for the action "),
    (late("result", "raise BaseException('no')"), ("search",), LATER + "take.py, line 37: BaseException: no."),
    (late("to_move", "return 'x'"), ("search",), LATER + "to_move gives 'x'. It must be MAX"),
    (late("draw", "return None"), ("play",), LATER + "draw gives None; a return is probably missing."),
    (
        always("utility", "return None"),
        ("search", "explain", "play"),
        LATER + "utility gives None; a return is probably",
    ),
    (always("utility", "return 'x'"), ("search",), LATER + "The game is over here, and utility gives 'x'"),
    (always("utility", "sys.exit(0)"), ("search", "play"), LATER + "take.py, line 35: SystemExit: 0."),
    (always("evaluate", "return None"), ("play",), LATER + "evaluate gives None; a return is probably missing."),
    (
        always("evaluate", "return 1 // (state.left - state.left)"),
        ("analyse",),
        LATER + "take.py, line 35: ZeroDivisionError: ",
    ),
]
ROWS = [(change, command, words) for change, commands, words in FAULTS for command in commands]


@pytest.mark.parametrize(("change", "command", "words"), ROWS)
def test_rules_that_fail_are_blamed_in_one_sentence(change: str, command: str, words: str, zermelo: Callable[..., Any]):
    Path("take.py").write_text(GAME.format(change=change, fields=""))
    ran = zermelo(*COMMANDS[command].split())
    sentences = [line for line in ran.err.splitlines() if not line.startswith("Compiling ")]
    assert ran.status == 1
    assert len(sentences) == 1
    assert sentences[0].startswith("zermelo: ")
    assert sentences[0].endswith(".")
    assert words in sentences[0]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ("repetition='loss'", "repetition 'loss'; it must be 'draw' or a function of a state, or be left out."),
        ("order=3", "order 3; it must be a function, or be left out."),
        ("parameters=3", "parameters 3; it must be a dict of what the factory was called with."),
        ("uci_forms={'x': 3}", "uci_forms {'x': 3}; it must be a dict of functions that return a game."),
        ("occurrences=1", "occurrences 1; it must be an int, 2 or more."),
        ("endless_value='x'", "endless_value 'x'; it must be an int."),
    ],
)
def test_a_field_of_the_wrong_kind_is_named(fields: str, words: str, refusal: Callable[..., str]):
    Path("take.py").write_text(GAME.format(change="", fields=fields))
    assert f"The game 'take' has {words}" in refusal("search", "take.py")


@pytest.mark.parametrize("bounds", ["'ab'", "('a', 'b')", "3", "None", "(1, 2, 3)", "(-0.5, 0.5)"])
def test_a_utility_range_of_the_wrong_kind_is_named(bounds: str, refusal: Callable[..., str]):
    text = GAME.format(change="", fields="").replace("utility_range=(-1, 1)", f"utility_range={bounds}")
    Path("take.py").write_text(text)
    assert f"has utility_range {bounds}; it must be a tuple of two ints" in refusal("search", "take.py")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise BaseException('no')", "BaseException: no.\n"),
        ("raise SystemExit(0)", "SystemExit: 0.\n"),
        ("raise MemoryError", "MemoryError.\n"),
        ("raise type('Odd', (Exception,), {'__str__': lambda self: 1 // 0})", "line 1: Odd.\n"),
        (
            "from zermelo import Game\ndef f() -> Game:\n    raise BaseException",
            "Making the game mine.py failed: mine.py",
        ),
    ],
)
def test_a_file_that_raises_whatever_it_likes(text: str, words: str, refusal: Callable[..., str]):
    Path("mine.py").write_text(text)
    assert words in refusal("search", "mine.py")


LONG = "x" * 300


@pytest.mark.parametrize(
    "line",
    [
        f"search {LONG}.py",
        f"play --resume {LONG}.json",
        f"explain tictactoe --depth 1 --out {LONG}/a.svg",
        f"new {LONG}.py",
        f"grade {LONG}.py",
        f"probe {LONG}",
        f"play connect --max table:{LONG}",
        f"solve nim --out {LONG}",
        f"analyse nim --positions {LONG} --out {LONG}.jsonl",
    ],
)
def test_a_name_that_is_too_long_is_refused(line: str, zermelo: Callable[..., Any]):
    ran = zermelo(*line.split())
    assert (ran.status, ran.out) == (
        2 if line.startswith("grade") else 1,
        "",
    )  # of grade, 1 says that a search is wrong
    assert ran.err.startswith("zermelo: ")
    assert ran.err.endswith("File name too long.\n")
    assert ran.err.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("kept", ["kept in a buffer", "written at once"])
@pytest.mark.parametrize(
    "line", ["games", "games --json", "perft tictactoe --depth 2", "--version", "--help", "explain tictactoe --depth 1"]
)
def test_output_that_cannot_be_written_is_an_error(line: str, kept: str):
    environment = os.environ | {"PYTHONUNBUFFERED": "1" if kept == "written at once" else ""}
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "zermelo", *line.split()],
            stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE,
            env=environment,
        )  # fmt: skip
    assert ran.returncode == 1
    assert ran.stderr.count("\n") == 1
    assert "No space left on device" in ran.stderr


def test_another_error_is_told_although_the_output_is_lost_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Closed(io.StringIO):
        def flush(self) -> None:
            raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr(sys, "stdout", Closed())
    assert status_of(OSError(errno.EIO, "Input/output error")) == 1
    assert capsys.readouterr().err == "zermelo: Something cannot be read or written: Input/output error.\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_an_error_that_cannot_be_said_is_still_a_status():
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "zermelo", "search", "conect"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=full, check=False, timeout=PATIENCE,
        )  # fmt: skip
    assert (ran.returncode, ran.stdout) == (1, b"")


ENDLESS = """
def symmetries(state):
    yield State(state.left, state.player)
    while state.left == 2:
        yield State(state.left, state.player)
"""
PATIENT = "from zermelo.engine import runner; runner.GRACE = 0.5; from zermelo.ui.cli import main; main()"


@pytest.mark.parametrize("machine_code", ["compiled", "interpreted"])
def test_rules_that_never_return_keep_nobody_waiting(machine_code: str, tmp_path: Path):
    """In a process of its own: machine code that never returns cannot be stopped, only left."""
    (tmp_path / "take.py").write_text(
        GAME.format(change=ENDLESS, fields="symmetries=symmetries").replace("State(7,", "State(5,")
    )
    ran = subprocess.run(
        [sys.executable, "-c", PATIENT, "analyse", "take.py", "--seconds", "2"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=tmp_path,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1" if machine_code == "interpreted" else "0"},
    )  # fmt: skip
    sentence = "zermelo: The rules did not return for 0.5 seconds; zermelo check looks for a loop that never ends."
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1] == sentence
