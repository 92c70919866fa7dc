"""The tutorial is true: its code stands in the examples, its commands run, its steps are at most eleven."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TUTORIAL = (ROOT / "docs" / "tutorials" / "your-game.md").read_text(encoding="utf-8")
COMPILING = (ROOT / "docs" / "explanation" / "compiled-rules.md").read_text(encoding="utf-8")


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


COMMANDS = [line for block in blocks(TUTORIAL, "console") for line in block.splitlines()]


def test_there_are_at_most_eleven_steps():
    steps = re.findall(r"^\*\*(\d+)\. ", TUTORIAL, re.MULTILINE)
    assert steps == [str(number) for number in range(1, len(steps) + 1)]
    assert len(steps) <= 11


@pytest.mark.parametrize(("text", "file"), [(TUTORIAL, "sim.py"), (COMPILING, "chomp.py")], ids=["sim", "chomp"])
def test_code_of_the_page_stands_in_the_example(text, file):
    source = (ROOT / "examples" / file).read_text(encoding="utf-8")
    assert blocks(text, "python")
    for block in blocks(text, "python"):
        assert block in source


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_of_the_tutorial_run(process, command):
    words = [str(ROOT / word) if word.endswith(".py") else word for word in command.split()]
    ran = process(*words[1:])
    assert (words[0], ran.status) == ("zermelo", 0), ran.err
    assert ran.out
