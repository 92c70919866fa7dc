"""Boards whose pieces stand on dark squares: what `checkers` and `draughts` share.

PDN (Portable Draughts Notation), the standard text format for games and positions, numbers the dark squares in reading
order from 1.

Bit layout, after A. Samuel: the dark squares in reading order, and after every two rows a guard bit that stays 0. With
the guards, a step diagonally forward is always the same number of bits: 4 or 5 on a board of 8 x 8, 5 or 6 on one of
10 x 10. On 8 x 8, left the bits, right the numbers of the squares in PDN::

        0   1   2   3   |                  1   2   3   4
      4   5   6   7     |  8             5   6   7   8
        9  10  11  12   |                  9  10  11  12
     13  14  15  16     | 17            13  14  15  16
       18  19  20  21   |                 17  18  19  20
     22  23  24  25     | 26            21  22  23  24
       27  28  29  30   |                 25  26  27  28
     31  32  33  34     |               29  30  31  32

White starts at the bottom of every board.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple, TypeAlias

from zermelo.bits import lowest_index, popcount
from zermelo.board import Board, Cell, Piece
from zermelo.game import MAX, MIN, Action, Player
from zermelo.grid import counted


class State(NamedTuple):
    """The pieces of both players, which of them are kings, and the player to move."""

    max_pieces: int
    min_pieces: int
    kings: int
    player: int
    """The player to move, MAX or MIN."""


class CountedState(NamedTuple):
    """A `State` that also counts plies without progress."""

    max_pieces: int
    min_pieces: int
    kings: int
    player: int
    """The player to move, MAX or MIN."""
    quiet: int
    """Plies since the last jump or man's move."""


Position: TypeAlias = State | CountedState
"""A state of either kind of game: without or with a limit on plies without progress."""


def shifted(board: int, distance: int) -> int:
    """Return ``board`` with every bit moved up by ``distance``, or down if it is negative."""
    return board << distance if distance > 0 else board >> -distance


def steppers(movers: int, empty: int, step: int) -> int:
    """Return which of ``movers`` can take one ``step``."""
    return movers & shifted(empty, -step)


def jumpers(movers: int, theirs: int, empty: int, step: int) -> int:
    """Return which of ``movers`` can jump in the direction of ``step``."""
    return movers & shifted(theirs, -step) & shifted(empty, -2 * step)


def uncounted(state: CountedState) -> CountedState:
    """Return the state with no plies without progress."""
    return CountedState(state.max_pieces, state.min_pieces, state.kings, state.player, 0)


