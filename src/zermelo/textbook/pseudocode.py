"""The handouts' algorithms as pseudocode, each line with what happens when a search is at it.

A page that steps through a search highlights the lines whose `Line.at` names the event. The events are those of
`zermelo.textbook.observer`, told apart a little further:

``enter``       the search enters a node
``terminal``, ``cutoff``, ``table``
                a node without children returns its value, which came from there
``visit``       a child has returned its value, which changes nothing
``better``      a child has returned a value that is better for the player to move
``prune``       the rest of the node's moves is pruned
``leave``       a node returns the value of its best child
``pruned``      a node returns a value after a pruning

A ``+`` or ``-`` after it restricts the line to nodes of MAX, or of MIN (for `path`, of the player at the root, or of
the other one).
"""

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from zermelo.textbook.explain import Recipe


class Line(NamedTuple):
    """One line of pseudocode."""

    text: str
    at: tuple[str, ...] = ()
    """The events at which the search is here."""


_MARKS: Final = "TDHSNI"
"""Lines for a table, a depth, the handout's table, the sound one, none, and iterative deepening."""


@cache
def _texts() -> dict[str, str]:
    """Return the lines of each method; ``pseudocode.txt`` holds them, each with what happens there after a bar."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    sections = (section.partition("\n") for section in text.split("== ")[1:])
    return {name: lines.strip("\n") for name, _, lines in sections}


def pseudocode(recipe: Recipe, *, deepening: bool = False) -> list[Line]:
    """Return the algorithm that a recipe runs, without what it leaves out, such as a table.

    Parameters
    ----------
    recipe
        Which search.
    deepening
        Show the loop of iterative deepening around `decision`.
    """
    kept = {" "}
    if recipe.depth is not None:
        kept.add("D")
    if recipe.method == "minimax":
        kept |= {"T"} if recipe.table else set()
    else:
        kept.add("N" if not recipe.table else "H" if recipe.handout else "S")
    if deepening:
        kept.add("I")
    lines = []
    for line in _texts()[recipe.method].split("\n"):
        mark = line[:1] if line and line[0] in _MARKS and line[1:2] in ("", " ") else " "
        if mark not in kept:
            continue
        text, _, at = (line if mark == " " else line[2:] if mark == "I" else " " + line[1:]).partition(" | ")
        said = text.replace("{depth}", str(recipe.depth)).replace("{width}", str(recipe.width))
        lines.append(Line(said.rstrip(), tuple(at.split())))
    return lines
