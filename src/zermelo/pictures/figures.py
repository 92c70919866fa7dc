"""Pieces of chess as outlines, so that pictures look the same whatever fonts a system has.

Each is an SVG path about 70 units wide and high, centred at the origin. Names are those of the Unicode symbols, white
ones for both sides: the colour of a piece says whose it is.
"""

from typing import Final


def _ball(x: int, y: int, radius: int) -> str:
    return f"M{x - radius} {y}a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 {-2 * radius} 0z"


FIGURES: Final = {
    "♙": "M-20 32H20V26C11 20 7 9 6-4H-6C-7 9-11 20-20 26z" + _ball(0, -14, 13),
    "♖": "M-25 32H25V24L17 17V-11L23-16V-33H13V-25H6V-33H-6V-25H-13V-33H-23V-16L-17-11V17L-25 24z",
    "♗": "M-25 32H25V26C13 24 10 21 10 16C25 7 23-12 0-29C-23-12-25 7-10 16C-10 21-13 24-25 26z" + _ball(0, -34, 5),
    "♘": "M-21 32H24C25 6 22-20-2-31L-4-38L-10-29C-18-23-24-9-28 1L-23 10L-16 7C-10 1-6 1 0-2C0 9-19 15-21 32z",
    "♕": "M-24 32H24V25L18 18L29-18L15 2L10-27L0 0L-10-27L-15 2L-29-18L-18 18L-24 25z"
    + _ball(-29, -21, 5) + _ball(-10, -31, 5) + _ball(10, -31, 5) + _ball(29, -21, 5),
    "♔": "M-24 32H24V24L17 18C37 4 30-19 6-12H4V-21H11V-28H4V-36H-4V-28H-11V-21H-4V-12H-6C-30-19-37 4-17 18L-24 24z",
}  # fmt: skip
"""The path of each figure."""
SOLID: Final = dict(zip("♚♛♜♝♞♟", "♔♕♖♗♘♙", strict=True))
"""The white symbol for each black one."""


def figure_of(kind: str) -> str | None:
    """Return the path of a piece that is shown as a symbol of chess; None for any other piece."""
    return FIGURES.get(SOLID.get(kind, kind))
