"""A board as SVG: pure functions from what `Game.board` says to text that a browser shows.

Every cell is a group with a name for those who hear the page, and carries its index in ``data-cell``: a click on it is
all that the page's script has to report. `zermelo.pictures.board_style` sets the colours.

Units: a square of the board is `SCALE` units of the picture.
"""

from collections.abc import Collection, Iterable, Mapping
from html import escape
from math import hypot
from typing import Final, NamedTuple

from zermelo.board import Area, Arrow, Board, Cell, Edge, Piece
from zermelo.pictures.board_style import STYLE
from zermelo.pictures.palette import Palette
from zermelo.pictures.pieces import (
    SCALE,
    STRIP,
    content_names,
    draw_piece,
    hollow_of,
    owner_class,
    points_of,
    rectangle,
)

MARGIN: Final = 0.18
_HEXAGON: Final = ((0, -0.577), (0.5, -0.289), (0.5, 0.289), (0, 0.577), (-0.5, 0.289), (-0.5, -0.289))
_FEW: Final = 3
_SOME: Final = 16
"""Cells that may be clicked first: if there are few, those with pieces are marked, too; if there are many, none is."""
_HOLLOW: Final = ("round", "point", "pit", "edge")
"""Shapes that marks surround; they tint the others."""

_USUAL: Final = 24
_LARGEST: Final = 40
"""Sizes of the letters of values: the one of `zermelo.pictures.board_style`, and the largest."""
_READABLE: Final = 38
"""The width of a picture over the least size of letters that can be read on it."""
_LETTER: Final = 0.7
"""The width of a letter over its size, at most."""

CAPTURED: Final = '<path class="captured" d="M-14-14 14 14M14-14-14 14"/>'
"""The mark of a cell from which a piece was captured, centred at the origin."""


class Shade(NamedTuple):
    """The mark of an analysed move: what it loses against the best, and its value."""

    kind: str
    """``best``, ``good``, ``slip`` or ``blunder``."""
    text: str = ""
    """Short: a remoteness, a margin, a score; empty if the move shall have no label."""
    said: str = ""
    """The value in words, for those who hear the page."""


class Marks(NamedTuple):
    """Marks on a board, beside its pieces; cells are given by their index."""

    legal: Collection[int] = ()
    """Cells whose click begins or continues a move."""
    selected: Collection[int] = ()
    placed: Collection[int] = ()
    """Where the last move put something."""
    changed: Collection[int] = ()
    captured: Collection[int] = ()
    hint: Collection[int] = ()
    shades: Mapping[int, Shade] = {}
    arrow: tuple[int, ...] = ()
    """The clicks of the move that is recommended."""
    said: str = "can be played"
    """What a click on a legal cell is, for those who hear the page."""


