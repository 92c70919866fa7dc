"""What others published about games: who wins, counts, perft, lengths, Elo of matches."""

import csv
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

TABLES: Final = Path(__file__).parent / "tables"


@dataclass(frozen=True)
class Fact:
    """One published answer to one question about a position."""

    game: str
    """A game's name; ``match`` where the question is about the results of matches."""
    parameters: tuple[tuple[str, str], ...]
    moves: str
    """The moves before the position, with commas between; they begin at `position`."""
    position: str
    """In the game's notation; empty for the start of the game."""
    question: str
    """``perft 5``, ``positions``, ``winner``, ``value``, ``length``, ``grundy``, ``minimax states`` and the like.

    About matches: ``elo`` with the five numbers of pairs, and ``llr`` with two hypotheses in Elo before these.
    """
    answer: str
    """A number, or ``first``, ``second`` or ``draw``."""
    source: str

    @property
    def name(self) -> str:
        """What the fact is about, on one line; no two facts have the same."""
        given = ", ".join(f"{name}={value}" for name, value in self.parameters)
        place = f" {self.position}" if self.position else ""
        return f"{self.game}({given}){place}{f' after {self.moves}' if self.moves else ''}: {self.question}"

    @property
    def command(self) -> str:
        """The command that answers the question."""
        given = "".join(f" -p {name}={value}" for name, value in self.parameters)
        given += f' --position "{self.position}"' if self.position else ""
        given += f" --moves {self.moves}" if self.moves else ""
        kind, _, rest = self.question.partition(" ")
        match kind:
            case "perft":
                return f"zermelo perft {self.game}{given} --depth {rest}"
            case "positions":
                return f"zermelo solve {self.game}{given} --out table"
            case "minimax" | "alpha-beta":
                return f"zermelo search {self.game}{given} --algorithm {kind} --handout"
            case "grundy" | "elo" | "llr":
                return f'zermelo atlas --only "{self.name}"'
        return f"zermelo analyse {self.game}{given} --prove"


def rows(table: str) -> list[dict[str, str]]:
    """The rows of a table of tab-separated values with a head; lines that start with # are comments."""
    text = (TABLES / f"{table}.tsv").read_text(encoding="utf-8")
    return list(csv.DictReader((line for line in text.splitlines() if not line.startswith("#")), delimiter="\t"))


@cache
def facts() -> tuple[Fact, ...]:
    """Every fact, each question once: where two sources answer it, the first one counts."""
    guide = tomllib.loads((TABLES / "atlas.toml").read_text(encoding="utf-8"))
    found: dict[str, Fact] = {}
    for table in guide["table"]:
        for fact in _facts_of(table, guide["sources"]):
            found.setdefault(fact.name, fact)
    return tuple(found.values())


def _facts_of(table: dict[str, Any], sources: dict[str, str]) -> Iterator[Fact]:
    """The facts of one table, read as its entry in the guide says."""
    for row in rows(table["file"]):
        if any(row[name] != value for name, value in table.get("where", {}).items()):
            continue
        if any(int(row[name]) < least for name, least in table.get("least", {}).items()):
            continue
        if any(int(row[name]) > most for name, most in table.get("most", {}).items()):
            continue

        def filled(name: str, row: dict[str, str] = row) -> str:
            return str(table.get(name, "")).format(**row)

        answer = filled("answer")
        if answer and "decimals" in table:
            answer = f"{float(answer):.{table['decimals']}f}"
        if answer:
            yield Fact(
                game=filled("game"),
                parameters=tuple(_pair(one) for one in filled("parameters").split(",") if one),
                moves=filled("moves"),
                position=filled("position"),
                question=filled("question"),
                answer=table.get("words", {}).get(answer, answer),
                source=sources[filled("source")],
            )


def _pair(text: str) -> tuple[str, str]:
    """The two sides of ``name=value``."""
    name, _, value = text.partition("=")
    return name, value
