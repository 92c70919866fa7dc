"""A board as SVG: pure functions from what `Game.board` says to text that a browser shows.

Every cell is a group with a name for those who hear the page, and carries its index in ``data-cell``: a click on it is
all that the page's script has to report. Colours are CSS variables, which `style` sets for light and dark.

Units: a square of the board is `SCALE` units of the picture.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

from zermelo.board import Board, Cell, Piece
from zermelo.game import MAX, MIN
from zermelo.pictures.figures import figure_of
from zermelo.pictures.palette import Palette

SCALE: Final = 100
MARGIN: Final = 0.18
_HEXAGON: Final = ((0, -0.577), (0.5, -0.289), (0.5, 0.289), (0, 0.577), (-0.5, 0.289), (-0.5, -0.289))
_CROWN: Final = ((-20, 14), (-24, -12), (-11, -2), (0, -18), (11, -2), (24, -12), (20, 14))
_KINDS: Final = {"man": "man", "king": "king", "disc": "disc", "line": "line", "box": "box"}

CAPTURED: Final = '<path class="captured" d="M-14-14 14 14M14-14-14 14"/>'
"""The mark of a cell from which a piece was captured, centred at the origin."""

STYLE: Final = """
.board{--cell:#e9edf3;--cell-dark:#b9c4d4;--cell-edge:#c5cedb;--rack:#30507f;--hole:#e8eef7;--wood:#d9b88a;--pit:#b98f5c;
--seed:#3b2a17;--grid:#7b8798;--label:#4d5968;--none:#7a4fb5;--none-edge:#553386;--win:#1f9d61;--draw:#d4a514;
--loss:#d64545;--focus:#0b63f6;--legal:#0f7a52;--last:#0b63f6;font-family:system-ui,-apple-system,"Segoe UI",sans-serif}
@media (prefers-color-scheme:dark){.board{--cell:#2a3240;--cell-dark:#1d2430;--cell-edge:#3b4557;--rack:#28477a;
--hole:#141a24;--wood:#6b5233;--pit:#46351f;--seed:#f3e3c7;--grid:#8b97a9;--label:#b3bdcb;--focus:#7cb0ff;
--legal:#4ad295;--last:#7cb0ff}}
.board .ground{fill:var(--cell)}.board .rack{fill:var(--rack)}.board .wood{fill:var(--wood)}
.board .square{fill:var(--cell);stroke:var(--cell-edge);stroke-width:2}.board .dark{fill:var(--cell-dark);stroke:none}
.board .round{fill:var(--hole)}.board .hexagon{fill:var(--cell);stroke:var(--cell-edge);stroke-width:3}
.board .point{fill:var(--grid)}.board .pit{fill:var(--pit)}.board .edge{fill:var(--cell-edge)}
.board .under{stroke:var(--grid);stroke-width:5;stroke-linecap:round}.board .hit{fill:transparent}
.board .label{pointer-events:none;fill:var(--label);font-size:30px;text-anchor:middle;dominant-baseline:central}
.board .max{fill:var(--max);stroke:var(--max-edge)}.board .min{fill:var(--min);stroke:var(--min-edge)}
.board .none{fill:var(--none);stroke:var(--none-edge)}.board .piece{stroke-width:4}
.board .rim{fill:none;stroke-width:3;opacity:.55}.board .rim.max{fill:none}.board .rim.min{fill:none}
.board .crown{stroke:none}.board .crown.max{fill:var(--max-ink)}.board .crown.min{fill:var(--min-ink)}
.board .glyph{font-size:82px;text-anchor:middle;dominant-baseline:central;stroke:none}
.board .glyph.max,.board .glyph.min{paint-order:stroke;stroke-width:7;stroke:#10131a}
.board .glyph.min{stroke:#cfd6e0;stroke-width:4}
.board .figure{stroke-width:4;stroke-linejoin:round;paint-order:stroke}
.board .figure.max{stroke:#10131a}.board .figure.min{stroke:#cfd6e0}
.board .number{fill:var(--seed);font-size:34px;font-weight:650;text-anchor:middle;dominant-baseline:central}
.board .seed{fill:var(--seed);opacity:.55}.board .target{fill:var(--legal);opacity:.75}
.board .ring{fill:none;stroke:var(--legal);stroke-width:5;opacity:.8;stroke-dasharray:10 8}
.board .last{fill:none;stroke:var(--last);stroke-width:6}.board .changed{fill:none;stroke:var(--last);stroke-width:4;
opacity:.55;stroke-dasharray:3 9;stroke-linecap:round}
.board .captured{stroke:var(--loss);stroke-width:7;stroke-linecap:round;opacity:.85}
.board .selected{fill:none;stroke:var(--focus);stroke-width:9}
.board .hint{fill:none;stroke:#a04be0;stroke-width:9;stroke-dasharray:18 10}
.board .shade{stroke:#fff;stroke-width:3}.board .shade.win{fill:var(--win)}.board .shade.draw{fill:var(--draw)}
.board .shade.loss{fill:var(--loss)}.board .shade.guess{fill-opacity:.82;stroke-dasharray:6 5}
.board .value{fill:#fff;font-size:27px;font-weight:700;text-anchor:middle;dominant-baseline:central;stroke:none}
.board .shade.draw+.value{fill:#241a00}.board .can{cursor:pointer}.board .can:hover .target{opacity:1}
.board .cell{outline:none}.board .cell:focus-visible .focus{stroke:var(--focus)}
.board .focus{fill:none;stroke:transparent;stroke-width:8}
"""


class Shade(NamedTuple):
    """The mark of an analysed move: a colour and a short text."""

    kind: str
    """``win``, ``draw`` or ``loss``, for the player to move."""
    text: str
    """Short: a remoteness, a margin, a score."""
    proven: bool = True


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
    parts.append(_ground(board, view))
    parts += [_under(view, line) for line in board.lines]
    pieces: dict[int, list[Piece]] = {}
    for piece in board.pieces:
        pieces.setdefault(piece.cell, []).append(piece)
    for index, cell in sorted(enumerate(board.cells), key=lambda pair: pair[1].shape == "edge"):  # bars lie over boxes
        here = pieces.get(index, [])
        named = [names[index], *content_names(here, palette)]
        parts.append(_cell(view, index, cell, here, marks, named, index == first))
    parts.append(_labels(board, view))
    return "".join([*parts, "</svg>"])


def draw_labels(board: Board) -> str:
    """Return the SVG of the text beside the cells, as it is in the picture of `draw_board`."""
    return _labels(board, _View(board, False))


def _labels(board: Board, view: "_View") -> str:
    return f'<g class="labels">{"".join(_label(view, *label) for label in board.labels)}</g>'


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
        x0, x1 = min([left, *(x - 0.1 for x in lefts)]) - MARGIN, max([right, *(x + 0.1 for x in rights)]) + MARGIN
        y0, y1 = min([top, *(y - 0.2 for y in ys)]) - MARGIN, max([bottom, *(y + 0.2 for y in ys)]) + MARGIN
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
    """Return what lies under the cells: a rack if discs fall into holes, wood if there are pits."""
    shapes = {cell.shape for cell in board.cells}
    kind = "wood" if "pit" in shapes else "rack" if shapes == {"round"} and board.falls else ""
    if not kind:
        return ""
    x, y = view.left * SCALE - 8, view.top * SCALE - 8
    width, height = (view.right - view.left) * SCALE + 16, (view.bottom - view.top) * SCALE + 16
    return f'<rect class="{kind}" x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="26"/>'


def _under(view: _View, line: tuple[float, float, float, float]) -> str:
    (x1, y1), (x2, y2) = view.place(*line[:2]), view.place(*line[2:])
    return f'<line class="under" x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}"/>'


def _label(view: _View, x: float, y: float, text: str) -> str:
    x, y = view.place(x, y)
    return f'<text class="label" x="{x:.0f}" y="{y:.0f}">{escape(text)}</text>'


def _cell(
    view: _View, index: int, cell: Cell, pieces: list[Piece], marks: Marks, named: list[str], is_first: bool
) -> str:
    """Return a cell with its pieces and marks; ``named`` holds the cell's name and its pieces in words."""
    x, y = view.place(cell.x, cell.y)
    legal = index in marks.legal
    shade = marks.shades.get(index)
    said = [*named]
    said += [word for word, cells in (("last move", marks.placed), ("selected", marks.selected)) if index in cells]
    said += ["can be played"] if legal else []
    said += [f"{shade.kind}, {shade.text}" if shade.text else shade.kind] if shade else []
    role = f'role="button" tabindex="{0 if is_first else -1}"' if legal else 'role="img" tabindex="-1"'
    parts = [
        f'<g class="cell{" can" if legal else ""}" data-cell="{index}" {role} aria-label="{escape(", ".join(said))}" '
        f'transform="translate({x:.0f} {y:.0f})">',
        _ground_of(cell),
        *(draw_piece(piece, cell) for piece in pieces),
        *_marks(index, cell, bool(pieces), marks),
    ]
    if shade is not None:
        parts.append(_shade(shade, cell))
    return "".join([*parts, _outline("focus", cell, 3), "</g>"])


def content_names(pieces: Sequence[Piece], palette: Palette) -> list[str]:
    """Return what is on a cell, in words."""
    return [_said(piece, palette.names) for piece in pieces] or ["empty"]


def _said(piece: Piece, sides: tuple[str, str]) -> str:
    """A piece in words."""
    if piece.kind == "seeds":
        return f"{piece.number} seeds"
    owner = {MAX: sides[0], MIN: sides[1]}.get(piece.owner, "")
    return f"{owner} {_KINDS.get(piece.kind, 'piece ' + piece.kind)}".strip()


def _ground_of(cell: Cell) -> str:
    """Return the shape of the cell, and the area that takes clicks."""
    width, height = cell.width * SCALE, cell.height * SCALE
    if cell.shape in ("square", "dark"):
        return _rectangle(cell.shape, width, height, 0)
    if cell.shape == "round":
        return f'{_rectangle("hit", width, height, 0)}<circle class="round" r="{0.42 * min(width, height):.0f}"/>'
    if cell.shape == "hexagon":
        return f'<polygon class="hexagon" points="{_points(_HEXAGON, SCALE)}"/>'
    if cell.shape == "point":
        return '<circle class="hit" r="44"/><circle class="point" r="11"/>'
    if cell.shape == "pit":
        return _rectangle("pit", width - 14, height - 14, min(width, height) * 0.42)
    return f"{_rectangle('hit', width + 26, height + 26, 0)}{_rectangle('edge', width - 4, height - 4, 8)}"


def _rectangle(kind: str, width: float, height: float, corner: float) -> str:
    return (
        f'<rect class="{kind}" x="{-width / 2:.0f}" y="{-height / 2:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" rx="{corner:.0f}"/>'
    )


def _points(points: Iterable[tuple[float, float]], scale: float) -> str:
    return " ".join(f"{x * scale:.0f},{y * scale:.0f}" for x, y in points)


def _outline(kind: str, cell: Cell, inset: float) -> str:
    """Return a line just inside the border of a cell."""
    width, height = cell.width * SCALE - 2 * inset, cell.height * SCALE - 2 * inset
    if cell.shape == "hexagon":
        return f'<polygon class="{kind}" points="{_points(_HEXAGON, SCALE - 2 * inset)}"/>'
    if cell.shape in ("round", "point"):
        return f'<circle class="{kind}" r="{min(width, height) / 2 - 4:.0f}"/>'
    if cell.shape == "pit":
        return _rectangle(kind, width - 8, height - 8, min(width, height) * 0.45)
    return _rectangle(kind, width, height, 6)


def draw_piece(piece: Piece, cell: Cell) -> str:
    """Return the SVG of a piece that is centred at the origin, as the pieces of `draw_board` are in their cells."""
    owner = {MAX: "max", MIN: "min"}.get(piece.owner, "none")
    width, height = cell.width * SCALE, cell.height * SCALE
    radius = 0.38 * min(width, height)
    if piece.kind == "seeds":
        return _seeds(piece.number, cell)
    if piece.kind == "line":
        return _rectangle(f"piece {owner}", width - 2, height - 2, 9)
    if piece.kind == "box":
        return _rectangle(f"piece {owner}", width * 0.62, height * 0.62, 12)
    if piece.kind not in _KINDS:
        path = figure_of(piece.kind)
        if path is not None:
            return f'<path class="figure {owner}" d="{path}"/>'
        return f'<text class="glyph {owner}" y="4">{escape(piece.kind)}\ufe0e</text>'
    body = f'<circle class="piece {owner}" r="{radius:.0f}"/><circle class="rim {owner}" r="{radius * 0.72:.0f}"/>'
    if piece.kind == "king":
        body += f'<polygon class="crown {owner}" points="{_points(_CROWN, 1)}"/>'
    return body


def _seeds(number: int, cell: Cell) -> str:
    """Return the number of seeds, with at most 15 of them drawn below it."""
    height = cell.height * SCALE
    dots = []
    for place in range(min(number, 15)):
        column, row = place % 5, place // 5
        dots.append(f'<circle class="seed" cx="{(column - 2) * 12:.0f}" cy="{height * 0.29 - row * 12:.0f}" r="5"/>')
    lift = -0.14 * height if number else 0
    return f'<text class="number" y="{lift:.0f}">{number}</text>{"".join(dots)}'


def _marks(index: int, cell: Cell, is_taken: bool, marks: Marks) -> Iterable[str]:
    """Yield what lies over a piece: the last move, captures, the selection, a hint, and whether a click is possible."""
    if index in marks.placed:
        yield _outline("last", cell, 4)
    elif index in marks.changed:
        yield _outline("changed", cell, 5)
    if index in marks.captured:
        yield CAPTURED
    if index in marks.selected:
        yield _outline("selected", cell, 5)
    if index in marks.hint:
        yield _outline("hint", cell, 8)
    if index in marks.legal and index not in marks.shades:
        if is_taken or cell.shape == "edge":
            yield _outline("ring", cell, 7)
        else:
            yield '<circle class="target" r="11"/>'


def _shade(shade: Shade, cell: Cell) -> str:
    """Return the coloured mark of a move, with its text."""
    radius = 26 if len(shade.text) < 3 or cell.shape == "pit" else 32
    drop = cell.height * SCALE * 0.24 if cell.shape == "pit" else 0  # below the number of seeds
    kind = f"shade {shade.kind}{'' if shade.proven else ' guess'}"
    size = "" if len(shade.text) < 4 else f' style="font-size:{84 // len(shade.text)}px"'
    return (
        f'<g transform="translate(0 {drop:.0f})"><circle class="{kind}" r="{radius}"/>'
        f'<text class="value"{size}>{escape(shade.text)}</text></g>'
    )
