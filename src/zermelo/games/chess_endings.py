"""Endings of chess for solved tables: up to five men, without castling, and without a halfmove clock.

A table of an ending holds positions in which the halfmove clock is not counted, so it tells who wins if there were no
rule of fifty moves. Nobody may castle in it. Captures en passant are in it wherever play comes to them, but an ending's
placements begin with none.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from zermelo.bits import lowest_index, popcount, shift_left
from zermelo.game import MAX, MIN
from zermelo.games.chess_board import BISHOP, KNIGHT, LETTERS, QUEEN, ROOK, UNCOUNTED, State, kind_of
from zermelo.grid import permute

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_MEN = 5


def pack(state: State) -> int:
    """Pack the men, the turn and the passed file of an ending into one int; return -1 for any other state.

    From the top: a leading 1; four bits for the file of the passed square, counted from 1; ten bits for each man, six
    for its square, three for its kind and one for Black; and one bit that is 1 if White is to move.
    """
    men = state.white | state.black
    if state.halfmove_clock != UNCOUNTED or state.castling or popcount(men) > MOST_MEN:
        return -1
    number = 16
    if state.en_passant:
        number = 17 + lowest_index(state.en_passant) % 8
    while men:
        square = lowest_index(men)
        man = shift_left(1, square)
        men &= men - 1
        number = number << 10 | square << 4 | kind_of(state, man) << 1 | (0 if man & state.white else 1)
    return number << 1 | (1 if state.player == MAX else 0)


def unpack(number: int) -> State:
    """Return the state that `pack` packed."""
    white = black = pawns = knights = diagonal_sliders = straight_sliders = en_passant = 0
    player = MAX if number & 1 else MIN
    number >>= 1
    while number >= 32:
        man, kind = shift_left(1, number >> 4 & 63), number >> 1 & 7
        if number & 1:
            black |= man
        else:
            white |= man
        if kind == 1:
            pawns |= man
        elif kind == KNIGHT:
            knights |= man
        if kind in (BISHOP, QUEEN):
            diagonal_sliders |= man
        if kind in (ROOK, QUEEN):
            straight_sliders |= man
        number >>= 10
    if number > 16:
        en_passant = shift_left(1, number - 17 + (40 if player == MAX else 16))
    return State(white, black, pawns, knights, diagonal_sliders, straight_sliders, 0, en_passant, player, UNCOUNTED)


def images(size: int) -> tuple[tuple[int, ...], ...]:
    """Return where each square goes when the board is reflected or rotated; the reflection of the files comes first."""

    def places(across: bool, flipped: bool, mirrored: bool) -> tuple[int, ...]:
        found = []
        for square in range(64):
            file, rank = square % 8, square // 8
            if file < size and rank < size:
                file, rank = (size - 1 - file if mirrored else file), (size - 1 - rank if flipped else rank)
                file, rank = (rank, file) if across else (file, rank)
            found.append(8 * rank + file)
        return tuple(found)

    kinds = [(across, flipped, mirrored) for across in (0, 1) for flipped in (0, 1) for mirrored in (0, 1)]
    return tuple(places(bool(a), bool(f), bool(m)) for a, f, m in kinds[1:])


def symmetries_of(size: int) -> Callable[[State], Iterator[State]]:
    """Return the function that yields the other states of an ending that are the same by symmetry."""
    all_images = images(size)

    def symmetries(state: State) -> Iterator[State]:
        """Yield reflections and rotations of an ending; with pawns only the reflection of the files."""
        if state.castling == 0 and popcount(state.white | state.black) <= MOST_MEN:
            for number in range(1 if state.pawns else 7):
                places = all_images[number]
                yield State(
                    permute(state.white, places),
                    permute(state.black, places),
                    permute(state.pawns, places),
                    permute(state.knights, places),
                    permute(state.diagonal_sliders, places),
                    permute(state.straight_sliders, places),
                    0,
                    permute(state.en_passant, places),
                    state.player,
                    state.halfmove_clock,
                )

    return symmetries


def placements(text: str, size: int) -> "NDArray[np.int64]":
    """Return the packed positions of an ending such as ``KRk``, White's men as capitals, with either side to move.

    In none of them may anybody castle, or capture en passant.

    Raises
    ------
    ValueError
        The text names other men than two kings and up to three more.
    """
    if text.count("K") != 1 or text.count("k") != 1 or set(text) - set(LETTERS) or len(text) > MOST_MEN:
        raise ValueError(
            f"{text!r} is no ending; write both kings and up to {MOST_MEN - 2} more men, White's as capitals: KRk"
        )
    from zermelo.games import chess_placements  # which needs NumPy, as the rules do not

    return chess_placements.placements(text, size)
