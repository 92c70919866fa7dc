"""Positions of chess as pictures: in plain text, and as data for a page."""

from collections.abc import Iterable
from typing import Final

from zermelo.board import Board, Cell, Piece
from zermelo.game import MAX, MIN
from zermelo.games.chess_board import QUEEN, State, men_of
from zermelo.games.chess_notation import FILES, PROMOTIONS, Rules, arrival

SYMBOLS: Final = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))


def drawing(size: int, state: State) -> str:
    """Return the board in plain text, with coordinates."""
    men = men_of(state)
    rows = [
        f"{row + 1} {' '.join(men.get(8 * row + column, '.') for column in range(size))}"
        for row in reversed(range(size))
    ]
    return "\n".join([*rows, "  " + " ".join(FILES[:size])])


def picture(rules: Rules, state: State, legal: Iterable[int]) -> Board:
    """Return the board as data; its cells are numbered in reading order."""
    size, actions = rules.size, list(legal)
    return Board(
        cells=tuple(
            Cell(x, y, "dark" if (x + size - 1 - y) % 2 == 0 else "square") for y in range(size) for x in range(size)
        ),
        pieces=tuple(
            Piece(cell_of(square, size), MAX if man.isupper() else MIN, SYMBOLS[man])
            for square, man in sorted(men_of(state).items())
        ),
        clicks={action: clicks(rules, state, action) for action in actions},
        choices={action: SYMBOLS[PROMOTIONS[action >> 12]] for action in actions if action >> 12},
        labels=(
            *((column, size - 0.25, FILES[column]) for column in range(size)),
            *((-0.75, row, str(size - row)) for row in range(size)),
        ),
        scores=(captured(state, size, white=False), captured(state, size, white=True)),
        missing=True,
    )


def captured(state: State, size: int, *, white: bool) -> str:
    """Return the men of the usual army that one side lacks, as symbols; a promoted pawn counts as none."""
    if size != 8:
        return ""
    men = "".join(men_of(state).values())
    army = "QRRBBNNPPPPPPPP" if white else "qrrbbnnpppppppp"
    lost = {man: max(0, army.count(man) - men.count(man)) for man in dict.fromkeys(army)}
    extra = sum(max(0, men.count(man) - army.count(man)) for man in lost)
    pawn = "P" if white else "p"
    lost[pawn] = max(0, lost[pawn] - extra)
    return "".join(SYMBOLS[man] * number for man, number in lost.items())


def cell_of(square: int, size: int) -> int:
    """Return the number of a square among the cells."""
    return (size - 1 - square // 8) * size + square % 8


def clicks(rules: Rules, state: State, action: int) -> tuple[int, ...]:
    """Return the clicks of a move, on origin and target.

    A promotion has a third click: on the target for a queen, and on the squares behind it for the other pieces, where
    the page then shows them.
    """
    origin, target, promotion = action & 63, arrival(rules, state, action), action >> 12
    if not promotion:
        return cell_of(origin, rules.size), cell_of(target, rules.size)
    inwards = -8 if target // 8 == rules.size - 1 else 8
    menu = target + (QUEEN - promotion) * inwards
    return cell_of(origin, rules.size), cell_of(target, rules.size), cell_of(menu, rules.size)
