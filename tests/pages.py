"""The code blocks of README and docs, and how the commands in them run.

    python tests/pages.py slow          run what `tests/data/pages_not_run.tsv` calls slow, and compare the output
    python tests/pages.py fill PAGE     write what the commands of a page print below them

A block that begins with ``$`` is a session: commands, each followed by what it prints. A block of Python with a title
is a file; it is written into the folder in which the page's commands run. A block that begins with a docstring or an
import begins the file, and other blocks go on with it.
"""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from unittest.mock import patch

from zermelo.ui import cli

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LISTED: Final = ROOT / "tests" / "data" / "pages_not_run.tsv"
FENCE: Final = re.compile(r'^```(\w*)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
PROGRAMS: Final = [
    "zermelo", "pip", "make", "python", "python3", "source", "cc", "g++", "ray", "cutechess-cli", "docker"
]  # fmt: skip
SHELL: Final = ("", "console", "bash", "sh")
PROSE: Final = "text"
"""The language of pseudocode."""
TYPED: Final = re.compile(r"(\(or help\): |Play again\? \[n\] )(.*)$", re.MULTILINE)
"""A prompt in the output of a command, and what a person typed."""
CHANGING: Final = re.compile(
    r"\b[\d,.]+ (?:s|seconds)\b|(?<=positions a second, )\w+ +[\d,]+| +[\d,]+ +\d+\.\d\d  (?=\S)"
    r"|(?<= was compared) +[\d,]+",
)
"""What is different whenever a command runs: times, speeds (also in tables of `zermelo analyse`), what an audit saw."""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    line: int
    language: str
    title: str
    text: str

    @property
    def first(self) -> str:
        """The first line, by which the list names a block that holds no commands."""
        return self.text.strip().split("\n")[0].strip()


@dataclass(frozen=True)
class Command:
    """A command of a page, and what it prints, None where the page does not say."""

    page: str
    line: int
    text: str
    output: str | None

    @property
    def words(self) -> list[str]:
        return shlex.split(self.text, comments=True)

    @property
    def of_zermelo(self) -> bool:
        return self.words[:1] == ["zermelo"]


def blocks_of(page: Path) -> list[Block]:
    """The blocks of a page."""
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(ROOT).as_posix()
    return [
        Block(name, text[: found.start()].count("\n") + 2, found[1], found[2] or "", found[3])
        for found in FENCE.finditer(text)
    ]


def commands_of(block: Block) -> list[Command]:
    """The commands of a block; none if it holds something else."""
    if block.language not in SHELL:
        return []
    text = re.sub(r" *\\\n *", " ", block.text)
    if re.search(r"^\$ ", text, re.MULTILINE):
        parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
        pairs = (part.partition("\n") for part in parts)
        return [Command(block.page, block.line, command, output or None) for command, _, output in pairs]
    if block.language == "" and block.first.split(" ")[0] not in PROGRAMS:
        return []
    return [Command(block.page, block.line, line, None) for line in text.splitlines() if line.strip()]


def commands_on(page: Path) -> list[Command]:
    """The commands of a page, in order."""
    return [command for block in blocks_of(page) for command in commands_of(block)]


def not_run() -> dict[str, str]:
    """What the tests leave out, and why."""
    lines = [line for line in LISTED.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {text: why for why, _, text in (line.partition("\t") for line in lines)}


def prepare(folder: Path, page: Path) -> None:
    """Put into a folder what the commands of a page need."""
    course = ROOT / "examples" / "course"
    (folder / "examples").symlink_to(ROOT / "examples")
    if "zermelo new my_game.py" not in page.read_text(encoding="utf-8"):
        shutil.copy(ROOT / "src" / "zermelo" / "ui" / "commands" / "new_game.txt", folder / "my_game.py")
    shutil.copy(course / "teacher" / "solution.py", folder / "my_search.py")
    shutil.copy(course / "starter.py", folder / "my_player.py")
    files = dict[str, str]()
    for block in blocks_of(page):
        if block.language == "python" and block.title:
            begins = re.match(r'"""|import |from ', block.text) or block.title not in files
            files[block.title] = block.text if begins else files[block.title] + block.text
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def run(command: Command) -> tuple[int, str]:
    """Run a command of zermelo in this process, and return its status and output; after a failure, with its errors."""
    typed = "".join(f"{found[1]}\n" for found in TYPED.findall(command.output or ""))
    out, err = StringIO(), StringIO()
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = patch.dict(os.environ, {"COLUMNS": "100", "NO_COLOR": "1", "PATH": programs})
    streams = patch.object(sys, "stdin", StringIO(typed)), patch.object(sys, "argv", command.words)
    with environment, streams[0], streams[1], redirect_stdout(out), redirect_stderr(err):
        try:
            cli.main()
            status = 0
        except SystemExit as left:
            status = int(left.code or 0)
    if status not in (0, 1):
        raise AssertionError(f"{where(command)} left with {status}: {err.getvalue()}")
    if status == 1 and command.output is None:
        raise AssertionError(f"{where(command)} failed: {err.getvalue() or out.getvalue()}")
    return status, out.getvalue() + (err.getvalue() if status else "")


def where(command: Command) -> str:
    """A command and its place."""
    return f"{command.page}:{command.line}: {command.text!r}"


def differs(command: Command, printed: str) -> str:
    """What a command prints instead of what its page says; empty if they agree."""
    if command.output is None:
        return ""
    wanted, got = (CHANGING.sub("T", TYPED.sub(r"\1", text)) for text in (command.output, printed))
    flags = ELLIPSIS | NORMALIZE_WHITESPACE
    return "" if OutputChecker().check_output(wanted, got, flags) else f"{where(command)} prints\n{printed}"


def ran(page: Path, commands: Iterable[Command]) -> Iterator[str]:
    """Run commands of a page one after the other in a folder of their own; yield what differs."""
    with TemporaryDirectory() as folder, chdir(folder):
        prepare(Path(folder), page)
        for command in commands:
            yield differs(command, run(command)[1])


def slow() -> int:
    """Run the pages on which a command is slow, with all their commands, and print what differs."""
    reasons, failed = not_run(), 0
    for page in PAGES:
        commands = [one for one in commands_on(page) if one.of_zermelo and reasons.get(one.text, "slow") == "slow"]
        if not any(one.text in reasons for one in commands):
            continue
        print(f"{page.relative_to(ROOT)}: {len(commands)} commands", flush=True)
        for difference in filter(None, ran(page, commands)):
            print(difference, flush=True)
            failed += 1
    return int(failed > 0)


def fill(page: Path) -> None:
    """Write the output of the commands of a page's sessions below them."""
    text, reasons = page.read_text(encoding="utf-8"), not_run()
    with TemporaryDirectory() as folder, chdir(folder):
        prepare(Path(folder), page)
        for block in blocks_of(page):
            parts = []
            for command in commands_of(block) if block.text.startswith("$ ") else []:
                if reasons.get(command.text, "slow") != "slow":
                    parts.append(f"$ {command.text}\n{command.output or ''}")
                    continue
                print(command.text, flush=True)
                printed = run(Command(command.page, command.line, command.text, command.output or ""))[1]
                for prompt, answer in TYPED.findall(command.output or ""):
                    printed = printed.replace(f"{prompt}\n", f"{prompt}{answer}\n", 1)
                parts.append("\n".join(line.rstrip() for line in f"$ {command.text}\n{printed.strip()}\n".split("\n")))
            text = text.replace(block.text, "".join(parts)) if parts else text
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["slow"]:
        sys.exit(slow())
    for name in sys.argv[2:]:
        fill(Path(name).resolve())