def draw_board(
    board: Board,
    marks: Marks = Marks(),  # noqa: B008 - a tuple of constants
    *,
    flipped: bool = False,
    palette: Palette = Palette(),  # noqa: B008 - a tuple of constants
    title: str = "Board",
    alone: bool = False,
) -> str:
    """Return the SVG of a board.

    Parameters
    ----------
    board, marks
        What to draw.
    flipped
        Show the board as MIN sees it: turned round, or, where pieces fall, from behind.
    palette
        Colours of the pieces.
    title
        What the board is, for those who hear it.
    alone
        Bring the style and a size along, for a picture outside the pages.
    """
    view = _View(board, flipped)
    names = cell_names(board)
    first = min(marks.legal, default=0)
    size = f' width="{view.width / 2:.0f}" height="{view.height / 2:.0f}"' if alone else ""
    parts = [
        f'<svg class="board" xmlns="http://www.w3.org/2000/svg" viewBox="{view.box}"{size} role="group" '
        f'aria-label="{escape(title)}" style="{palette.css()}">'
    ]
    if alone:
        parts.append(f"<style>{STYLE}</style>")
    checks = " checks" if any(cell.shape == "dark" for cell in board.cells) else ""
    cloth = {"felt": " cloth", "wood": " wooden"}.get(board.ground, "")
    quarters = " quarters" if any(not area.owner for area in board.areas) else ""
    quiet = " quiet" if len(marks.legal) > _SOME and not marks.selected else ""
    parts.append(f'<g class="ground{checks}{cloth}{quarters}{quiet}">')
    parts.append(_ground(board, view))
    parts += [_area(view, area) for area in board.areas]
    parts += [_under(view, line) for line in board.lines]
    parts += [_edge(view, edge) for edge in board.edges]
    pieces: dict[int, list[Piece]] = {}
    together = {cell for group in board.joined for cell in group}
    for piece in board.pieces:
        pieces.setdefault(piece.cell, []).append(piece)
    for index, cell in sorted(enumerate(board.cells), key=lambda pair: pair[1].shape == "edge"):  # bars lie over boxes
        here = pieces.get(index, [])
        named = [names[index], *content_names(here, palette)]
        drawn = "" if index in together else "".join(draw_piece(piece, cell) for piece in here)
        parts.append(_cell(view, index, cell, drawn, marks, named, index == first))
    parts.append("</g>")
    parts.append(_over(board, view, pieces, marks))
    parts.append(_labels(board, view))
    return "".join([*parts, "</svg>"])


def draw_labels(board: Board) -> str:
    """Return the SVG of the text beside the cells, as it is in the picture of `draw_board`."""
    return _labels(board, _View(board, False))


def _labels(board: Board, view: "_View") -> str:
    size = max(18, min(view.width, view.height) / 30)
    texts = "".join(_label(view, *label) for label in board.labels)
    return f'<g class="labels" style="font-size:{size:.0f}px">{texts}</g>'


