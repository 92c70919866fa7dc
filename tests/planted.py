"""Mistakes planted in right searches, and what `zermelo grade` makes of them."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import students
from zermelo.games import connect
from zermelo.textbook.homework import student
from zermelo.textbook.homework.assignments import ASSIGNMENTS, Assignment, Limits
from zermelo.textbook.homework.causes import likely_causes
from zermelo.textbook.homework.compare import Asked, Theirs, compare, read_answer
from zermelo.textbook.homework.exam import set_exam

FILE: Final = Path(__file__).parent / "data" / "homework_mutants.txt"
GAME: Final = connect(3, 3, 3)
MANY: Final = 6
"""Small searches of each size; half of what `zermelo grade` asks for."""


class Mutant(NamedTuple):
    """A wrong search."""

    function: str
    text: str
    cause: str
    """How the name of its cause begins; a dash if the catalogue has none."""


class Judged(NamedTuple):
    """What grading makes of a mutant."""

    mutant: Mutant
    found: bool
    named: list[str]

    @property
    def named_rightly(self) -> bool:
        """Whether its cause is named: alone, or as one of two."""
        return len(self.named) <= 2 and any(name.startswith(self.mutant.cause) for name in self.named)


def mutants() -> Iterator[Mutant]:
    """The mutants of the file."""
    for block in FILE.read_text().split("\n=== ")[1:]:
        head, _, changes = block.rstrip().partition("\n")
        name, _, cause = head.partition(": ")
        text = right = getattr(students, name)
        for old, new in re.findall(r"((?:^-.*\n?)+)((?:^\+.*\n?)*)", changes, re.MULTILINE):
            old, new = (re.sub("^.", "", part.removesuffix("\n"), flags=re.MULTILINE) for part in (old, new))
            assert old in text, old
            text = text.replace(old, new)
        function = next(one for one in re.findall(r"^def (\w+)", right, re.MULTILINE) if one in ASSIGNMENTS)
        yield Mutant(function, (students.HEAD if "prunings" in text else students.IMPORTS) + text, cause)


def judge(mutant: Mutant) -> Judged:
    """Grade a mutant, without a process of its own. One that fails is found and has no name."""
    assignment = ASSIGNMENTS[mutant.function]
    asked, answers = exam(assignment), answered(mutant, exam(assignment))
    if answers is None:
        return Judged(mutant, True, [])
    found = [compare(assignment, one, theirs) for one, theirs in zip(asked, answers, strict=True)]
    if all(one.agrees for one in found):
        return Judged(mutant, False, [])
    return Judged(mutant, True, likely_causes(assignment, found, lambda more: answered(mutant, more) or []).sentences)


@cache
def exam(assignment: Assignment) -> list[Asked]:
    """What is asked of a function."""
    return set_exam(assignment, GAME, Limits(), MANY)


def answered(mutant: Mutant, asked: Sequence[Asked]) -> list[Theirs] | None:
    """The mutant's answers; None if it fails."""
    path = list(sys.path)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "mutant.py"
        file.write_text(mutant.text)
        task = {"file": str(file), "function": mutant.function, "questions": [asdict(one.question) for one in asked]}
        _, *answers = student.answers(task, GAME)
    sys.path[:] = path
    if "error" in answers[-1]:
        return None
    return [read_answer(one.game, answer) for one, answer in zip(asked, answers, strict=True)]
