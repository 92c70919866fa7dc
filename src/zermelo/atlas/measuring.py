"""How long each fact took on some machine, and what was found: the file that plans a run and fills the page."""

import csv
from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import Final

from zermelo.atlas.answers import answer
from zermelo.atlas.facts import TABLES, Fact

FILE: Final = TABLES / "measured.tsv"
HEAD: Final = (
    "# What zermelo answered, and how long it took with rules already compiled; written by benchmarks/atlas.py.\n"
    "# Facts that are missing here took too long, or cannot be answered.\n"
)


@dataclass(frozen=True)
class Measured:
    """One answer of zermelo's."""

    found: str
    seconds: float


@cache
def measured() -> dict[str, Measured]:
    """What was found, by the names of facts."""
    if not FILE.exists():
        return {}
    lines = (line for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return {row["fact"]: Measured(row["found"], float(row["seconds"])) for row in csv.DictReader(lines, delimiter="\t")}


def timed(fact: Fact, seconds: float) -> Measured | None:
    """Answer a fact's question; None if that takes more than ``seconds``."""
    start = perf_counter()
    found = answer(fact, seconds)
    return None if found is None else Measured(found, perf_counter() - start)
