"""Two rows of pits with seeds: what the mancala games share.

South is MAX and moves first. Each player's row is numbered from the left as that player sees it, which is the
order in which seeds are sown; the store comes after the last pit::

          5 4 3 2 1 0        North's pits are called f e d c b a
       6               6
          0 1 2 3 4 5        South's pits are called A B C D E F

A row is one word, seven bits a pit, pit 0 lowest and the store on top. Seven bits hold at most 127 seeds, and
126 is the most that `total` can tell, so that is how many seeds a game may have.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from zermelo.board import Board, Cell, Piece
from zermelo.errors import BadParameter
from zermelo.game import MAX, MIN

BITS = 7
"""Bits a pit."""
MOST_SEEDS = (1 << BITS) - 2
MOST_PITS = 63 // BITS - 1
"""Pits in a row, its store not counted."""
LETTERS = "ABCDEFGH"
ONES = sum(1 << BITS * pit for pit in range(MOST_PITS + 1))
"""One seed in every pit and in the store."""


class State(NamedTuple):
    """Both rows and whose turn it is."""

    south: int
    north: int
    player: int
    """MAX (South) or MIN (North), to move."""


def ones(pits: int) -> int:
    """One seed in each of the first ``pits`` pits.

    >>> [held(ones(2), pit) for pit in range(3)]
    [1, 1, 0]
    """
    return ONES & ((1 << BITS * pits) - 1)


def held(row: int, pit: int) -> int:
    """The seeds in a pit, or in the store."""
    return row >> BITS * pit & ((1 << BITS) - 1)


def total(row: int) -> int:
    """The seeds in a row, its store included.

    128 leaves 1 when divided by 127, so each pit's seeds count once, as digits do when nines are cast out.

    >>> total(make_row([4, 0, 22]))
    26
    """
    return row % ((1 << BITS) - 1)


def make_row(numbers: Iterable[int]) -> int:
    """The row with so many seeds in its pits and in its store."""
    return sum(number << BITS * pit for pit, number in enumerate(numbers))


def opening(pits: int, each: int) -> State:
    """``each`` seeds in every pit, stores empty.

    Raises
    ------
    BadParameter
        There are more seeds than a row can count.
    """
    if 2 * pits * each > MOST_SEEDS:
        raise BadParameter(
            f"{pits} pits a side with {each} seeds each are {2 * pits * each} seeds; there may be at most {MOST_SEEDS}."
        )
    return State(each * ones(pits), each * ones(pits), MAX)


def to_move(state: State) -> int:
    return state.player


def swap(state: State) -> State:
    return State(state.north, state.south, -state.player)


def utility(state: State) -> int:
    """South's seeds less North's, those left in the rows included."""
    return total(state.south) - total(state.north)


def namer(pits: int, all_seeds: int) -> Callable[[State], int] | None:
    """The ``key`` of a game with rows of ``pits`` and that many seeds in all; None where it would not fit a word."""

    def key(state: State) -> int:
        """A number in base seeds + 1: every pit, South's store and who is to move; North's store is the rest."""
        number = 0
        for pit in range(pits):
            number = (number * (all_seeds + 1) + held(state.south, pit)) * (all_seeds + 1) + held(state.north, pit)
        return (number * (all_seeds + 1) + held(state.south, pits)) * 2 + (1 if state.player == MAX else 0)

    return key if (all_seeds + 1) ** (2 * pits + 1) * 2 <= 1 << 63 else None


def unnamer(pits: int, all_seeds: int) -> Callable[[int], State]:
    """The inverse of what `namer` gives."""

    def unpack(number: int) -> State:
        player = MAX if number & 1 else MIN
        rest = number >> 1
        radix = all_seeds + 1
        south = (rest % radix) << BITS * pits
        left = all_seeds - rest % radix
        rest //= radix
        north = 0
        for pit in range(pits - 1, -1, -1):
            in_north, in_south = rest % radix, rest // radix % radix
            rest //= radix * radix
            north |= in_north << BITS * pit
            south |= in_south << BITS * pit
            left -= in_north + in_south
        return State(south, north | left << BITS * pits, player)

    return unpack


def format_action(state: State, action: int) -> str:
    """The letter of a pit: large for South's, small for North's."""
    return LETTERS[action] if state.player == MAX else LETTERS[action].lower()


def parse_action(state: State, text: str) -> int:
    """The action that `format_action` wrote; the letter may be large or small."""
    if len(text) != 1 or text.upper() not in LETTERS:
        raise ValueError(f"{text!r} is not a pit; pits have letters, from A")
    return LETTERS.index(text.upper())


class Pictures(NamedTuple):
    """How states look, for rows of so many pits."""

    pits: int

    def to_text(self, state: State) -> str:
        """South's row, North's row, each with its store last, and who is to move: ``4,4,0/4,4,0 S``."""
        rows = (",".join(str(held(row, pit)) for pit in range(self.pits + 1)) for row in (state.south, state.north))
        return "/".join(rows) + (" S" if state.player == MAX else " N")

    def draw(self, state: State) -> str:
        """North's row from its last pit to its first, the stores to the left and right, South's row."""
        south, north = ([f"{held(row, pit):>3}" for pit in range(self.pits)] for row in (state.south, state.north))
        letters = [f"{letter:>3}" for letter in LETTERS[: self.pits]]
        lines = ["".join(["    ", *reversed(letters)]).lower(), "".join(["    ", *reversed(north), "     North"])]
        lines.append(f"{held(state.north, self.pits):>3} {'':{3 * self.pits}} {held(state.south, self.pits):>3}")
        lines += ["".join(["    ", *south, "     South"]), "".join(["    ", *letters])]
        return "\n".join(lines)

    def board(self, state: State, legal: Iterable[int]) -> Board:
        """`Game.board`, given the legal actions. Cells: South's pits, its store, North's pits, its store."""
        pits = self.pits
        labels = [(1 + pit, 2, LETTERS[pit]) for pit in range(pits)]
        labels += [(pits - pit, -1, LETTERS[pit].lower()) for pit in range(pits)]
        south = [Cell(1 + pit, 1, "pit") for pit in range(pits)] + [Cell(1 + pits, 0.5, "pit", 1, 2)]
        north = [Cell(pits - pit, 0, "pit") for pit in range(pits)] + [Cell(0, 0.5, "pit", 1, 2)]
        pieces = []
        for owner, row, first in ((MAX, state.south, 0), (MIN, state.north, pits + 1)):
            numbers = [(first + pit, held(row, pit)) for pit in range(pits + 1)]
            pieces += [Piece(cell, owner, "seeds", number) for cell, number in numbers if number]
        first = 0 if state.player == MAX else pits + 1
        clicks: dict[int, tuple[int, ...]] = {action: (first + action,) for action in legal}
        return Board((*south, *north), tuple(pieces), clicks, labels=tuple(labels))


def reader(pits: int, all_seeds: int) -> Callable[[str], State]:
    """The ``from_text`` of a game with rows of ``pits`` and that many seeds in all."""

    def from_text(text: str) -> State:
        """The state that `Pictures.to_text` wrote; ValueError where the text is none."""
        board, _, turn = text.partition(" ")
        rows = [row.split(",") for row in board.split("/")]
        numbers = [number for row in rows for number in row]
        if (
            [len(row) for row in rows] != [pits + 1] * 2
            or turn not in ("S", "N")
            or not all(number.isascii() and number.isdigit() and len(number) <= 3 for number in numbers)
        ):
            example = "/".join([",".join("4" * pits + "0")] * 2)
            raise ValueError(f"{text!r} is not two rows of {pits} pits and a store, and S or N to move: {example} S")
        if sum(map(int, numbers)) != all_seeds:
            raise ValueError(f"{text!r} has {sum(map(int, numbers))} seeds; it must have {all_seeds}, stores included")
        south, north = (make_row(map(int, row)) for row in rows)
        return State(south, north, MAX if turn == "S" else MIN)

    return from_text
