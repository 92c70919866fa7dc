"""The tutorial on a game of one's own has at most eleven steps; code of the docs stands in the examples."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TUTORIAL = (ROOT / "docs" / "tutorials" / "your-game.md").read_text(encoding="utf-8")
COMPILING = (ROOT / "docs" / "explanation" / "compiled-rules.md").read_text(encoding="utf-8")


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_there_are_at_most_eleven_steps():
    steps = re.findall(r"^\*\*(\d+)\. ", TUTORIAL, re.MULTILINE)
    assert steps == [str(number) for number in range(1, len(steps) + 1)]
    assert len(steps) <= 11


def test_code_of_the_page_stands_in_the_example():
    source = (ROOT / "examples" / "chomp.py").read_text(encoding="utf-8")
    assert blocks(COMPILING, "python")
    for block in blocks(COMPILING, "python"):
        assert block in source
