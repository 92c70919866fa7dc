"""Domineering: lay dominoes on free squares; a player who cannot loses.

Variant: G. Andersson's game as Gardner (1974) describes it. MAX lays vertical dominoes and moves first, MIN lays
horizontal ones. There are no draws.

Cells are numbered in reading order, from 0 at the top left. A board of up to 64 cells is a word, a larger one two words
(see `zermelo.words`). An action is the number of the upper or left cell of the domino.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Generic, NamedTuple

from zermelo import grid
from zermelo.board import Board
from zermelo.game import MAX, MIN, Game
from zermelo.grid import flipping, mirroring, transposing
from zermelo.parameters import checked
from zermelo.words import ONE_WORD, TWO_WORDS, Bits, Words

WIN = 1000


class State(NamedTuple, Generic[Bits]):
    """The covered cells, and the player to move."""

    covered: Bits
    player: int
    """The player to move, MAX or MIN."""


def domineering(width: Annotated[int, range(1, 27)] = 8, height: Annotated[int, range(1, 27)] = 8) -> Game:
    """Domineering: Vertical lays upright dominoes, Horizontal flat ones; a player who cannot move loses."""
    parameters = checked(domineering, width=width, height=height)
    grid.check_size("domineering", width, height)
    large = width * height > 64
    game = rules(TWO_WORDS, width, height) if large else rules(ONE_WORD, width, height)
    return replace(game, parameters=parameters)


def rules(words: Words[Bits], width: int, height: int) -> Game:
    """Return the rules on a board of one word or of two."""
    cells = width * height
    nothing, one = words.of(0), words.of(1)
    bit, lowest_index, popcount = words.bit, words.lowest_index, words.popcount
    complement, shift_right, whole = words.complement, words.shift_right, words.whole
    upper = words.of((1 << (cells - width)) - 1)
    left = words.of(grid.inner_columns(width, height))
    flip, mirror = flipping(words, width, height), mirroring(words, width, height)
    transpose = transposing(words, width)

    def places(covered: Bits, player: int) -> Bits:
        """Return the upper or left cells of the dominoes that ``player`` can lay."""
        free = complement(covered)
        if player == MAX:
            return free & shift_right(free, width) & upper
        return free & shift_right(free, 1) & left

    def to_move(state: State[Bits]) -> int:
        return state.player

    def actions(state: State[Bits]) -> Iterator[int]:
        free = places(state.covered, state.player)
        while free != nothing:
            yield lowest_index(free)
            free &= free - one

    def result(state: State[Bits], action: int) -> State[Bits]:
        second = action + (width if state.player == MAX else 1)
        return State(state.covered | bit(action) | bit(second), -state.player)

    def is_terminal(state: State[Bits]) -> bool:
        return places(state.covered, state.player) == nothing

    def utility(state: State[Bits]) -> int:
        """The player to move cannot move and has lost."""
        return -state.player * WIN

    def evaluate(state: State[Bits]) -> int:
        """Return the places left to MAX less those left to MIN: at most 117 each."""
        return popcount(places(state.covered, MAX)) - popcount(places(state.covered, MIN))

    def key(state: State[Bits]) -> int:
        """Pack one bit for each cell and one for the player; boards of up to 62 cells have a key."""
        return whole(state.covered) << 1 | (1 if state.player == MAX else 0)

    def order(state: State[Bits], action: int) -> int:
        """Put moves first that leave the player many places and the opponent few."""
        covered = result(state, action).covered
        return popcount(places(covered, state.player)) - popcount(places(covered, -state.player))

    def tier(state: State[Bits]) -> int:
        """Count the covered squares: each move covers two."""
        return popcount(state.covered)

    def symmetries(state: State[Bits]) -> Iterator[State[Bits]]:
        covered, player = state
        upside_down = flip(covered)
        yield State(upside_down, player)
        yield State(mirror(covered), player)
        yield State(mirror(upside_down), player)

    def swap(state: State[Bits]) -> State[Bits]:
        return State(transpose(state.covered), -state.player)

    def pieces(state: State[Bits]) -> str:
        return grid.pieces_of(cells, {"#": whole(state.covered)})

    face = grid.Face(width, height, pieces, {"#": 0}, "vh", "domino")

    def from_text(text: str) -> State[Bits]:
        """Read a board and who is to move; raise ValueError for any other text.

        The text may show cells that dominoes alone cannot cover.
        """
        board, player = face.read(text)
        return State(words.of(grid.word_of(board, "#")), player)

    def halves(state: State[Bits], action: int) -> tuple[int, int]:
        """Return both cells of a domino."""
        return action, action + (width if state.player == MAX else 1)

    def format_action(state: State[Bits], action: int) -> str:
        """Write both cells of the domino: ``a8-a7``."""
        return "-".join(grid.name(cell, width, height) for cell in halves(state, action))

    def board(state: State[Bits]) -> Board:
        clicks = {action: halves(state, action) for action in actions(state)}
        return face.board(state, clicks)._replace(laid=True)

    return Game(
        name="domineering",
        initial=State(nothing, MAX),
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        key=key if cells <= 62 else None,
        order=order,
        symmetries=symmetries,
        tier=tier,
        swap=swap if width == height else None,
        draw=face.draw,
        format_action=format_action,
        to_text=face.to_text,
        from_text=from_text,
        board=board,
        sides=("Vertical", "Horizontal"),
    )
