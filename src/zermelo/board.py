"""A board as data: what a page needs to draw any game and to understand clicks, and nothing else.

Lengths are in squares, x to the right and y downwards. Cells are named by their index.
"""

from typing import Any, Literal, NamedTuple

Shape = Literal["square", "dark", "round", "hexagon", "point", "pit", "edge"]
"""``square`` and ``dark`` are the fields of a grid, ``round`` a hole of a rack, ``point`` a crossing of lines,
``pit`` a hollow for seeds, ``edge`` a thin bar between dots."""


class Cell(NamedTuple):
    """A place for a piece, which can be clicked."""

    x: float
    """The centre."""
    y: float
    shape: Shape = "square"
    width: float = 1.0
    height: float = 1.0


class Piece(NamedTuple):
    """Something on a cell."""

    cell: int
    owner: int
    """MAX, MIN, or 0 for nobody's."""
    kind: str = "disc"
    """``disc``, ``man``, ``king``, ``seeds``, ``line``, ``box``, or a character to show as it is."""
    number: int = 1
    """How many: seeds in a pit."""


class Board(NamedTuple):
    """The picture of a state."""

    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...]
    clicks: dict[Any, tuple[int, ...]]
    """For each legal action the cells to click, in this order; none if it needs a button, as a pass does. No two
    actions have the same clicks."""
    lines: tuple[tuple[float, float, float, float], ...] = ()
    """Lines drawn under the cells: x and y of both ends."""
    labels: tuple[tuple[float, float, str], ...] = ()
    """Text beside the cells: x, y of its centre."""
    choices: dict[Any, str] = {}  # noqa: RUF012
    """For actions that differ in their last click alone, such as promotions: the kind of piece to show on the cell of
    that click when the other clicks are made."""

    def __repr__(self) -> str:
        return f"<Board: {len(self.cells)} cells, {len(self.pieces)} pieces, {len(self.clicks)} actions by clicks>"

    falls: bool = False
    """Whether pieces fall to the foot of their column. Such a board is never shown upside down, and a click on an empty
    cell means the cell below it on which a piece comes to rest."""