class _View:
    """Turns coordinates of the board into coordinates of the picture."""

    def __init__(self, board: Board, flipped: bool) -> None:
        self.flipped, self.falls = flipped, board.falls
        left = min(cell.x - cell.width / 2 for cell in board.cells)
        right = max(cell.x + cell.width / 2 for cell in board.cells)
        top = min(cell.y - cell.height / 2 for cell in board.cells)
        bottom = max(cell.y + cell.height / 2 for cell in board.cells)
        self.left, self.right, self.top, self.bottom = left, right, top, bottom
        spots = [self.place(x, y) for x, y, _ in board.labels]
        room = [len(text) * 0.085 for _, _, text in board.labels]
        lefts = [x / SCALE - width for (x, _), width in zip(spots, room, strict=True)]
        rights = [x / SCALE + width for (x, _), width in zip(spots, room, strict=True)]
        ys = [y / SCALE for _, y in spots]
        margin = MARGIN if board.ground == "plain" and not board.edges else 2 * MARGIN
        x0, x1 = min([left, *(x - 0.1 for x in lefts)]) - margin, max([right, *(x + 0.1 for x in rights)]) + margin
        y0, y1 = min([top, *(y - 0.2 for y in ys)]) - margin, max([bottom, *(y + 0.2 for y in ys)]) + margin
        self.width, self.height = (x1 - x0) * SCALE, (y1 - y0) * SCALE
        self.box = " ".join(f"{number * SCALE:.0f}" for number in (x0, y0, x1 - x0, y1 - y0))

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the board lies in the picture."""
        if self.flipped:
            x = self.left + self.right - x
            y = y if self.falls else self.top + self.bottom - y
        return x * SCALE, y * SCALE


def cell_names(board: Board) -> list[str]:
    """Return a name for each cell: by the labels of its column and row where there are any, else by its number.

    A label above or below all cells names a column, one to their left or right names a row; unnamed rows are counted
    from the bottom.
    """
    top, bottom = min(cell.y for cell in board.cells), max(cell.y for cell in board.cells)
    left, right = min(cell.x for cell in board.cells), max(cell.x for cell in board.cells)
    columns = {x: text for x, y, text in board.labels if not top <= y <= bottom and len(text) <= 2}
    rows = {y: text for x, y, text in board.labels if not left <= x <= right and len(text) <= 2}
    if columns and not rows:
        heights = sorted({cell.y for cell in board.cells}, reverse=True)
        return [f"column {_near(columns, cell.x)} row {heights.index(cell.y) + 1}" for cell in board.cells]
    named = [_near(columns, cell.x) + _near(rows, cell.y) for cell in board.cells]
    if not rows or len(set(named)) < len(named):
        return [
            f"{'square' if cell.shape == 'dark' else cell.shape} {place}" for place, cell in enumerate(board.cells, 1)
        ]
    return named


def _near(labels: Mapping[float, str], place: float) -> str:
    return next((text for at, text in labels.items() if abs(at - place) < 0.3), "")


def _ground(board: Board, view: _View) -> str:
    """Return what lies under the cells: a rack if discs fall into holes, or what the board is made of."""
    shapes = {cell.shape for cell in board.cells}
    kind = "rack" if shapes == {"round"} and board.falls else {"wood": "wood", "felt": "felt"}.get(board.ground, "")
    if not kind or "dark" in shapes:
        return ""
    room = 0.3 if "point" in shapes else 0.1
    x, y = (view.left - room) * SCALE, (view.top - room) * SCALE
    width, height = (view.right - view.left + 2 * room) * SCALE, (view.bottom - view.top + 2 * room) * SCALE
    return f'<rect class="{kind}" x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="22"/>'


def _area(view: _View, area: Area) -> str:
    one, other = view.place(area.x, area.y), view.place(area.x + area.width, area.y + area.height)
    x, y = min(one[0], other[0]), min(one[1], other[1])
    kind = f"area {owner_class(area.owner) if area.owner else 'quarter'}"
    return (
        f'<rect class="{kind}" x="{x:.0f}" y="{y:.0f}" width="{area.width * SCALE:.0f}" '
        f'height="{area.height * SCALE:.0f}" rx="22"/>'
    )


def _edge(view: _View, edge: Edge) -> str:
    points = points_of((view.place(*point) for point in edge.points), 1)
    return f'<polyline class="goal {owner_class(edge.owner)}" points="{points}"/>'


def _arrow(view: _View, arrow: Arrow) -> str:
    (x1, y1), (x2, y2), (x3, y3) = (view.place(*point) for point in arrow)
    return (
        f'<path class="turn" d="M{x1:.0f} {y1:.0f}Q{x2:.0f} {y2:.0f} {x3:.0f} {y3:.0f}"/>'
        f"{_head('turn-head', (x2, y2), (x3, y3), 26)}"
    )


def _head(kind: str, start: tuple[float, float], end: tuple[float, float], size: float) -> str:
    """Return the head of an arrow that comes from ``start``."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1.0
    dx, dy = dx / length * size, dy / length * size
    x, y = end
    points = ((x + dx, y + dy), (x - 0.7 * dy, y + 0.7 * dx), (x + 0.7 * dy, y - 0.7 * dx))
    return f'<polygon class="{kind}" points="{points_of(points, 1)}"/>'


