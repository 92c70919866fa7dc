"""Colours of pieces, as CSS variables: one pair for most games, the field's own where people expect them."""

from typing import Final, NamedTuple


class Palette(NamedTuple):
    """The colours of both players' pieces, and of the line around them."""

    max: str
    max_edge: str
    min: str
    min_edge: str
    max_name: str
    min_name: str

    def css(self) -> str:
        """The colours as CSS variables."""
        return (
            f"--max:{self.max};--max-edge:{self.max_edge};--max-ink:{_ink(self.max)};"
            f"--min:{self.min};--min-edge:{self.min_edge};--min-ink:{_ink(self.min)}"
        )


USUAL: Final = Palette("#2f6fde", "#1d4fa8", "#f2913d", "#b4611a", "Blue", "Orange")
RED_YELLOW: Final = Palette("#e0484d", "#a62b33", "#f6c945", "#b98d12", "Red", "Yellow")
WHITE_BLACK: Final = Palette("#fbf7ee", "#8d8678", "#2b2d33", "#767f8d", "White", "Black")
BLACK_WHITE: Final = Palette("#2b2d33", "#767f8d", "#fbf7ee", "#8d8678", "Black", "White")
RED_BLACK: Final = Palette("#2b2d33", "#767f8d", "#d9534f", "#9c2f2c", "Black", "Red")
_OWN: Final = {
    "connect": RED_YELLOW,
    "chess": WHITE_BLACK,
    "nine_mens_morris": WHITE_BLACK,
    "othello": BLACK_WHITE,
    "konane": BLACK_WHITE,
    "clobber": WHITE_BLACK,
    "pentago": WHITE_BLACK,
    "checkers": BLACK_WHITE,
}


def palette_of(game: str) -> Palette:
    """The palette for a game of that name."""
    return _OWN.get(game, USUAL)


def _ink(colour: str) -> str:
    """Black or white, whichever reads better on ``colour``."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#10131a" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"
