"""Pieces as SVG, each centred at the origin of its cell, and in words."""

from collections.abc import Iterable, Sequence
from html import escape
from math import cos, pi, sin, sqrt
from typing import Final

from zermelo.board import Cell, Piece
from zermelo.game import MAX, MIN
from zermelo.pictures.figures import figure_of
from zermelo.pictures.palette import Palette

SCALE: Final = 100
"""Units of the picture in a square of the board."""
STRIP: Final = 0.3
"""The parts of a pit's cell, in squares, below its hollow for the number of seeds, and above it for a value."""
_CROWN: Final = ((-20, 14), (-24, -12), (-11, -2), (0, -18), (11, -2), (24, -12), (20, 14))
_PIN: Final = "M-9-40C-14-30-8-18-12-8C-18 4-20 18-14 38H14C20 18 18 4 12-8C8-18 14-30 9-40C5-45-5-45-9-40z"
_KINDS: Final = ("disc", "man", "king", "cross", "ring", "pin", "line", "box", "domino")
_GOLDEN: Final = pi * (3 - sqrt(5))


def draw_piece(piece: Piece, cell: Cell) -> str:
    """Return the SVG of a piece that is centred at the origin, as the pieces of a board are in their cells."""
    owner = owner_class(piece.owner)
    width, height = cell.width * SCALE, cell.height * SCALE
    radius = 0.4 * min(width, height)
    if piece.kind == "seeds":
        return _seeds(piece.number, cell)
    if piece.kind == "line":
        return rectangle(f"piece {owner}", width - 4, height - 4, 9)
    if piece.kind == "box":
        return rectangle(f"piece {owner}", width * 0.8, height * 0.8, 10)
    if piece.kind == "domino":
        return rectangle(f"piece {owner}", width - 12, height - 12, 14)
    if piece.kind == "cross":
        return f'<path class="piece mark {owner}" d="M-26-26 26 26M26-26-26 26"/>'
    if piece.kind == "ring":
        return f'<circle class="piece mark {owner}" r="27"/>'
    if piece.kind == "pin":
        return f'<path class="piece {owner}" d="{_PIN}"/>'
    if piece.kind not in _KINDS:
        path = figure_of(piece.kind)
        if path is not None:
            return f'<path class="figure {owner}" d="{path}"/>'
        return f'<text class="glyph {owner}" y="4">{escape(piece.kind)}\ufe0e</text>'
    body = f'<circle class="piece {owner}" r="{radius:.0f}"/><circle class="rim {owner}" r="{radius * 0.72:.0f}"/>'
    if piece.kind == "king":
        body += f'<polygon class="crown {owner}" points="{points_of(_CROWN, 1)}"/>'
    return body


def owner_class(owner: int) -> str:
    """Return the CSS class of a side, or of nobody."""
    return {MAX: "max", MIN: "min"}.get(owner, "none")


def _seeds(number: int, cell: Cell) -> str:
    """Return at most 40 seeds, as they lie in the hollow, and their number at the foot of the cell."""
    high, middle = hollow_of(cell)
    width, height = cell.width * SCALE - 34, high * SCALE - 34
    shown = min(number, 40)
    size = 9 if shown <= 16 else 7
    dots = []
    for place in range(shown):
        away = sqrt((place + 0.5) / max(shown, 6))
        x, y = away * cos(place * _GOLDEN) * (width / 2 - size), away * sin(place * _GOLDEN) * (height / 2 - size)
        dots.append(f'<circle class="seed" cx="{x:.0f}" cy="{y + middle * SCALE:.0f}" r="{size}"/>')
    y = (cell.height - STRIP) / 2 * SCALE
    return f'{"".join(dots)}<text class="number" y="{y:.0f}">{number}</text>'


def hollow_of(cell: Cell) -> tuple[float, float]:
    """Return the height of a pit's hollow, and how far its middle lies below that of the cell, in squares.

    A cell that is too low for a round hollow between two strips has a narrower strip above, or none.
    """
    above = min(STRIP, max(0.0, cell.height - STRIP - cell.width))
    return cell.height - STRIP - above, (above - STRIP) / 2


def rectangle(kind: str, width: float, height: float, corner: float, down: float = 0) -> str:
    """Return a rectangle around the origin, or around a point so far below it."""
    return (
        f'<rect class="{kind}" x="{-width / 2:.0f}" y="{down - height / 2:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" rx="{corner:.0f}"/>'
    )


def points_of(points: Iterable[tuple[float, float]], scale: float) -> str:
    """Return points as an attribute of SVG."""
    return " ".join(f"{x * scale:.0f},{y * scale:.0f}" for x, y in points)


def content_names(pieces: Sequence[Piece], palette: Palette) -> list[str]:
    """Return what is on a cell, in words."""
    return [_said(piece, palette.names) for piece in pieces] or ["empty"]


def _said(piece: Piece, sides: tuple[str, str]) -> str:
    """A piece in words."""
    if piece.kind == "seeds":
        return f"{piece.number} seeds"
    owner = {MAX: sides[0], MIN: sides[1]}.get(piece.owner, "")
    if piece.kind in ("cross", "ring"):  # the sides are called X and O
        return owner or piece.kind
    return f"{owner} {piece.kind if piece.kind in _KINDS else 'piece ' + piece.kind}".strip()