def _over(board: Board, view: _View, pieces: Mapping[int, list[Piece]], marks: Marks) -> str:
    """Return what lies over all cells: pieces that fill several, dots, the line that won, an arrow, and values."""
    parts = [_joined(board, view, pieces, group) for group in board.joined]
    parts += [_arrow(view, arrow) for arrow in board.arrows]
    dots = [view.place(*dot) for dot in board.dots]
    parts += [f'<circle class="dot" cx="{x:.0f}" cy="{y:.0f}" r="13"/>' for x, y in dots]
    for index in board.won:
        cell = board.cells[index]
        x, y = view.place(cell.x, cell.y)
        parts.append(f'<g transform="translate({x:.0f} {y:.0f})">{_won(cell)}</g>')
    ends = [board.cells[index] for index in marks.arrow]
    if len(ends) > 1 and ends[0] != ends[-1]:
        (x1, y1), (x2, y2) = view.place(*ends[0][:2]), view.place(*ends[-1][:2])
        share = max(0.0, 1 - 34 / (hypot(x2 - x1, y2 - y1) or 1))
        end = x1 + (x2 - x1) * share, y1 + (y2 - y1) * share
        parts.append(f'<path class="advice" d="M{x1:.0f} {y1:.0f}L{end[0]:.0f} {end[1]:.0f}"/>')
        parts.append(_head("advice-head", (x1, y1), end, 32))
    parts += [
        _value(view, board.cells[index], shade.text, index in pieces)
        for index, shade in sorted(marks.shades.items())
        if shade.text
    ]
    return f'<g class="over">{"".join(parts)}</g>'


def _value(view: _View, cell: Cell, text: str, is_taken: bool) -> str:
    """Return the value of a move, in the strip above a pit or a piece, or in the middle of an empty cell.

    Wide boards have larger letters, for they are shown smaller. A value is no wider than its cell.
    """
    x, y = view.place(cell.x, cell.y)
    if cell.shape == "pit" or (is_taken and cell.shape != "edge"):
        y -= (cell.height - STRIP) / 2 * SCALE
    room = cell.width * SCALE / (_LETTER * len(text))
    size = min(view.width / _READABLE, _LARGEST, room)
    larger = f' style="font-size:{size:.0f}px"' if round(size) > _USUAL else ""
    return f'<text class="value" x="{x:.0f}" y="{y:.0f}"{larger}>{escape(text)}</text>'


def _won(cell: Cell) -> str:
    """Return the mark of a cell that decided the game."""
    if cell.shape in (*_HOLLOW, "hexagon"):
        return _outline("won under", cell, 9) + _outline("won hollow", cell, 9)
    return _outline("won", cell, 5)


def _joined(board: Board, view: _View, pieces: Mapping[int, list[Piece]], group: Collection[int]) -> str:
    """Return the piece that fills a group of cells."""
    cells = [board.cells[index] for index in group]
    here = [piece for index in group for piece in pieces.get(index, [])]
    if not here:
        return ""
    left, right = min(c.x - c.width / 2 for c in cells), max(c.x + c.width / 2 for c in cells)
    top, bottom = min(c.y - c.height / 2 for c in cells), max(c.y + c.height / 2 for c in cells)
    x, y = view.place((left + right) / 2, (top + bottom) / 2)
    shape = cells[0]._replace(width=right - left, height=bottom - top)
    return f'<g class="men" transform="translate({x:.0f} {y:.0f})">{draw_piece(here[0], shape)}</g>'


def _under(view: _View, line: tuple[float, float, float, float]) -> str:
    (x1, y1), (x2, y2) = view.place(*line[:2]), view.place(*line[2:])
    return f'<line class="under" x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}"/>'


def _label(view: _View, x: float, y: float, text: str) -> str:
    x, y = view.place(x, y)
    return f'<text class="label" x="{x:.0f}" y="{y:.0f}">{escape(text)}</text>'


def _cell(view: _View, index: int, cell: Cell, drawn: str, marks: Marks, named: list[str], is_first: bool) -> str:
    """Return a cell with its pieces and marks; ``named`` holds the cell's name and its pieces in words."""
    x, y = view.place(cell.x, cell.y)
    legal = index in marks.legal
    shade = marks.shades.get(index)
    said = [*named]
    said += [word for word, cells in (("last move", marks.placed), ("selected", marks.selected)) if index in cells]
    said += [marks.said] if legal and marks.said else []
    said += [", ".join(filter(None, (shade.kind, shade.said or shade.text)))] if shade else []
    role = f'role="button" tabindex="{0 if is_first else -1}"' if legal else 'role="img" tabindex="-1"'
    men = f'<g class="men">{drawn}</g>' if drawn else ""
    parts = [
        f'<g class="cell{" can" if legal else ""}" data-cell="{index}" {role} aria-label="{escape(", ".join(said))}" '
        f'transform="translate({x:.0f} {y:.0f})">',
        _ground_of(cell),
        *_under_marks(index, cell, marks),
        men,
        *_over_marks(index, cell, bool(men), marks),
    ]
    return "".join([*parts, _outline("focus", cell, 3), "</g>"])


