"""A rectangle of squares as text, as a picture and as data: what games on such a board share.

Cells are numbered in reading order, from 0 at the top left; their names are a letter for the column and
a number for the row counted from the bottom. A board as a string is one character a cell, in that order.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from zermelo.bits import lowest_index, shift_left
from zermelo.board import Board, Cell, Piece, Shape
from zermelo.errors import BadParameter
from zermelo.game import MAX, MIN, Player, State
from zermelo.words import MOST_CELLS, Bits, Words


def check_size(game: str, width: int, height: int) -> None:
    """Raise `BadParameter` if the board has more cells than two words have bits."""
    if width * height > MOST_CELLS:
        raise BadParameter(
            f"A {game} board {width} wide and {height} high is too large to hold; "
            f"it can have at most {MOST_CELLS} cells, and this is {width * height}."
        )


def name(cell: int, width: int, height: int) -> str:
    """The name of a cell.

    >>> name(0, 8, 8), name(63, 8, 8)
    ('a8', 'h1')
    """
    return f"{chr(ord('a') + cell % width)}{height - cell // width}"


def rows_of(pieces: str, width: int) -> str:
    """A board as text: its rows from the top with a bar between.

    >>> rows_of("x.o...", 3)
    'x.o|...'
    """
    return "|".join(pieces[start : start + width] for start in range(0, len(pieces), width))


def read_rows(text: str, width: int, height: int, letters: str) -> str:
    """Read the board that `rows_of` wrote; ValueError if the text is not one."""
    rows = text.split("|")
    if len(rows) != height or any(len(row) != width or set(row) - set(letters) for row in rows):
        allowed = f"{', '.join(letters[:-1])} or {letters[-1]}"
        raise ValueError(f"{text!r} is not {height} rows of {width} characters {allowed} with | between")
    return "".join(rows)


def read_turn(text: str, players: str) -> tuple[str, str]:
    """Split a text at its last space, after which it says whose turn it is; ValueError if it does not."""
    before, space, turn = text.rpartition(" ")
    if not space or len(turn) != 1 or turn not in players:
        raise ValueError(f"{text!r} must end with a space and whose turn it is, {' or '.join(players)}")
    return before, turn


def word_of(pieces: str, letter: str) -> int:
    """The cells of a board that show ``letter``, as a word.

    >>> word_of("x.x", "x")
    5
    """
    return sum(1 << cell for cell, piece in enumerate(pieces) if piece == letter)


def pieces_of(size: int, words: Mapping[str, int]) -> str:
    """A board of ``size`` cells that shows each letter where its word has a bit, and dots elsewhere.

    >>> pieces_of(3, {"x": 1, "o": 4})
    'x.o'
    """
    shown = ["."] * size
    for letter, word in words.items():
        for cell in range(size):
            if word >> cell & 1:
                shown[cell] = letter
    return "".join(shown)


def picture(pieces: str, width: int, height: int) -> str:
    """A board with the names of its rows and columns."""
    margin = len(str(height))
    rows = enumerate(rows_of(pieces, width).split("|"))
    lines = [f"{height - row:>{margin}} {' '.join(line)}".rstrip() for row, line in rows]
    letters = " ".join(chr(ord("a") + column) for column in range(width))
    return "\n".join([*lines, f"{'':{margin}} {letters}"])


def squares(width: int, height: int, shape: Shape = "square") -> tuple[Cell, ...]:
    """The cells of a board as data, one unit apart."""
    return tuple(Cell(column, row, shape) for row in range(height) for column in range(width))


def labels(width: int, height: int) -> tuple[tuple[float, float, str], ...]:
    """The names of columns and rows, below and to the left of the board."""
    columns = [(float(column), height - 0.25, chr(ord("a") + column)) for column in range(width)]
    return (*columns, *((-0.75, float(row), str(height - row)) for row in range(height)))


def checkered(width: int, height: int) -> tuple[Cell, ...]:
    """The cells of a checkered board as data; the square at the bottom left is dark."""
    return tuple(
        Cell(column, row, "square" if (column + height - 1 - row) % 2 else "dark")
        for row in range(height)
        for column in range(width)
    )


def runs_of(pieces: str, width: int, height: int, run: int) -> tuple[int, ...]:
    """The cells of every straight line of at least ``run`` equal letters other than dots.

    >>> runs_of("xxx.oo", 3, 2, 3)
    (0, 1, 2)
    """
    found: set[int] = set()
    for cell, piece in enumerate(pieces):
        for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            x, y = cell % width + (run - 1) * dx, cell // width + (run - 1) * dy
            line = [cell + step * (dx + dy * width) for step in range(run)]
            if piece != "." and 0 <= x < width and y < height and all(pieces[other] == piece for other in line):
                found.update(line)
    return tuple(sorted(found))


def board_of(
    pieces: str,
    width: int,
    height: int,
    owners: Mapping[str, int],
    clicks: Mapping[Any, tuple[int, ...]],
    kind: str = "disc",
    shape: Shape = "square",
) -> Board:
    """A board as data; ``owners`` says to whom a letter's piece belongs."""
    shown = tuple(Piece(cell, owners[piece], kind) for cell, piece in enumerate(pieces) if piece in owners)
    return Board(squares(width, height, shape), shown, dict(clicks), labels=labels(width, height))


