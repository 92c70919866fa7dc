"""A board as data: what a page needs to draw any game and to understand clicks, and nothing else.

Lengths are in squares, x to the right and y downwards. Cells are named by their index. Only cells, pieces and clicks
are needed; all other parts make a board look like the game that people know.
"""

from typing import Any, Literal, NamedTuple

Shape = Literal["square", "dark", "round", "hexagon", "point", "pit", "edge"]
"""``square`` and ``dark`` are the fields of a grid, ``round`` a hole of a rack, ``point`` a crossing of lines,
``pit`` a hollow for seeds, ``edge`` a thin bar between dots."""
Ground = Literal["plain", "wood", "felt"]
"""What the board is made of."""


class Cell(NamedTuple):
    """A place for a piece, which can be clicked."""

    x: float
    """The centre."""
    y: float
    shape: Shape = "square"
    width: float = 1.0
    height: float = 1.0
    """A pit has its number of seeds in the lowest 0.3 of its height, and the value of its move in the uppermost 0.3. If
    its height is less than its width and 0.6, the hollow stays round, and less is left for the value."""


class Piece(NamedTuple):
    """Something on a cell."""

    cell: int
    owner: int
    """MAX, MIN, or 0 for nobody's."""
    kind: str = "disc"
    """``disc``, ``man``, ``king``, ``cross``, ``ring``, ``pin``, ``seeds``, ``line``, ``box``, ``domino``, or a
    character to show as it is."""
    number: int = 1
    """How many: seeds in a pit."""


class Edge(NamedTuple):
    """A thick line that belongs to a side, such as one of the two sides that it must join."""

    owner: int
    points: tuple[tuple[float, float], ...]


class Area(NamedTuple):
    """A rectangle under the cells, tinted for a side, or for nobody."""

    x: float
    """The left side."""
    y: float
    """The upper side."""
    width: float
    height: float
    owner: int = 0


class Arrow(NamedTuple):
    """A bent arrow on the board, such as the turn that a click on its cell means."""

    start: tuple[float, float]
    bend: tuple[float, float]
    """The control point of a quadratic Bezier curve."""
    end: tuple[float, float]


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
    falls: bool = False
    """Whether pieces fall to the foot of their column. Such a board is never shown upside down, and a click on an empty
    cell means the cell below it on which a piece comes to rest."""
    ground: Ground = "plain"
    areas: tuple[Area, ...] = ()
    edges: tuple[Edge, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    dots: tuple[tuple[float, float], ...] = ()
    """Dots drawn over the cells: x and y of each."""
    joined: tuple[tuple[int, ...], ...] = ()
    """Cells whose pieces are one: each group is drawn as one piece over the rectangle that its cells fill."""
    laid: bool = False
    """Whether a piece of nobody belongs to the player whose move laid it, and dominoes of one move are one piece. The
    state does not say who that was, so pages look it up in the moves before (`zermelo.pictures.laid`)."""
    won: tuple[int, ...] = ()
    """The cells that decided the game: the winning line, or the winning chain."""
    scores: tuple[str, str] = ("", "")
    """What MAX and MIN have beside the board or count on it, in a few words: ``12 seeds``."""
    missing: bool = False
    """Whether ``scores`` show what is missing on the board: a sign for each man, or their number before a word, as in
    ``3 captured``. Pages leave out what was missing when the game began. The number is below 0 if a side has more men
    than usual, as positions that were set up may have."""

    def __repr__(self) -> str:
        return f"<Board: {len(self.cells)} cells, {len(self.pieces)} pieces, {len(self.clicks)} actions by clicks>"
