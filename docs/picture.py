"""Draws ``docs/terminal.svg``: a real game in the terminal. Run it after the terminal's looks have changed."""

import re
import sys
from io import StringIO
from pathlib import Path

import pexpect
from rich.console import Console
from rich.text import Text

COMMAND = "-m zermelo play connect -p rows=4 -p columns=5 -p run=3 --max alpha-beta --min human"
REPLIES = ["2", "1", "4", "3"]


def record() -> str:
    """Play the published game of the handout and return what the terminal showed, colours included."""
    child = pexpect.spawn(
        sys.executable,
        COMMAND.split(),
        encoding="utf-8",
        dimensions=(40, 100),
        env={"TERM": "xterm-256color", "COLORTERM": "truecolor", "PATH": "/usr/bin:/bin"},
    )
    shown = ""
    for reply in REPLIES:
        child.expect(r"\(or help\): ")
        shown += child.before + child.after
        child.sendline(reply)
    child.expect("Play again.*")
    shown += child.before
    child.sendline("n")
    child.expect(pexpect.EOF)
    return shown


def without_spinner(text: str) -> str:
    """Drop cursor movements, and the lines that a spinner overwrote."""
    text = re.sub(r"\x1b\[\??[0-9;]*[A-HJKhl]|\r", "", text)
    return "\n".join(line for line in text.split("\n") if "thinking: " not in line)


def main() -> None:
    """Write the picture."""
    lines = without_spinner(record()).strip().split("\n")
    console = Console(record=True, width=100, file=StringIO())
    console.print("[bold]$ zermelo " + COMMAND.removeprefix("-m zermelo ") + "[/bold]", highlight=False)
    console.print(Text.from_ansi("\n".join([*lines[:20], "", "…", "", *lines[-20:]])))
    svg = console.export_svg(title="zermelo")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # a picture asks for nothing from elsewhere
    Path(__file__).with_name("terminal.svg").write_text(svg)


if __name__ == "__main__":
    main()
