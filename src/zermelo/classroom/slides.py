"""Slides for a lecture: search trees in Markdown with ``---`` between slides, which Marp, reveal-md and Pandoc show."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from zermelo.classroom.exercises import Exercise
from zermelo.game import Game
from zermelo.textbook.homework.assignments import Assignment
from zermelo.textbook.homework.compare import Asked

TEXTS: Final = {
    "Minimax by hand": (
        "Minimax",
        "- At the end of the game, a state has its utility, as MAX sees it.\n"
        "- Where MAX is to move, a state has the highest value of its children.\n"
        "- Where MIN is to move, it has the lowest.",
    ),
    "Alpha-beta by hand": (
        "Alpha-beta",
        "- **Alpha**: what MAX is sure of elsewhere. **Beta**: what MIN is sure of elsewhere.\n"
        "- A value above alpha raises alpha where MAX is to move; one below beta lowers beta where MIN is.\n"
        "- Where alpha is at least beta, the other moves cannot matter: prune them.",
    ),
    "The order of moves": (
        "The order of moves",
        "- The same tree, the best move first everywhere.\n"
        "- The value stays; the work shrinks, at best to the square root.\n"
        "- So programs guess which move is best, and try it first.",
    ),
}
"""For each exercise on an invented tree, the heading and the rules of its slides."""


def slides(
    game: Game,
    found: Sequence[Exercise],
    assignments: Mapping[str, Assignment],
    exams: Mapping[str, Sequence[Asked]],
) -> tuple[str, dict[str, str]]:
    """The slides in Markdown, and their pictures by file names.

    Parameters
    ----------
    game
        The game of the course.
    found
        Trees that are shown first without values and then with them; not those of the exercise sheet.
    assignments, exams
        For each part of the assignment its function and its searches, the one from the start of the game last.
    """
    pictures = {f"{name}.svg": svg for one in found for name, svg in (one.tree, one.solved)}
    pages = [_title(game), *(page for one in found for page in _pair(one)), *_counts(assignments, exams)]
    return "---\nmarp: true\n---\n\n" + "\n\n---\n\n".join(pages) + "\n", pictures


def _title(game: Game) -> str:
    return f"# Search in games\n\n```\n{game.draw(game.initial)}\n```\n\n`{game!r}`: who wins, and how do we find out?"


def _pair(one: Exercise) -> Iterator[str]:
    """Yield two slides: the rules with a tree to fill in, and the tree filled in."""
    heading, rules = TEXTS.get(one.title, (one.title, "\n\n".join(one.question)))
    yield f"# {heading}\n\n{rules}\n\n![h:330 A tree](slides/{one.tree[0]}.svg)"
    said = "\n\n".join(one.solution)
    yield f"# {heading}: the values\n\n![h:380 The tree, filled in](slides/{one.solved[0]}.svg)\n\n{said}"


def _counts(assignments: Mapping[str, Assignment], exams: Mapping[str, Sequence[Asked]]) -> Iterator[str]:
    """Yield a slide with the counts of the searches from the start of the game."""
    rows = ["| part | search | nodes | states in the table | value |", "|---|---|---|---|---|"]
    for part, asked in exams.items():
        ours, assignment = asked[-1].ours, assignments[part]
        reach = f", {asked[-1].question.limits.depth} plies ahead" if assignment.needs_eval else ""
        states = f"{len(ours.table):,}" if assignment.has_table else "-"
        name = f"`{assignment.name}`{reach}"
        rows.append(f"| {part} | {name} | {ours.counts.nodes:,} | {states} | {ours.found.value:,} |")
    yield "# What it costs\n\nThe searches of the assignment, from the start of the game:\n\n" + "\n".join(rows)
