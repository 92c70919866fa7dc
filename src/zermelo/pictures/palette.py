"""The colours of pieces, as CSS variables: those that the game names, else a pair that most people tell apart."""

from typing import Final, NamedTuple

from zermelo.game import Game


class Tone(NamedTuple):
    """The colour of a piece, and of the line around it, as ``#rrggbb``."""

    fill: str
    edge: str

    @property
    def ink(self) -> str:
        """Black or white, whichever reads better on the piece."""
        return "#10131a" if brightness(self.fill) > 140 else "#ffffff"


TONES: Final = {
    "red": Tone("#e0484d", "#a62b33"),
    "orange": Tone("#f2913d", "#b4611a"),
    "yellow": Tone("#f6c945", "#b98d12"),
    "blue": Tone("#2f6fde", "#1d4fa8"),
    "white": Tone("#fbf7ee", "#8d8678"),
    "black": Tone("#2b2d33", "#767f8d"),
}
"""The colours of sides that are named after a colour."""


class Palette(NamedTuple):
    """The colours of both sides' pieces, and what people call the sides."""

    max: Tone = TONES["blue"]
    min: Tone = TONES["orange"]
    names: tuple[str, str] = ("MAX", "MIN")

    def css(self) -> str:
        """The colours as CSS variables."""
        return ";".join(
            f"--{side}:{tone.fill};--{side}-edge:{tone.edge};--{side}-ink:{tone.ink}"
            for side, tone in (("max", self.max), ("min", self.min))
        )


def palette_of(game: Game) -> Palette:
    """Return a game's palette: its own colours, else those that its sides are named after, else blue and orange."""
    if game.colours is not None:
        return Palette(toned(game.colours[0]), toned(game.colours[1]), game.sides)
    first, second = (TONES.get(name.lower()) for name in game.sides)
    if first is None or second is None or first == second:
        return Palette(names=game.sides)
    return Palette(first, second, game.sides)


def toned(colour: str) -> Tone:
    """Return a colour with that of the line around the piece: lighter for a dark piece, darker for a bright one."""
    share = 1.6 if brightness(colour) < 70 else 0.7
    edge = "".join(f"{min(255, int(share * (part + 30))):02x}" for part in parts(colour))
    return Tone(colour, f"#{edge}")


def brightness(colour: str) -> float:
    """Return the perceived brightness of a colour, from 0 to 255 (luma of ITU-R BT.601)."""
    red, green, blue = parts(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue


def parts(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue, each from 0 to 255."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return red, green, blue
