"""Kayles and Dawson's game: knock pins out of a row; whoever makes the last move wins.

In Kayles (H. E. Dudeney 1908), a move takes one pin, or two that stand side by side. In Dawson's Kayles, the octal game
0.07, a move always takes two pins side by side; with one pin more than files it equals Dawson's Chess (T. R. Dawson
1935, where the last move wins). R. Guy and C. Smith solved both in "The G-values of various games", Proceedings of the
Cambridge Philosophical Society 52 (1956): their Grundy values have the periods 12 and 34.

A row of up to 62 pins is one word; its leftmost pin is bit 0. Pins are numbered from 1. The action ``pin`` takes that
pin alone, ``64 + pin`` takes it and the next one. MAX ("X") moves first.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from zermelo.bits import lowest_index, popcount
from zermelo.board import Board, Cell, Piece
from zermelo.game import MAX, MIN, Game
from zermelo.parameters import checked

WIN = 1000
PAIR = 64
"""The bit of an action that takes two pins."""


class State(NamedTuple):
    """The pins that stand, and the player to move."""

    pins: int
    player: int
    """The player to move, MAX or MIN."""


def to_move(state: State) -> int:
    return state.player


def swap(state: State) -> State:
    return State(state.pins, -state.player)


def result(state: State, action: int) -> State:
    knocked = (3 if action & PAIR else 1) << (action & ~PAIR) - 1
    return State(state.pins & ~knocked, -state.player)


def utility(state: State) -> int:
    """The player to move cannot move and has lost."""
    return -WIN * state.player


def evaluate(state: State) -> int:
    """Guess that the player to move wins if an odd number of pins have a neighbour."""
    coupled = state.pins & (state.pins << 1 | state.pins >> 1)
    return state.player if popcount(coupled) & 1 else -state.player


def key(state: State) -> int:
    return state.pins << 1 | (1 if state.player == MAX else 0)


def format_action(state: State, action: int) -> str:
    """Write the pins that fall, counted from 1 at the left: ``4`` or ``4-5``."""
    pin = action & ~PAIR
    return f"{pin}-{pin + 1}" if action & PAIR else str(pin)


def row_game(name: str, pins: int, singles: bool) -> Game:
    """Return the game on a row of ``pins``: a move takes two neighbours, or also one pin if ``singles``."""
    full = (1 << pins) - 1

    def actions(state: State) -> Iterator[int]:
        left = state.pins
        while left:
            pin = lowest_index(left)
            if singles:
                yield pin + 1
            if state.pins >> pin & 2:
                yield PAIR | pin + 1
            left &= left - 1

    def is_terminal(state: State) -> bool:
        return state.pins == 0 if singles else state.pins & state.pins >> 1 == 0

    def tier(state: State) -> int:
        """Count the pins that have fallen."""
        return pins - popcount(state.pins)

    def symmetries(state: State) -> Iterator[State]:
        """Yield the row as seen from behind."""
        behind, left = 0, state.pins
        while left:
            behind |= 1 << (pins - 1 - lowest_index(left))
            left &= left - 1
        yield State(behind, state.player)

    def to_text(state: State) -> str:
        """Write ``|`` for a pin and ``.`` for a gap, and who is to move: ``||.|| X``."""
        row = "".join("|" if state.pins >> pin & 1 else "." for pin in range(pins))
        return row + (" X" if state.player == MAX else " O")

    def from_text(text: str) -> State:
        """Read a state that `to_text` wrote; raise ValueError for any other text."""
        row, _, turn = text.partition(" ")
        if len(row) != pins or set(row) - set("|.") or turn not in ("X", "O"):
            raise ValueError(
                f"{text!r} is not {pins} characters | or . and X or O to move: {to_text(State(full, MAX))}"
            )
        standing = sum(1 << pin for pin, mark in enumerate(row) if mark == "|")
        return State(standing, MAX if turn == "X" else MIN)

    def draw(state: State) -> str:
        width = len(str(pins))
        lines = [" ".join(to_text(state)[:pins])]
        for place in range(width):
            lines.append(" ".join(str(pin + 1).rjust(width)[place] for pin in range(pins)))
        return "\n".join(line.rstrip() for line in lines)

    def board(state: State) -> Board:
        """A move is clicks on the first and the last pin that fall; two clicks on the same pin if it falls alone."""
        legal = [] if is_terminal(state) else list(actions(state))
        clicks: dict[int, tuple[int, ...]] = {}
        for action in legal:
            pin = (action & ~PAIR) - 1
            clicks[action] = (pin, pin + 1 if action & PAIR else pin)
        return Board(
            cells=tuple(Cell(pin, 0, "round") for pin in range(pins)),
            pieces=tuple(Piece(pin, 0, "pin") for pin in range(pins) if state.pins >> pin & 1),
            clicks=clicks,
            labels=tuple((pin, 0.7, str(pin + 1)) for pin in range(pins)),
        )

    return Game(
        name=name,
        parameters={"pins": pins},
        initial=State(full, MAX),
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        key=key,
        symmetries=symmetries,
        tier=tier,
        swap=swap,
        draw=draw,
        format_action=format_action,
        to_text=to_text,
        from_text=from_text,
        board=board,
        sides=("First", "Second"),
    )


def kayles(pins: Annotated[int, range(1, 63)] = 12) -> Game:
    """Kayles: knock out one pin or two neighbours; whoever knocks out the last one wins."""
    return row_game("kayles", checked(kayles, pins=pins)["pins"], singles=True)


def dawson(pins: Annotated[int, range(2, 63)] = 13) -> Game:
    """Dawson's Kayles: knock out two neighbours; whoever makes the last move wins."""
    return row_game("dawson", checked(dawson, pins=pins)["pins"], singles=False)
