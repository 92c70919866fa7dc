"""States as keys and back, interpreted: what the compiled twins are tested against elsewhere."""

from typing import NamedTuple

import pytest

from zermelo import MAX, Game
from zermelo.compiled import compiled
from zermelo.compiled.codec import MISFIT, Codec


class State(NamedTuple):
    board: int
    score: int
    player: int


def corners():
    """A board of 64 squares, of which three are used: the first, the tenth and the last."""
    return Game(
        name="corners",
        initial=State(0, 0, MAX),
        utility_range=(-9, 9),
        to_move=lambda state: state.player,
        actions=lambda state: range(3),
        result=lambda state, action: State(state.board | 1 << (0, 9, 63)[action], state.score - 1, -state.player),
        is_terminal=lambda state: state.board == 1 | 1 << 9 | 1 << 63,
        utility=lambda state: state.score,
    )


@pytest.mark.parametrize("board", [0, 1, 1 << 9, 1 << 63, 1 << 63 | 1, 1 << 63 | 1 << 9 | 1])
def test_the_last_square_of_a_board_of_64_comes_back_as_the_bit_that_it_is(board):
    codec = Codec(compiled(corners()), [(0, 0, -1), (1 << 63 | 1 << 9 | 1, -7, 1)])
    state = State(board, -3, -1)
    key = codec.key(state)
    assert 0 <= key < 1 << 63 and codec.state(key) == state
    assert codec.key(State(board | 2, -3, -1)) == MISFIT
    read = Codec.read(compiled(corners()), codec.columns)
    assert read.key(state) == key and read.state(key) == state
