"""The texts of positions as symbols, one for each place of the board, and words that say the rest.

Games write their positions in few forms. A form splits a text and puts it together again, and knows nothing else of
the game: that the text is a position is for the game's ``from_text`` to say.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

LONGEST_TEXT: Final = 2_000
"""Characters of a text."""
_NUMBERS: Final = re.compile(r"\d+(?:[,/]\d+)+")
_PDN: Final = re.compile(r"([WB]):W([K\d,]*):B([K\d,]*)((?::.*)?)")


class Split(NamedTuple):
    """A text in its parts."""

    symbols: tuple[str, ...]
    """What stands on each place, in the order of the text."""
    words: tuple[str, ...]
    """What else the text says, such as whose turn it is."""


class Form(Protocol):
    """One way to write positions."""

    @property
    def are_numbers(self) -> bool:
        """Whether a symbol is a number of seeds or pieces."""

    def split(self, text: str) -> Split | None:
        """Return the parts of a text; None if it has another form."""

    def join(self, parts: Split) -> str:
        """Return the text with these parts."""


class Letters(NamedTuple):
    """A letter for each place, in rows of the same length or in one row: ``XO.|.X.|... X``."""

    separator: str
    width: int
    """Places of a row."""
    are_numbers: bool = False

    def split(self, text: str) -> Split | None:  # noqa: D102
        board, *words = text.split(" ")
        rows = board.split(self.separator) if self.separator else [board]
        if any(len(row) != self.width for row in rows):
            return None
        return Split(tuple("".join(rows)), tuple(words))

    def join(self, parts: Split) -> str:  # noqa: D102
        letters = "".join(parts.symbols)
        rows = [letters[i : i + self.width] for i in range(0, len(letters), self.width)]
        return " ".join((self.separator.join(rows), *parts.words))


class Gaps(NamedTuple):
    """A letter for each man and a number for each gap, in rows with a slash between, as in a FEN of chess."""

    width: int
    are_numbers: bool = False

    def split(self, text: str) -> Split | None:  # noqa: D102
        board, *words = text.split(" ")
        rows = [re.sub(r"\d+", lambda gap: "." * int(gap[0]), row) for row in board.split("/")]
        if len(rows) < 2 or any(len(row) != self.width for row in rows):
            return None
        return Split(tuple("".join(rows)), tuple(words))

    def join(self, parts: Split) -> str:  # noqa: D102
        letters = "".join(parts.symbols)
        rows = [letters[i : i + self.width] for i in range(0, len(letters), self.width)]
        board = "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows)
        return " ".join((board, *parts.words))


class Numbers(NamedTuple):
    """A number for each place, with commas between, and slashes between rows: ``4,4,0/4,4,0 S``."""

    width: int
    are_numbers: bool = True

    def split(self, text: str) -> Split | None:  # noqa: D102
        board, *words = text.split(" ")
        rows = [row.split(",") for row in board.split("/")]
        if not _NUMBERS.fullmatch(board) or any(len(row) != self.width for row in rows):
            return None
        return Split(tuple(number for row in rows for number in row), tuple(words))

    def join(self, parts: Split) -> str:  # noqa: D102
        rows = [parts.symbols[i : i + self.width] for i in range(0, len(parts.symbols), self.width)]
        return " ".join(("/".join(",".join(row) for row in rows), *parts.words))


class Numbered(NamedTuple):
    """The numbers of the squares on which each side's men stand, in the order of PDN: ``W:W21,K22:B1,2``."""

    places: int
    are_numbers: bool = False

    def split(self, text: str) -> Split | None:  # noqa: D102
        found = _PDN.fullmatch(text)
        if found is None:
            return None
        symbols = ["."] * self.places
        for side, men in zip("WB", found.groups()[1:3], strict=True):
            for man in filter(None, men.split(",")):
                number = man.removeprefix("K")
                if not number.isdecimal() or not 1 <= int(number) <= self.places:
                    return None
                symbols[int(number) - 1] = man[: -len(number)] + side
        return Split(tuple(symbols), (found[1], *filter(None, found[4].split(":"))))

    def join(self, parts: Split) -> str:  # noqa: D102
        men = [
            ",".join(f"{symbol[:-1]}{number}" for number, symbol in enumerate(parts.symbols, 1) if symbol[-1] == side)
            for side in "WB"
        ]
        return ":".join((parts.words[0], f"W{men[0]}", f"B{men[1]}", *parts.words[1:]))


def forms_of(text: str, cells: int) -> list[Form]:
    """Return the forms that a text may have, for a board with so many cells."""
    board = text.split(" ")[0]
    found: list[Form] = [Numbered(cells), Numbered(cells // 2)]
    found += [Numbers(len(board.split("/")[0].split(",")))]
    found += [Letters("|", len(board.partition("|")[0])), Letters("", len(board))]
    width = sum(int(one) if one.isdecimal() else len(one) for one in re.findall(r"\d+|\D+", board.partition("/")[0]))
    found += [Gaps(width)]
    return [form for form in found if _fits(form, text)]


def _fits(form: Form, text: str) -> bool:
    parts = form.split(text)
    return parts is not None and len(parts.symbols) > 1 and form.join(parts) == text


def splits(form: Form, texts: Sequence[str]) -> list[Split] | None:
    """Return the parts of many texts; None if one of them has another form, or is not put together as it was."""
    found = []
    for text in texts:
        parts = form.split(text)
        if parts is None or form.join(parts) != text:
            return None
        found.append(parts)
    return found