def packed(state: State, place_bits: int, guard: int) -> int:
    """Pack the pieces of a state into one int.

    From the top: a leading 1; for each piece ``place_bits`` bits for its square, one for king and one for MIN; and one
    bit that is 1 if MAX is to move. ``guard`` is the distance between two guard bits.
    """
    word = 1
    pieces = state.max_pieces | state.min_pieces
    while pieces:
        square = lowest_index(pieces)
        kind = (state.kings >> square & 1) << 1 | (state.min_pieces >> square & 1)
        word = word << place_bits + 2 | (square - square // guard) << 2 | kind
        pieces &= pieces - 1
    return word << 1 | (1 if state.player == MAX else 0)


def unpacked(word: int, place_bits: int, guard: int) -> State:
    """Return the state that `packed` made the int from."""
    player = MAX if word & 1 else MIN
    word >>= 1
    max_pieces = min_pieces = kings = 0
    while word > 1:
        place = word >> 2 & (1 << place_bits) - 1
        square = 1 << (place + place // (guard - 1))
        if word & 1:
            min_pieces |= square
        else:
            max_pieces |= square
        if word & 2:
            kings |= square
        word >>= place_bits + 2
    return State(max_pieces, min_pieces, kings, player)


@dataclass(frozen=True)
class DarkBoard:
    """The dark squares of a board: their bits, their numbers, and positions as text and as pictures."""

    width: int
    """Squares of a row, light ones included; an even number."""
    white: Player
    """The player who is White: MAX or MIN."""

    @property
    def half(self) -> int:
        """Dark squares in a row."""
        return self.width // 2

    @property
    def squares(self) -> int:
        """Dark squares of the board."""
        return self.width * self.half

    @property
    def men(self) -> int:
        """Men of a player when the game begins: those of all rows but the two in the middle."""
        return self.half * (self.half - 1)

    @property
    def top(self) -> int:
        """The highest bit of the board."""
        return self.bit_of(self.squares)

    @property
    def steps(self) -> tuple[int, int, int, int]:
        """The distances of a step down to the left, down to the right, up to the right and up to the left."""
        return self.half, self.half + 1, -self.half, -self.half - 1

    @cached_property
    def dark(self) -> int:
        """All dark squares."""
        return self.board_of(1, self.squares)

    def bit_of(self, square: int) -> int:
        """Return the bit number of a square, given its number in PDN."""
        return square - 1 + (square - 1) // self.width

    def square_of(self, bit: int) -> int:
        """Return the number in PDN of the square with a bit number."""
        return bit + 1 - bit // (self.width + 1)

    def cell_of(self, square: int) -> int:
        """Return the cell in reading order, from 0, of a square, given its number in PDN."""
        row, place = divmod(square - 1, self.half)
        return row * self.width + 2 * place + 1 - row % 2

    def board_of(self, first: int, last: int) -> int:
        """Return the squares with the numbers in PDN from ``first`` to ``last``."""
        return sum(1 << self.bit_of(square) for square in range(first, last + 1))

    def squares_of(self, board: int) -> list[int]:
        """Return the numbers in PDN of the squares that are set on ``board``, in order."""
        return [square for square in range(1, self.squares + 1) if board >> self.bit_of(square) & 1]

    def last_row(self, player: Player) -> int:
        """Return the row where a player's men become kings."""
        end = self.half if player == self.white else self.squares
        return self.board_of(end - self.half + 1, end)

    def sides(self, state: Position) -> tuple[int, int]:
        """Return White's pieces and Black's pieces."""
        both = state.max_pieces, state.min_pieces
        return both if self.white == MAX else both[::-1]

    def turned(self, board: int) -> int:
        """Return ``board`` as seen from the other side of the table."""
        return sum(1 << self.top - self.bit_of(square) for square in self.squares_of(board))

    def swap(self, state: Position) -> Position:
        """Return the state with the sides exchanged: each player sees what the other saw."""
        max_pieces, min_pieces, kings = (self.turned(board) for board in state[:3])
        return state._replace(max_pieces=min_pieces, min_pieces=max_pieces, kings=kings, player=-state.player)

    def to_text(self, state: Position) -> str:
        """Write a FEN as PDN defines it: the side to move, White's squares and Black's squares: ``B:W32,K3:B1,2``.

        A ``K`` marks a king. If the state counts plies without progress, ``:H`` and their number follow.
        """
        fields = []
        for letter, pieces in zip("WB", self.sides(state), strict=True):
            kings = pieces & state.kings
            words = [f"{'K' * (kings >> self.bit_of(square) & 1)}{square}" for square in self.squares_of(pieces)]
            fields.append(letter + ",".join(words))
        quiet = f":H{state.quiet}" if isinstance(state, CountedState) else ""
        return f"{'W' if state.player == self.white else 'B'}:{fields[0]}:{fields[1]}{quiet}"

    def read_squares(self, text: str) -> tuple[int, int]:
        """Read one side of a FEN, such as ``1,2,K31`` or ``5-8`` for a run; return its pieces and which are kings.

        Raises
        ------
        ValueError
            A word is not a square, or a square occurs twice.
        """
        pieces = kings = 0
        for word in filter(None, text.split(",")):
            first, dash, last = word.removeprefix("K").partition("-")
            ends = [int(end) for end in (first, last if dash else first) if end.isascii() and end.isdigit()]
            if len(ends) != 2 or not 1 <= ends[0] <= ends[1] <= self.squares:
                raise ValueError(
                    f"{word!r} is not a square; "
                    f"squares are 1 to {self.squares}, with K before a king's, or 5-8 for a run"
                )
            for square in range(ends[0], ends[1] + 1):
                if pieces >> self.bit_of(square) & 1:
                    raise ValueError(f"square {square} is named twice")
                pieces |= 1 << self.bit_of(square)
                kings |= (word[0] == "K") << self.bit_of(square)
        return pieces, kings

    def read_fen(self, text: str) -> tuple[int, int, int, Player, int]:
        """Read a FEN; return MAX's pieces, MIN's pieces, all kings, the player to move and the plies without progress.

        Raises
        ------
        ValueError
            The text is not a FEN, or its position breaks the rules.
        """
        turn, *fields = text.strip().removesuffix(".").split(":")
        sides, quiet = {}, 0
        for field in fields:
            if field[:1] == "H" and field[1:].isascii() and field[1:].isdigit():
                quiet = int(field[1:])
            elif field[:1] in ("W", "B") and field[:1] not in sides:
                sides[field[0]] = field[1:]
            else:
                raise ValueError(
                    f"{text!r} has the part {field!r}; parts begin with W or B, once each, or H and a number"
                )
        if turn not in ("W", "B") or len(sides) != 2:
            start = f"{'W' if self.white == MAX else 'B'}:W{self.squares - self.men + 1}-{self.squares}:B1-{self.men}"
            raise ValueError(f"{text!r} is not a FEN; write {start}, side to move first, with K for a king")
        (white, white_kings), (black, black_kings) = self.read_squares(sides["W"]), self.read_squares(sides["B"])
        if white & black:
            raise ValueError(f"{text!r} has pieces of both players on square {self.squares_of(white & black)[0]}")
        kings = white_kings | black_kings
        if (white & self.last_row(self.white) | black & self.last_row(-self.white)) & ~kings:
            raise ValueError(f"{text!r} has a man on its last row; it must be a king")
        both = (white, black) if self.white == MAX else (black, white)
        return *both, kings, self.white if turn == "W" else -self.white, quiet

    def read(self, text: str, no_progress: int) -> Position:
        """Read a FEN of a game with a limit on plies without progress, or without a limit if ``no_progress`` is 0.

        Raises
        ------
        ValueError
            As `read_fen`, or the text counts more plies than the limit.
        """
        max_pieces, min_pieces, kings, player, quiet = self.read_fen(text)
        if not no_progress:
            return State(max_pieces, min_pieces, kings, player)
        if quiet > no_progress:
            raise ValueError(f"{text!r} counts {quiet} plies without progress; at most {no_progress} are possible")
        return CountedState(max_pieces, min_pieces, kings, player, quiet)

    def draw(self, state: Position) -> str:
        """Return the rows from the top: ``b`` and ``w`` are men, ``B`` and ``W`` kings, ``.`` empty dark squares."""
        white, black = self.sides(state)
        lines = []
        for row in range(self.width):
            line, first = [" "] * self.width, self.half * row + 1
            for square in range(first, first + self.half):
                bit = self.bit_of(square)
                piece = "b" if black >> bit & 1 else "w" if white >> bit & 1 else "."
                line[self.cell_of(square) % self.width] = piece.upper() if state.kings >> bit & 1 else piece
            lines.append(f"{' '.join(line)}   {first:>2}-{first + self.half - 1}")
        return "\n".join(lines)

    def picture(self, state: Position, clicks: Mapping[Action, tuple[int, ...]]) -> Board:
        """Return the board as data for `Game.board`, given the cells to click for each legal action."""
        width, pieces = self.width, []
        for owner, board in ((MAX, state.max_pieces), (MIN, state.min_pieces)):
            for square in self.squares_of(board):
                kind = "king" if state.kings >> self.bit_of(square) & 1 else "man"
                pieces.append(Piece(self.cell_of(square), owner, kind))
        return Board(
            cells=tuple(
                Cell(i % width, i // width, "dark" if (i // width + i) % 2 else "square") for i in range(width**2)
            ),
            pieces=tuple(pieces),
            clicks=dict(clicks),
            labels=tuple(
                (-0.75 if side == 0 else width - 0.25, row, str(self.half * row + (1 if side == 0 else self.half)))
                for row in range(width)
                for side in (0, 1)
            ),
            scores=counted("captured", self.men - popcount(state.min_pieces), self.men - popcount(state.max_pieces)),
            missing=True,
        )

    def placements(self, text: str, most: int) -> Iterator[State]:
        """Yield every way to place the pieces that a text such as ``KMk`` names, with either side to move.

        ``K`` and ``M`` are a king and a man of MAX, ``k`` and ``m`` a king and a man of MIN. No man stands on its last
        row.

        Raises
        ------
        ValueError
            The text is empty, names more than ``most`` pieces, or has other letters.
        """
        if not text or set(text) - set("KMkm") or len(text) > most:
            raise ValueError(f"{text!r} is not one to {most} of the letters K, M, k and m, a king or man of MAX or MIN")
        last_rows = {"M": self.last_row(MAX), "m": self.last_row(MIN)}
        squares = [1 << self.bit_of(square) for square in range(1, self.squares + 1)]

        def placed(kinds: list[str], boards: dict[str, int]) -> Iterator[dict[str, int]]:
            if not kinds:
                yield boards
                return
            kind = kinds[0]
            taken = sum(boards.values()) | last_rows.get(kind, 0)
            for chosen in combinations([square for square in squares if not square & taken], text.count(kind)):
                yield from placed(kinds[1:], {**boards, kind: sum(chosen)})

        for boards in placed(sorted(set(text)), dict.fromkeys("KMkm", 0)):
            kings = boards["K"] | boards["k"]
            for player in (MAX, MIN):
                yield State(boards["K"] | boards["M"], boards["k"] | boards["m"], kings, player)