class Face(NamedTuple):
    """How to show and read states that consist of a board, one letter for each cell, and whose turn it is."""

    width: int
    height: int
    pieces: Callable[[State], str]
    """A state's board as a string."""
    owners: Mapping[str, int]
    """The owner of each letter's piece: MAX, MIN, or 0 for nobody."""
    turns: str
    """The letters that say in a text that it is MAX's turn, and MIN's."""
    kind: str = "disc"

    def to_text(self, state: State) -> str:
        """Rows from the top with a bar between, then whose turn it is: ``bb|bb|..|ww|ww w``."""
        return f"{rows_of(self.pieces(state), self.width)} {self.turns[state.player != MAX]}"

    def read(self, text: str) -> tuple[str, Player]:
        """Read what `to_text` wrote, a board and the player to move; ValueError if the text is something else."""
        rows, turn = read_turn(text, self.turns)
        board = read_rows(rows, self.width, self.height, "".join(self.owners) + ".")
        return board, MAX if turn == self.turns[0] else MIN

    def draw(self, state: State) -> str:
        """`picture` of a state."""
        return picture(self.pieces(state), self.width, self.height)

    def board(self, state: State, clicks: Mapping[Any, tuple[int, ...]]) -> Board:
        """`Game.board`, given the clicks that mean each legal action."""
        return board_of(self.pieces(state), self.width, self.height, self.owners, clicks, self.kind)


def counted(what: str, of_max: int, of_min: int, one: str = "") -> tuple[str, str]:
    """`Board.scores` where MAX and MIN have so many of something; nothing is said of a side that has none.

    ``one`` is the word for one of them, if it is another. A number below 0 says how many men a side has more than
    usual, where `Board.missing` is true.

    >>> counted("captured", 2, 0), counted("boxes", 1, 3, "box")
    (('2 captured', ''), ('1 box', '3 boxes'))
    """
    of_max_text, of_min_text = (
        f"{number} {one if one and number == 1 else what}" if number else "" for number in (of_max, of_min)
    )
    return of_max_text, of_min_text


def inner_columns(width: int, height: int) -> int:
    """The cells that have another to their right."""
    return word_of(("x" * (width - 1) + ".") * height, "x")


def permute(word: int, places: tuple[int, ...]) -> int:
    """``word`` with its bit i moved to ``places[i]``.

    >>> bin(permute(0b110, (2, 1, 0)))
    '0b11'
    """
    moved = 0
    while word != 0:
        moved |= shift_left(1, places[lowest_index(word)])
        word &= word - 1
    return moved


def transposed(size: int) -> tuple[int, ...]:
    """For `permute`: rows and columns of a square board exchanged."""
    return tuple(column * size + row for row in range(size) for column in range(size))


def transposing(words: Words[Bits], size: int) -> Callable[[Bits], Bits]:
    """Return a function that exchanges the rows and columns of a square board.

    >>> from zermelo.words import ONE_WORD
    >>> bin(transposing(ONE_WORD, 2)(0b0_1_1_0)), bin(transposing(ONE_WORD, 2)(0b0_0_1_1))
    ('0b110', '0b101')
    """
    nothing, one = words.of(0), words.of(1)
    bit, lowest_index, places = words.bit, words.lowest_index, transposed(size)

    def transpose(board: Bits) -> Bits:
        moved = nothing
        while board != nothing:
            moved |= bit(places[lowest_index(board)])
            board &= board - one
        return moved

    return transpose


def flipping(words: Words[Bits], width: int, height: int) -> Callable[[Bits], Bits]:
    """Return a function that exchanges the top and bottom of a board, a row at a time.

    >>> from zermelo.words import ONE_WORD
    >>> bin(flipping(ONE_WORD, 2, 2)(0b01_11))
    '0b1101'
    """
    nothing, row = words.of(0), words.of((1 << width) - 1)
    shift_left, shift_right = words.shift_left, words.shift_right

    def flip(board: Bits) -> Bits:
        moved = nothing
        for line in range(height):
            moved |= shift_left(shift_right(board, line * width) & row, (height - 1 - line) * width)
        return moved

    return flip


def mirroring(words: Words[Bits], width: int, height: int) -> Callable[[Bits], Bits]:
    """Return a function that exchanges the left and right of a board, a column at a time.

    >>> from zermelo.words import ONE_WORD
    >>> bin(mirroring(ONE_WORD, 2, 2)(0b01_11))
    '0b1011'
    """
    nothing, leftmost = words.of(0), words.of(first_column(width, height))
    shift_left, shift_right = words.shift_left, words.shift_right

    def mirror(board: Bits) -> Bits:
        moved = nothing
        for column in range(width):
            moved |= shift_left(shift_right(board, column) & leftmost, width - 1 - column)
        return moved

    return mirror


def first_column(width: int, height: int) -> int:
    """The leftmost cells of a board."""
    return sum(1 << row * width for row in range(height))