def _ground_of(cell: Cell) -> str:
    """Return the shape of the cell, and the area that takes clicks."""
    width, height = cell.width * SCALE, cell.height * SCALE
    if cell.shape in ("square", "dark"):
        return rectangle(cell.shape, width, height, 0)
    if cell.shape == "round":
        hole = rectangle("round", width * 0.88, height * 0.88, 0.44 * min(width, height))
        return rectangle("hit", width, height, 0) + hole
    if cell.shape == "hexagon":
        return f'<polygon class="hexagon" points="{points_of(_HEXAGON, SCALE)}"/>'
    if cell.shape == "point":
        return '<circle class="hit" r="48"/><circle class="point" r="11"/>'
    if cell.shape == "pit":
        return rectangle("hit", width, height, 0) + _hollow("pit", cell, 14)
    return f"{rectangle('hit', width + 26, height + 26, 0)}{rectangle('edge', width - 4, height - 4, 8)}"


def _hollow(kind: str, cell: Cell, inset: float) -> str:
    """Return the hollow of a pit; the strips above and below are left free."""
    high, down = hollow_of(cell)
    width, height = cell.width * SCALE - inset, high * SCALE - inset
    return rectangle(kind, width, height, 0.5 * min(width, height), down * SCALE)


def _outline(kind: str, cell: Cell, inset: float) -> str:
    """Return a line just inside the border of a cell, or its area."""
    width, height = cell.width * SCALE - 2 * inset, cell.height * SCALE - 2 * inset
    if cell.shape == "hexagon":
        return f'<polygon class="{kind}" points="{points_of(_HEXAGON, SCALE - 2 * inset)}"/>'
    if cell.shape in ("round", "point"):
        width, height = width * 0.92, height * 0.92
        return rectangle(kind, width, height, min(width, height) / 2)
    if cell.shape == "pit":
        return _hollow(kind, cell, 2 * inset)
    return rectangle(kind, width, height, 0 if inset == 0 else 8)


def _tint(kind: str, cell: Cell) -> str:
    """Return a mark that fills a cell, or surrounds it if its shape is filled already."""
    return _outline(f"{kind} hollow", cell, 4) if cell.shape in _HOLLOW else _outline(kind, cell, 0)


def _under_marks(index: int, cell: Cell, marks: Marks) -> Iterable[str]:
    """Yield what lies under a piece: the last move, the selection, and what a move loses."""
    if index in marks.shades:
        yield _tint(f"shade {marks.shades[index].kind}", cell)
    elif index in marks.placed:
        yield _tint("last", cell)
    elif index in marks.changed:
        yield _tint("changed", cell)
    if index in marks.selected:
        yield _tint("selected", cell)


def _over_marks(index: int, cell: Cell, is_taken: bool, marks: Marks) -> Iterable[str]:
    """Yield what lies over a piece: captures, a hint, and whether a click is possible."""
    if index in marks.captured:
        yield CAPTURED
    if index in marks.hint:
        yield _outline("hint", cell, 8)
    if index in marks.legal and index not in marks.shades and cell.shape != "edge":
        if not is_taken:
            yield '<circle class="target" r="11"/>'
        elif marks.selected or len(marks.legal) <= _FEW or cell.shape == "pit":
            yield _outline("ring", cell, 7)
