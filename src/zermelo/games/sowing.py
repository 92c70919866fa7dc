"""Two rows of pits with seeds: what the mancala games share.

A mancala game is played on two rows of pits, one for each player. A move *sows* the seeds of a pit: it takes them all
out and drops them one by one into the pits that follow, around the board. Captured seeds go to the player's *store*.

South is MAX and moves first. The pits of each row are numbered from the left as their owner sees them, which is the
order of sowing; the store comes after the last pit::

          5 4 3 2 1 0        North's pits are called f e d c b a
       6               6
          0 1 2 3 4 5        South's pits are called A B C D E F

A row is one word with seven bits for each pit: pit 0 in the lowest bits, the store on top. Seven bits hold at most 127
seeds, and `total` can count at most 126, so a game may have at most 126 seeds.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from zermelo.board import Area, Board, Cell, Piece
from zermelo.errors import BadParameter
from zermelo.game import MAX, MIN
from zermelo.grid import counted

BITS = 7
"""Bits for each pit."""
MOST_SEEDS = (1 << BITS) - 2
MOST_PITS = 63 // BITS - 1
"""Pits in a row, its store not counted."""
LETTERS = "ABCDEFGH"
ONES = sum(1 << BITS * pit for pit in range(MOST_PITS + 1))
"""One seed in every pit and in the store."""


class State(NamedTuple):
    """Both rows, and the player to move."""

    south: int
    north: int
    player: int
    """The player to move, MAX (South) or MIN (North)."""


def ones(pits: int) -> int:
    """Return a row with one seed in each of the first ``pits`` pits.

    >>> [held(ones(2), pit) for pit in range(3)]
    [1, 1, 0]
    """
    return ONES & ((1 << BITS * pits) - 1)


def held(row: int, pit: int) -> int:
    """Return how many seeds are in a pit, or in the store if ``pit`` is the number of pits."""
    return row >> BITS * pit & ((1 << BITS) - 1)


def total(row: int) -> int:
    """Return how many seeds are in a row, its store included.

    A row is a number with the digits of its pits to base 128. Since 128 leaves the remainder 1 when divided by 127,
    the number and the sum of its digits leave the same remainder, as in casting out nines.

    >>> total(make_row([4, 0, 22]))
    26
    """
    return row % ((1 << BITS) - 1)


def make_row(numbers: Iterable[int]) -> int:
    """Return the row that holds the given numbers of seeds, pit 0 first and the store last."""
    return sum(number << BITS * pit for pit, number in enumerate(numbers))


def opening(pits: int, each: int) -> State:
    """Return the first state of a game: ``each`` seeds in every pit, empty stores.

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
    """South's seeds less North's, including those left in the rows."""
    return total(state.south) - total(state.north)


def make_key(pits: int, all_seeds: int) -> Callable[[State], int] | None:
    """Return the ``key`` of a game with ``pits`` in a row and ``all_seeds`` in all; None if 63 bits cannot hold it."""

    def key(state: State) -> int:
        """Pack the pits and South's store as digits to base seeds + 1, then a bit for the player.

        North's store follows from the others.
        """
        number = 0
        for pit in range(pits):
            number = (number * (all_seeds + 1) + held(state.south, pit)) * (all_seeds + 1) + held(state.north, pit)
        return (number * (all_seeds + 1) + held(state.south, pits)) * 2 + (1 if state.player == MAX else 0)

    return key if (all_seeds + 1) ** (2 * pits + 1) * 2 <= 1 << 63 else None


def make_unpack(pits: int, all_seeds: int) -> Callable[[int], State]:
    """Return the inverse of the function that `make_key` returns."""

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
    """Write the letter of a pit: a capital for South's, a small one for North's."""
    return LETTERS[action] if state.player == MAX else LETTERS[action].lower()


def parse_action(state: State, text: str) -> int:
    """Read what `format_action` wrote; capitals and small letters mean the same."""
    if len(text) != 1 or text.upper() not in LETTERS:
        raise ValueError(f"{text!r} is not a pit; pits have letters, from A")
    return LETTERS.index(text.upper())


class Pictures(NamedTuple):
    """How the states of a game with ``pits`` in a row are shown."""

    pits: int

    def to_text(self, state: State) -> str:
        """Write South's row and North's row, each with its store last, and who is to move: ``4,4,0/4,4,0 S``."""
        rows = (",".join(str(held(row, pit)) for pit in range(self.pits + 1)) for row in (state.south, state.north))
        return "/".join(rows) + (" S" if state.player == MAX else " N")

    def draw(self, state: State) -> str:
        """Draw North's row from its last pit to its first, the stores to the left and right, and South's row."""
        south, north = ([f"{held(row, pit):>3}" for pit in range(self.pits)] for row in (state.south, state.north))
        letters = [f"{letter:>3}" for letter in LETTERS[: self.pits]]
        lines = ["".join(["    ", *reversed(letters)]).lower(), "".join(["    ", *reversed(north), "     North"])]
        lines.append(f"{held(state.north, self.pits):>3} {'':{3 * self.pits}} {held(state.south, self.pits):>3}")
        lines += ["".join(["    ", *south, "     South"]), "".join(["    ", *letters])]
        return "\n".join(lines)

    def board(self, state: State, legal: Iterable[int]) -> Board:
        """Return the board as data for `Game.board`, given the legal actions.

        The cells are South's pits, South's store, North's pits, North's store.
        """
        pits = self.pits
        labels = [(1 + pit, 2.75, LETTERS[pit]) for pit in range(pits)]
        labels += [(pits - pit, -1.15, LETTERS[pit].lower()) for pit in range(pits)]
        south = [Cell(1 + pit, 1.6, "pit", 1, 1.6) for pit in range(pits)] + [Cell(1 + pits, 0.8, "pit", 1, 3.2)]
        north = [Cell(pits - pit, 0, "pit", 1, 1.6) for pit in range(pits)] + [Cell(0, 0.8, "pit", 1, 3.2)]
        pieces = []
        for owner, row, first in ((MAX, state.south, 0), (MIN, state.north, pits + 1)):
            numbers = [(first + pit, held(row, pit)) for pit in range(pits + 1)]
            pieces += [Piece(cell, owner, "seeds", number) for cell, number in numbers if number]
        first = 0 if state.player == MAX else pits + 1
        clicks: dict[int, tuple[int, ...]] = {action: (first + action,) for action in legal}
        return Board(
            (*south, *north),
            tuple(pieces),
            clicks,
            labels=tuple(labels),
            ground="wood",
            areas=(Area(0.5, -0.8, pits, 1.6, MIN), Area(0.5, 0.8, pits, 1.6, MAX)),
            scores=counted("in store", held(state.south, pits), held(state.north, pits)),
        )


def make_from_text(pits: int, all_seeds: int) -> Callable[[str], State]:
    """Return the ``from_text`` of a game with ``pits`` in a row and ``all_seeds`` in all."""

    def from_text(text: str) -> State:
        """Read a state that `Pictures.to_text` wrote; raise ValueError for any other text."""
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
